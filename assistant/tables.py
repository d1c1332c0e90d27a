"""The catalogue's tables: what stands in them, what a change writes, and how rows become papers again.

Statements only; `assistant.catalogue` opens the file, runs transactions and reads.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from assistant.schema import Chunk, Filters, Json, Paper
from assistant.text import fold, words

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE papers (
    number INTEGER PRIMARY KEY AUTOINCREMENT, paper_id TEXT NOT NULL UNIQUE, title TEXT, label TEXT,
    abstract TEXT NOT NULL, authors TEXT NOT NULL, year INTEGER, venue TEXT, url TEXT, doi TEXT, keywords TEXT NOT NULL,
    source_ids TEXT NOT NULL, aliases TEXT NOT NULL, extra TEXT NOT NULL,
    folded_venue TEXT, folded_authors TEXT NOT NULL, title_key TEXT, origin TEXT);
CREATE INDEX papers_by_title ON papers (title_key);
CREATE TABLE keys (
    key TEXT PRIMARY KEY, paper_id TEXT NOT NULL
        REFERENCES papers (paper_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED) WITHOUT ROWID;
CREATE INDEX keys_by_paper ON keys (paper_id);
CREATE TABLE records (
    origin TEXT PRIMARY KEY, digest TEXT NOT NULL, source TEXT NOT NULL, paper_id TEXT NOT NULL
        REFERENCES papers (paper_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    title_only INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX records_by_paper ON records (paper_id);
CREATE TABLE chunks (
    paper_id TEXT NOT NULL
        REFERENCES papers (paper_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
    position INTEGER NOT NULL, chunk_id TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (paper_id, position)) WITHOUT ROWID;
CREATE INDEX chunks_by_id ON chunks (chunk_id);
CREATE TABLE vectors (
    encoder TEXT NOT NULL, chunk_id TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (encoder, chunk_id));
CREATE TABLE pending (work TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (work, id)) WITHOUT ROWID;
INSERT INTO meta VALUES ('schema', '1'), ('generation', '0');
"""
FIELDS = "paper_id, title, label, abstract, authors, year, venue, url, doi, keywords, source_ids, aliases, extra"


class Database(Protocol):
    """A connection within a transaction."""

    def execute(self, sql: str, values: Any = ..., /) -> Any:
        """Run one statement."""

    def executemany(self, sql: str, rows: Iterable[Any], /) -> Any:
        """Run one statement for each row."""


@dataclass(frozen=True, slots=True)
class Record:
    """One source record that was read: where it stood, what it held, and the paper it belongs to.

    `origin` identifies its place, `digest` its content, `source` the file; `title_only` says it had no abstract.
    """

    origin: str
    digest: str
    source: str
    paper_id: str
    title_only: bool = False


@dataclass(slots=True)
class Change:
    """What one commit writes. Chunks replace all chunks of their paper; `merged` maps a vanished id to its heir.

    `keys` holds each paper's identity keys, `titles` its title key, `origins` the record that its title came from;
    `dropped` are origins of records that are no longer there.
    """

    papers: list[Paper] = field(default_factory=list)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    titles: dict[str, str | None] = field(default_factory=dict)
    origins: dict[str, str | None] = field(default_factory=dict)
    chunks: dict[str, list[Chunk]] = field(default_factory=dict)
    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)
    merged: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)


def write_paper(db: Database, paper: Paper, change: Change) -> None:
    """Write a paper and its keys, and note that the lexical index has to take it in."""
    row = {
        **{name: getattr(paper, name) for name in ("paper_id", "title", "label", "abstract", "year", "venue", "url")},
        "doi": paper.doi,
        **{name: _json(getattr(paper, name)) for name in ("authors", "keywords", "source_ids", "aliases", "extra")},
        "folded_venue": None if paper.venue is None else fold(paper.venue),
        "folded_authors": "\n".join(f" {' '.join(words(author))} " for author in paper.authors),
        "title_key": change.titles.get(paper.paper_id),
        "origin": change.origins.get(paper.paper_id),
    }
    names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
    update = ", ".join(f"{name} = excluded.{name}" for name in row if name != "paper_id")
    db.execute(
        f"INSERT INTO papers ({names}) VALUES ({marks}) ON CONFLICT (paper_id) DO UPDATE SET {update}",  # noqa: S608
        {name: storable(value) if isinstance(value, str) else value for name, value in row.items()},
    )
    db.executemany(
        "INSERT OR REPLACE INTO keys (key, paper_id) VALUES (?, ?)",
        [(key, paper.paper_id) for key in dict.fromkeys((paper.paper_id, *change.keys.get(paper.paper_id, ())))],
    )
    db.execute("INSERT OR IGNORE INTO pending VALUES ('terms', ?)", (paper.paper_id,))


