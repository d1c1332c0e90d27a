import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from assistant.encoder import Encoder
from assistant.errors import LibraryDamaged
from assistant.library import Library
from assistant.schema import Chunk, Filters, Paper
from assistant.tables import Change
from assistant.vectors import Hit
from tests.conftest import PAPERS, run_python

WRITE = """
import sys
from pathlib import Path
import numpy as np
from assistant.tables import Change
from assistant.library import Library
from assistant.schema import Chunk, Paper
with Library.open(Path(sys.argv[1])) as library, library.writing():
    vector = np.eye(1, 384, 5, dtype=np.float32)[0]
    change = Change(papers=[Paper("text:new", abstract="Comets are made of ice and dust.")])
    change.chunks["text:new"] = [Chunk("comet", "text:new", "Comets are made of ice and dust.")]
    change.vectors["comet"] = vector
    library.commit(change)
"""
COMET = np.eye(1, 384, 5, dtype=np.float32)[0]


def _comet() -> Change:
    """Return the change that `WRITE` makes."""
    text = "Comets are made of ice and dust."
    return Change(
        papers=[Paper("text:new", abstract=text)],
        chunks={"text:new": [Chunk("comet", "text:new", text)]},
        vectors={"comet": COMET},
    )


def _chroma_is_asked(library: Library) -> bool:
    return library.vectors._published is not None


def test_the_nearest_chunks_come_first(library: Library, encoder: Encoder) -> None:
    hits = library.vectors.search(encoder.encode_query("How do bees tell where flowers are?"), 3)
    assert hits[0].paper_id == "openreview:bees0001"
    assert [hit.cosine for hit in hits] == sorted((hit.cosine for hit in hits), reverse=True)
    assert len(hits) == 3


def test_chroma_and_exact_search_agree(library: Library, encoder: Encoder) -> None:
    query = encoder.encode_query("glaciers and ice")
    found = library.vectors.search(query, 10)
    assert _chroma_is_asked(library)
    exact = library.vectors.search(query, 10, Filters(years=(None, 9999)))
    dated = [hit for hit in found if hit.paper_id != PAPERS[3].paper_id]
    assert [(hit.paper_id, hit.chunk_id) for hit in dated] == [(hit.paper_id, hit.chunk_id) for hit in exact]
    assert [hit.cosine for hit in dated] == pytest.approx([hit.cosine for hit in exact], abs=1e-3)


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(venues=("icml",)), {"openreview:bees0001", "doi:10.1234/glacier"}),
        (Filters(years=(2025, None)), {"arxiv:2501.00001", "doi:10.1234/glacier"}),
        (Filters(years=(2025, 2025), venues=("neurips",)), {"arxiv:2501.00001"}),
        (Filters(authors=("Ada",)), {"openreview:bees0001", "title:0123456789abcdef"}),
        (Filters(authors=("Nobody",)), set()),
    ],
)
def test_filters(filters: Filters, ids: set[str], library: Library, encoder: Encoder) -> None:
    hits = library.vectors.search(encoder.encode_query("models"), 50, filters)
    assert {hit.paper_id for hit in hits} == ids


def test_papers_are_found_before_they_are_published(library: Library) -> None:
    with library.writing():
        library.commit(_comet())
        (hit,) = library.vectors.search(COMET, 1)
        assert hit == Hit("text:new", "comet", hit.cosine)
        assert hit.cosine == pytest.approx(1.0, abs=1e-3)
    assert not library.catalogue.pending("vectors")
    assert library.vectors.search(COMET, 1)[0].chunk_id == "comet"


def test_a_text_of_two_papers_is_found_for_both(library: Library) -> None:
    change = _comet()
    change.papers.append(Paper("text:twin", abstract="Comets are made of ice and dust."))
    change.chunks["text:twin"] = change.chunks["text:new"]
    with library.writing():
        library.commit(change)
    assert [hit.paper_id for hit in library.vectors.search(COMET, 2)] == ["text:new", "text:twin"]
    library.remove("text:new")
    assert library.vectors.search(COMET, 2)[0].paper_id == "text:twin"
    assert library.verify() == []


def test_an_open_reader_sees_what_another_process_writes(library: Library) -> None:
    assert library.vectors.search(COMET, 1)[0].chunk_id != "comet"
    assert _chroma_is_asked(library)
    run_python(WRITE, library.folder)
    assert library.vectors.search(COMET, 1)[0].chunk_id == "comet"


def test_a_folder_that_readers_use_is_not_written_to(library: Library) -> None:
    published = library.folder / "vectors" / library.catalogue.state().folders["vectors"]
    before = {path: path.read_bytes() for path in published.rglob("*") if path.is_file()}
    with library.writing():
        library.commit(_comet())
        assert {path: path.read_bytes() for path in published.rglob("*") if path.is_file()} == before
    assert not published.exists()


def test_a_lost_index_costs_no_answer(library: Library, encoder: Encoder) -> None:
    shutil.rmtree(library.folder / "vectors")
    assert library.vectors.search(encoder.encode_query("bees dance"), 1)[0].paper_id == "openreview:bees0001"
    with pytest.raises(LibraryDamaged, match="askpapers library rebuild"):
        library.vectors.ids()


def test_a_damaged_index_costs_no_answer(library: Library, encoder: Encoder) -> None:
    for path in (library.folder / "vectors").rglob("*"):
        if path.is_file():
            path.write_bytes(b"\xff" * 100)
    assert library.vectors.search(encoder.encode_query("bees dance"), 1)[0].paper_id == "openreview:bees0001"


def test_another_distance_is_refused(library: Library) -> None:
    import chromadb
    from chromadb.config import Settings

    folder = library.folder / "vectors" / library.catalogue.state().folders["vectors"]
    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    client.delete_collection("chunks")
    client.create_collection("chunks", embedding_function=None)
    client.close()  # type: ignore[attr-defined]
    with pytest.raises(LibraryDamaged, match="does not measure cosines"):
        library.vectors.ids()


def test_batches_are_as_large_as_chroma_takes(library: Library) -> None:
    change = _comet()
    many = {f"chunk{i}": np.eye(1, 384, i % 384, dtype=np.float32)[0] for i in range(6000)}
    change.vectors.update(many)
    change.chunks["text:new"] += [Chunk(id_, "text:new", id_) for id_ in many]
    with library.writing():
        library.commit(change)
    assert library.verify() == []


def test_nothing_is_asked_for(open_library: Callable[[], Library], tmp_path: Path) -> None:
    empty = open_library()
    assert empty.vectors.search(COMET, 5) == []
    assert empty.vectors.search(COMET, 0) == []
    assert empty.vectors.ids() == set()
