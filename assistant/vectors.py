"""The dense index: Chroma, and exact search where Chroma would be slow, approximate or behind.

Chroma answers a search over all papers. With filters, or while papers are not in Chroma yet, the cosines are computed
exactly from the catalogue's vectors: at 30,000 chunks that takes a few milliseconds, where a filtered Chroma query was
measured at 60 to 240 ms with a recall of 0.89. Either way a search sees what the catalogue holds at that moment.

A folder that readers use is never written to: a writer works on a copy (`stage`) and `publish` makes the catalogue
point to it, because a second process neither sees what Chroma writes nor survives reading half of it.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from assistant.catalogue import Catalogue, State
from assistant.errors import LibraryDamaged, StorageError
from assistant.schema import Filters

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_NAME = "chunks"
_SPACE = "cosine"
_NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk of a paper and its cosine with the query, -1..1."""

    paper_id: str
    chunk_id: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """Each paper's chunk nearest to a query: ids, cosines (papers,) and those chunks' unit vectors (papers, dim)."""

    paper_ids: list[str]
    cosines: NDArray[np.float32]
    vectors: NDArray[np.float32]


class VectorIndex:
    """The dense index of a library, under `folder`, one subfolder per published version."""

    def __init__(self, folder: Path, catalogue: Catalogue) -> None:
        self._folder, self._catalogue = folder, catalogue
        self._lock = Lock()
        self._exact: _Exact | None = None
        self._published: _Published | None = None
        self._staged: _Published | None = None
        self.staged_ids: set[str] = set()

    def search(self, vector: NDArray[np.float32], n: int, filters: Filters = _NO_FILTERS) -> list[Hit]:
        """Return the `n` chunks with the highest cosine, best first, of the papers that the filters admit.

        `vector` is a unit vector of the library's encoder. Safe from any thread.
        """
        if n < 1:
            return []
        state = self._catalogue.state()
        if not filters and state.folders.get("vectors") and not state.pending["vectors"]:
            hits = self._approximate(vector, n, state)
            if hits is not None:
                return hits
        ids = self._catalogue.matching(filters) if filters else None
        return self._matrix(state).search(vector, n, ids)

    def nearest(self, vector: NDArray[np.float32]) -> Nearest:
        """Return the nearest chunk of every paper that has one, exactly. `vector` is a unit vector."""
        return self._matrix(self._catalogue.state()).nearest(vector)

    def _approximate(self, vector: NDArray[np.float32], n: int, state: State) -> list[Hit] | None:
        """Search Chroma; None when its folder has gone or is damaged, which costs no answer."""
        try:
            with self._lock:
                cosines = dict(self._current(state).search(vector, n))
        except (StorageError, LibraryDamaged):
            return None
        holders = self._catalogue.holders(cosines)
        hits = [Hit(paper_id, chunk_id, cosines[chunk_id]) for chunk_id, paper_id in holders]
        return sorted(hits, key=lambda hit: (-hit.cosine, hit.paper_id))[:n]

    def _current(self, state: State) -> "_Published":
        name = state.folders["vectors"]
        if self._published is None or self._published.folder.name != name:
            opened = _Published(self._folder / name)
            # Loads the graph into memory now, so that the folder may vanish later.
            opened.search(np.eye(1, self._dimension(), dtype=np.float32)[0], 1)
            if self._published is not None:
                self._published.close()
            self._published = opened
        return self._published

    def _dimension(self) -> int:
        return self._catalogue.dimension or 1

    def _matrix(self, state: State) -> "_Exact":
        with self._lock:
            if self._exact is None or self._exact.generation < state.generation:
                self._exact = _Exact(state.generation, *self._catalogue.matrix())
            return self._exact

    # Writing, under the library's lock

    def stage(self, chunk_ids: Iterable[str], *, afresh: bool = False) -> None:
        """Bring these chunks up to date in the copy that `publish` will publish; `afresh` begins with an empty one.

        Raises:
            StorageError: the folder cannot be written; the catalogue still knows what is to do.
        """
        ids = list(chunk_ids)
        with _writing(self._folder):
            if self._staged is None:
                self._staged = self._copy(afresh=afresh)
            self._staged.write(ids, self._catalogue)
        self.staged_ids.update(ids)

    def rebuild(self) -> None:
        """Index all chunks afresh in a new folder and let readers use it from now on.

        Raises:
            StorageError: the folder cannot be written.
        """
        self.stage(self._catalogue.chunk_ids(), afresh=True)
        self.staged_ids.update(self._catalogue.pending("vectors"))
        self.publish()

    def publish(self) -> None:
        """Let readers use the staged copy from now on, and remove older ones."""
        if self._staged is None:
            return
        staged, self._staged = self._staged, None
        staged.close()
        self._catalogue.settle("vectors", self.staged_ids, staged.folder.name)
        self.staged_ids = set()
        self._sweep(keep=staged.folder.name)

    def discard(self) -> None:
        """Throw a staged copy away."""
        self.staged_ids = set()
        if self._staged is not None:
            self._staged.close()
            shutil.rmtree(self._staged.folder, ignore_errors=True)
            self._staged = None

    def ids(self) -> set[str]:
        """Return the chunk ids that the published version holds.

        Raises:
            LibraryDamaged: it cannot be read, or does not measure cosines.
        """
        name = self._catalogue.state().folders.get("vectors")
        if name is None:
            return set()
        opened = _Published(self._folder / name)
        try:
            return opened.ids()
        finally:
            opened.close()

    def close(self) -> None:
        """Let go of Chroma; what is staged and not published is discarded."""
        self.discard()
        with self._lock:
            if self._published is not None:
                self._published.close()
                self._published = None

    def _copy(self, *, afresh: bool) -> "_Published":
        current = self._catalogue.state().folders.get("vectors")
        self._folder.mkdir(exist_ok=True)
        self._sweep(keep=current)
        numbers = [int(path.name) for path in self._folder.iterdir() if path.name.isdecimal()]
        target = self._folder / str(max([*numbers, int(current or 0)]) + 1)
        if current is not None and not afresh and (self._folder / current).is_dir():
            shutil.copytree(self._folder / current, target)
            return _Published(target)
        return _Published(target, create=True)

    def _sweep(self, keep: str | None) -> None:
        """Remove versions that nobody points to; where a reader still holds one open, a later sweep does."""
        for path in self._folder.iterdir():
            if path.name != keep and path.is_dir():
                shutil.rmtree(path, ignore_errors=True)


