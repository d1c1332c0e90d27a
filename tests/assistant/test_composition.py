from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.composition import BESIDE, Composition, compose, places
from assistant.schema import Kind, Quote, Sentence
from assistant.text import content_stems

QUESTION = "How does silt harm the eggs of trout?"
TEXTS = (
    "Silt harms the eggs of trout by clogging the gravel.",
    "Eggs need gravel with clean water.",
    "Trout return to the brook each autumn.",
    "In 12 brooks, silt killed every third egg.",
)
WORTH = {(1, 0): 1.0, (1, 1): 0.6, (1, 2): 0.2, (2, 0): 0.9}
PLACES = tuple(WORTH)
SURVEYS: tuple[Kind, ...] = ("summary", "compare", "list", "count")


def quoted(i: int) -> Sentence:
    n, start = PLACES[i]
    quote = Quote(n, TEXTS[i], start, start + len(TEXTS[i]))
    return Sentence(TEXTS[i], (n,), "verbatim", 1.0, (quote,))


def written(text: str, i: int) -> Sentence:
    """A model's sentence that rests on the passage `i`."""
    return Sentence(text, (PLACES[i][0],), "supported", 0.9, quoted(i).evidence)


def worth(sentence: Sentence) -> float:
    return max(WORTH[place] for place in places(sentence))


ALL = tuple(map(quoted, range(4)))
MEANS = written("Silt clogs the gravel and so harms trout eggs.", 0)


def composed(
    written: Sequence[Sentence],
    quoted: Sequence[Sentence] = ALL[:1],
    kind: Kind = "content",
    words: int = 70,
    *,
    question: str = QUESTION,
    sufficient: bool = True,
) -> Composition:
    weights = dict.fromkeys(content_stems(question), 1.0)
    return compose(kind, question, weights, written, quoted, WORTH, words, sufficient=sufficient)


def test_what_a_model_wrote_stands_alone_when_it_says_enough() -> None:
    assert composed([MEANS]) == Composition((MEANS,), "model")


def test_the_same_sentence_twice_counts_once() -> None:
    assert composed([MEANS, MEANS]).sentences == (MEANS,)


def test_without_a_sentence_quotations_answer() -> None:
    assert composed([], ALL[:2]) == Composition(ALL[:2], "quotations")


def test_what_is_beside_the_question_is_removed_with_the_reason() -> None:
    beside = written("Trout come back in autumn.", 2)
    found = composed([beside])
    assert (found.sentences, found.composed) == (ALL[:1], "quotations")
    assert [(r.text, r.citations, r.why) for r in found.beside] == [
        (beside.text, (1,), "It is supported but does not answer the question.")
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        pytest.param(written("Eggs need clean water.", 1), id="drawn from a lesser passage"),
        pytest.param(written("Silt harms the eggs of trout.", 1), id="says no more than the question"),
    ],
)
def test_quotations_complete_what_says_too_little(sentence: Sentence) -> None:
    assert ALL[0] in composed([sentence]).sentences


def test_a_sentence_that_echoes_the_question_is_not_kept() -> None:
    assert composed([written("Silt does harm trout eggs.", 0)]) == Composition(ALL[:1], "quotations")


def test_a_figure_that_was_asked_for_must_be_given() -> None:
    question = "In how many brooks did silt kill eggs?"
    vague, exact = written("Silt kills eggs in brooks of the valley.", 3), written("Silt kills eggs in 12 brooks.", 3)
    assert composed([vague], ALL[3:], question=question) == Composition((vague, ALL[3]), "mixed")
    assert composed([exact], ALL[3:], question=question) == Composition((exact,), "model")


def test_a_model_that_does_not_suffice_is_completed_in_any_case() -> None:
    assert composed([MEANS], sufficient=False) == Composition((MEANS, ALL[0]), "mixed")


def test_a_quotation_that_stands_already_is_not_repeated() -> None:
    assert composed([ALL[0]], sufficient=False) == Composition((ALL[0],), "model")


def test_the_best_quotations_fill_the_length_and_come_in_reading_order() -> None:
    assert composed([], (ALL[2], ALL[1], ALL[0]), words=16).sentences == (ALL[1], ALL[0])
    assert composed([], (ALL[2], ALL[1], ALL[0]), words=1).sentences == (ALL[0],)


@pytest.mark.parametrize("kind", SURVEYS)
def test_a_survey_keeps_everything_and_adds_the_papers_not_cited(kind: Kind) -> None:
    beside = written("Trout come back in autumn.", 2)
    assert composed([beside], (ALL[0], ALL[3]), kind) == Composition((beside, ALL[3]), "mixed")
    assert composed([beside, ALL[3]], (ALL[0], ALL[3]), kind).composed == "model"


def test_a_survey_of_one_paper_adds_other_passages_while_there_is_room() -> None:
    assert composed([MEANS], ALL[:3], "summary").sentences == (MEANS, ALL[1], ALL[2])
    assert composed([MEANS], ALL[:3], "summary", words=15).sentences == (MEANS, ALL[1])


def test_places_are_those_of_the_evidence() -> None:
    assert places(ALL[3]) == [(2, 0)]
    assert places(Sentence("It has none.", (1,))) == []


@given(
    kind=st.sampled_from(("content", "lookup", *SURVEYS)),
    written=st.lists(st.sampled_from((MEANS, *ALL, *(written("Silt harms eggs.", i) for i in range(4))))),
    quotations=st.lists(st.sampled_from(ALL), min_size=1, unique=True),
    words=st.integers(0, 60),
    sufficient=st.booleans(),
)
def test_every_answer_is_made_of_what_was_given(
    kind: Kind, written: list[Sentence], quotations: list[Sentence], words: int, sufficient: bool
) -> None:
    found = composed(written, quotations, kind, words, sufficient=sufficient)
    assert found.sentences
    assert set(found.sentences) <= {*written, *quotations}
    assert len(set(found.sentences)) == len(found.sentences)
    assert (found.composed == "model") <= (set(found.sentences) <= set(written))
    assert (found.composed == "quotations") <= (set(found.sentences) <= set(quotations))
    assert {r.text for r in found.beside} <= {s.text for s in written if worth(s) < BESIDE}
