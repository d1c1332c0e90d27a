import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.catalogue import Catalogue
from assistant.errors import LibraryDamaged, PaperMissing, StorageError
from assistant.schema import Chunk, Filters, Paper
from assistant.tables import Change, Record

FULL = Paper(
    paper_id="openreview:x",
    title="Bees",
    label=None,
    abstract="Bees dance. Ångström “quotes” 蜂 🐝.",
    authors=("José Núñez", "Anne O'Hara"),
    year=2024,
    venue="ICML",
    url="https://example.org/x",
    doi="10.1/x",
    keywords=("dance", "insects"),
    source_ids=("1", "key:x"),
    aliases=("arxiv:2401.00001", "doi:10.1/x"),
    extra={"pages": 8, "nested": {"list": [1, None, "a"]}},
)
OTHERS = (
    Paper(
        "doi:10.1/y", title="Wasps", authors=("Geoffrey Hinton", "J. Li"), year=2025, venue="Icml", source_ids=("1",)
    ),
    Paper("text:aa", label="Ants march", abstract="Ants march on.", authors=("Lin Lee",), source_ids=("2",)),
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    made = Catalogue(tmp_path / "catalogue.sqlite", create=True)
    keys = {paper.paper_id: paper.aliases for paper in (FULL, *OTHERS)}
    made.commit(Change(papers=[FULL, *OTHERS], keys=keys, titles={"openreview:x": "title:1"}), "e")
    yield made
    made.close()


def test_papers_come_back_as_they_went_in(catalogue: Catalogue) -> None:
    assert list(catalogue) == [FULL, *OTHERS]
    assert len(catalogue) == 3
    assert catalogue.papers(["text:aa", "gone", "openreview:x"]) == [OTHERS[1], FULL]


def test_a_paper_again_keeps_its_place(catalogue: Catalogue) -> None:
    changed = replace(FULL, title="Bees, revised", year=None)
    catalogue.commit(Change(papers=[changed]), "e")
    assert list(catalogue) == [changed, *OTHERS]


@pytest.mark.parametrize(
    "name", ["openreview:x", "x", "arxiv:2401.00001", "2401.00001", "doi:10.1/x", "10.1/x", "10.1/X", "key:x"]
)
def test_a_paper_is_found_by_all_its_names(name: str, catalogue: Catalogue) -> None:
    assert catalogue.paper(name) == FULL


@pytest.mark.parametrize("name", ["", "nothing", "\ud800", "'; DROP TABLE papers; --"])
def test_an_unknown_name_is_one_sentence(name: str, catalogue: Catalogue) -> None:
    with pytest.raises(PaperMissing, match="askpapers papers list"):
        catalogue.paper(name)


def test_a_source_id_of_two_papers_is_ambiguous(catalogue: Catalogue) -> None:
    with pytest.raises(PaperMissing, match=r"2 papers have the source id 1: .*openreview:x, doi:10\.1/y"):
        catalogue.paper("1")
    assert catalogue.paper("2") == OTHERS[1]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), "xya"),
        (Filters(years=(2025, None)), "y"),
        (Filters(years=(None, 2024)), "x"),
        (Filters(years=(2024, 2025)), "xy"),
        (Filters(years=(2026, 2020)), ""),
        (Filters(venues=("icML",)), "xy"),
        (Filters(venues=("NeurIPS", "ICML")), "xy"),
        (Filters(venues=("IC",)), ""),
        (Filters(authors=("Hinton",)), "y"),
        (Filters(authors=("geoffrey HINTON",)), "y"),
        (Filters(authors=("Geoff",)), ""),
        (Filters(authors=("jose nunez",)), "x"),
        (Filters(authors=("nunez anne",)), ""),
        (Filters(authors=("O'Hara", "Lee")), "xa"),
        (Filters(authors=("li",)), "y"),
        (Filters(authors=("...",)), ""),
        (Filters(authors=("",)), ""),
        (Filters(years=(2024, None), venues=("icml",), authors=("Li",)), "y"),
    ],
)
def test_filters(filters: Filters, expected: str, catalogue: Catalogue) -> None:
    ids = {"x": "openreview:x", "y": "doi:10.1/y", "a": "text:aa"}
    assert catalogue.matching(filters) == [ids[letter] for letter in expected]
    assert catalogue.count(filters) == len(expected)


