"""The catalogue: papers, their chunks and their vectors in one SQLite file, the source of truth.

Reading is safe from any thread at any time, also while another process writes. Writing is `commit(change)`, one
transaction; whoever writes holds the library's lock. Each commit raises `generation` and leaves in `pending` what the
two indexes have still to do.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread, current_thread
from typing import Any, Final, Literal, cast
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from assistant.conditions import Condition, Vocabulary, clause
from assistant.errors import LibraryDamaged, LibraryError, PaperMissing, StorageError
from assistant.schema import Chunk, Filters, Paper
from assistant.tables import (
    FIELDS,
    SCHEMA,
    Change,
    Record,
    forget,
    next_generation,
    paper_of,
    storable,
    storables,
    where,
    write_chunks,
    write_paper,
    write_vectors,
)

SCHEMA_VERSION: Final = 1
Index = Literal["vectors", "terms"]
Facet = Literal["year", "venue", "author", "session", "keyword"]
INDEXES: Final[tuple[Index, ...]] = ("vectors", "terms")

_ENCODER = "(SELECT value FROM meta WHERE key = 'encoder')"
_FACETS: Final[Mapping[Facet, tuple[str, str]]] = {
    "year": ("year", "year FROM papers WHERE year NOT NULL"),
    "venue": ("folded_venue", "venue FROM papers WHERE venue NOT NULL"),
    "author": ("value", "value FROM papers, json_each(papers.authors) WHERE type = 'text'"),
    "session": ("value", "value FROM papers, json_each(papers.extra, '$.session') WHERE type = 'text'"),
    "keyword": ("value", "value FROM papers, json_each(papers.keywords) WHERE type = 'text'"),
}
_MANY = 500
_SCHEMES = ("doi", "arxiv", "openreview", "pubmed")


@dataclass(frozen=True, slots=True)
class Facets:
    """How many papers there are of each year and venue; years newest first, venues most frequent first."""

    years: Mapping[int, int]
    venues: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class State:
    """What a reader must know before it trusts an index: changes so far, where each index lies, and what it lacks."""

    generation: int
    folders: Mapping[str, str]
    pending: Mapping[str, int]


class Catalogue:
    """An open catalogue."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the file, or with `create` make it when it is missing.

        Raises:
            LibraryDamaged: it is not an askpapers catalogue.
            StorageError: the disk is full or read-only.
        """
        self.path = path
        self._connections: dict[ref[Thread], sqlite3.Connection] = {}
        self._guard = Lock()
        self._closed = False
        if not create and not path.is_file():
            raise LibraryDamaged(f"The catalogue {path} is missing: restore it from a copy, or ingest again elsewhere.")
        with self._errors():
            if create and not self._tables():
                self._connection().executescript(f"PRAGMA journal_mode=WAL; BEGIN; {SCHEMA} COMMIT;")
            if "meta" not in self._tables():
                raise LibraryDamaged(f"The file {path} is not an askpapers catalogue: choose another folder.")

    # Reading

    def __len__(self) -> int:
        return cast(int, self._one("SELECT count(*) FROM papers")[0])

    def __iter__(self) -> Iterator[Paper]:
        """Yield all papers, oldest first."""
        last = 0
        while rows := self._all(
            f"SELECT {FIELDS}, number FROM papers WHERE number > ? ORDER BY number LIMIT ?",  # noqa: S608
            (last, _MANY),
        ):
            yield from (paper_of(row) for row in rows)
            last = rows[-1][-1]

    def paper(self, name: str) -> Paper:
        """Return the paper with this id, alias, bare identifier (a DOI, an arXiv number …) or source id.

        Raises:
            PaperMissing: there is none, or several share the source id.
        """
        for key in (name, *(f"{scheme}:{name}" for scheme in _SCHEMES), f"doi:{name.casefold()}"):
            if found := self.papers([self.resolve([key]).get(key, key)]):
                return found[0]
        ids = self._all(
            "SELECT paper_id FROM papers WHERE EXISTS (SELECT 1 FROM json_each(source_ids) WHERE value = ?)", (name,)
        )
        if len(ids) == 1:
            return self.papers([ids[0][0]])[0]
        if ids:
            listed = ", ".join(row[0] for row in ids[:5])
            raise PaperMissing(f"{len(ids)} papers have the source id {name}: use one of their ids, {listed}.")
        raise PaperMissing(f"No paper has the id {name}: `askpapers papers list` shows the ids there are.")

    def papers(self, ids: Iterable[str]) -> list[Paper]:
        """Return the papers with these ids in the order asked for; ids that are no paper's are left out."""
        wanted = list(ids)
        found = {
            row[0]: paper_of(row)
            for row in self._among(f"SELECT {FIELDS} FROM papers WHERE paper_id IN", wanted)  # noqa: S608
        }
        return [found[paper_id] for paper_id in wanted if paper_id in found]

    def existing(self, ids: Iterable[str]) -> set[str]:
        """Return those ids that are papers' ids."""
        return {row[0] for row in self._among("SELECT paper_id FROM papers WHERE paper_id IN", list(ids))}

    def resolve(self, keys: Iterable[str]) -> dict[str, str]:
        """Map identity keys, aliases included, to the ids of the papers they stand for; unknown ones are left out."""
        return dict(self._among("SELECT key, paper_id FROM keys WHERE key IN", list(keys)))

    def matching(self, filters: Filters) -> list[str]:
        """Return the ids of the papers that the filters admit, oldest first."""
        clause, values = where(filters)
        sql = f"SELECT paper_id FROM papers {clause} ORDER BY number"  # noqa: S608 (built from constants)
        return [row[0] for row in self._all(sql, values)]

    def meeting(self, conditions: Sequence[Condition], filters: Filters) -> list[str]:
        """Return the ids of the papers that meet all conditions and that the filters admit, oldest first."""
        admitted, values = where(filters)
        parts = [admitted.removeprefix("WHERE ") or "1"]
        for sql, more in map(clause, conditions):
            parts.append(sql)
            values += more
        rows = self._all(f"SELECT paper_id FROM papers WHERE {' AND '.join(parts)} ORDER BY number", values)  # noqa: S608
        return [row[0] for row in rows]

    def vocabulary(self) -> Vocabulary:
        """Return the venues, authors, sessions and keywords that papers have."""
        listed = "SELECT DISTINCT value FROM papers, json_each(papers.{}) WHERE type = 'text' ORDER BY value"
        found = {
            name: tuple(row[0] for row in self._all(listed.format(source)))
            for name, source in (("authors", "authors"), ("sessions", "extra, '$.session'"), ("keywords", "keywords"))
        }
        return Vocabulary(tuple(self.facets().venues), **found)

    def grouped(self, facet: Facet, paper_ids: Iterable[str]) -> dict[str, list[str]]:
        """Return these papers' ids by year, venue, author, session or keyword, the value with most papers first."""
        column, listed = _FACETS[facet]
        sql = f"SELECT DISTINCT paper_id, {column}, {listed} AND paper_id IN"
        groups: dict[str, list[str]] = {}
        spelt: dict[str, Counter[str]] = {}
        order = {paper_id: i for i, paper_id in enumerate(paper_ids)}
        for paper_id, folded, value in self._among(sql, list(order)):
            groups.setdefault(str(folded), []).append(paper_id)
            spelt.setdefault(str(folded), Counter())[str(value)] += 1
        named = {spelt[key].most_common(1)[0][0]: sorted(ids, key=order.__getitem__) for key, ids in groups.items()}
        return dict(sorted(named.items(), key=lambda item: (-len(item[1]), item[0])))

    def title_only(self) -> int:
        """Count the papers without an abstract."""
        return cast(int, self._one("SELECT count(*) FROM papers WHERE abstract = ''")[0])

    def count(self, filters: Filters) -> int:
        """Count the papers that the filters admit."""
        clause, values = where(filters)
        return cast(int, self._one(f"SELECT count(*) FROM papers {clause}", values)[0])  # noqa: S608

    def facets(self) -> Facets:
        """Count papers by year and by venue; venues that differ only in case are one."""
        years = self._all("SELECT year, count(*) FROM papers WHERE year NOT NULL GROUP BY year ORDER BY year DESC")
        spelt: dict[str, Counter[str]] = {}
        for folded, venue, count in self._all(
            "SELECT folded_venue, venue, count(*) FROM papers WHERE venue NOT NULL GROUP BY venue"
        ):
            spelt.setdefault(folded, Counter())[venue] += count
        venues = {spellings.most_common(1)[0][0]: spellings.total() for spellings in spelt.values()}
        return Facets(dict(years), dict(sorted(venues.items(), key=lambda item: (-item[1], item[0]))))

    @property
    def generation(self) -> int:
        """A number that grows with every committed change."""
        return int(self.meta("generation") or 0)

    def state(self) -> State:
        """Return, in one consistent reading, what the indexes are compared with."""
        rows = self._all(
            "SELECT key, value FROM meta WHERE key IN ('generation', 'folder:vectors', 'folder:terms') "
            "UNION ALL SELECT 'pending:' || work, count(*) FROM pending GROUP BY work"
        )
        values: dict[str, Any] = dict(rows)
        return State(
            generation=int(values.get("generation", 0)),
            folders={index: values[f"folder:{index}"] for index in INDEXES if f"folder:{index}" in values},
            pending={index: int(values.get(f"pending:{index}", 0)) for index in INDEXES},
        )

    def meta(self, key: str) -> str | None:
        """Return a remark that the library made about itself."""
        row = self._one("SELECT value FROM meta WHERE key = ?", (key,))
        return row[0] if row else None

    # What indexing reads

    @property
    def encoder(self) -> str | None:
        """The digest of the fingerprint of the encoder in use, None before the first paper."""
        return self.meta("encoder")

    @property
    def dimension(self) -> int | None:
        """Length of the vectors in use, None before the first."""
        row = self._one(f"SELECT length(vector) / 2 FROM vectors WHERE encoder = {_ENCODER} LIMIT 1")  # noqa: S608
        return row[0] if row else None

    def chunk_ids(self) -> set[str]:
        """Return the ids of all chunks of all papers."""
        return {row[0] for row in self._all("SELECT DISTINCT chunk_id FROM chunks")}

    def matrix(self) -> tuple[list[str], list[str], NDArray[np.float32]]:
        """Return paper ids, chunk ids and unit vectors of all chunks, in one consistent reading."""
        rows = self._all(
            f"SELECT c.paper_id, c.chunk_id, v.vector FROM chunks c JOIN vectors v ON v.encoder = {_ENCODER} "  # noqa: S608
            "AND v.chunk_id = c.chunk_id ORDER BY c.paper_id, c.position"
        )
        blobs = b"".join(row[2] for row in rows)
        vectors = np.frombuffer(blobs, np.float16).reshape(len(rows), -1) if rows else np.empty((0, 0), np.float16)
        return [row[0] for row in rows], [row[1] for row in rows], _unit(vectors)

    def vectors(self, chunk_ids: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """Return the unit vectors of those chunks that stand in a paper and have one."""
        rows = self._among(
            f"SELECT chunk_id, vector FROM vectors v WHERE encoder = {_ENCODER} "  # noqa: S608
            "AND EXISTS (SELECT 1 FROM chunks c WHERE c.chunk_id = v.chunk_id) AND chunk_id IN",
            list(chunk_ids),
        )
        if not rows:
            return {}
        matrix = _unit(np.frombuffer(b"".join(row[1] for row in rows), np.float16).reshape(len(rows), -1))
        return {row[0]: vector for row, vector in zip(rows, matrix, strict=True)}

    def encoded(self, encoder: str, chunk_ids: Iterable[str]) -> set[str]:
        """Return those chunk ids whose vectors are known, also of chunks that no paper has any more."""
        sql = "SELECT chunk_id FROM vectors WHERE encoder = ? AND chunk_id IN"
        return {row[0] for row in self._among(sql, list(chunk_ids), (encoder,))}

    def holders(self, chunk_ids: Iterable[str]) -> list[tuple[str, str]]:
        """Return (chunk id, paper id) for each paper that has one of the chunks."""
        return self._among("SELECT chunk_id, paper_id FROM chunks WHERE chunk_id IN", list(chunk_ids))

    def chunks_of(self, paper_id: str) -> list[Chunk]:
        """Return a paper's chunks in order."""
        rows = self._all("SELECT chunk_id, text FROM chunks WHERE paper_id = ? ORDER BY position", (paper_id,))
        return [Chunk(row[0], paper_id, row[1]) for row in rows]

    def sentence_vectors(self, paper_ids: Iterable[str]) -> dict[str, dict[str, NDArray[np.float32]]]:
        """Return the unit vectors of papers' chunks, by paper id and by the chunk's text."""
        rows = self._among(
            f"SELECT c.paper_id, c.text, v.vector FROM chunks c JOIN vectors v ON v.encoder = {_ENCODER} "  # noqa: S608
            "AND v.chunk_id = c.chunk_id WHERE c.paper_id IN",
            list(paper_ids),
        )
        found: dict[str, dict[str, NDArray[np.float32]]] = {}
        for paper_id, text, vector in rows:
            found.setdefault(paper_id, {})[text] = _unit(np.frombuffer(vector, np.float16)[np.newaxis])[0]
        return found

    def pending(self, index: Index) -> list[str]:
        """Return the chunk ids (vectors) or paper ids (terms) that the index has still to look at."""
        return [row[0] for row in self._all("SELECT id FROM pending WHERE work = ?", (index,))]

    # What ingestion reads

    def record(self, origin: str) -> Record | None:
        """Return what was read from this place before."""
        sql = "SELECT origin, digest, source, paper_id, title_only FROM records WHERE origin = ?"
        row = self._one(sql, (origin,))
        return Record(*row) if row else None

    def titled(self, title_key: str) -> list[str]:
        """Return the ids of the papers with this title key, oldest first."""
        rows = self._all("SELECT paper_id FROM papers WHERE title_key = ? ORDER BY number", (title_key,))
        return [row[0] for row in rows]

    def keys_of(self, paper_id: str) -> tuple[str, ...]:
        """Return a paper's identity keys, its id first."""
        rows = self._all("SELECT key FROM keys WHERE paper_id = ? ORDER BY key <> paper_id, key", (paper_id,))
        return tuple(row[0] for row in rows)

    def title_key(self, paper_id: str) -> str | None:
        """Return the key of a paper's title."""
        row = self._one("SELECT title_key FROM papers WHERE paper_id = ?", (paper_id,))
        return row[0] if row else None

    def title_origin(self, paper_id: str) -> str | None:
        """Return the origin of the record that a paper's title came from."""
        row = self._one("SELECT origin FROM papers WHERE paper_id = ?", (paper_id,))
        return row[0] if row else None

    def number(self, paper_id: str) -> int | None:
        """Return a number that is lower the earlier the paper came into the library; None for no paper."""
        row = self._one("SELECT number FROM papers WHERE paper_id = ?", (paper_id,))
        return row[0] if row else None

    def records(self) -> list[Record]:
        """Return everything that was read and still stands for a paper."""
        return [Record(*row) for row in self._all("SELECT origin, digest, source, paper_id, title_only FROM records")]

    # Writing

    def commit(self, change: Change, encoder: str) -> None:
        """Write a change as one transaction; afterwards it is safe from a crash. `encoder` made its vectors.

        Raises:
            StorageError: the disk is full or read-only; nothing was written.
        """
        with self._transaction() as db:
            for paper in change.papers:
                write_paper(db, paper, change)
            for old, heir in change.merged.items():
                forget(db, old, heir)
            for paper_id in change.removed:
                forget(db, paper_id, None)
            for paper_id, chunks in change.chunks.items():
                write_chunks(db, paper_id, chunks)
            write_vectors(db, encoder, change.vectors)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (encoder,))
            db.executemany(
                "INSERT OR REPLACE INTO records (origin, digest, source, paper_id, title_only) VALUES (?, ?, ?, ?, ?)",
                [(r.origin, r.digest, storable(r.source), r.paper_id, r.title_only) for r in change.records],
            )
            db.executemany("DELETE FROM records WHERE origin = ?", [(origin,) for origin in change.dropped])
            if change.papers or change.merged or change.removed or change.chunks:
                next_generation(db)

    def add_vectors(self, encoder: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep vectors of chunks, whether or not a paper has them yet and whether or not the encoder is in use."""
        with self._transaction() as db:
            write_vectors(db, encoder, vectors)

    def rechunk(self, encoder: str, chunks: Mapping[str, Sequence[Chunk]]) -> None:
        """Replace the chunks of papers by another cutting of them and use this encoder's vectors from now on."""
        with self._transaction() as db:
            for paper_id, cut in chunks.items():
                write_chunks(db, paper_id, cut)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('encoder', ?)", (encoder,))
            next_generation(db)

    def settle(self, index: Index, ids: Collection[str], folder: str | None = None) -> None:
        """Note that the index has done this pending work and, with `folder`, that it lies there from now on."""
        with self._transaction() as db:
            db.executemany("DELETE FROM pending WHERE work = ? AND id = ?", [(index, id_) for id_ in ids])
            if folder is not None:
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"folder:{index}", folder))
            next_generation(db)

    def forget_vectors(self) -> None:
        """Drop vectors of other encoders and of chunks that no paper has, and give the space back."""
        with self._transaction() as db:
            db.execute(
                f"DELETE FROM vectors WHERE encoder <> {_ENCODER} "  # noqa: S608
                "OR chunk_id NOT IN (SELECT chunk_id FROM chunks)"
            )
        with self._errors():
            self._connection().execute("VACUUM")

    def set_meta(self, key: str, value: str | None) -> None:
        """Make or withdraw a remark about the library; this is no change of its content."""
        with self._transaction() as db:
            if value is None:
                db.execute("DELETE FROM meta WHERE key = ?", (key,))
            else:
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def problems(self) -> list[str]:
        """Return what SQLite finds wrong with the file."""
        found = [row[0] for row in self._all("PRAGMA integrity_check(20)") if row[0] != "ok"]
        broken = self._all("PRAGMA foreign_key_check")
        return [*found, *(f"a row of {row[0]} belongs to no paper" for row in broken[:20])]

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._guard:
            self._closed = True
            for connection in self._connections.values():
                connection.close()
            self._connections.clear()

    # SQLite

    def _connection(self) -> sqlite3.Connection:
        me = ref(current_thread())
        with self._guard:
            if self._closed:
                raise LibraryError("The library was closed: open it again.")
            for thread in [t for t in self._connections if (alive := t()) is None or not alive.is_alive()]:
                self._connections.pop(thread).close()
            if me not in self._connections:
                self._connections[me] = _connect(self.path)
            return self._connections[me]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._errors():
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with self._errors():
            return self._connection().execute(sql, storables(values)).fetchall()

    def _one(self, sql: str, values: Sequence[Any] = ()) -> Any:
        with self._errors():
            return self._connection().execute(sql, storables(values)).fetchone()

    def _among(self, sql: str, ids: Sequence[str], values: Sequence[Any] = ()) -> list[Any]:
        rows: list[Any] = []
        for start in range(0, len(ids), _MANY):
            part = ids[start : start + _MANY]
            rows += self._all(f"{sql} ({','.join('?' * len(part))})", (*values, *part))
        return rows

    def _tables(self) -> set[str]:
        return {row[0] for row in self._all("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode & 0xFF not in (
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_READONLY,
            sqlite3.SQLITE_IOERR,
        ):
            raise
        # On a full or read-only disk SQLite cannot make the file that readers share; nobody can write there either.
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?immutable=1", uri=True, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _unit(vectors: NDArray[np.float16]) -> NDArray[np.float32]:
    matrix = vectors.astype(np.float32)
    if matrix.size:
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return matrix


def _translated(error: sqlite3.Error, path: Path) -> Exception:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_FULL:
        return StorageError(f"The disk is full: nothing was lost, free some space for {path.parent} and try again.")
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StorageError(f"The library {path.parent} is read-only: make it writable or choose another `--library`.")
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return LibraryDamaged(f"The catalogue {path} is damaged: restore it from a copy, or ingest again elsewhere.")
    if primary in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
        return StorageError(f"The catalogue {path} cannot be read or written: check the disk and the permissions.")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LibraryError(f"The library {path.parent} was busy for too long: try again.")
    return LibraryDamaged(f"The catalogue {path} cannot be used ({error}): try `askpapers library verify`.")
