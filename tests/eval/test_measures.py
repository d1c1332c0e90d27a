import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from assistant.library import Library
from assistant.schema import Answer, Removed, Tokens
from assistant.text import content_stems
from eval.cases import Case, plain
from eval.measures import BY_NAME, MEASURES, holds, is_wrong, measured, nugget_f, paper_precision, paper_recall
from tests.conftest import PAPERS
from tests.eval.answers import ECHO, FOUND, WINTER, answer, case, said

BEES, TIDE, GLACIER, DEEP = (paper.paper_id for paper in PAPERS)
SMALLTALK = Answer("Hi", "Hi", "smalltalk", "extractive", "Hello. Ask me.")


def values_of(library: Library, known: Case, given: Answer) -> dict[str, float | None]:
    """Return what was measured, after looking at what holds of every value."""
    values = measured(known, given, library)
    assert values.keys() <= BY_NAME.keys()
    assert all(value is None or math.isfinite(value) for value in values.values())
    return values


ONE = answer(said(FOUND, 1))
TWO = answer(said(FOUND, 1), said(WINTER, 3))
WRONG = answer(said(FOUND, 2))
BARE = answer(said(FOUND))
REFUSED = answer()

PAPERS_CITED = [
    ("perfect", [[BEES]], ONE, 1.0, 1.0),
    ("two of two", [[BEES], [GLACIER]], TWO, 1.0, 1.0),
    ("one of two", [[BEES], [TIDE]], ONE, 0.5, 1.0),
    ("one too many", [[BEES]], TWO, 1.0, 0.5),
    ("all wrong", [[BEES]], WRONG, 0.0, 0.0),
    ("nothing cited", [[BEES]], BARE, 0.0, 0.0),
    ("abstained", [[BEES]], REFUSED, 0.0, 0.0),
    ("either of two versions", [[DEEP, BEES]], ONE, 1.0, 1.0),
    ("both versions", [[BEES, GLACIER]], TWO, 1.0, 1.0),
    ("a third", [[BEES], [TIDE], [DEEP]], TWO, 1 / 3, 1 / 2),
]


@pytest.mark.parametrize(("gold", "given", "recall", "precision"), [row[1:] for row in PAPERS_CITED])
def test_papers(held: Library, gold: Any, given: Answer, recall: float, precision: float) -> None:
    values = values_of(held, case(gold), given)
    assert values["paper_recall"] == pytest.approx(recall)
    assert values["paper_precision"] == pytest.approx(precision)


@given(st.sets(st.integers(0, 5), min_size=1), st.sets(st.integers(0, 5), min_size=1))
def test_papers_are_scored_as_by_sklearn(gold: set[int], cited: set[int]) -> None:
    truth, guess = [i in gold for i in range(6)], [i in cited for i in range(6)]
    ids = tuple(frozenset((str(i),)) for i in gold)
    names = [str(i) for i in cited]
    assert paper_recall(ids, names) == pytest.approx(recall_score(truth, guess), abs=1e-6)
    assert paper_precision(ids, names) == pytest.approx(precision_score(truth, guess), abs=1e-6)


def test_without_gold_papers_are_not_scored(held: Library) -> None:
    for known in (case(), case([]), case(nuggets=[["93%"]])):
        assert not {"paper_recall", "paper_precision"} & values_of(held, known, ONE).keys()


HOLDS = [
    ("It takes 18 days.", "1", False),
    ("It takes 18 days.", "8", False),
    ("It takes 18 days.", "18", True),
    ("It takes 3.5 days.", "3", False),
    ("It takes 3.5 days.", "5", False),
    ("It takes 3.5 days.", "3.5", True),
    ("It takes 13.5 days.", "3.5", False),
    ("It takes 3.57 days.", "3.5", False),
    ("It takes 3.5.", "3.5", True),
    ("In 3, 4 and 5.", "3", True),
    ("1,860 pairs", "1,860", True),
    ("1,860 pairs", "1860", True),
    ("1860 pairs", "1,860", True),
    ("1{,}860 pairs", "1,860", True),
    ("1\\,860 pairs", "1,860", True),
    ("1,860 pairs", "860", False),
    ("1,860 pairs", "1", False),
    ("11,860 pairs", "1,860", False),
    ("1,860,000 pairs", "1,860", False),
    ("3.64× faster", "3.64×", True),
    ("3.64$\\times$ faster", "3.64×", True),
    ("3.64 x faster", "3.64×", True),
    ("3.64x faster", "3.64 ×", True),
    ("13.64× faster", "3.64×", False),
    ("3.64 xylophones", "3.64×", False),
    ("an accuracy of 93 \\%", "93%", True),
    ("an accuracy of 93%", "93", True),
    ("twenty\N{EN DASH}five", "twenty-five", True),
    ("twenty\N{NON-BREAKING HYPHEN}five", "twenty-five", True),
    ("a drop of \N{MINUS SIGN}5 points", "-5", True),
    ("costs $O(n \\log n)$", "O(n log n)", True),
    ("the Fréchet distance", "Frechet", True),
    ("\\textbf{GraphSAGE} embeds", "GraphSAGE", True),
    ("it improves", "improve", True),
    ("it does not disimprove", "improve", False),
    ("eighteen papers", "eight", False),
    ("eight papers", "eight", True),
    ("on eight.", "eight", True),
    ("sixty", "six", False),
    ("over the four\N{HYPHEN}way split", "four", True),
    ("LoRA", "lora", True),
    ("it explores", "lora", False),
    ("β-VAE", "β", True),
    ("anything", "$$", False),
    ("", "a", False),
]


