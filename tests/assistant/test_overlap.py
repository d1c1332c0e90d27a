from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.overlap import MOST_SOURCES, Overlap, adjacency, overlap, sequence
from assistant.schema import Paper
from assistant.selection import passages
from assistant.text import content_stems

NAME = "Paella: Dinner for Many"
PAPER = Paper(
    "text:1",
    title=NAME,
    abstract="Rice burns easily on old stoves. Paella stirs slowly with a wooden spoon. "
    "Saffron colours every grain. Guests praise the crust most of all.",
)
WORDS = "rice stove burn paella stir spoon saffron grain guest crust we show the 12 two a by".split()
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))


def shared(text: str, cosines: tuple[float, ...] = (0, 0, 0, 0), paper: Paper = PAPER) -> Overlap:
    texts = passages(1, paper)
    weights = dict.fromkeys(content_stems(text), 1.0)
    return overlap(text, weights, texts, np.array(cosines[: len(texts)], dtype=np.float32), paper.name)


@pytest.mark.parametrize("place", range(4))
def test_a_sentence_of_the_abstract_overlaps_fully(place: int) -> None:
    cosines = tuple(float(i == place) for i in range(4))
    found = shared(passages(1, PAPER)[place].text, cosines)
    assert found.sources == (place,)
    assert astuple(found)[1:] == pytest.approx((1.0,) * 5)


def test_what_is_foreign_overlaps_not_at_all() -> None:
    found = shared("Glaciers remember winters.")
    assert (found.covered, found.sequence, found.joint, found.free, found.near) == (0,) * 5


def test_two_sentences_together_cover_what_neither_does() -> None:
    found = shared("Saffron colours grain that guests praise.")
    assert sorted(found.sources) == [2, 3]
    assert found.covered == pytest.approx(1.0)
    assert found.sequence < found.joint == pytest.approx(1.0)


def test_another_order_lowers_the_sequence_alone() -> None:
    straight, turned = shared("Rice burns on stoves."), shared("Stoves burn on rice.")
    assert straight.covered == turned.covered == pytest.approx(1.0)
    assert turned.sequence < straight.sequence
    assert turned.joint < straight.joint


def test_words_of_reporting_do_not_count_in_what_is_free_of_them() -> None:
    found = shared("The authors show that guests praise the crust.")
    assert found.joint < found.free == pytest.approx(1.0)


def test_the_papers_own_name_counts_as_held() -> None:
    assert shared("Paella colours grain.").sequence == pytest.approx(1.0)
    assert shared("Risotto colours grain.").sequence < 1


def test_the_cosine_decides_between_sources_that_share_no_word() -> None:
    assert shared("Glaciers remember.", (0.1, 0.2, 0.9, 0.3)).sources[0] == 2


def test_a_sequence_leaves_out_figures_and_common_words() -> None:
    assert sequence("The two cooks stirred 12 pots of rice, then rice.") == ("cook", "stir", "pot", "rice", "rice")


@pytest.mark.parametrize(
    ("claim", "near"),
    [("rice burn", 1.0), ("rice easi stove", 1.0), ("old rice", 0.0), ("burn rice spoon", 0.5), ("rice", 1), ("", 1)],
)
def test_neighbours_stay_neighbours(claim: str, near: float) -> None:
    assert adjacency(claim.split(), ["rice burn easi old stove".split(), "slow spoon".split()]) == near


@given(TEXTS, st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_every_share_is_within_0_and_1(text: str, cosines: list[float]) -> None:
    found = shared(text, tuple(cosines))
    assert all(0 <= value <= 1 + 1e-9 for value in astuple(found)[1:])
    assert 1 <= len(set(found.sources)) == len(found.sources) <= MOST_SOURCES


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
def test_a_text_overlaps_fully_with_itself(words: str) -> None:
    text = f"Crust {words}"
    found = shared(text, (1.0,), Paper("text:2", title="Songs", abstract=text))
    assert astuple(found)[1:] == pytest.approx((1.0,) * 5)


@given(TEXTS)
def test_a_texts_neighbours_are_its_own(text: str) -> None:
    assert adjacency(sequence(text), [sequence(text)]) == 1
