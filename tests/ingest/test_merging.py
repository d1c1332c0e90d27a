from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.catalogue import Catalogue
from assistant.schema import Json, Paper
from assistant.tables import Change
from ingest.fields import parse
from ingest.merging import Merger, merged
from ingest.records import ParsedRecord, RawRecord

BEES = "Honey bees dance to tell where flowers are, and cameras can see it."
ANTS = "Ants lay trails of scent that lead the others to their food at once."


def record(**fields: Json) -> ParsedRecord:
    parsed = parse(RawRecord("file", 1, 1, fields))
    assert isinstance(parsed, ParsedRecord)
    return parsed


class Bench:
    """Adds records, run by run, as ingestion does, but without chunks."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.merger = Merger(catalogue)
        self.number = 0

    def add(self, parsed: ParsedRecord, origin: str | None = None) -> str:
        self.number += 1
        return self.merger.add(parsed, origin or f"origin {self.number}", f"digest {self.number}", "file")

    def commit(self) -> None:
        change = Change(merged=dict(self.merger.merged))
        for paper_id, entry in self.merger.entries.items():
            change.papers.append(entry.paper)
            change.keys[paper_id] = entry.keys
            change.titles[paper_id], change.origins[paper_id] = entry.title_key, entry.title_origin
            change.records += entry.records
        self.catalogue.commit(change, "e")
        self.merger = Merger(self.catalogue)

    @property
    def papers(self) -> list[Paper]:
        self.commit()
        return list(self.catalogue)


@pytest.fixture(params=["one run", "run by run"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """The same rules hold for papers met in this run and for papers that the library holds already."""
    catalogue = Catalogue(tmp_path / "catalogue.sqlite", create=True)
    made = Bench(catalogue)
    if request.param == "run by run":
        add = made.add

        def add_and_commit(parsed: ParsedRecord, origin: str | None = None) -> str:
            outcome = add(parsed, origin)
            made.commit()
            return outcome

        made.add = add_and_commit  # type: ignore[method-assign]
    yield made
    catalogue.close()


def test_the_same_doi_is_the_same_paper(bench: Bench) -> None:
    bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES))
    bench.add(record(title="Bees!", doi="https://doi.org/10.1234/X", url="https://example.org/bees"))
    (paper,) = bench.papers
    assert (paper.paper_id, paper.title, paper.url) == ("doi:10.1234/x", "Bees", "https://example.org/bees")


def test_the_same_abstract_is_the_same_paper(bench: Bench) -> None:
    bench.add(record(text=BEES))
    bench.add(record(title="Bees", abstract=BEES.upper(), openreview="abcdefgh12"))
    (paper,) = bench.papers
    assert paper.paper_id.startswith("text:")
    assert (paper.title, paper.label, paper.abstract) == ("Bees", None, BEES)
    assert paper.aliases == ("openreview:abcdefgh12",)
    assert bench.catalogue.paper("abcdefgh12") == paper


def test_ids_of_sources_are_no_identity(bench: Bench) -> None:
    bench.add(record(_id="1", title="Bees", text=BEES))
    bench.add(record(_id="1", title="Ants", text=ANTS))
    assert [paper.title for paper in bench.papers] == ["Bees", "Ants"]


def test_a_later_abstract_replaces_an_earlier_one(bench: Bench) -> None:
    bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES))
    bench.add(record(title="Bees", doi="10.1234/x", abstract=ANTS))
    (paper,) = bench.papers
    assert paper.abstract == ANTS
    bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES))
    assert bench.papers[0].abstract == BEES


def test_another_spelling_of_an_abstract_does_not(bench: Bench) -> None:
    bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES))
    bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES.replace(",", " -").upper()))
    assert bench.papers[0].abstract == BEES


def test_a_title_alone_finds_a_paper_that_has_an_abstract(bench: Bench) -> None:
    bench.add(record(title="Bees", authors=["Ada Moon"], abstract=BEES))
    bench.add(record(title="BEES", authors=["A. Moon"], year=2024))
    (paper,) = bench.papers
    assert (paper.year, paper.abstract) == (2024, BEES)


def test_an_abstract_finds_a_paper_that_had_only_a_title(bench: Bench) -> None:
    bench.add(record(title="Bees", authors=["Ada Moon"]))
    bench.add(record(title="Bees", authors=["Ada Moon"], abstract=BEES))
    (paper,) = bench.papers
    assert paper.paper_id.startswith("title:")
    assert paper.abstract == BEES


def test_equal_titles_with_two_abstracts_are_two_papers(bench: Bench) -> None:
    bench.add(record(title="Introduction", abstract=BEES))
    bench.add(record(title="Introduction", abstract=ANTS))
    assert len(bench.papers) == 2


def test_equal_titles_with_two_dois_are_two_papers(bench: Bench) -> None:
    bench.add(record(title="Editorial", doi="10.1234/x"))
    bench.add(record(title="Editorial", doi="10.1234/y"))
    bench.add(record(title="Editorial", doi="10.1234/y", year=2024))
    assert [paper.doi for paper in bench.papers] == ["10.1234/x", "10.1234/y"]


def test_a_record_that_knows_both_ids_unites_two_papers(bench: Bench) -> None:
    bench.add(record(title="Bees", arxiv="2401.00001", abstract=BEES, authors=["Ada Moon"]))
    bench.add(record(title="Bees, published", doi="10.1234/x", abstract=ANTS, id="17", authors=["Ada Moon", "Li Wei"]))
    bench.add(record(title="Bees", arxiv="2401.00001", doi="10.1234/x", year=2024))
    (paper,) = bench.papers
    assert paper.paper_id == "arxiv:2401.00001"
    assert "doi:10.1234/x" in paper.aliases
    assert (paper.title, paper.year, paper.source_ids) == ("Bees", 2024, ("17",))
    assert paper.authors == ("Ada Moon", "Li Wei")
    assert bench.catalogue.paper("doi:10.1234/x") == paper
    assert bench.catalogue.problems() == []
    bench.add(record(title="Bees", doi="10.1234/x", venue="ICML"))
    assert bench.papers[0].venue == "ICML"


def test_three_papers_become_one(bench: Bench) -> None:
    bench.add(record(title="One", doi="10.1234/x", abstract=BEES))
    bench.add(record(title="Two", arxiv="2401.00001", abstract=ANTS))
    bench.add(record(title="Three", openreview="abcdefgh12", year=2024))
    bench.add(record(title="Three", openreview="abcdefgh12", arxiv="2401.00001"))
    bench.add(record(title="Three", openreview="abcdefgh12", doi="10.1234/x"))
    (paper,) = bench.papers
    assert (paper.paper_id, paper.title, paper.year) == ("doi:10.1234/x", "One", 2024)
    assert {"arxiv:2401.00001", "openreview:abcdefgh12"} < set(paper.aliases)


def test_the_first_title_stays_unless_its_own_record_changes(bench: Bench) -> None:
    bench.add(record(title="Bees", doi="10.1234/x", year=2023), "first")
    bench.add(record(title="Wasps", doi="10.1234/x", year=2024), "second")
    assert (bench.papers[0].title, bench.papers[0].year) == ("Bees", 2024)
    bench.add(record(title="Bees, revised", doi="10.1234/x", year=2025), "first")
    assert (bench.papers[0].title, bench.papers[0].year) == ("Bees, revised", 2025)


def test_counting(bench: Bench) -> None:
    assert bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES)) == "new"
    second = bench.add(record(title="Bees", doi="10.1234/x", abstract=BEES))
    third = bench.add(record(title="Bees", doi="10.1234/x", year=2024))
    assert (second, third) in [("duplicate", "duplicate"), ("unchanged", "updated")]


PAPERS = st.builds(
    Paper,
    paper_id=st.just("p"),
    title=st.none() | st.sampled_from(["Bees", "Ants"]),
    label=st.none() | st.just("label"),
    abstract=st.sampled_from(["", BEES, ANTS]),
    authors=st.lists(st.sampled_from(["Ada", "Bo", "Cy"]), unique=True).map(tuple),
    year=st.none() | st.integers(2000, 2026),
    venue=st.none() | st.just("ICML"),
    keywords=st.lists(st.sampled_from(["a", "A", "b"]), unique=True).map(tuple),
    source_ids=st.lists(st.sampled_from(["1", "2"]), unique=True).map(tuple),
    extra=st.dictionaries(st.sampled_from(["k", "l"]), st.integers()),
)


@given(PAPERS, PAPERS, st.booleans(), st.booleans())
def test_merging_loses_nothing_and_is_settled_at_once(old: Paper, new: Paper, edits: bool, newer: bool) -> None:
    result = merged(old, new, edits=edits, newer=newer)
    assert merged(result, new, edits=edits, newer=newer) == result
    for name in ("title", "abstract", "authors", "year", "venue"):
        held = getattr(result, name)
        assert held in (getattr(old, name), getattr(new, name))
        assert held or not (getattr(old, name) or getattr(new, name))
    assert {word.casefold() for word in (*old.keywords, *new.keywords)} == {w.casefold() for w in result.keywords}
    assert set(result.source_ids) == {*old.source_ids, *new.source_ids}
    assert set(result.extra) == {*old.extra, *new.extra}
    assert not (result.title and result.label)
