"""Rows of JSON, one a line, to standard output or a file."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from assistant.errors import QuestionError, StorageError
from assistant.schema import Json


def write_row(row: Mapping[str, Json], file: TextIO | None = None) -> None:
    """Write one row and flush, so that whoever reads along sees it at once."""
    stream = file or sys.stdout
    stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    stream.flush()


@contextmanager
def writing(path: Path | None) -> Iterator[TextIO]:
    """Open a file to write results into, or standard output for None or `-`. Raises StorageError."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    try:
        file = path.open("w", encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        reason = error.strerror or str(error)
        raise StorageError(f"{path} cannot be written ({reason}); name another file with --out.") from error
    with file:
        yield file


@contextmanager
def reading(path: Path) -> Iterator[TextIO]:
    """Open a file of questions, or standard input for `-`. Raises QuestionError."""
    if str(path) == "-":
        yield sys.stdin
        return
    try:
        file = path.open(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or str(error)
        raise QuestionError(f"{path} cannot be read ({reason}); name a file of questions, one a line.") from error
    with file:
        yield file
