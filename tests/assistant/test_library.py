import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.chunking import Context
from assistant.encoder import Encoder
from assistant.errors import (
    LibraryDamaged,
    LibraryError,
    LibraryIncompatible,
    LibraryLocked,
    LibraryMissing,
    PaperMissing,
    StorageError,
)
from assistant.library import Library
from assistant.schema import Chunk, Paper, Span
from assistant.tables import Change
from tests.conftest import PAPERS, change_of, run_python

HOLD = """
import sys
from pathlib import Path
from assistant.library import Library
with Library.open(Path(sys.argv[1])) as library, library.writing():
    print("writing", flush=True)
    sys.stdin.read()
"""

LOCK = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("writing", flush=True)
    sys.stdin.read()
"""

CRASH = """
import os, sys
from pathlib import Path
import numpy as np
from assistant.tables import Change
from assistant.library import Library
from assistant.schema import Chunk, Paper, Span

def crash(*arguments, **options):
    os._exit(9)

folder, where = sys.argv[1:]
with Library.open(Path(folder)) as library, library.writing():
    owner, name = where.split(".")
    setattr(getattr(library, owner), name, crash)
    text = "Comets are made of ice and dust."
    library.commit(Change(
        papers=[Paper("text:new", abstract=text)],
        keys={"text:new": ("text:new",)},
        chunks={"text:new": [Chunk("comet", "text:new", text)]},
        vectors={"comet": np.eye(1, 384, 5, dtype=np.float32)[0]},
    ))
"""
COMET = np.eye(1, 384, 5, dtype=np.float32)[0]


def test_opening_loads_no_model_and_is_quick(library: Library) -> None:
    code = """
import sys, time
from pathlib import Path
from assistant.library import Library
start = time.perf_counter()
with Library.open(Path(sys.argv[1])) as library:
    print(len(library.catalogue), len(library.terms.search("bees", 5)), library.generation > 0)
