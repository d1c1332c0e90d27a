import pytest

from assistant.census import described, filters_in, sentences, text_of
from assistant.chain import Assistant
from assistant.library import Library
from assistant.schema import Filters, Paper

VENUES = ("ICML", "NeurIPS", "Journal of Tides")


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("How many papers are there?", Filters()),
        ("How many papers are from ICML 2026?", Filters((2026, 2026), ("ICML",))),
        ("List all papers of icml", Filters(venues=("ICML",))),
        ("Which papers did Ann Lee write?", Filters(authors=("Ann Lee",))),
        ("List the papers by Ada van der Berg from 2024", Filters((2024, 2024), (), ("Ada van der Berg",))),
        ("Which papers appeared in the Journal of Tides since 2020?", Filters((2020, None), ("Journal of Tides",))),
        ("How many papers were published before 2015?", Filters((None, 2014))),
        ("How many papers are there after 2015?", Filters((2016, None))),
        ("Which papers are from 2017 to 2019?", Filters((2017, 2019))),
        ("How many papers are about bees?", None),
        ("Which ICML papers use diffusion?", None),
    ],
)
def test_what_the_catalogue_can_answer(question: str, filters: Filters | None) -> None:
    assert filters_in(question, VENUES) == filters


def test_beyond_the_list_the_count_stays_exact_and_the_command_is_named() -> None:
    papers = [Paper(str(n)) for n in range(200)]
    [sentence] = sentences("list", 6605, papers, Filters((2026, 2026), ("ICML",)))
    assert sentence.text.startswith("This library holds 6,605 papers from ICML, of 2026; ")
    assert "`askpapers papers list --year 2026 --venue icml`" in sentence.text
    assert len(sentence.citations) == 200


def test_filters_in_words() -> None:
    assert described(Filters((2020, None), (), ("Li Wei",))) == "of 2020 or later, by Li Wei"


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("How many papers are from ICML?", ["openreview:bees0001", "doi:10.1234/glacier"]),
        ("List the papers of José Núñez", ["openreview:bees0001", "arxiv:2501.00001"]),
        ("List all papers since 2025", ["arxiv:2501.00001", "doi:10.1234/glacier"]),
    ],
)
def test_every_matching_paper_is_listed_and_cited(library: Library, question: str, ids: list[str]) -> None:
    answer = Assistant(library).ask(question)
    assert [source.paper.paper_id for source in answer.papers if source.cited] == ids
    assert answer.composed is None
    assert all(s.support == "supported" and not s.evidence for s in answer.sentences)
    assert answer.text == text_of(answer.sentences)


def test_a_venue_that_the_library_lacks_in_a_year_is_said(library: Library) -> None:
    answer = Assistant(library).ask("How many papers are from ICML 1999?")
    assert answer.abstained
    assert answer.text == "This library holds no paper from ICML, of 1999."
