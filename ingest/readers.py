"""Files, folders and standard input as a stream of raw records: text, JSON, JSON Lines, gzipped."""

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, Final, cast

from assistant.errors import SourceError
from ingest.fields import filled
from ingest.formats import READERS, Item, Line
from ingest.records import RawRecord, Reject

EXTENSIONS: Final = (".txt", ".json", ".jsonl", ".ndjson")
_FOREIGN: Final = frozenset(
    str.split(".bib .csv .doc .docx .htm .html .nbib .odt .parquet .pdf .ris .rtf .tgz .tsv .xls .xlsx .xml .zip")
)
_HEAD = 8192
_BOMS: Final = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1b"))
_JSON_ARRAY = re.compile(r"\s*\[\s*(?:\{|\]|$)")
_JSON_OBJECT = re.compile(r"\s*\{\s*(?:\"|\}|$)")


def read(
    paths: Sequence[str],
    *,
    format: str | None = None,  # noqa: A002
    defaults: Mapping[str, str] | None = None,
) -> Iterator[Item]:
    """Yield the records of files, of folders (recursively, sorted) and of standard input ("-"), one by one.

    `format` overrides what name and content say; `defaults` fill the fields that a record lacks. What cannot
    be read is a Reject in its place. Raises SourceError, before anything is read, if a path does not exist.
    """
    for path in paths:
        if path != "-" and not os.path.exists(path):
            raise SourceError(f"There is no file or folder {path!r}: check the path and run askpapers ingest again.")
    return _with_defaults(chain.from_iterable(_read_path(path, format) for path in paths), defaults or {})


def _with_defaults(items: Iterable[Item], defaults: Mapping[str, str]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, RawRecord) and defaults:
            yield RawRecord(item.file, item.number, item.line, filled(item.fields, defaults))
        else:
            yield item


def _read_path(path: str, format_: str | None) -> Iterator[Item]:
    if path == "-" or not os.path.isdir(path):
        yield from _read_file(path, format_)
        return
    files = list(_files_in(path))
    if not files:
        yield Reject(path, None, None, f"the folder holds no {', '.join(EXTENSIONS[:-1])} or {EXTENSIONS[-1]} file")
    for file in files:
        yield from _read_file(file, format_)


def _files_in(folder: str) -> Iterator[str]:
    """Yield the files to read; the queries beside a BEIR corpus are no papers."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        beir = any(name.removesuffix(".gz") == "corpus.jsonl" for name in names)
        for name in sorted(names):
            if beir and name.removesuffix(".gz") == "queries.jsonl":
                continue
            if not name.startswith(".") and _extension(name) in EXTENSIONS:
                yield os.path.join(parent, name)


def _extension(path: str) -> str:
    return os.path.splitext(path.lower().removesuffix(".gz"))[1]


def _read_file(path: str, format_: str | None) -> Iterator[Item]:
    """Read one file; whatever stops it becomes a Reject after the records before it."""
    if format_ is None and _extension(path) in _FOREIGN:
        yield Reject(path, None, None, f"{_extension(path)} files are not read; give text, JSON or JSON Lines")
        return
    found = False
    try:
        with _opened(path) as stream:
            for item in _items(path, stream, format_):
                found = True
                yield item
    except (EOFError, gzip.BadGzipFile, zlib.error):
        yield Reject(path, None, None, "the gzip file is damaged or cut off")
    except OSError as error:
        yield Reject(path, None, None, f"it cannot be read ({(error.strerror or str(error)).lower()})")
    else:
        if not found:
            yield Reject(path, None, None, "the file is empty or holds no papers")


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedReader]:
    if path == "-":
        reader: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, sys.stdin.buffer))
        try:
            yield _unzipped(reader)
        finally:
            reader.detach()
        return
    with open(path, "rb") as file:
        yield _unzipped(file)


def _unzipped(file: io.BufferedReader) -> io.BufferedReader:
    if not file.peek(2).startswith(b"\x1f\x8b"):
        return file
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=cast(BinaryIO, file))))


def _items(path: str, stream: io.BufferedReader, format_: str | None) -> Iterator[Item]:
    head = stream.peek(_HEAD)[:_HEAD]
    if reason := _binary(head):
        yield Reject(path, None, None, reason)
        return
    lines = _lines(stream, head)
    start = list(_until_second_line(lines))
    kind = format_ or _format_of(path, [text for _, text in start])
    yield from READERS[kind](path, chain(start, lines))


def _binary(head: bytes) -> str | None:
    if head.startswith(b"%PDF-"):
        return "it is a PDF; give text, JSON or JSON Lines"
    if head.startswith(tuple(bom for bom, _ in _BOMS)):
        return None
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return "it is a binary file; give text, JSON or JSON Lines" if controls > 0.05 * len(head) else None


def _lines(stream: io.BufferedReader, head: bytes) -> Iterator[Line]:
    """Yield numbered lines without their ends, each decoded on its own, so that an odd one harms no other."""
    encoding = next((encoding for bom, encoding in _BOMS if head.startswith(bom)), None)
    if encoding:
        wide = io.TextIOWrapper(cast(BinaryIO, stream), encoding=encoding, errors="replace")
        try:
            yield from enumerate((line.rstrip("\r\n") for line in wide), 1)
        finally:
            wide.detach()
        return
    for number, line in enumerate(stream, 1):
        yield number, _decoded(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).rstrip("\r\n")


def _decoded(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def _until_second_line(lines: Iterator[Line]) -> Iterator[Line]:
    """Take as many lines as it needs to see two that are not blank: enough to tell the formats apart."""
    seen = 0
    for line in lines:
        yield line
        seen += bool(line[1].strip())
        if seen == 2:
            return


def _format_of(path: str, start: list[str]) -> str:
    extension = _extension(path)
    if extension in (".jsonl", ".ndjson"):
        return "jsonl"
    filled_lines = [line for line in start if line.strip()]
    first = filled_lines[0] if filled_lines else ""
    if _JSON_OBJECT.match(first) and first.rstrip().endswith("}"):
        return "jsonl" if len(filled_lines) > 1 else "json"
    looks_json = _JSON_ARRAY.match(first) or _JSON_OBJECT.match(first)
    return "json" if looks_json or extension == ".json" else "text"
