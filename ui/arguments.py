"""What users write on the command line, as values. Pure; every fault is a ValueError fit to be shown."""

import math
import re
from dataclasses import dataclass

from assistant.schema import Filters


@dataclass(frozen=True, slots=True)
class Years:
    """Inclusive bounds; None is open."""

    first: int | None = None
    last: int | None = None


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value for records that lack a field."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who may enter the chat."""

    user: str
    password: str


@dataclass(frozen=True, slots=True)
class Limit:
    """By how much a measure may fall."""

    measure: str
    drop: float


_YEARS = re.compile(r"(?:(\d{4})\s*-\s*(\d{4})?|-\s*(\d{4})|(\d{4}))")


def years(text: str) -> Years:
    """Read `2024`, `2024-2026`, `2024-` or `-2026`."""
    match = _YEARS.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a year or a range of years, as 2024, 2024-2026, 2024- or -2026.")
    first, last, until, only = (int(group) if group else None for group in match.groups())
    if only:
        return Years(only, only)
    if first and last and first > last:
        raise ValueError(f"{text!r} ends before it begins.")
    return Years(first, last or until)


def field_value(text: str) -> FieldValue:
    """Read `FIELD=VALUE`."""
    name, _, value = (part.strip() for part in text.partition("="))
    if not name or not value:
        raise ValueError(f"{text!r} is not FIELD=VALUE, as venue=ICML or year=2026.")
    if name.lower() == "year" and not re.fullmatch(r"(?:1[5-9]|20)\d\d", value):
        raise ValueError(f"{value!r} is not a year, as in year=2026.")
    return FieldValue(name.lower(), value)


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    number = float(text) if re.fullmatch(r"[01]?\.?\d*", text) and text not in ("", ".") else -1.0
    if not 0 <= number <= 1:
        raise ValueError(f"{text!r} is not a number from 0 to 1, as 0.75.")
    return number


def limit(text: str) -> Limit:
    """Read `MEASURE=DROP`."""
    name, _, drop = (part.strip() for part in text.rpartition("="))
    try:
        number = float(drop)
    except ValueError:
        number = math.nan
    if not name or not math.isfinite(number) or number < 0:
        raise ValueError(f"{text!r} is not MEASURE=DROP, as all_nuggets=0.02.")
    return Limit(name, number)


def credentials(text: str) -> Credentials:
    """Read `USER:PASSWORD`."""
    user, _, password = text.partition(":")
    if not user or not password:
        raise ValueError("This must be USER:PASSWORD.")
    return Credentials(user, password)


def filters(years: Years | None, venues: list[str] | None, authors: list[str] | None) -> Filters:
    """Put filter options together."""
    bounds = (years.first, years.last) if years else (None, None)
    return Filters(bounds, tuple(venues or ()), tuple(authors or ()))
