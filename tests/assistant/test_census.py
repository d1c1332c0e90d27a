"""Counts and lists over all papers must equal what SQL says; the SQL here is written without the code under test."""

import re
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.census import Census
from assistant.chain import Assistant
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.listing import text_of
from assistant.schema import EVERYTHING, Answer, Filters, Paper, Turn
from assistant.tables import Change

AUTHORS = ("Lei Sha", "Yuhan Sha", "José Núñez", "Jane Doe", "Ada van der Berg", "Li Wei", "Wei Li", "L. Moon")
SESSIONS = ("Poster Session 1", "Poster Session 2", "Poster Session 12", "Workshop on Tides and Storms")
A_FEW = st.lists(st.sampled_from(AUTHORS), max_size=4, unique=True)


def _wrote(*names: str) -> str:
    listed = ", ".join(f"'{name}'" for name in names)
    return f"EXISTS (SELECT 1 FROM json_each(p.authors) a WHERE a.value IN ({listed}))"


def _in_session(*names: str) -> str:
    listed = ", ".join(f"'{name}'" for name in names)
    return f"ifnull(json_extract(p.extra, '$.session') IN ({listed}), 0)"


VENUE, YEAR = "ifnull(lower(p.venue), '')", "ifnull(p.year, 0)"
COUNT = "(SELECT count(*) FROM json_each(p.authors))"
RESTRICTIONS = {
    "year": (
        ("from 2024", f"{YEAR} = 2024"),
        ("in 2025 or later", f"{YEAR} >= 2025"),
        ("since 2023", f"{YEAR} >= 2023"),
        ("after 2023", f"{YEAR} > 2023"),
        ("before 2023", f"{YEAR} BETWEEN 1 AND 2022"),
        ("until 2023", f"{YEAR} BETWEEN 1 AND 2023"),
        ("between 2021 and 2024", f"{YEAR} BETWEEN 2021 AND 2024"),
        ("from 2021 to 2024", f"{YEAR} BETWEEN 2021 AND 2024"),
        ("published 2021–2024", f"{YEAR} BETWEEN 2021 AND 2024"),
        ("in 2022 and 2025", f"{YEAR} IN (2022, 2025)"),
        ("from 2020, 2022 or 2024", f"{YEAR} IN (2020, 2022, 2024)"),
        ("before 2021 or after 2024", f"({YEAR} BETWEEN 1 AND 2020 OR {YEAR} > 2024)"),
        ("since 2021 but not in 2023", f"{YEAR} >= 2021 AND {YEAR} <> 2023"),
        ("not from 2024", f"{YEAR} <> 2024"),
        ("of the 2010s", f"{YEAR} BETWEEN 2010 AND 2019"),
        ("without a year", "p.year IS NULL"),
    ),
    "venue": (
        ("from ICML", f"{VENUE} = 'icml'"),
        ("at the venue “ICML”", f"{VENUE} = 'icml'"),
        ("at the venue ICML", f"{VENUE} = 'icml'"),
        ("at the ICML conference", f"{VENUE} = 'icml'"),
        ("in the journal “Journal of Tides”", f"{VENUE} = 'journal of tides'"),
        ("published in icml", f"{VENUE} = 'icml'"),
        ("from the Journal of Tides", f"{VENUE} = 'journal of tides'"),
        ("from NeurIPS or ICML", f"{VENUE} IN ('neurips', 'icml')"),
        ("from NIPS", f"{VENUE} = 'neurips'"),
        ("not from ICML", f"{VENUE} <> 'icml'"),
        ("except those from ICML or NeurIPS", f"{VENUE} NOT IN ('neurips', 'icml')"),
        ("without a venue", f"{VENUE} = ''"),
    ),
    "author": (
        ("by Lei Sha", _wrote("Lei Sha")),
        ("by the author “Lei Sha”", _wrote("Lei Sha")),
        ("by author Lei Sha", _wrote("Lei Sha")),
        ("by “Li Wei”", _wrote("Li Wei")),
        ("by Lei sha", _wrote("Lei Sha")),
        ("by L. Sha", _wrote("Lei Sha")),
        ("by Sha", _wrote("Lei Sha", "Yuhan Sha")),
        ("by jose nunez", _wrote("José Núñez")),
        ("by Li Wei", _wrote("Li Wei")),
        ("written by Ada van der Berg", _wrote("Ada van der Berg")),
        ("by Jane Doe or Li Wei", _wrote("Jane Doe", "Li Wei")),
        ("by Jane Doe and Lei Sha", f"{_wrote('Jane Doe')} AND {_wrote('Lei Sha')}"),
        ("not by Jane Doe", f"NOT {_wrote('Jane Doe')}"),
    ),
    "session": (
        ("in Poster Session 1", _in_session("Poster Session 1")),
        ("in the session “Poster Session 1”", _in_session("Poster Session 1")),
        ("in the “Poster Session 2” session", _in_session("Poster Session 2")),
        ('in session "Poster Session 12"', _in_session("Poster Session 12")),
        ("in the session called “Poster Session 1”", _in_session("Poster Session 1")),
        ("in the session Poster Session 12", _in_session("Poster Session 12")),
        ("in “Poster Session 2”", _in_session("Poster Session 2")),
        ("not in the session “Poster Session 1”", f"NOT {_in_session('Poster Session 1')}"),
        ("in the session “Banquet 9”", "0"),
        ("of poster sessions 1 and 12", _in_session("Poster Session 1", "Poster Session 12")),
        ("in Poster Session 2 or Poster Session 12", _in_session("Poster Session 2", "Poster Session 12")),
        ("not in Poster Session 1", f"NOT {_in_session('Poster Session 1')}"),
        ("from the workshop on tides and storms", _in_session("Workshop on Tides and Storms")),
    ),
    "number": (
        ("with more than 2 authors", f"{COUNT} > 2"),
        ("with at least two authors", f"{COUNT} >= 2"),
        ("with fewer than 2 authors", f"{COUNT} < 2"),
        ("with exactly 3 authors", f"{COUNT} = 3"),
        ("with a single author", f"{COUNT} = 1"),
        ("without authors", f"{COUNT} = 0"),
    ),
    "has": (
        ("with no abstract", "p.abstract = ''"),
        ("that have an abstract", "p.abstract <> ''"),
        ("without a DOI", "p.doi IS NULL"),
        ("with the keyword \"sea ice\"", "EXISTS (SELECT 1 FROM json_each(p.keywords) k WHERE k.value = 'Sea Ice')"),
    ),
}  # fmt: skip


