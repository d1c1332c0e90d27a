import shutil
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import LibraryDamaged
from assistant.library import Library
from assistant.schema import Filters, Paper
from assistant.tables import Change
from assistant.terms import names
from assistant.text import content_stems
from tests.assistant.test_vectors import WRITE
from tests.conftest import PAPERS, run_python

NAMED = (
    Paper("text:1", title="SSMs for Speech: S$H^2$RFSSM", abstract="A state space model of speech, and more speech."),
    Paper("text:2", title="*MindZero*: Minds without Data", abstract="We play games."),
    Paper("text:3", title="FIRE-BENCH", abstract="A benchmark of fires and of benches, zero in all minds."),
    Paper("text:4", title="Fire on a bench", abstract="A fire burns on a bench. The bench burns. Fire, fire, fire."),
    Paper("text:5", title="Minds", abstract="The mind is zero. Zero minds. We set fire to mind-zero speech."),
)


@pytest.fixture
def named(library: Library) -> Library:
    with library.writing():
        library.commit(Change(papers=list(NAMED)))
    return library


@pytest.mark.parametrize(
    ("query", "paper_id"),
    [
        ("SH2RFSSM", "text:1"),
        ("what is the sh2rfssm model?", "text:1"),
        ("mindzero", "text:2"),
        ("MindZero", "text:2"),
        ("fire-bench", "text:3"),
        ("FIRE‑BENCH", "text:3"),
        ("firebench", "text:3"),
        ("Results on TIDE-BENCH", "arxiv:2501.00001"),
        ("snow2ice", "doi:10.1234/glacier"),
        ("dancing bee", "openreview:bees0001"),
        ("Nunez bees", "openreview:bees0001"),
    ],
)
def test_names_and_words_find_their_paper_first(query: str, paper_id: str, named: Library) -> None:
    assert named.terms.search(query, 5)[0][0] == paper_id


def test_scores_fall(library: Library) -> None:
    scores = [score for _, score in library.terms.search("models of storms and dances", 10)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0


@given(st.text(max_size=200) | st.text(alphabet="+-*^~:\"'()[]{}<>!?/\\ \t\n AND OR", max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200, deadline=None)
def test_any_text_is_a_query(library: Library, text: str) -> None:
    hits = library.terms.search(text, 5)
    assert len(hits) <= len(PAPERS)
    assert library.terms.search(text, 5, Filters(venues=(text,))) == []


@pytest.mark.parametrize("text", ["", "   ", "the of and", "?!", "\ud800", "x" * 100_000, "bees " * 50_000])
def test_odd_texts_are_queries(text: str, library: Library) -> None:
    assert len(library.terms.search(text, 5)) <= 1


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(venues=("icml",)), {"openreview:bees0001", "doi:10.1234/glacier"}),
        (Filters(years=(2025, None)), {"arxiv:2501.00001", "doi:10.1234/glacier"}),
        (Filters(authors=("Nunez",), years=(None, 2024)), {"openreview:bees0001"}),
        (Filters(authors=("Nobody",)), set()),
    ],
)
def test_filters(filters: Filters, ids: set[str], library: Library) -> None:
    hits = library.terms.search("dance model records", 10, filters)
    assert {paper_id for paper_id, _ in hits} == ids
    everything = dict(library.terms.search("dance model records", 10))
    assert all(score == pytest.approx(everything[paper_id]) for paper_id, score in hits)


def test_rare_words_weigh_more(library: Library) -> None:
    stems = content_stems("model dance unheard")
    idf = library.terms.idf([*stems, "", "x" * 70_000])
    assert list(idf)[:3] == stems
    assert 0 < idf[stems[0]] < idf[stems[1]] < idf[stems[2]]


def test_an_open_reader_sees_what_another_process_writes(library: Library) -> None:
    assert library.terms.search("comets", 5) == []
    run_python(WRITE, library.folder)
    assert library.terms.search("comets", 5)[0][0] == "text:new"


def test_a_changed_paper_is_found_by_its_new_words_only(library: Library) -> None:
    bees = PAPERS[0]
    with library.writing():
        library.commit(Change(papers=[Paper(bees.paper_id, title="Wasps", abstract="Wasps sting without a warning.")]))
    assert library.terms.search("sting", 5)[0][0] == bees.paper_id
    assert library.terms.search("waggle flowers", 5) == []


def test_a_removed_paper_is_not_found(library: Library) -> None:
    library.remove("openreview:bees0001")
    assert library.terms.search("bees", 5) == []
    assert "openreview:bees0001" not in library.terms.ids()


def test_a_paper_that_the_catalogue_has_no_more_is_not_found(library: Library) -> None:
    library.catalogue.commit(Change(removed=["openreview:bees0001"]), library.catalogue.encoder or "")
    assert "openreview:bees0001" in library.terms.ids()
    assert library.terms.search("bees", 5) == []


def test_a_lost_index_is_one_sentence(library: Library) -> None:
    library.terms.close()
    shutil.rmtree(library.folder / "terms")
    with pytest.raises(LibraryDamaged, match="askpapers library rebuild"):
        library.terms.search("bees", 5)


def test_an_empty_library_holds_nothing(open_library: Callable[[], Library]) -> None:
    empty = open_library()
    assert empty.terms.search("bees", 5) == []
    assert empty.terms.ids() == set()
    assert empty.terms.idf(["bee"]) == {"bee": pytest.approx(0.6931, abs=1e-3)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We like plain words, all of them.", []),
        ("Results on TIDE-BENCH.", ["tide-bench", "tidebench"]),
        ("GPT-4.1 and (Snow2Ice)", ["gpt-4.1", "gpt41", "snow2ice"]),
    ],
)
def test_names_are_what_words_would_break_apart(text: str, found: list[str]) -> None:
    assert names(text) == found


def test_titles_name_what_is_written_like_a_name() -> None:
    assert names("WaggleNet and BERT: Bees", also_words=True) == ["wagglenet", "bert"]
