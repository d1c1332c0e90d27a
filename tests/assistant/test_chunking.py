from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.chunking import Context, contexts
from assistant.encoder import Encoder
from assistant.schema import Paper

MAX = 24


def count(texts: Sequence[str]) -> list[int]:
    """Count a token for every four characters of a word, and two special ones."""
    return [2 + sum(-(-len(word) // 4) for word in text.split()) for text in texts]


def cut(title: str | None, abstract: str = "", paper_id: str = "p") -> list[Context]:
    return contexts(Paper(paper_id, title=title, abstract=abstract), count, MAX)


WORDS = st.text("abcdefgh", min_size=1, max_size=30)
SENTENCES = st.lists(WORDS, min_size=1, max_size=40).map(lambda ws: " ".join(ws).capitalize() + ".")
TEXTS = st.lists(SENTENCES, max_size=12).map(" ".join)


@given(st.none() | TEXTS.filter(bool), TEXTS)
def test_no_word_is_lost_and_no_context_too_long(title: str | None, abstract: str) -> None:
    found = cut(title, abstract)
    assert all(length <= MAX for length in count([context.text for context in found]))
    read = {word for context in found for word in context.text.split()}
    assert set(f"{title or ''} {abstract}".split()) <= read
    held = {word for context in found for chunk in context.chunks for word in chunk.text.split()}
    assert set(abstract.split()) <= held


@given(st.text(max_size=300), st.text(max_size=3000))
def test_any_text_can_be_cut(title: str, abstract: str) -> None:
    for context in cut(title, abstract):
        assert count([context.text])[0] <= MAX
        assert len(context.spans) == len(context.chunks) > 0
        for span, chunk in zip(context.spans, context.chunks, strict=True):
            assert context.text[span.start : span.end] == chunk.text
            assert span.start >= context.heading


def test_sentences_share_a_context_and_each_begins_with_the_title() -> None:
    (context,) = cut("Bees", "One bee. Two bees. Three bees.")
    assert context.text == "Bees\nOne bee. Two bees. Three bees."
    assert context.text[: context.heading] == "Bees\n"
    assert [chunk.text for chunk in context.chunks] == ["One bee.", "Two bees.", "Three bees."]
    assert {chunk.paper_id for chunk in context.chunks} == {"p"}


def test_what_does_not_fit_goes_on_in_a_context_with_the_title() -> None:
    found = cut("Bees", " ".join(f"Sentence number {i} is here." for i in range(6)))
    assert len(found) > 1
    assert all(context.text.startswith("Bees\n") for context in found)
    assert sum(len(context.chunks) for context in found) == 6


def test_a_paper_without_abstract_is_its_title() -> None:
    (context,) = cut("Bees")
    assert (context.text, context.heading) == ("Bees", 0)
    assert [chunk.text for chunk in context.chunks] == ["Bees"]


def test_a_label_is_not_encoded() -> None:
    paper = Paper("p", label="Bees dance", abstract="Bees dance at night.")
    assert [context.text for context in contexts(paper, count, MAX)] == ["Bees dance at night."]


def test_an_empty_paper_has_no_context() -> None:
    assert cut(None) == []


def test_the_id_depends_on_all_that_is_read() -> None:
    def ids(title: str | None, abstract: str, paper_id: str = "p") -> list[str]:
        return [chunk.chunk_id for context in cut(title, abstract, paper_id) for chunk in context.chunks]

    same = ids("Bees", "One bee. Two bees.")
    assert ids("Bees", "One bee. Two bees.", "q") == same
    others = [
        ids("Wasps", "One bee. Two bees."),
        ids(None, "One bee. Two bees."),
        ids("Bees", "One bee. Two wasps."),
        ids("Bees", "One bee. One bee."),
    ]
    found = [*same, *(chunk_id for other in others for chunk_id in other)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("words", [30, 300, 3000])
def test_the_real_tokenizer_reads_every_context_whole(words: int, encoder: Encoder) -> None:
    abstract = " ".join(f"Photosynthesis{i} of unlikely macromolecules?" for i in range(words // 4))
    paper = Paper("p", title="A title", abstract=abstract)
    found = contexts(paper, encoder.token_counts, encoder.max_tokens)
    assert max(encoder.token_counts([context.text for context in found])) <= encoder.max_tokens
    assert set(abstract.split()) <= {word for context in found for word in context.text.split()}
