from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.chunking import DEFAULT, Recipe, chunk_id, chunks, windows
from assistant.encoder import Encoder
from assistant.schema import Paper

MAX = 24


def count(texts: Sequence[str]) -> list[int]:
    """Count a token for every four characters of a word, and two special ones."""
    return [2 + sum(-(-len(word) // 4) for word in text.split()) for text in texts]


WORDS = st.text("abcdefgh", min_size=1, max_size=30)
SENTENCES = st.lists(WORDS, min_size=1, max_size=40).map(lambda ws: " ".join(ws).capitalize() + ".")
TEXTS = st.lists(SENTENCES, max_size=12).map(" ".join)
RECIPES = st.builds(Recipe, st.integers(1, 4), st.integers(0, 3), st.booleans())


@given(st.none() | TEXTS.filter(bool), TEXTS, RECIPES)
def test_no_word_is_lost_and_no_chunk_too_long(title: str | None, abstract: str, recipe: Recipe) -> None:
    cut = chunks(Paper("p", title=title, abstract=abstract), recipe, count, MAX)
    texts = [chunk.text for chunk in cut]
    assert all(length <= MAX for length in count(texts))
    held = {word for text in texts for word in text.split()}
    assert set(f"{title or ''} {abstract}".split()) <= held
    assert len(set(texts)) == len(texts)


@given(st.text(max_size=300), st.text(max_size=3000))
def test_any_text_can_be_cut(title: str, abstract: str) -> None:
    cut = chunks(Paper("p", title=title, abstract=abstract), DEFAULT, count, MAX)
    assert all(length <= MAX for length in count([chunk.text for chunk in cut]))


@given(st.integers(0, 40), RECIPES)
def test_windows_cover_every_sentence(number: int, recipe: Recipe) -> None:
    runs = list(windows(number, recipe))
    assert {i for run in runs for i in run} == set(range(number))
    assert all(len(run) <= recipe.window for run in runs)


def test_windows_overlap() -> None:
    assert [list(run) for run in windows(5, Recipe(3, 1))] == [[0, 1, 2], [2, 3, 4]]


def test_each_chunk_begins_with_the_title() -> None:
    paper = Paper("p", title="Bees", abstract="One bee. Two bees. Three bees. Four bees.")
    texts = [chunk.text for chunk in chunks(paper, Recipe(2, 1, whole_abstract=True), count, MAX)]
    assert texts == [
        "Bees\nOne bee. Two bees. Three bees. Four bees.",
        "Bees\nOne bee. Two bees.",
        "Bees\nTwo bees. Three bees.",
        "Bees\nThree bees. Four bees.",
    ]


def test_a_paper_without_abstract_is_its_title() -> None:
    assert [chunk.text for chunk in chunks(Paper("p", title="Bees"), DEFAULT, count, MAX)] == ["Bees"]


def test_a_label_is_not_encoded() -> None:
    paper = Paper("p", label="Bees dance", abstract="Bees dance at night.")
    assert [chunk.text for chunk in chunks(paper, DEFAULT, count, MAX)] == ["Bees dance at night."]


def test_the_id_depends_on_the_text_alone() -> None:
    first, second = (chunks(Paper(name, title="Bees"), DEFAULT, count, MAX)[0] for name in "pq")
    assert first.chunk_id == second.chunk_id == chunk_id("Bees")
    assert first.chunk_id != chunk_id("Wasps")


@pytest.mark.parametrize("words", [30, 300, 3000])
def test_the_real_tokenizer_reads_every_chunk_whole(words: int, encoder: Encoder) -> None:
    abstract = " ".join(f"Photosynthesis{i} of unlikely macromolecules?" for i in range(words // 4))
    cut = chunks(Paper("p", title="A title", abstract=abstract), DEFAULT, encoder.token_counts, encoder.max_tokens)
    assert max(encoder.token_counts([chunk.text for chunk in cut])) <= encoder.max_tokens
    assert set(abstract.split()) <= {word for chunk in cut for word in chunk.text.split()}
