import numpy as np

from assistant.schema import Paper, Removed, Sentence
from assistant.selection import Vector, passages
from assistant.support import Attribution, figures
from assistant.text import content_stems

PAPERS = {
    1: Paper(
        "text:1",
        title="Paella",
        abstract="Paella trains in 14 hours on two stoves. It reduces burning by 31%.",
    ),
    2: Paper("text:2", title="Gazpacho", abstract="Gazpacho is a cold model of tomato soup. It needs no stove."),
}
TEXTS = [p for n, paper in PAPERS.items() for p in passages(n, paper)]
PLAIN: Vector = np.ones(1, dtype=np.float32)


def attribute(text: str, cited: tuple[int, ...] = ()) -> Sentence | Removed:
    vectors = np.ones((len(TEXTS), 1), dtype=np.float32)
    weights = dict.fromkeys(content_stems(text), 1.0)
    return Attribution(TEXTS, vectors, PAPERS).attribute(text, cited, weights, PLAIN)


def test_a_sentence_without_a_marker_gets_the_nearest_paper() -> None:
    found = attribute("Gazpacho is a cold tomato soup model.")
    assert isinstance(found, Sentence)
    assert found.citations == (2,)
    assert found.evidence[0].quote == "Gazpacho is a cold model of tomato soup."


def test_a_marker_that_names_the_wrong_paper_is_replaced() -> None:
    found = attribute("Paella trains in 14 hours.", (2,))
    assert isinstance(found, Sentence)
    assert found.citations == (1,)


def test_word_for_word_is_verbatim() -> None:
    found = attribute("It reduces burning by 31%.", (1,))
    assert isinstance(found, Sentence)
    assert found.support == "verbatim"


def test_a_figure_that_the_abstract_lacks_removes_the_sentence() -> None:
    found = attribute("Paella trains in 19 hours on two stoves.", (1,))
    assert isinstance(found, Removed)
    assert "19" in found.why


def test_a_figure_may_be_spelled_out_in_the_source() -> None:
    assert isinstance(attribute("Paella trains in 14 hours on 2 stoves.", (1,)), Sentence)


def test_what_no_abstract_says_is_removed() -> None:
    assert isinstance(attribute("Penguins migrate across frozen continents."), Removed)
    assert isinstance(attribute("Yes."), Removed)


def test_figures_are_compared_by_value() -> None:
    assert figures("1,860 papers, 3.64x and GPT-4") == {"1860", "3.64", "4"}
