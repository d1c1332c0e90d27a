from collections.abc import Sequence

import pytest

from assistant.library import Library
from assistant.schema import Sentence
from eval.grounding import Grounding, citation_precision, citation_recall, foreign_figures, groundedness
from tests.eval.answers import FOUND, HELD, WINTER, answer, said

NUMBERED = dict(enumerate(HELD, 1))
BEES, TIDE, GLACIER, TITLE_ONLY, ECHO = 1, 2, 3, 4, 5
PARAPHRASE = "The authors train a network that reads the dance from video."
BOTH = "WaggleNet finds 93% of the flower patches, while TIDE-BENCH holds forty years of harbour records."
QUESTION = "Can a network hear whales?"


@pytest.fixture(scope="module")
def asked(held: Library) -> Grounding:
    return Grounding(held, answer(said(FOUND, BEES)))


SENTENCES: Sequence[tuple[str, Sentence, float, float | None, float]] = [
    ("verbatim", said(FOUND, BEES), 1, 1, 1),
    ("without its full stop", said(FOUND.rstrip("."), BEES), 1, 1, 1),
    ("paraphrase", said(PARAPHRASE, BEES), 1, 1, 1),
    ("quoted question", said(QUESTION, ECHO), 1, 1, 1),
    ("wrong paper", said(FOUND, TIDE), 0, 0, 1),
    ("paraphrase of another paper", said(PARAPHRASE, GLACIER), 0, 0, 1),
    ("no citation", said(FOUND), 0, None, 1),
    ("said nowhere", said("Bees sing in the choir of Leipzig.", BEES), 0, 0, 0),
    ("another figure", said("WaggleNet finds 39% of the flower patches.", BEES), 0, 0, 0),
    ("denied", said("WaggleNet does not find 93% of the flower patches.", BEES), 0, 0, 0),
    ("one needless", said(FOUND, BEES, TIDE), 1, 1 / 2, 1),
    ("two needless", said(FOUND, TIDE, BEES, GLACIER), 1, 1 / 3, 1),
    ("stated by both", said(WINTER, GLACIER, ECHO), 1, 1, 1),
    ("two clauses", said(BOTH, BEES, TIDE), 1, 1, 1),
    ("two clauses, one needless", said(BOTH, BEES, TIDE, GLACIER), 1, 2 / 3, 1),
    ("two clauses, one uncited", said(BOTH, BEES, GLACIER), 0, 0, 0),
    ("title-only paper", said(FOUND, TITLE_ONLY), 0, 0, 1),
    ("with a title-only paper", said(FOUND, BEES, TITLE_ONLY), 1, 1 / 2, 1),
    ("number of no paper", said(FOUND, 99), 0, 0, 1),
    ("no words", said("...", BEES), 0, 0, 0),
    ("markup", said("$$ -- .", BEES, TIDE), 0, 0, 0),
    ("words of no meaning", said("It is the.", BEES), 0, 0, 0),
    ("empty", said("", BEES), 0, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "recall", "precision", "grounded"), [pytest.param(*row[1:], id=row[0]) for row in SENTENCES]
)
def test_one_sentence(
    asked: Grounding, sentence: Sentence, recall: float, precision: float | None, grounded: float
) -> None:
    assert citation_recall([sentence], asked) == recall
    found = citation_precision([sentence], asked)
    assert found == (None if precision is None else pytest.approx(precision))
    assert groundedness([sentence], asked) == grounded


def test_several_sentences_are_means_over_sentences_and_citations(asked: Grounding) -> None:
    several = [sentence for _, sentence, *_ in SENTENCES]
    recalls = [recall for _, _, recall, *_ in SENTENCES]
    needed = [p * len(s.citations) for _, s, _, p, _ in SENTENCES if p is not None]
    assert citation_recall(several, asked) == pytest.approx(sum(recalls) / len(recalls))
    assert citation_precision(several, asked) == pytest.approx(sum(needed) / sum(len(s.citations) for s in several))
    assert groundedness(several, asked) == pytest.approx(sum(row[4] for row in SENTENCES) / len(SENTENCES))


FIGURES = [
    (FOUND, (BEES,), 0),
    ("WaggleNet finds 39% of the flower patches.", (BEES,), 1),
    ("WaggleNet finds 93 percent of the flower patches.", (BEES,), 0),
    ("WaggleNet finds 93 points.", (BEES,), 1),
    (FOUND, (TIDE,), 1),
    (FOUND, (TIDE, BEES), 0),
    (FOUND, (), 1),
    ("There are 1860 microphones.", (ECHO,), 0),
    ("It appeared at ICML 2024.", (BEES,), 0),
    ("It appeared at ICML 2023.", (BEES,), 1),
    ("Bees dance.", (), 0),
    ("TIDE-BENCH holds 40 years.", (TIDE,), 0),
    ("TIDE-BENCH holds 40 years.", (99,), 1),
]


@pytest.mark.parametrize(("text", "numbers", "share"), FIGURES)
def test_foreign_figures(text: str, numbers: tuple[int, ...], share: float) -> None:
    assert foreign_figures([said(text, *numbers)], NUMBERED) == share
    assert foreign_figures([said(text, *numbers), said("Bees dance.", BEES)], NUMBERED) == share / 2


def test_support_does_not_rest_on_what_the_assistant_claims(held: Library, asked: Grounding) -> None:
    claimed = said("Bees sing in the choir of Leipzig.", BEES, support="verbatim")
    modest = said(FOUND, BEES, support=None)
    assert citation_recall([claimed, modest], asked) == 0.5
    assert citation_recall([modest], Grounding(held, answer())) == 1