print(time.perf_counter() - start < 0.5, "torch" in sys.modules, "chromadb" in sys.modules)
"""
    assert run_python(code, library.folder).split() == ["4", "1", "True", "True", "False", "False"]


def test_there_is_no_library_yet(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing, match="askpapers ingest PATH"):
        Library.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_a_file_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for create in (False, True):
        with pytest.raises(LibraryError, match="is a file"):
            Library.open(tmp_path / "file", create=create)
    with pytest.raises(StorageError, match="cannot be used"):
        Library.open(tmp_path / "file" / "below", create=True)


def test_a_damaged_catalogue_is_one_sentence(library: Library) -> None:
    library.close()
    for path in library.folder.glob("catalogue.sqlite*"):
        path.write_bytes(b"\xff" * 10_000)
    with pytest.raises(LibraryDamaged, match="damaged"):
        Library.open(library.folder)


def test_an_empty_library_can_be_opened(tmp_path: Path) -> None:
    with Library.open(tmp_path, create=True) as library:
        assert library.info().papers == 0
        assert library.verify() == []
        library.rebuild()
    with Library.open(tmp_path) as library:
        assert list(library.catalogue) == []


def test_what_is_written_is_found_after_opening_again(library: Library, open_library: Callable[[], Library]) -> None:
    library.close()
    again = open_library()
    assert [paper.paper_id for paper in again.catalogue] == [paper.paper_id for paper in PAPERS]
    assert again.terms.search("bees", 1)[0][0] == PAPERS[0].paper_id
    assert again.vectors.search(again.encoder.encode_query("bees"), 1)[0].paper_id == PAPERS[0].paper_id
    assert again.verify() == []


def test_info(library: Library) -> None:
    info = library.info()
    assert (info.papers, info.title_only, info.encoder, info.dimension) == (4, 1, "all-MiniLM-L6-v2", 384)
    assert info.years == {2026: 1, 2025: 1, 2024: 1}
    assert sorted(info.venues.values()) == [1, 2]
    assert info.chunks == len(library.catalogue.chunk_ids()) > 4
    assert info.pending == 0
    assert info.bytes > 10_000


def test_removing(library: Library) -> None:
    assert library.remove("10.1234/bees") == PAPERS[0]
    assert len(library.catalogue) == 3
    assert library.verify() == []
    with pytest.raises(PaperMissing):
        library.remove("10.1234/bees")


# The lock


def test_a_second_writer_is_told_who_writes(library: Library) -> None:
    command = [sys.executable, "-c", HOLD, str(library.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "writing\n"
        start = time.perf_counter()
        with pytest.raises(LibraryLocked, match=f"process {holder.pid} on .*, since 2"), library.writing():
            pass
        assert time.perf_counter() - start < 2
        with Library.open(library.folder) as reader:
            assert reader.terms.search("bees", 1)
            assert reader.vectors.search(library.encoder.encode_query("bees"), 1)
        holder.communicate("")
    with library.writing():
        pass


def test_a_second_thread_does_not_write_either(library: Library) -> None:
    with library.writing(), pytest.raises(LibraryLocked), library.writing():
        pass


# Crashes


@pytest.mark.parametrize("where", ["terms.update", "vectors.stage", "vectors.publish", "catalogue.settle"])
def test_the_next_open_completes_what_a_crash_left(where: str, library: Library) -> None:
    library.close()
    run_python(CRASH, library.folder, where, check=False)
    with Library.open(library.folder) as again:
        assert not sum(again.catalogue.state().pending.values())
        assert again.verify() == []
        assert again.terms.search("comets", 1)[0][0] == "text:new"
        assert again.vectors.search(COMET, 1)[0].chunk_id == "comet"
        versions = [path.name for path in (again.folder / "vectors").iterdir()]
        assert versions == [again.catalogue.state().folders["vectors"]]


def test_a_reader_beside_a_writer_sees_what_was_lost_too(library: Library) -> None:
    library.close()
    run_python(CRASH, library.folder, "terms.update", check=False)
    command = [sys.executable, "-c", LOCK, str(library.folder / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "writing\n"
        with Library.open(library.folder) as reader:
            assert sum(reader.catalogue.state().pending.values())
            assert reader.vectors.search(COMET, 1)[0].chunk_id == "comet"
        holder.communicate("")


def test_a_crash_before_the_commit_writes_nothing(library: Library) -> None:
    library.close()
    run_python(CRASH, library.folder, "catalogue.commit", check=False)
    with Library.open(library.folder) as again:
        assert len(again.catalogue) == len(PAPERS)
        assert again.verify() == []


def test_an_interrupted_block_is_completed_by_the_next(library: Library) -> None:
    change = Change(papers=[Paper("text:new", abstract="Comets.")])
    change.chunks["text:new"] = [Chunk("comet", "text:new", "Comets.")]
    change.vectors["comet"] = COMET

    def interrupted() -> None:
        with library.writing():
            library.commit(change)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert library.catalogue.pending("vectors") == ["comet"]
    assert library.vectors.search(COMET, 1)[0].chunk_id == "comet"
    with library.writing():
        pass
    assert library.verify() == []


# The manifest


def _edit(library: Library, **fields: Any) -> None:
    path = library.folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, **fields}), encoding="utf-8")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"schema": 0}, "has the schema 0"),
        ({"recipe": "whole abstracts"}, "another chunking recipe"),
        ({"chromadb": "0.4.1"}, "made with chromadb 0.4.1"),
    ],
)
def test_another_make_is_refused_and_can_be_rebuilt(
    fields: dict[str, Any], reason: str, library: Library, encoder: Encoder
) -> None:
    _edit(library, **fields)
    library.close()
    with pytest.raises(LibraryIncompatible, match=f"{reason}.*`askpapers library rebuild`"):
        Library.open(library.folder)
    with Library.open(library.folder, repair=True) as broken:
        broken.rebuild()
    with Library.open(library.folder) as mended:
        assert mended.verify() == []


def test_a_newer_make_is_left_to_a_newer_askpapers(library: Library) -> None:
    _edit(library, schema=99)
    library.close()
    with pytest.raises(LibraryIncompatible, match=r"schema 99 of a newer askpapers: `pip install --upgrade"):
        Library.open(library.folder)
    with Library.open(library.folder, repair=True) as newer, pytest.raises(LibraryIncompatible, match="newer"):
        newer.rebuild()


def test_another_encoder_is_refused(library: Library) -> None:
    with pytest.raises(
        LibraryIncompatible, match=r"all-MiniLM-L6-v2, not other/model: .*rebuild --encoder other/model"
    ):
        Library.open(library.folder, encoder_name="other/model")
    Library.open(library.folder, encoder_name="all-MiniLM-L6-v2").close()


def test_other_files_of_the_same_encoder_are_refused(library: Library) -> None:
    library.catalogue.rechunk("another digest", {})
    with Library.open(library.folder) as again, pytest.raises(LibraryIncompatible, match="not those"):
        _ = again.encoder


def test_a_damaged_manifest_is_one_sentence_and_can_be_rebuilt(library: Library) -> None:
    (library.folder / "manifest.json").write_text('{"encoder": 1}', encoding="utf-8")
    with pytest.raises(LibraryDamaged, match=r"manifest\.json cannot be read"):
        Library.open(library.folder)
    with Library.open(library.folder, repair=True) as broken:
        broken.rebuild()
    Library.open(library.folder).close()


def test_a_reader_follows_the_first_ingest(tmp_path: Path, encoder: Encoder) -> None:
    with Library.open(tmp_path, create=True) as reader, Library.open(tmp_path) as writer:
        writer._encoder = reader._encoder = encoder
        assert reader.vectors.search(COMET, 1) == []
        with writer.writing():
            writer.commit(change_of(PAPERS, encoder))
        assert reader.vectors.search(reader.encoder.encode_query("bees"), 1)[0].paper_id == PAPERS[0].paper_id
        assert reader.terms.search("bees", 1)


# Verify and rebuild


def test_verify_names_what_is_wrong(library: Library) -> None:
    encoder = library.catalogue.encoder or ""
    library.catalogue.commit(Change(papers=[Paper("text:lost", title="Lost")]), encoder)
    library.catalogue.settle("terms", ["text:lost"])
    library.catalogue.commit(Change(chunks={PAPERS[0].paper_id: [Chunk("c", PAPERS[0].paper_id, "c")]}), encoder)
    problems = " / ".join(library.verify())
    for expected in ("1 chunks have no vector", "term index lacks 1", "vector index lacks 1", "wait to be indexed"):
        assert expected in problems
    assert "entries too many" in problems


@pytest.mark.parametrize("index", ["vectors", "terms"])
def test_rebuild_brings_a_lost_index_back_without_encoding(index: str, library: Library) -> None:
    library.close()
    shutil.rmtree(library.folder / index)
    code = """
