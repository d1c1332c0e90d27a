import pytest

from assistant.calibration import shipped
from assistant.library import Library
from assistant.schema import Paper, Removed, Sentence
from assistant.selection import passages
from assistant.support import Verifier
from assistant.text import content_stems

PAPERS = {
    1: Paper(
        "text:1",
        title="Paella: even heat for large pans",
        abstract="Paella is a planner that spreads heat evenly in large pans. It trains in 14 hours on two stoves and"
        " reduces burning by 31% over Risotto. It does not require a thermometer.",
    ),
    2: Paper(
        "text:2",
        title="Gazpacho",
        abstract="Gazpacho is a cold model of tomato soup. It outperforms Minestrone on 1,860 of 2,000 bowls. Longer"
        " cooling increases its flavour.",
    ),
}


def verify(library: Library, text: str, cited: tuple[int, ...] = ()) -> Sentence | Removed:
    texts = [p for n, paper in PAPERS.items() for p in passages(n, paper)]
    vectors = library.encoder.encode_documents([p.text for p in texts])
    return Verifier(library, PAPERS, texts, vectors, shipped().needed_by(1.0)).verify(text, cited)


def kept(library: Library, text: str, cited: tuple[int, ...] = ()) -> Sentence:
    found = verify(library, text, cited)
    assert isinstance(found, Sentence), found
    return found


def test_a_sentence_without_a_marker_gets_the_paper_that_supports_it(library: Library) -> None:
    found = kept(library, "Gazpacho is a cold tomato soup model.")
    assert found.citations == (2,)
    assert found.evidence[0].quote == "Gazpacho is a cold model of tomato soup."
    assert PAPERS[2].abstract[found.evidence[0].start : found.evidence[0].end] == found.evidence[0].quote


def test_a_wrong_number_is_corrected(library: Library) -> None:
    assert kept(library, "Paella trains in 14 hours on two stoves.", (2,)).citations == (1,)


def test_word_for_word_is_verbatim_and_other_words_are_supported(library: Library) -> None:
    assert kept(library, "It does not require a thermometer.").support == "verbatim"
    assert kept(library, "Paella does not require a thermometer.").support == "supported"


def test_clauses_may_come_from_two_papers(library: Library) -> None:
    found = kept(library, "Paella spreads heat evenly in large pans, while Gazpacho is a cold model of tomato soup.")
    assert found.citations == (1, 2)
    assert {quote.n for quote in found.evidence} == {1, 2}


@pytest.mark.parametrize(
    "text",
    [
        "Paella trains in 19 hours on two stoves.",
        "Paella trains in 14 days on two stoves.",
        "Paella reduces burning by 31% over Couscous.",
        "Paella increases burning by 31% over Risotto.",
        "Paella does not spread heat evenly in large pans.",
        "Minestrone outperforms Gazpacho on 1,860 of 2,000 bowls.",
        "Longer cooling decreases its flavour.",
        "Several studies find that Gazpacho is a cold model of tomato soup.",
        "Penguins migrate across frozen continents.",
        "Yes.",
    ],
)
def test_what_no_abstract_says_is_removed(library: Library, text: str) -> None:
    found = verify(library, text)
    assert isinstance(found, Removed)
    assert found.why.endswith(".")


@pytest.mark.parametrize(
    "text", ["Gazpacho outperforms Minestrone on 1860 of 2000 bowls.", "Paella trains in 14 hours on 2 stoves."]
)
def test_figures_compare_by_value(library: Library, text: str) -> None:
    assert kept(library, text)


def test_the_figure_that_an_abstract_lacks_is_named(library: Library) -> None:
    found = verify(library, "Paella trains in 19 hours on two stoves.")
    assert isinstance(found, Removed)
    assert "19" in found.why
    assert content_stems(found.why)