def write_chunks(db: Database, paper_id: str, chunks: Sequence[Chunk]) -> None:
    """Replace a paper's chunks, and note that the dense index has to look at the old and the new ones."""
    pending = "INSERT OR IGNORE INTO pending SELECT 'vectors', chunk_id FROM chunks WHERE paper_id = ?"
    db.execute(pending, (paper_id,))
    db.execute("DELETE FROM chunks WHERE paper_id = ?", (paper_id,))
    db.executemany(
        "INSERT INTO chunks (paper_id, position, chunk_id, text) VALUES (?, ?, ?, ?)",
        [(paper_id, position, chunk.chunk_id, storable(chunk.text)) for position, chunk in enumerate(chunks)],
    )
    db.execute(pending, (paper_id,))


def write_vectors(db: Database, encoder: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    """Keep vectors by chunk id, in half precision."""
    db.executemany(
        "INSERT OR REPLACE INTO vectors (encoder, chunk_id, vector) VALUES (?, ?, ?)",
        [(encoder, chunk_id, vector.astype(np.float16).tobytes()) for chunk_id, vector in vectors.items()],
    )


def forget(db: Database, paper_id: str, heir: str | None) -> None:
    """Remove a paper; an heir takes over its keys and records."""
    db.execute("INSERT OR IGNORE INTO pending SELECT 'vectors', chunk_id FROM chunks WHERE paper_id = ?", (paper_id,))
    db.execute("INSERT OR IGNORE INTO pending VALUES ('terms', ?)", (paper_id,))
    if heir is not None:
        db.execute("UPDATE keys SET paper_id = ? WHERE paper_id = ?", (heir, paper_id))
        db.execute("UPDATE records SET paper_id = ? WHERE paper_id = ?", (heir, paper_id))
    db.execute("DELETE FROM papers WHERE paper_id = ?", (paper_id,))


def next_generation(db: Database) -> None:
    """Let readers know that something has changed."""
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")


def where(filters: Filters) -> tuple[str, list[Any]]:
    """Return the clause that admits what the filters admit, and its values."""
    clauses: list[str] = []
    values: list[Any] = []
    for bound, operator in zip(filters.years, (">=", "<="), strict=True):
        if bound is not None:
            clauses.append(f"year {operator} ?")
            values.append(bound)
    if filters.venues:
        clauses.append(f"folded_venue IN ({','.join('?' * len(filters.venues))})")
        values += [fold(venue) for venue in filters.venues]
    if filters.authors:
        clauses.append("(" + " OR ".join(["instr(folded_authors, ?)"] * len(filters.authors)) + ")")
        # An author without a word matches nobody: no stored name holds two line feeds.
        values += [f" {' '.join(words(author)) or chr(10) * 2} " for author in filters.authors]
    return ("WHERE " + " AND ".join(clauses) if clauses else ""), values


def paper_of(row: Sequence[Any]) -> Paper:
    """Return the paper of a row of FIELDS."""
    paper_id, title, label, abstract, authors, year, venue, url, doi, keywords, source_ids, aliases, extra = row[:13]
    return Paper(
        paper_id=paper_id,
        title=title,
        label=label,
        abstract=abstract,
        authors=tuple(json.loads(authors)),
        year=year,
        venue=venue,
        url=url,
        doi=doi,
        keywords=tuple(json.loads(keywords)),
        source_ids=tuple(json.loads(source_ids)),
        aliases=tuple(json.loads(aliases)),
        extra=cast(Mapping[str, Json], json.loads(extra)),
    )


def _json(value: object) -> str:
    return json.dumps(value if isinstance(value, tuple) else dict(cast(Mapping[str, Json], value)))


def storable(text: str) -> str:
    """Replace lone surrogates, which SQLite cannot keep."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def storables(values: Iterable[Any]) -> list[Any]:
    """Return values that SQLite can keep."""
    return [storable(value) if isinstance(value, str) else value for value in values]
