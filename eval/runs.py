"""Stored evaluation runs: a folder with one SQLite file, a row for each question, written as soon as it is known."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from assistant.errors import RunError
from assistant.schema import Json

_FILE = "run.sqlite"
_PATIENCE = 5.0  # seconds for another process to end its write
_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (header TEXT NOT NULL, finished TEXT);
CREATE TABLE IF NOT EXISTS rows (
    position INTEGER NOT NULL, series TEXT NOT NULL, question_id TEXT NOT NULL, kind TEXT NOT NULL,
    measures TEXT NOT NULL, confidence REAL, detail TEXT NOT NULL, PRIMARY KEY (series, question_id)
);
"""


@dataclass(frozen=True, slots=True)
class Header:
    """What a run was made of; two runs of equal headers, `created` apart, ask the same of the same.

    `library` and `questions` are digests, `settings` all that was chosen, `model` the writer's digest if one writes.
    """

    command: str
    questions: str
    library: str
    settings: Mapping[str, Json]
    versions: Mapping[str, str]
    seed: int = 0
    model: str | None = None
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


@dataclass(frozen=True, slots=True)
class Row:
    """One question's result within a series, as `answers`, or `dense` and `fused` of one run.

    A measure that is None applies and could not be scored; `detail` is what a reader wants to see of it.
    """

    question_id: str
    kind: str
    measures: Mapping[str, float | None]
    series: str = "answers"
    position: int = 0
    confidence: float | None = None
    detail: Mapping[str, Json] = field(default_factory=dict)


class Run:
    """One stored run. Use as a context manager, or call `close`."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection

    @classmethod
    def begin(cls, folder: Path, header: Header) -> "Run":
        """Begin a run in a folder, or go on with the one there.

        Raises:
            RunError: there is one made of something else, or the folder can't be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            run = cls(folder, _connect(folder / _FILE))
        except (OSError, sqlite3.Error) as error:
            raise RunError(f"{folder} cannot hold a run ({error}); name another folder with --out.") from error
        with run._closing_on_error():
            run._begin(header)
            run._check(header)
        return run

    @classmethod
    def open(cls, folder: Path) -> "Run":
        """Open a stored run for reading. Raises RunError when there is none."""
        if not (folder / _FILE).is_file():
            raise RunError(f"{folder} holds no run; make one with `askpapers eval answers FILE --out {folder}`.")
        try:
            run = cls(folder, _connect(folder / _FILE))
        except sqlite3.Error as error:
            raise RunError(f"The run in {folder} cannot be read ({error}); make it again.") from error
        with run._closing_on_error():
            run.header()
        return run

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def name(self) -> str:
        """What a reader calls the run: its folder's name."""
        return self.folder.resolve().name

    def header(self) -> Header:
        """Return what the run was made of."""
        with self._reading() as connection:
            return Header(**json.loads(connection.execute("SELECT header FROM run").fetchone()[0]))

    @property
    def finished(self) -> bool:
        """Whether all of its questions have been asked."""
        with self._reading() as connection:
            return connection.execute("SELECT finished FROM run").fetchone()[0] is not None

    def add(self, rows: Sequence[Row]) -> None:
        """Keep rows, for good once this returns."""
        with self._writing() as connection:
            connection.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)", map(_stored, rows))

    def finish(self) -> None:
        """Note that all questions have been asked."""
        with self._writing() as connection:
            connection.execute("UPDATE run SET finished = ?", (datetime.now(UTC).isoformat(timespec="seconds"),))

    def rows(self) -> list[Row]:
        """Return the rows in the order of their questions."""
        with self._reading() as connection:
            found = connection.execute("SELECT * FROM rows ORDER BY series, position").fetchall()
            return [
                Row(question_id, kind, json.loads(measures), series, position, confidence, json.loads(detail))
                for position, series, question_id, kind, measures, confidence, detail in found
            ]

    def done(self) -> set[str]:
        """Return the ids of the questions that have been asked; one that failed is to be asked again."""
        return {row.question_id for row in self.rows() if "error" not in row.detail}

    def _begin(self, header: Header) -> None:
        try:
            with self._connection as connection:
                connection.executescript(_SCHEMA)
                if connection.execute("SELECT 1 FROM run").fetchone() is None:
                    connection.execute("INSERT INTO run VALUES (?, NULL)", (json.dumps(asdict(header)),))
        except sqlite3.Error as error:
            raise RunError(f"{self.folder} cannot hold a run ({error}); name another folder with --out.") from error

    def _check(self, header: Header) -> None:
        held = self.header()
        names = ("command", "questions", "library", "settings", "versions", "seed", "model")
        differing = [name for name in names if getattr(held, name) != getattr(header, name)]
        if differing:
            raise RunError(
                f"{self.folder} holds a run of other {_listed(differing)}; name another folder with --out to keep both."
            )

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._connection:
                yield self._connection
        except sqlite3.Error as error:
            raise RunError(
                f"The run in {self.folder} cannot be written ({error}); see whether another process writes it or the "
                "disk is full, and run the command again, which goes on from there."
            ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._connection
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise RunError(f"The run in {self.folder} cannot be read ({error}); make it again.") from error

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        try:
            yield
        except RunError:
            self.close()
            raise


def stored(folder: Path) -> list[Path]:
    """Return the folders of runs below a folder, the newest first."""
    found = [path.parent for path in folder.glob(f"*/{_FILE}")]
    return sorted(found, key=lambda path: (path / _FILE).stat().st_mtime, reverse=True)


def header_of(folder: Path) -> tuple[Header, bool]:
    """Return what a stored run was made of and whether it is finished. Raises RunError."""
    with closing(Run.open(folder)) as run:
        return run.header(), run.finished


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _stored(row: Row) -> tuple[int, str, str, str, str, float | None, str]:
    measures, detail = json.dumps(dict(row.measures)), json.dumps(dict(row.detail))  # ASCII: a surrogate is no UTF-8
    return row.position, row.series, row.question_id, row.kind, measures, row.confidence, detail


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
