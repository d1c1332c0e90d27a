"""The lines of one file turned into raw records: a text list of abstracts, JSON, or JSON Lines."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, cast

from assistant.schema import Json
from ingest.fields import has_words
from ingest.records import RawRecord, Reject

_HEADER_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_HEADER_WORDS = re.compile(
    r"\b(?:accepted|papers?|abstracts?|list|posters?|orals?|spotlights?|of|the|from|at|for|all)\b",
    re.IGNORECASE,
)
_LONGEST_HEADER = 100

Item = RawRecord | Reject
Line = tuple[int, str]


def _read_text(path: str, lines: Iterable[Line]) -> Iterator[Item]:
    """Read abstracts between blank lines; a first line like "ICML 2026 Papers" gives venue and year."""
    shared: dict[str, Json] = {}
    number = 0
    for index, (line, block) in enumerate(_blocks(lines)):
        if index == 0 and (header := _header(block)) is not None:
            shared, block = header, block[1:]
            line += 1
        if block:
            number += 1
            yield RawRecord(path, number, line, {"abstract": "\n".join(block), **shared})


def _blocks(lines: Iterable[Line]) -> Iterator[tuple[int, list[str]]]:
    start, block = 0, list[str]()
    for number, text in lines:
        for piece in text.split("\r"):
            if piece.strip():
                start = start if block else number
                block.append(piece)
            elif block:
                yield start, block
                block = []
    if block:
        yield start, block


def _header(block: list[str]) -> dict[str, Json] | None:
    """Read a heading that names venue and year; None if it reads like the beginning of an abstract."""
    text = block[0].strip().lstrip("#").strip(" \t*=:-")
    year = _HEADER_YEAR.search(text) if len(text) <= _LONGEST_HEADER else None
    if not year or text.endswith("."):
        return None
    rest = text[: year.start()] + " " + text[year.end() :]
    venue = " ".join(_HEADER_WORDS.sub(" ", rest).split()).strip(" ,:;()-–—")
    words = venue.split()
    plain = len(words) <= 1 or (len(words) <= 10 and sum(word[0].isupper() for word in words) * 2 > len(words))
    if not plain or (len(block) > 1 and not _HEADER_WORDS.search(rest)):
        return None
    return {"venue": venue, "year": int(year.group())} if venue else {"year": int(year.group())}


def _read_jsonl(path: str, lines: Iterable[Line]) -> Iterator[Item]:
    number = 0
    for line, text in lines:
        if text.strip():
            number += 1
            value, reason = _parsed(text)
            yield Reject(path, number, line, reason) if reason else _record(path, number, line, value)


def _read_json(path: str, lines: Iterable[Line]) -> Iterator[Item]:
    value, reason = _parsed("\n".join(text for _, text in lines))
    if not reason and isinstance(value, dict) and not has_words(value):
        lists = [v for v in value.values() if isinstance(v, list) and any(isinstance(item, dict) for item in v)]
        reason = None if len(lists) == 1 else "it holds no list of records"
        value = lists[0] if len(lists) == 1 else value
    if reason:
        yield Reject(path, None, None, reason)
        return
    for number, item in enumerate(value if isinstance(value, list) else [value], 1):
        yield _record(path, number, None, item)


def _parsed(text: str) -> tuple[Json, str | None]:
    try:
        return cast(Json, json.loads(text)), None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        return None, f"it is not valid JSON ({error.msg.lower()} at {place})"
    except ValueError:
        return None, "it holds a number with too many digits"
    except RecursionError:
        return None, "it is nested too deeply"


def _record(path: str, number: int, line: int | None, value: Json) -> Item:
    if isinstance(value, dict):
        return RawRecord(path, number, line, value)
    return Reject(path, number, line, "it is not a JSON object")


READERS: Final[Mapping[str, Callable[[str, Iterable[Line]], Iterator[Item]]]] = {
    "text": _read_text,
    "json": _read_json,
    "jsonl": _read_jsonl,
}
"""What reads the numbered lines of a file, by format."""
