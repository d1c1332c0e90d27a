import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.library import Library
from ingest.pipeline import Report, ingest
from ingest.readers import read
from tests.conftest import run_python

BEES = "Honey bees dance to tell where flowers are. Cameras can see the dance. A network reads it."
ANTS = "Ants lay trails of scent that lead the others to food. Trails fade in the rain."
TIDES = "Tides follow the moon and storms do not. Forty years of records tell both apart."


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(library: Library, *paths: Path, defaults: dict[str, str] | None = None, **options: Any) -> Report:
    return ingest(library, read([str(path) for path in paths], defaults=defaults), **options)


def counts(report: Report) -> tuple[int, int, int, int]:
    return report.new, report.updated, report.unchanged, report.duplicate


@pytest.fixture
def library(open_library: Callable[[], Library]) -> Library:
    return open_library()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write(
        tmp_path / "corpus.jsonl",
        {"_id": "1", "title": "Bees", "text": BEES, "year": 2024},
        {"_id": "2", "title": "Ants", "text": ANTS},
        {"_id": "3", "title": "Deep songs"},
        {"_id": "4", "title": "Bees", "text": BEES},
        {"_id": "5"},
    )


def test_a_first_ingest(library: Library, corpus: Path) -> None:
    told: list[tuple[int, int]] = []
    report = run(library, corpus, on_progress=lambda done, total: told.append((done, total)))
    assert counts(report) == (3, 0, 0, 1)
    assert (report.title_only, report.removed, report.papers) == (1, 0, 3)
    assert report.encoded_chunks == len(library.catalogue.chunk_ids())
    assert told[-1][0] == told[-1][1] > 0
    (reject,) = report.rejected
    assert (reject.record, reject.line) == (5, 5)
    assert set(report.seconds) == {"total", "read", "encode", "write"}
    assert report.seconds["total"] >= report.seconds["encode"] > 0
    assert library.verify() == []
    assert library.terms.search("dance", 1)[0][0] == library.catalogue.paper("4").paper_id


def test_the_same_again_changes_and_encodes_nothing(library: Library, corpus: Path) -> None:
    run(library, corpus)
    before, generation = list(library.catalogue), library.generation
    report = run(library, corpus)
    assert counts(report) == (0, 0, 3, 1)
    assert (report.title_only, report.encoded_chunks, report.papers) == (1, 0, 3)
    assert len(report.rejected) == 1
    assert (list(library.catalogue), library.generation) == (before, generation)


def test_the_same_again_loads_no_encoder(library: Library, corpus: Path) -> None:
    run(library, corpus)
    library.close()
    code = """
import sys
from pathlib import Path
from assistant.library import Library
from ingest.pipeline import ingest
from ingest.readers import read
with Library.open(Path(sys.argv[1])) as library:
    report = ingest(library, read([sys.argv[2]]))
print(report.unchanged, report.encoded_chunks, "torch" in sys.modules)
"""
    start = time.perf_counter()
    assert run_python(code, library.folder, corpus).split() == ["3", "0", "False"]
    assert time.perf_counter() - start < 10


def test_only_changed_chunks_are_encoded(library: Library, corpus: Path, tmp_path: Path) -> None:
    run(library, corpus)
    rows = [json.loads(line) for line in corpus.read_text("utf-8").splitlines()]
    rows[1]["text"] = ANTS + " Rain comes and goes. The ants begin again. They never tire."
    rows[0]["year"] = 2025
    write(corpus, *rows)
    report = run(library, corpus)
    assert counts(report) == (0, 2, 1, 1)
    assert report.encoded_chunks == len(library.catalogue.chunks_of(library.catalogue.paper("2").paper_id))
    assert library.catalogue.paper("1").year == 2025
    assert library.catalogue.paper("2").abstract.endswith("They never tire.")
    assert library.terms.search("tire", 1)
    assert library.verify() == []


def test_another_paper_under_the_same_source_id_is_another_paper(library: Library, tmp_path: Path) -> None:
    run(library, write(tmp_path / "a.jsonl", {"_id": "1", "title": "Bees", "text": BEES}))
    report = run(library, write(tmp_path / "a.jsonl", {"_id": "1", "title": "Ants", "text": ANTS}))
    assert (report.new, report.papers) == (1, 2)


def test_going_back_encodes_nothing(library: Library, corpus: Path) -> None:
    original = corpus.read_text("utf-8")
    run(library, corpus)
    corpus.write_text(original.replace("fade in the rain", "fade in the sun"), encoding="utf-8")
    assert run(library, corpus).encoded_chunks > 0
    corpus.write_text(original, encoding="utf-8")
    report = run(library, corpus)
    assert (report.updated, report.encoded_chunks) == (1, 0)
    assert library.verify() == []


def test_other_defaults_are_a_change(library: Library, corpus: Path) -> None:
    run(library, corpus)
    report = run(library, corpus, defaults={"venue": "ICML", "year": "2020"})
    assert counts(report) == (0, 3, 0, 1)
    assert report.encoded_chunks == 0
    assert {paper.venue for paper in library.catalogue} == {"ICML"}
    assert [paper.year for paper in library.catalogue] == [2024, 2020, 2020]


