import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.polarity import inflected, marks, others, sides

WORDS = sorted(sides())


@pytest.mark.parametrize(
    ("word", "opposite"),
    [("increases", "decreases"), ("activated", "inhibited"), ("upregulation", "downregulation"), ("with", "without")],
)
def test_antonyms_keep_the_form(word: str, opposite: str) -> None:
    assert opposite in others(word, opposite=True)
    assert word in others(opposite, opposite=True)
    assert opposite not in others(word, opposite=False)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("reduce", ("reduce", "reduces", "reduced", "reducing")),
        ("amplify", ("amplify", "amplifies", "amplified", "amplifying")),
        ("suppress", ("suppress", "suppresses", "suppressed", "suppressing")),
        ("rise", ("rise", "rises", "rose", "rising")),
    ],
)
def test_verbs_are_inflected(verb: str, forms: tuple[str, ...]) -> None:
    assert inflected(verb) == forms


@given(st.sampled_from(WORDS), st.booleans())
def test_a_word_is_never_its_own_replacement(word: str, opposite: bool) -> None:
    assert word not in others(word, opposite=opposite)


@given(st.sampled_from(WORDS))
def test_an_antonyms_antonyms_hold_the_word(word: str) -> None:
    assert all(word in others(other, opposite=True) for other in others(word, opposite=True))


def test_opposite_words_get_opposite_marks() -> None:
    axes = marks(["increases", "decreases", "raises", "table"]).axes
    agreement = axes @ axes.T
    assert agreement[0, 1] < 0 < agreement[0, 2]
    assert not agreement[3].any()


def test_marks_cover_all_pieces_of_a_word() -> None:
    axes = marks(["up", "##regulate", "##s"]).axes
    assert (axes[0] == axes[2]).all()
    assert axes[0].any()


def test_a_negation_reaches_the_words_after_it() -> None:
    cues = marks(["it", "does", "not", "help", "."]).cues
    assert cues[:, 0].tolist() == [0, 0, 1, 0, 0]
    assert cues[:, 1].tolist() == [0, 0, 0, 1, 1]
    assert cues[:, 2].tolist() == [1, 1, 1, 0, 1]


@given(st.lists(st.sampled_from(["not", "##s", "increase", "'", "t", "a", "plain"]), max_size=12))
def test_marks_have_a_row_for_each_piece(pieces: list[str]) -> None:
    found = marks(pieces)
    assert len(found.axes) == len(found.cues) == len(pieces)
    assert np.isfinite(found.axes).all()