@given(st.lists(st.text(max_size=20), max_size=3), st.lists(st.text(max_size=20), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_filter_can_be_asked(catalogue: Catalogue, venues: list[str], authors: list[str]) -> None:
    assert catalogue.count(Filters(venues=tuple(venues), authors=tuple(authors))) <= 3


def test_facets(catalogue: Catalogue) -> None:
    facets = catalogue.facets()
    assert list(facets.years.items()) == [(2025, 1), (2024, 1)]
    assert sum(facets.venues.values()) == 2
    assert len(facets.venues) == 1
    assert catalogue.title_only() == 1


def test_every_commit_raises_the_generation(catalogue: Catalogue) -> None:
    before = catalogue.generation
    catalogue.commit(Change(papers=[FULL]), "e")
    assert catalogue.generation == before + 1
    catalogue.set_meta("remark", "no change")
    assert catalogue.generation == before + 1


def _chunked(catalogue: Catalogue, paper_id: str, *ids: str) -> None:
    vectors = {id_: np.eye(4, dtype=np.float32)[hash(id_) % 4] for id_ in ids}
    cut = {paper_id: [Chunk(id_, paper_id, f"text {id_}") for id_ in ids]}
    catalogue.commit(Change(chunks=cut, vectors=vectors), "e")


def test_chunks_and_vectors(catalogue: Catalogue) -> None:
    _chunked(catalogue, "openreview:x", "c1", "c2")
    _chunked(catalogue, "text:aa", "c2", "c3")
    assert [chunk.text for chunk in catalogue.chunks_of("text:aa")] == ["text c2", "text c3"]
    paper_ids, chunk_ids, matrix = catalogue.matrix()
    assert list(zip(paper_ids, chunk_ids, strict=True)) == [
        ("openreview:x", "c1"),
        ("openreview:x", "c2"),
        ("text:aa", "c2"),
        ("text:aa", "c3"),
    ]
    assert matrix.shape == (4, 4)
    assert catalogue.vectors(["c1", "none"])["c1"] == pytest.approx(matrix[0])
    assert sorted(catalogue.holders(["c2"])) == [("c2", "openreview:x"), ("c2", "text:aa")]
    assert catalogue.dimension == 4


def test_vectors_of_another_encoder_are_not_mixed_in(catalogue: Catalogue) -> None:
    _chunked(catalogue, "openreview:x", "c1")
    catalogue.add_vectors("f", {"c1": np.ones(2, np.float32)})
    assert catalogue.dimension == 4
    assert catalogue.encoded("f", ["c1", "c2"]) == {"c1"}
    catalogue.rechunk("f", {})
    assert catalogue.dimension == 2
    catalogue.forget_vectors()
    assert catalogue.encoded("e", ["c1"]) == set()


def test_index_work_is_pending_until_it_is_settled(catalogue: Catalogue) -> None:
    catalogue.settle("terms", catalogue.pending("terms"))
    _chunked(catalogue, "openreview:x", "c1", "c2")
    assert sorted(catalogue.pending("vectors")) == ["c1", "c2"]
    catalogue.settle("vectors", ["c1", "c2"], "7")
    assert catalogue.state().folders == {"vectors": "7"}
    assert catalogue.state().pending == {"vectors": 0, "terms": 0}
    _chunked(catalogue, "openreview:x", "c2", "c3")
    assert sorted(catalogue.pending("vectors")) == ["c1", "c2", "c3"]
    catalogue.commit(Change(removed=["openreview:x"]), "e")
    assert catalogue.pending("terms") == ["openreview:x"]
    assert catalogue.vectors(["c3"]) == {}
    assert catalogue.encoded("e", ["c3"]) == {"c3"}


def test_a_merged_paper_is_found_by_its_old_id(catalogue: Catalogue) -> None:
    catalogue.commit(Change(records=[Record("o", "d", "file", "doi:10.1/y")]), "e")
    heir = replace(FULL, aliases=(*FULL.aliases, "doi:10.1/y"))
    change = Change(papers=[heir], keys={FULL.paper_id: heir.aliases}, merged={"doi:10.1/y": FULL.paper_id})
    catalogue.commit(change, "e")
    assert catalogue.paper("doi:10.1/y") == heir
    assert len(catalogue) == 2
    record = catalogue.record("o")
    assert record is not None
    assert record.paper_id == FULL.paper_id
    assert catalogue.problems() == []


def test_a_removed_paper_takes_all_its_rows_along(catalogue: Catalogue) -> None:
    catalogue.commit(Change(records=[Record("o", "d", "file", "openreview:x", True)]), "e")
    assert catalogue.record("o") == Record("o", "d", "file", "openreview:x", True)
    catalogue.commit(Change(removed=["openreview:x"]), "e")
    assert catalogue.record("o") is None
    assert catalogue.resolve(["doi:10.1/x"]) == {}
    assert catalogue.problems() == []


def test_a_failed_commit_changes_nothing(catalogue: Catalogue) -> None:
    orphan = Change(papers=[replace(FULL, title="Changed")], records=[Record("o", "d", "f", "nobody")])
    before = catalogue.generation
    with pytest.raises(LibraryDamaged):
        catalogue.commit(orphan, "e")
    assert (catalogue.generation, catalogue.paper("x").title) == (before, "Bees")


def test_lone_surrogates_do_no_harm(catalogue: Catalogue) -> None:
    odd = Paper("text:odd", title="a\ud800b", abstract="\udfff", authors=("\ud800",), extra={"k": "\ud800"})
    catalogue.commit(Change(papers=[odd]), "e")
    assert catalogue.paper("text:odd").title == "a?b"


def test_a_full_disk_is_one_sentence_and_loses_nothing(catalogue: Catalogue) -> None:
    pages = catalogue._one("PRAGMA page_count")[0]
    catalogue._all(f"PRAGMA max_page_count = {pages + 2}")
    big = [Paper(f"text:{i}", abstract="x" * 5000) for i in range(20)]
    with pytest.raises(StorageError, match="disk is full"):
        catalogue.commit(Change(papers=big), "e")
    assert list(catalogue) == [FULL, *OTHERS]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no read-only folders of this kind")
def test_a_read_only_file_is_one_sentence(catalogue: Catalogue) -> None:
    catalogue._all("PRAGMA query_only = ON")
    with pytest.raises(StorageError, match="read-only"):
        catalogue.commit(Change(papers=[FULL]), "e")


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"", b"SQLite format 3\0" + b"\xff" * 5000])
def test_another_file_is_no_catalogue(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    path.write_bytes(content)
    with pytest.raises(LibraryDamaged):
        Catalogue(path)


def test_another_database_is_no_catalogue(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE songs (name)")
    other.close()
    with pytest.raises(LibraryDamaged, match="not an askpapers catalogue"):
        Catalogue(path)


def test_threads_read_while_another_connection_writes(catalogue: Catalogue) -> None:
    writer = Catalogue(catalogue.path)

    def write() -> None:
        for number in range(30):
            writer.commit(Change(papers=[Paper(f"text:{number}", abstract="Ants.")]), "e")

    thread = Thread(target=write)
    thread.start()
    with ThreadPoolExecutor(6) as pool:
        counts = list(pool.map(lambda _: len(list(catalogue)), range(60)))
    thread.join()
    writer.close()
    assert min(counts) >= 3
    assert len(catalogue) == 33


def test_connections_of_finished_threads_are_closed(catalogue: Catalogue) -> None:
    for _ in range(10):
        thread = Thread(target=lambda: len(catalogue))
        thread.start()
        thread.join()
    assert len(catalogue) == 3
    assert len(catalogue._connections) <= 2