@pytest.mark.parametrize(("text", "nugget", "held_"), HOLDS)
def test_a_text_holds_a_nugget(text: str, nugget: str, held_: bool) -> None:
    assert holds(plain(text), nugget) is held_


@given(st.integers(0, 10**7), st.integers(0, 10**7), st.booleans())
def test_numbers_are_held_whole(number: int, other: int, separated: bool) -> None:
    text = f"It takes {number:,} runs." if separated else f"It takes {number} runs."
    assert holds(plain(text), str(other)) is (number == other)
    assert holds(plain(text), f"{other:,}") is (number == other)


@given(st.text(), st.text())
def test_any_nugget_can_be_looked_for(text: str, nugget: str) -> None:
    assert holds(plain(text), nugget) in (True, False)


def plain_f3(recall: float, precision: float) -> float:
    """Return F with β = 3 as Voorhees (2003) writes it."""
    return 10 * precision * recall / (9 * precision + recall) if precision + recall else 0.0


@pytest.mark.parametrize(
    ("found", "wanted", "length", "precision"),
    [
        (2, 2, 150, 1.0),
        (2, 2, 200, 1.0),
        (2, 2, 400, 0.5),
        (1, 2, 400, 0.25),
        (0, 2, 0, 1.0),
        (0, 2, 50, 0.0),
        (1, 1, 101, 100 / 101),
    ],
)
def test_nugget_f(found: int, wanted: int, length: int, precision: float) -> None:
    assert nugget_f(found, wanted, length) == pytest.approx(plain_f3(found / wanted, precision), abs=1e-6)


NUGGETS = [
    ("perfect", [["93%", "93 percent"]], ONE, 1.0),
    ("another spelling", [["no such", "flower patch"]], ONE, 1.0),
    ("half", [["93%"], ["94%"]], ONE, 0.5),
    ("none", [["94%"]], ONE, 0.0),
    ("over sentences", [["93%"], ["winter"]], TWO, 1.0),
    ("abstained, though its words hold it", [["Nothing here"]], REFUSED, 0.0),
    ("a marker is no figure", [["1"], ["3"]], TWO, 0.0),
    ("brackets of the abstract are text", [["[17]"], ["17"]], answer(said("It lies in [17] and [0,1].", 1)), 1.0),
    ("small talk", [["Hello"]], SMALLTALK, 1.0),
]


@pytest.mark.parametrize(("nuggets", "given", "recall"), [row[1:] for row in NUGGETS])
def test_nuggets(held: Library, nuggets: Any, given: Answer, recall: float) -> None:
    values = values_of(held, case(nuggets=nuggets), given)
    assert values["nugget_recall"] == pytest.approx(recall)
    assert values["all_nuggets"] == float(recall == 1)
    length = sum(not c.isspace() for s in given.sentences for c in s.text) or sum(not c.isspace() for c in given.text)
    found = recall * len(nuggets)
    precision = min(1.0, 100 * found / length)
    assert values["nugget_f3"] == pytest.approx(plain_f3(recall, precision), abs=1e-6)


REFERENCES = [
    ("perfect", FOUND, ONE),
    ("reordered", "Of the flower patches, 93% WaggleNet finds!", ONE),
    ("half", "WaggleNet finds bees.", ONE),
    ("disjoint", "Storms sink ships.", ONE),
    ("longer answer", "winter", TWO),
    ("abstained", FOUND, REFUSED),
]


@pytest.mark.parametrize(("reference", "given"), [row[1:] for row in REFERENCES])
def test_references(held: Library, reference: str, given: Answer) -> None:
    values = values_of(held, case(reference=reference), given)
    wanted = set(content_stems(reference))
    has = set() if given.abstained else {stem for s in given.sentences for stem in content_stems(s.text)}
    every = sorted(wanted | has)
    truth, guess = [stem in wanted for stem in every], [stem in has for stem in every]
    assert values["reference_recall"] == pytest.approx(recall_score(truth, guess), abs=1e-6)
    assert values["reference_f1"] == pytest.approx(f1_score(truth, guess), abs=1e-6)


def test_a_reference_of_no_words_is_not_scored(held: Library) -> None:
    values = values_of(held, case(reference="It is that."), ONE)
    assert (values["reference_recall"], values["reference_f1"]) == (None, None)


ABSTENTION = [
    (None, ONE, {}),
    (None, REFUSED, {}),
    ([[BEES]], ONE, {"false_refusal": 0.0}),
    ([[BEES]], REFUSED, {"false_refusal": 1.0, "abstention_precision": 0.0, "abstention_f1": 0.0}),
    ([], ONE, {"abstention_recall": 0.0, "abstention_f1": 0.0}),
    ([], REFUSED, {"abstention_recall": 1.0, "abstention_precision": 1.0, "abstention_f1": 1.0}),
]