def test_the_order_of_two_corpora_does_not_matter(open_library: Callable[[], Library], tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.jsonl", {"text": BEES}, {"text": TIDES})
    titled = write(
        tmp_path / "titled.jsonl", {"id": "1", "title": "Bees", "abstract": BEES}, {"title": "A", "abstract": ANTS}
    )
    library = open_library()
    assert counts(run(library, plain)) == (2, 0, 0, 0)
    assert counts(run(library, titled)) == (1, 1, 0, 0)
    assert counts(run(library, plain, titled)) == (0, 0, 3, 1)
    assert library.catalogue.paper("1").title == "Bees"
    with Library.open(tmp_path / "other", create=True) as other:
        other._encoder = library.encoder
        run(other, titled)
        report = run(other, plain)
        assert (report.new, report.papers) == (1, 3)
        assert {p.abstract for p in other.catalogue} == {p.abstract for p in library.catalogue}


def test_two_papers_that_turn_out_to_be_one(library: Library, tmp_path: Path) -> None:
    run(library, write(tmp_path / "a.jsonl", {"title": "Bees", "arxiv": "2401.00001", "abstract": BEES}))
    run(library, write(tmp_path / "b.jsonl", {"title": "Ants", "doi": "10.1234/x", "abstract": ANTS}))
    both = {"title": "Bees", "arxiv": "2401.00001", "doi": "10.1234/x", "year": 2024}
    report = run(library, write(tmp_path / "c.jsonl", both))
    assert (counts(report), report.papers) == ((0, 1, 0, 0), 1)
    assert library.catalogue.paper("10.1234/x").paper_id == "arxiv:2401.00001"
    assert library.verify() == []
    assert counts(run(library, tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c.jsonl")) == (0, 0, 1, 2)


def test_a_record_without_an_id_twice_in_a_file(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "twice.jsonl", {"title": "Bees"}, {"title": "Bees"})
    assert counts(run(library, path)) == (1, 0, 0, 1)
    assert counts(run(library, path)) == (0, 0, 1, 1)


def test_dry_run_writes_nothing(library: Library, corpus: Path) -> None:
    report = run(library, corpus, dry_run=True)
    assert (counts(report), report.papers, len(report.rejected)) == ((3, 0, 0, 1), 3, 1)
    assert (len(library.catalogue), library.generation) == (0, 0)
    run(library, corpus)
    assert counts(run(library, corpus, dry_run=True)) == (0, 0, 3, 1)


def test_sync_removes_what_is_gone(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    write(folder / "a.jsonl", {"title": "Bees", "abstract": BEES}, {"title": "Ants", "abstract": ANTS})
    write(folder / "b.jsonl", {"title": "Tides", "abstract": TIDES})
    elsewhere = write(tmp_path / "elsewhere.jsonl", {"title": "Songs"}, {"title": "Ants", "abstract": ANTS})
    run(library, folder, elsewhere)
    (folder / "b.jsonl").unlink()
    write(folder / "a.jsonl", {"title": "Bees", "abstract": BEES})
    assert run(library, folder).removed == 0
    assert run(library, folder, sync=[str(folder)], dry_run=True).removed == 1
    report = run(library, folder, sync=[str(folder)])
    assert (report.removed, report.papers) == (1, 3)
    assert {paper.title for paper in library.catalogue} == {"Bees", "Ants", "Songs"}
    assert library.verify() == []


def test_sync_removes_nothing_of_a_file_that_failed(library: Library, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"title": "Bees", "abstract": BEES})
    run(library, path)
    path.write_bytes(b"\x00\x01\x02" * 100)
    report = run(library, path, sync=[str(path)])
    assert (report.removed, report.papers, len(report.rejected)) == (0, 1, 1)


def test_papers_of_an_ingest_that_crashed_are_kept(library: Library, tmp_path: Path) -> None:
    rows = [{"title": f"Paper {i}", "abstract": f"Subject number {i} is studied here in depth."} for i in range(6)]
    first, rest = write(tmp_path / "a.jsonl", rows[0]), write(tmp_path / "b.jsonl", *rows)
    run(library, first)
    library.close()
    code = """
import os, sys
from pathlib import Path
import numpy as np
from assistant.library import Library
from assistant.encoder import Encoder
from ingest import pipeline
from ingest.readers import read
pipeline._SLICE = 2
slices = []
encode = Encoder.encode_contexts
def encode_until_killed(self, contexts, on_progress=None):
    if len(slices) == 2:
        os._exit(9)
    slices.append(contexts)
    return encode(self, contexts, on_progress)
Encoder.encode_contexts = encode_until_killed
with Library.open(Path(sys.argv[1])) as library:
    pipeline.ingest(library, read([sys.argv[2]]))
"""
    run_python(code, library.folder, rest, check=False)
    with Library.open(library.folder) as again:
        kept = len(again.catalogue)
        assert 1 < kept < 6
        assert again.verify() == []
        report = run(again, rest)
        assert (report.papers, report.new) == (6, 6 - kept)
        assert again.verify() == []


def test_an_ingest_has_the_lowest_priority() -> None:
    code = "from assistant.machine import yield_to_others; yield_to_others(); import os; print(os.nice(0))"
    if sys.platform == "win32":
        code = code.replace("import os; print(os.nice(0))", "import psutil; print(int(psutil.Process().nice()))")
    assert int(run_python(code)) == (64 if sys.platform == "win32" else 19)
    assert sys.platform == "win32" or os.nice(0) < 19