@st.composite
def papers(draw: st.DrawFn) -> list[Paper]:
    return [
        Paper(
            f"text:{i}",
            title=f"Paper {i}",
            abstract=draw(st.sampled_from(("", "It is about bees."))),
            authors=tuple(draw(A_FEW)),
            year=draw(st.none() | st.integers(2018, 2026)),
            venue=draw(st.sampled_from((None, "ICML", "icml", "NeurIPS", "Journal of Tides"))),
            doi=draw(st.sampled_from((None, f"10.1/{i}"))),
            keywords=draw(st.sampled_from(((), ("Sea Ice",), ("bees", "Sea Ice")))),
            extra=draw(st.sampled_from(({}, *({"session": name} for name in SESSIONS)))),
        )
        for i in range(draw(st.integers(1, 20)))
    ]


def everything() -> list[Paper]:
    """One paper for each value that the questions name, so that the library knows them all."""
    return [
        Paper("text:all", title="All", abstract="", authors=AUTHORS, year=2000, venue="ICML", keywords=("Sea Ice",)),
        Paper("text:nips", title="N", venue="NeurIPS"),
        Paper("text:tides", title="T", venue="Journal of Tides"),
        *(Paper(f"text:{name}", title=name, extra={"session": name}) for name in SESSIONS),
    ]


def _census(folder: Path, some: list[Paper]) -> tuple[Census, Library]:
    library = Library.open(folder, create=True)
    library.catalogue.commit(Change(papers=some), "none")
    return Census(library), library


