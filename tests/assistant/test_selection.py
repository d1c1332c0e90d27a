import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Candidate, Paper
from assistant.selection import belonging, coverage, fewest, gist, passages, quotation, relevance, score
from assistant.text import content_stems

PAPER = Paper(
    "text:1",
    title="Paella: Sparse Rice Models",
    abstract=(
        "Rice models are slow. We introduce Paella, a sparse model of rice. Training takes 14 hours on 2 stoves. "
        "Experiments show that Paella reduces burning by 31%. The code is public."
    ),
)


def weights(question: str) -> dict[str, float]:
    return dict.fromkeys(content_stems(question), 1.0)


def best(question: str, max_words: int = 12) -> list[str]:
    texts = passages(1, PAPER)
    cosines = np.zeros(len(texts), dtype=np.float32)
    scores = score(question, weights(question), texts, cosines)
    return [p.text for p in fewest(texts, scores, weights(question), max_words)]


def test_passages_are_verbatim_and_numbered() -> None:
    texts = passages(3, PAPER)
    assert len(texts) == 5
    assert all(PAPER.abstract[p.span.start : p.span.end] == p.text and p.n == 3 for p in texts)


def test_a_quotation_points_at_its_place() -> None:
    sentence = quotation(passages(1, PAPER)[1])
    assert sentence.support == "verbatim"
    assert sentence.citations == (1,)
    quote = sentence.evidence[0]
    assert PAPER.abstract[quote.start : quote.end] == quote.quote == sentence.text


def test_a_question_for_a_figure_gets_the_sentence_with_one() -> None:
    assert best("How long does training take?", 8) == ["Training takes 14 hours on 2 stoves."]


def test_the_sentence_that_holds_the_asked_words_comes_first() -> None:
    assert best("Is the code public?", 5) == ["The code is public."]


def test_a_stem_nearly_met_counts_in_part() -> None:
    assert 0 < coverage({"optimistic": 1.0}, frozenset({"optimism"})) < 1
    assert coverage({"cat": 1.0}, frozenset({"car"})) == 0


def test_gist_of_a_paper_introduces_it_and_tells_its_result() -> None:
    texts = [p.text for p in gist(PAPER, passages(1, PAPER), weights("rice"), 2, 60)]
    assert texts == [
        "We introduce Paella, a sparse model of rice.",
        "Experiments show that Paella reduces burning by 31%.",
    ]


def test_papers_belong_to_a_topic_within_a_share_of_the_best() -> None:
    assert belonging([0.2, 0.9, 0.7, 0.1], 0.7, 5) == [1, 2]
    assert belonging([0.2, 0.9, 0.7, 0.1], 0.7, 1) == [1]


def test_relevance_rises_with_shared_terms() -> None:
    near = relevance(Candidate(PAPER, 1.0, 0.5), weights("sparse rice"))
    assert near > relevance(Candidate(PAPER, 1.0, 0.5), weights("quantum gravity"))


@given(st.lists(st.floats(0, 1), min_size=5, max_size=5), st.integers(1, 60))
def test_fewest_keeps_to_its_words_and_to_reading_order(numbers: list[float], max_words: int) -> None:
    texts = passages(1, PAPER)
    chosen = fewest(texts, np.array(numbers), weights("Paella training"), max_words)
    assert chosen
    assert [p.span.start for p in chosen] == sorted({p.span.start for p in chosen})
    assert len(chosen) == 1 or sum(p.length for p in chosen) <= max_words
