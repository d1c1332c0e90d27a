"""What a JSON value means as a text, a year, keywords or links, and what of it can be stored."""

import math
import re
from collections.abc import Iterator
from typing import Final

from assistant.schema import Json
from ingest.cleaning import clean, storable

DEEPEST: Final = 32
_YEAR = re.compile(r"(?<!\d)((?:1[5-9]|20)\d\d)(?:(?!\d)|(?=[01]\d[0-3]\d(?!\d)))")
_HTTP = re.compile(r"https?://[^\s\"<>]{3,2000}", re.IGNORECASE)


def as_text(value: Json) -> str:
    """Read a text, a number, a list of them or an object with a name; everything else is no text."""
    match value:
        case bool() | None:
            return ""
        case str():
            return value
        case int():
            return str(value) if abs(value) < 10**18 else ""
        case float():
            return f"{value:.15g}" if math.isfinite(value) else ""
        case list():
            return " ".join(text for item in value if not isinstance(item, list | dict) and (text := as_text(item)))
        case dict():
            name = value.get("name")
            return name if isinstance(name, str) else ""


def as_year(value: Json) -> int | None:
    """Read the first year in a number, a date or date parts; 1500 to 2099."""
    if isinstance(value, list | dict):
        inner = value if isinstance(value, list) else value.values()
        return next((year for item in inner if (year := as_year(item))), None)
    match = _YEAR.search(as_text(value)[:100])
    return int(match[1]) if match else None


def as_keywords(value: Json) -> tuple[str, ...]:
    """Read a list, or a string with semicolons or commas; no keyword twice."""
    if isinstance(value, str):
        items: list[Json] = [*value.split(";" if ";" in value else ",")]
    else:
        items = value if isinstance(value, list) else []
    words: dict[str, str] = {}
    for item in items:
        if word := clean(as_text(item)[:1000]):
            words.setdefault(word.casefold(), word)
    return tuple(words.values())


def as_links(value: Json) -> Iterator[str]:
    """Yield the web links in a string or a list; anything but http(s) is none."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and _HTTP.fullmatch(item.strip()):
            yield storable(item.strip())


def is_too_deep(value: Json) -> bool:
    """Tell whether a value is nested deeper than any record has reason to be."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


def storable_value(value: Json) -> Json:
    """Make what JSON lets through fit for a database: no lone surrogates, no NaN, no endless integers."""
    match value:
        case str():
            return storable(value)
        case float():
            return value if math.isfinite(value) else None
        case int():
            return value if value.bit_length() <= 1024 else None
        case list():
            return [storable_value(item) for item in value]
        case dict():
            return {storable(key): storable_value(item) for key, item in value.items()}
    return value