@settings(max_examples=120)
@given(papers(), st.data())
def test_counts_and_lists_equal_sql(some: list[Paper], data: st.DataObject) -> None:
    fields = data.draw(st.lists(st.sampled_from(sorted(RESTRICTIONS)), min_size=1, max_size=4, unique=True))
    chosen = [data.draw(st.sampled_from(RESTRICTIONS[field])) for field in fields]
    asked = data.draw(st.sampled_from(("How many papers are there", "List all papers", "Which papers are there")))
    question = f"{asked} {' '.join(phrase for phrase, _ in chosen)}?"
    with tempfile.TemporaryDirectory() as folder:
        census, library = _census(Path(folder), [*everything(), *some])
        with sqlite3.connect(Path(folder) / "catalogue.sqlite") as db:
            where = " AND ".join(f"({sql})" for _, sql in chosen)
            expected = [row[0] for row in db.execute(f"SELECT paper_id FROM papers p WHERE {where} ORDER BY number")]
        db.close()
        kind = kind_of(question)
        answer = census.answer(question, Answer(question, question, kind, "extractive", ""), EVERYTHING)
        library.close()
    assert answer is not None, question
    assert [source.paper.paper_id for source in answer.papers if source.cited] == expected, question
    assert answer.abstained == (not expected)
    if expected and kind == "count":
        assert re.match(rf"This library holds {len(expected)} papers? ", answer.sentences[0].text)
    if expected and kind == "list":
        assert len(answer.sentences) == len(expected)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Census:
    return _census(tmp_path_factory.mktemp("census"), everything())[0]


def _ask(census: Census, question: str) -> Answer:
    answer = census.answer(question, Answer(question, question, kind_of(question), "extractive", ""), EVERYTHING)
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How many papers did Jane Do write?",
            "This library holds no paper by Jane Do. The nearest that it knows: Jane Doe.",
        ),
        ("How many papers are from CVPR?", "This library holds no paper from CVPR."),
        ("List the papers of Poster Session 7", "This library holds no paper in Poster Session 7."),
        ("papers by john smith", "This library holds no paper by john smith."),
        ("How many papers are from ICML 1999?", "This library holds no paper from ICML, of 1999."),
        ("Which papers have the keyword quantum?", "This library holds no paper with the keyword quantum."),
    ],
)
def test_what_the_library_does_not_know_is_said(small: Census, question: str, text: str) -> None:
    answer = _ask(small, question)
    assert answer.abstained
    assert answer.reason == "nothing_relevant"
    assert answer.text.startswith(text)


def test_one_unknown_name_among_several_is_said(small: Census) -> None:
    answer = _ask(small, "List papers by Lei Sha or Jon Smith")
    assert [s.text for s in answer.sentences] == ["All (ICML 2000).", "This library holds no paper by Jon Smith."]
    assert all(s.citations == (1,) for s in answer.sentences)


def test_a_bare_surname_says_whom_it_means(small: Census) -> None:
    assert "by Sha (Lei Sha, Yuhan Sha)" in _ask(small, "How many papers are by Sha?").text


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which venues are in this library?", ["ICML: 1 paper.", "Journal of Tides: 1 paper.", "NeurIPS: 1 paper."]),
        ("How many authors are there?", ["The papers have 8 authors."]),
        ("Which years are covered?", ["2000: 1 paper."]),
        ("How many papers per year?", ["2000: 1 paper."]),
        ("Which sessions does the library hold papers of?", [f"{name}: 1 paper." for name in sorted(SESSIONS)]),
        ("Which venue has the most papers by Lei Sha?", ["ICML: 1 paper."]),
    ],
)
def test_what_papers_have(small: Census, question: str, lines: list[str]) -> None:
    answer = _ask(small, question)
    assert [s.text for s in answer.sentences] == lines
    assert all(s.citations and s.support == "supported" for s in answer.sentences)


def test_who_has_most(tmp_path: Path) -> None:
    some = [Paper(f"text:{i}", title=str(i), authors=("Ann Lee", f"Author {i}")) for i in range(4)]
    answer = _ask(_census(tmp_path, some)[0], "Who has the most papers?")
    assert [(s.text, s.citations) for s in answer.sentences] == [("Ann Lee: 4 papers.", (1, 2, 3, 4))]