@pytest.mark.parametrize(("gold", "given", "expected"), ABSTENTION)
def test_abstention(held: Library, gold: Any, given: Answer, expected: dict[str, float]) -> None:
    values = values_of(held, case(gold), given)
    assert {k: v for k, v in values.items() if k.startswith(("abstention", "false"))} == expected
    assert values["coverage"] == float(not given.abstained)


RISK = [
    (case([]), ONE, 1.0),
    (case([[BEES]]), ONE, 0.0),
    (case([[BEES], [TIDE]]), ONE, 1.0),
    (case([[BEES]], [["94%"]]), ONE, 1.0),
    (case([[TIDE]], [["93%"]]), ONE, 0.0),
    (case(nuggets=[["93%"], ["94%"]]), ONE, 1.0),
    (case(nuggets=[["93%"]]), ONE, 0.0),
    (case(reference=FOUND), ONE, None),
    (case(), ONE, None),
    (case([]), REFUSED, None),
    (case([[BEES]]), REFUSED, None),
]


@pytest.mark.parametrize(("known", "given", "risk"), RISK)
def test_risk_is_of_answers_of_which_something_is_known(
    held: Library, known: Case, given: Answer, risk: float | None
) -> None:
    values = values_of(held, known, given)
    assert values.get("risk") == risk
    assert ("risk" in values) is (risk is not None)
    if risk is not None:
        assert is_wrong(known, values) is (risk == 1)


def test_form_of_a_quotation(held: Library) -> None:
    given = answer(said(FOUND, 1), said("It finds most of them."), said("A network reads the dance", 1, 2))
    values = values_of(held, case(), given)
    assert values["answer_words"] == 7 + 5 + 5
    assert values["sentences_cited"] == pytest.approx(2 / 3)
    assert values["quoted_share"] == pytest.approx(1 / 3)
    assert not {"removed_sentences", "model_share", "prompt_tokens"} & values.keys()


def test_a_quotation_is_one_whatever_the_assistant_calls_it(held: Library) -> None:
    given = answer(said(FOUND, 1, support="supported"), said("Bees sing.", 1, support="verbatim"), said("...", 1))
    assert values_of(held, case(), given)["quoted_share"] == pytest.approx(1 / 3)


def test_what_a_model_wrote(held: Library) -> None:
    removed = (Removed("Bees sing.", (1,), "No."),)
    sentences = (said("WaggleNet finds 93% of flower patches.", 1, support="supported"), said(WINTER, 3))
    given = answer(*sentences, mode="ollama:m", composed="mixed", removed=removed, tokens=Tokens(90, 9))
    values = values_of(held, case(), given)
    assert values["removed_sentences"] == 1
    assert values["model_share"] == pytest.approx(0.5)
    assert (values["prompt_tokens"], values["completion_tokens"]) == (90, 9)


def test_an_answer_made_from_records_has_no_support(held: Library) -> None:
    values = values_of(held, case(), answer(said("4 papers are here.", 1, 2), composed=None, mode="ollama:m"))
    assert (
        not {"citation_recall", "citation_precision", "groundedness", "foreign_figures", "model_share"} & values.keys()
    )
    assert values["sentences_cited"] == 1.0


@pytest.mark.parametrize("given", [REFUSED, SMALLTALK])
def test_no_sentences_have_no_form(held: Library, given: Answer) -> None:
    assert values_of(held, case(), given).keys() == {"coverage"}


def test_times_are_those_of_the_answer(held: Library) -> None:
    values = values_of(held, case(), replace(ONE, timings={"total": 12.5, "first_sentence": 3.0, "retrieve": 1.0}))
    assert (values["total_ms"], values["first_sentence_ms"]) == (12.5, 3.0)
    assert "total_ms" not in values_of(held, case(), ONE)


def test_support_is_measured_of_answers_from_abstracts(held: Library) -> None:
    given = answer(said(FOUND, 1), said(FOUND, 2), said("WaggleNet finds 94% of the flower patches.", 1), said(WINTER))
    values = values_of(held, case(), given)
    assert values["citation_recall"] == pytest.approx(1 / 4)
    assert values["citation_precision"] == pytest.approx(1 / 3)
    assert values["groundedness"] == pytest.approx(3 / 4)
    assert values["foreign_figures"] == pytest.approx(2 / 4)


def test_nothing_cited_has_no_citation_precision(held: Library) -> None:
    values = values_of(held, case(), BARE)
    assert "citation_precision" not in values
    assert (values["citation_recall"], values["groundedness"], values["sentences_cited"]) == (0.0, 1.0, 0.0)


def test_measures_are_named_once_and_told_of() -> None:
    assert len(BY_NAME) == len(MEASURES)
    assert all(measure.what and measure.over for measure in MEASURES)
    assert ECHO.paper_id not in {BEES, TIDE, GLACIER, DEEP}
