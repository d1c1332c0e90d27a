import pytest

from assistant.chain import Assistant
from assistant.library import Library
from assistant.lookup import Finder, asks_gist, field_asked

BEES = "WaggleNet: Decoding the Dances of Bees"
TIDES = "TIDE-BENCH: A Benchmark for Forecasting the Sea"


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("What is arXiv:2501.00001 about?", ["arxiv:2501.00001"]),
        ("https://doi.org/10.1234/GLACIER", ["doi:10.1234/glacier"]),
        ("Summarise openreview.net/forum?id=bees0001", ["openreview:bees0001"]),
        ('Summarise "WaggleNet: Decoding the Dances of Bees"', ["openreview:bees0001"]),
        ('Summarise "Decoding the dances of the bees, WaggleNet"', None),
        ('What is "WaggleNet: Decoding the Dance of Bees" about?', ["openreview:bees0001"]),
        ('Who wrote "Songs of the Deep"?', ["title:0123456789abcdef"]),
        ("who wrote songs of the deep", ["title:0123456789abcdef"]),
        ("When was TIDE-BENCH published?", ["arxiv:2501.00001"]),
        ("Who are the authors of the WaggleNet paper?", ["openreview:bees0001"]),
        ("How does WaggleNet read a dance?", None),
        ('What are "flower patches" in the study?', None),
        ("Why do storms break forecasts?", None),
    ],
)
def test_papers_are_found_by_identifier_and_title(library: Library, question: str, ids: list[str] | None) -> None:
    found = Finder(library).find(question)
    papers = [paper.paper_id for paper in found.papers] if found else []
    assert papers == (ids or [])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who wrote WaggleNet?", f"{BEES} was written by Ada van der Berg and José Núñez."),
        (f'When was "{TIDES}" published?', f"{TIDES} was published in 2025, at NeurIPS."),
        ("Where was TIDE-BENCH published?", f"{TIDES} was published at NeurIPS in 2025."),
        ("What is the DOI of WaggleNet?", f"{BEES} has the DOI 10.1234/bees."),
    ],
)
def test_records_answer(library: Library, question: str, text: str) -> None:
    answer = Assistant(library).ask(question)
    [sentence] = answer.sentences
    assert (answer.kind, sentence.text, sentence.citations, sentence.support) == ("lookup", text, (1,), "supported")
    assert answer.text == f"{text} [1]"
    assert [source.cited for source in answer.papers] == [True]


@pytest.mark.parametrize(
    ("question", "reason", "text"),
    [
        ("Which session is WaggleNet in?", "not_stated", "its record names no session"),
        ("When was Songs of the Deep published?", "not_stated", "its record names no year"),
        ("What is arXiv:2401.99999 about?", "nothing_relevant", "no paper with the id arxiv:2401.99999"),
        ('Who wrote "Rivers of the Deep North"?', "nothing_relevant", "no paper titled “Rivers of the Deep North”"),
    ],
)
def test_what_is_not_recorded_is_said(library: Library, question: str, reason: str, text: str) -> None:
    answer = Assistant(library).ask(question)
    assert answer.abstained
    assert (answer.kind, answer.reason) == ("lookup", reason)
    assert text in answer.text
    assert not answer.sentences


def test_a_paper_that_is_looked_up_is_the_only_one_quoted(library: Library) -> None:
    for question in ("What is arXiv:2501.00001 about?", "Does arXiv:2501.00001 forecast storms?"):
        answer = Assistant(library).ask(question)
        assert answer.kind == "lookup"
        assert [source.paper.paper_id for source in answer.papers] == ["arxiv:2501.00001"]
        assert all(sentence.support == "verbatim" for sentence in answer.sentences)
    assert answer.sentences


def test_a_new_paper_is_found_by_its_title(library: Library) -> None:
    finder = Finder(library)
    assert finder.find("Who wrote Songs of the Deep?")
    library.remove("title:0123456789abcdef")
    assert finder.find("Who wrote Songs of the Deep?") is None


def test_a_comparison_says_which_thing_is_missing(library: Library) -> None:
    answer = Assistant(library).ask("Compare WaggleNet and FALCON-9000")
    assert answer.sentences[-1].text == "No paper here is about FALCON-9000."
    assert answer.sentences[-1].citations
    assert answer.text.count("No paper here") == 1
    both = Assistant(library).ask("Compare WaggleNet and TIDE-BENCH")
    assert {source.paper.paper_id for source in both.papers if source.cited} == {
        "openreview:bees0001",
        "arxiv:2501.00001",
    }
    assert "No paper here" not in both.text


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who wrote it?", "authors"),
        ("Who is the first author of WaggleNet?", "authors"),
        ("When did WaggleNet appear?", "year"),
        ("In which year was it published?", "year"),
        ("Which journal published WaggleNet?", "venue"),
        ("Where can I read WaggleNet?", "url"),
        ("Who benefits from WaggleNet?", None),
        ("When do bees dance?", None),
        ("Where are the flowers?", None),
    ],
)
def test_fields_of_a_record(question: str, wanted: str | None) -> None:
    assert field_asked(question) == wanted


def test_gists_and_details() -> None:
    assert asks_gist("What is arXiv:2501.00001 about?")
    assert asks_gist('Summarise "Songs of the Deep"')
    assert asks_gist("10.1234/bees")
    assert not asks_gist("How many records does arXiv:2501.00001 hold?")