def test_the_newest_papers_are_those_of_the_last_year(tmp_path: Path) -> None:
    some = [Paper(f"text:{year}", title=str(year), year=year) for year in (2019, 2024, 2021)]
    answer = _ask(_census(tmp_path, some)[0], "What are the newest papers?")
    assert [source.paper.year for source in answer.papers] == [2024]


def test_beyond_the_list_the_count_stays_exact_and_the_command_is_named(tmp_path: Path) -> None:
    some = [Paper(f"text:{i}", title=str(i), year=2026, venue="ICML") for i in range(230)]
    census = _census(tmp_path, some)[0]
    for question in ("List all papers from ICML 2026", "How many papers are from ICML 2026?"):
        [sentence] = _ask(census, question).sentences
        assert sentence.text.startswith("This library holds 230 papers from ICML, of 2026; ")
        assert "`askpapers papers list --year 2026 --venue icml`" in sentence.text
        assert len(sentence.citations) == 200


def test_what_options_cannot_say_is_listed_by_the_question(tmp_path: Path) -> None:
    some = [Paper(f"text:{i}", title=str(i), extra={"session": "Poster Session 1"}) for i in range(210)]
    census = _census(tmp_path, [*some, Paper("text:x", title="x")])[0]
    [sentence] = _ask(census, "How many papers are in Poster Session 1?").sentences
    assert '; `askpapers papers list "How many papers are in Poster Session 1?"` lists them all.' in sentence.text
    assert len(census.select("How many papers are in Poster Session 1?", EVERYTHING)) == 210
    assert census.select("not in Poster Session 1", EVERYTHING) == ["text:x"]


def test_filters_beside_the_question_count_too(small: Census) -> None:
    question = "How many papers are there?"
    blank = Answer(question, question, "count", "extractive", "")
    answer = small.answer(question, blank, Filters(venues=("icml",)))
    assert answer is not None
    assert answer.sentences[0].citations == (1,)


def test_of_them_means_what_the_last_answer_cited(library: Library) -> None:
    turn = Turn("Which papers are from ICML?", "…", ("openreview:bees0001", "doi:10.1234/glacier"))
    answer = Assistant(library).ask("How many of them are from 2024?", history=(turn,))
    assert [source.paper.paper_id for source in answer.papers] == ["openreview:bees0001"]


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("How many papers are from ICML?", ["openreview:bees0001", "doi:10.1234/glacier"]),
        ("List the papers of José Núñez", ["openreview:bees0001", "arxiv:2501.00001"]),
        ("Which papers are about the dances of honey bees?", ["openreview:bees0001"]),
        ("How many papers since 2025 are about forecasting the sea?", ["arxiv:2501.00001"]),
        ("What did José Núñez write about tides?", ["arxiv:2501.00001"]),
    ],
)
def test_every_matching_paper_is_listed_and_cited(library: Library, question: str, ids: list[str]) -> None:
    answer = Assistant(library).ask(question)
    assert [source.paper.paper_id for source in answer.papers if source.cited] == ids
    assert answer.composed is None
    assert all(s.support == "supported" and not s.evidence for s in answer.sentences)
    assert answer.text == text_of(answer.sentences)


@pytest.mark.parametrize(
    "question",
    ["Which papers are about knitting patterns?", "How many papers from 2024 are about forecasting the sea?"],
)
def test_a_topic_that_no_paper_has_is_said(library: Library, question: str) -> None:
    answer = Assistant(library).ask(question)
    assert answer.abstained
    assert answer.text.startswith("This library holds no paper ")
    assert not any(source.cited for source in answer.papers)


def test_what_each_finds_is_quoted(library: Library) -> None:
    answer = Assistant(library).ask("Which papers are about glaciers and what does each find?")
    assert answer.sentences
    assert all(s.support == "verbatim" and s.evidence for s in answer.sentences)


@pytest.mark.parametrize(
    "question",
    ["Which year did AlphaGo win?", "How many years of harbour records does TIDE-BENCH hold?", "Why do tides rise?"],
)
def test_other_questions_are_left_to_the_abstracts(small: Census, question: str) -> None:
    blank = Answer(question, question, kind_of(question), "extractive", "")
    assert small.answer(question, blank, EVERYTHING) is None
