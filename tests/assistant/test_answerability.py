from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.answerability import Signals, Term, signals, terms_of
from assistant.encoder import Encoder
from assistant.schema import Candidate, Paper
from assistant.selection import passages, quotation
from assistant.text import content_stems

PAPER = Paper(
    "text:1",
    title="OwlNet: Counting Owls by Ear",
    abstract="Owls are hard to see. OwlNet listens to 48 forests and tells seven species apart. "
    "Wind in the leaves lowers its accuracy. The recordings are free.",
    year=2023,
)
TEXT = f"{PAPER.name}. {PAPER.abstract}"


def terms(encoder: Encoder, question: str, names: Sequence[str] = (), text: str = TEXT) -> list[Term]:
    return terms_of(question, names, dict.fromkeys(content_stems(question), 2.0), text, encoder)


def of(question: str, *found: Term, quoted: slice = slice(None)) -> Signals:
    """The signals of a question that finds `PAPER`, with the sentences `quoted` from it."""
    quotations = [quotation(p) for p in passages(1, PAPER)[quoted]]
    weights = dict.fromkeys(content_stems(question), 2.0)
    return signals(question, weights, [Candidate(PAPER, 0.8, 0.7, 0.5)], quotations, found)


def test_terms_are_what_a_question_asks_for_beside_its_frame_and_its_names(encoder: Encoder) -> None:
    found = terms(encoder, "Does the paper by OwlNet report how wind and antlers change owls?", ["OwlNet"])
    assert [t.word for t in found] == ["wind", "antlers", "change", "owls"]


def test_a_term_that_the_paper_holds_is_nearer_than_one_of_another_field(encoder: Encoder) -> None:
    wind, breeze, mortgage = terms(encoder, "wind breeze mortgage")
    assert wind.likeness > breeze.likeness > mortgage.likeness


def test_a_paper_without_text_is_like_nothing(encoder: Encoder) -> None:
    assert [t.word for t in terms(encoder, "wind", text="") if t.likeness <= 1] == ["wind"]


@settings(max_examples=30)
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_has_terms_of_bounded_numbers(encoder: Encoder, question: str, text: str) -> None:
    for term in terms(encoder, question, text=text):
        assert term.word in question
        assert -1.001 <= term.likeness <= 1.001


@pytest.mark.parametrize(
    ("question", "covered"), [("Does wind lower accuracy?", 1.0), ("Do antlers charm mortgages?", 0.0)]
)
def test_covered_is_what_the_abstract_holds(question: str, covered: float) -> None:
    assert of(question).covered == pytest.approx(covered)


def test_words_that_frame_a_question_need_no_cover() -> None:
    assert of("According to the abstract, what does the paper report about wind?").covered == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [("Does OwlNet hear wind?", 0), ("Does OwlNet hear it in Norway?", 1), ("Is it like HawkNet or GPT-4?", 2)],
)
def test_names_that_the_paper_lacks_are_counted(question: str, unknown: int) -> None:
    assert of(question).unknown == unknown


@pytest.mark.parametrize(
    ("question", "quoted", "missing"),
    [
        ("How many forests does it hear?", slice(1, 2), 0),
        ("How many forests does it hear?", slice(0, 1), 1),
        ("Which forests does it hear?", slice(0, 1), 0),
    ],
)
def test_a_figure_asked_for_is_missed_in_what_would_be_quoted(question: str, quoted: slice, missing: int) -> None:
    assert of(question, quoted=quoted).no_figure == missing


@pytest.mark.parametrize(
    ("question", "detail"),
    [
        ("What learning rate was used?", 1),
        ("How many GPUs did it take?", 1),
        ("Who funded it?", 1),
        ("What is the batch size?", 1),
        ("Which species does it tell apart?", 0),
        ("Is the code on GitHub?", 1),
    ],
)
def test_details_that_abstracts_seldom_tell(question: str, detail: int) -> None:
    assert of(question).detail == detail


def test_a_detail_that_the_abstract_tells_is_none() -> None:
    paper = Paper("text:2", title="Finches", abstract="Training took 40 epochs at a learning rate of 0.1.")
    quoted = [quotation(p) for p in passages(1, paper)]
    for question in ("What learning rate was used?", "How many epochs did training take?"):
        assert signals(question, {"epoch": 1.0}, [Candidate(paper, 1.0)], quoted, ()).detail == 0


@pytest.mark.parametrize(
    ("question", "closed"),
    [("Is it free?", 1), ("And does wind matter?", 1), ("What is free?", 0), ("Island owls are counted how?", 0)],
)
def test_questions_for_yes_or_no(question: str, closed: int) -> None:
    assert of(question).closed == closed


def test_the_farthest_term_counts_unless_it_is_an_ordinary_word() -> None:
    wind, antlers, change = Term("wind", 0.9), Term("antlers", 0.2), Term("change", 0.1)
    assert of("wind", wind, antlers, change).nearest == pytest.approx(0.2)
    assert of("wind", wind, change).nearest == pytest.approx(0.9)
    assert of("wind", change).nearest == pytest.approx(0.1)
    assert of("wind", wind, antlers, change).terms == pytest.approx(0.3)


@given(st.text())
def test_any_question_has_signals(question: str) -> None:
    found = of(question)
    assert 0 <= found.covered <= 1
    assert 0 <= found.relevance <= 1
    assert found.unknown >= 0
    assert {found.no_figure, found.detail, found.closed} <= {0.0, 1.0}