import sys
from pathlib import Path
from assistant.library import Library
with Library.open(Path(sys.argv[1])) as library:
    before = library.verify()
    library.rebuild()
    print(bool(before), library.verify(), "torch" in sys.modules)
"""
    assert run_python(code, library.folder).strip() == "True [] False"


def test_rebuild_encodes_again_when_the_recipe_changed(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def whole(paper: Paper, *_: object) -> list[Context]:
        chunk = Chunk(f"whole {paper.paper_id}", paper.paper_id, paper.abstract or paper.name)
        return [Context(chunk.text, 0, (Span(0, len(chunk.text)),), (chunk,))]

    told: list[tuple[int, int]] = []
    before = library.catalogue.chunk_ids()
    with monkeypatch.context() as patch:
        patch.setattr("assistant.library.contexts", whole)
        for module in ("manifest", "library"):
            patch.setattr(f"assistant.{module}.RECIPE", "whole abstracts")
        library.rebuild(on_progress=lambda done, total: told.append((done, total)))
    assert library.catalogue.chunk_ids() == {f"whole {paper.paper_id}" for paper in PAPERS}
    assert told[-1] == (len(PAPERS), len(PAPERS))
    assert library.verify() == []
    assert json.loads((library.folder / "manifest.json").read_text("utf-8"))["recipe"] == "whole abstracts"
    library.rebuild()
    assert library.catalogue.chunk_ids() == before
    assert library.verify() == []


def test_a_reader_follows_a_rebuild(library: Library, open_library: Callable[[], Library]) -> None:
    reader = open_library()
    query = reader.encoder.encode_query("bees dance")
    before = reader.vectors.search(query, 3), reader.terms.search("bees dance", 3)
    library.rebuild()
    assert (reader.vectors.search(query, 3), reader.terms.search("bees dance", 3)) == before


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be replaced there")
def test_an_index_that_cannot_be_written_loses_no_paper(library: Library, encoder: Encoder) -> None:
    shutil.rmtree(library.folder / "terms")
    (library.folder / "terms").write_text("in the way", encoding="utf-8")
    paper = Paper("text:new", title="Comets", abstract="Comets are made of ice and dust.")
    with pytest.raises(StorageError, match="papers are safe"), library.writing():
        library.commit(change_of([paper], encoder))
    (library.folder / "terms").unlink()
    library.rebuild()
    assert library.terms.search("comets", 1)[0][0] == "text:new"
    assert library.verify() == []