class _Exact:
    """All vectors in memory, as of one generation of the catalogue; rows of a paper stand together."""

    def __init__(
        self, generation: int, paper_ids: list[str], chunk_ids: list[str], vectors: NDArray[np.float32]
    ) -> None:
        self.generation = generation
        self.paper_ids, self.chunk_ids, self.vectors = paper_ids, chunk_ids, vectors
        self.rows: dict[str, list[int]] = {}
        for row, paper_id in enumerate(paper_ids):
            self.rows.setdefault(paper_id, []).append(row)

    def search(self, vector: NDArray[np.float32], n: int, paper_ids: list[str] | None) -> list[Hit]:
        if not self.paper_ids:
            return []
        cosines = self.vectors @ vector
        if paper_ids is None:
            rows = np.arange(len(cosines))
        else:
            rows = np.array([row for paper in paper_ids for row in self.rows.get(paper, ())], dtype=np.intp)
        if len(rows) > n:
            rows = rows[np.argpartition(-cosines[rows], n - 1)[:n]]
        best = sorted(rows.tolist(), key=lambda row: (-cosines[row], self.paper_ids[row]))
        return [Hit(self.paper_ids[row], self.chunk_ids[row], float(cosines[row])) for row in best]

    def nearest(self, vector: NDArray[np.float32]) -> Nearest:
        if not self.paper_ids:
            return Nearest([], np.empty(0, np.float32), np.empty((0, len(vector)), np.float32))
        cosines = self.vectors @ vector
        starts = np.array([rows[0] for rows in self.rows.values()], dtype=np.intp)
        best = np.maximum.reduceat(cosines, starts)
        lengths = np.diff(np.append(starts, len(cosines)))
        is_best = np.flatnonzero(cosines == np.repeat(best, lengths))
        owners = np.searchsorted(starts, is_best, side="right") - 1
        first = is_best[np.unique(owners, return_index=True)[1]]
        return Nearest(list(self.rows), best, self.vectors[first])


class _Published:
    """One version of the index: a folder with a Chroma collection of chunk ids and their vectors.

    Texts and papers stay in the catalogue: Chroma's own copies made the folder five times as large.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.folder = folder
        with _reading(folder):
            self._client = _client(folder, create=create)
            try:
                self._collection = _collection(self._client, create=create)
            except BaseException:
                self._client.close()
                raise

    def search(self, vector: NDArray[np.float32], n: int) -> list[tuple[str, float]]:
        with _reading(self.folder):
            found = self._collection.query(query_embeddings=vector[np.newaxis], n_results=n, include=["distances"])
        distances = (found["distances"] or [[]])[0]
        return [(id_, 1.0 - float(distance)) for id_, distance in zip(found["ids"][0], distances, strict=True)]

    def ids(self) -> set[str]:
        with _reading(self.folder):
            return set(self._collection.get(include=[])["ids"])

    def write(self, chunk_ids: list[str], catalogue: Catalogue) -> None:
        size = self._client.get_max_batch_size()
        for start in range(0, len(chunk_ids), size):
            part = list(dict.fromkeys(chunk_ids[start : start + size]))
            vectors = catalogue.vectors(part)
            if vectors:
                self._collection.upsert(ids=list(vectors), embeddings=np.stack(list(vectors.values())))
            if gone := [chunk_id for chunk_id in part if chunk_id not in vectors]:
                self._collection.delete(ids=gone)

    def close(self) -> None:
        self._client.close()


def _client(folder: Path, *, create: bool) -> "Client":
    import chromadb
    from chromadb.config import Settings

    # Chroma would make an empty database of a folder that has gone.
    if not create and not (folder / "chroma.sqlite3").is_file():
        raise LibraryDamaged(f"The index {folder} is missing: run `askpapers library rebuild`.")
    client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
    return cast("Client", client)


def _collection(client: "Client", *, create: bool) -> "Collection":
    if create:
        collection = client.create_collection(
            _NAME, configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )
    else:
        collection = client.get_collection(_NAME, embedding_function=None)
    hnsw: Any = collection.configuration_json.get("hnsw") or {}
    if hnsw.get("space") != _SPACE:
        raise LibraryDamaged("The index does not measure cosines: run `askpapers library rebuild`.")
    return collection


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError, OSError) as error:
        raise LibraryDamaged(f"The index {folder} cannot be read: run `askpapers library rebuild`.") from error


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, ValueError, OSError, LibraryDamaged) as error:
        raise StorageError(
            f"The papers are safe, but their index in {folder} cannot be written: check the disk's space and "
            "permissions, then run `askpapers library rebuild`."
        ) from error
