"""Author names out of the many ways in which sources write them, each as "First Last"."""

import re
from collections.abc import Iterator, Mapping

from assistant.schema import Json
from ingest.cleaning import clean

_WHOLE = ("name", "fullname", "displayname", "literal")
_GIVEN = ("first", "given", "firstname", "givenname", "forename")
_MIDDLE = ("middle", "middlename")
_FAMILY = ("last", "family", "lastname", "familyname", "surname")
_LONGEST = 20_000

_AND = re.compile(r"\s*[,;]?\s+(?:and|&)\s+|\s*&\s*")
_INITIALS = re.compile(r"(?:[^\W\d_][.\s-]{0,2}){1,4}")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d)\.?", re.IGNORECASE)
_OTHERS = re.compile(r"(?:,\s*|\s+|^)(?:et al\.?|and others|others)\s*$", re.IGNORECASE)
_LOWER_PARTICLE = re.compile(r"(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|el|al|bin|ibn|ter|ten)\b")
_NOT_LETTER = re.compile(r"[\W_]+")


def author_names(value: Json) -> tuple[str, ...]:
    """Return the names in a list of strings or objects, or in one string; () where there are none."""
    if isinstance(value, str):
        lines = " " if _AND.search(value) else ";"
        names = list(_split(clean(value[:_LONGEST].replace("\n", lines))))
    elif isinstance(value, Mapping):
        names = [_from_object(value)]
    elif isinstance(value, list):
        items = (item for item in value if isinstance(item, Mapping | str))
        names = [_from_object(item) if isinstance(item, Mapping) else _direct(clean(item)) for item in items]
    else:
        names = []
    stripped = (name.translate({ord("{"): None, ord("}"): None}).strip(" ,;") for name in names)
    return tuple(name for name in stripped if any(c.isalnum() for c in name))


def _from_object(author: Mapping[str, Json]) -> str:
    parts = {_NOT_LETTER.sub("", key).casefold(): clean(v) for key, v in author.items() if isinstance(v, str)}
    if whole := next((parts[key] for key in _WHOLE if parts.get(key)), ""):
        return _direct(whole)
    chosen = (next((parts[key] for key in keys if parts.get(key)), "") for keys in (_GIVEN, _MIDDLE, _FAMILY))
    return " ".join(part for part in chosen if part)


def _direct(name: str) -> str:
    """Turn "Last, First" and "Last, Jr., First" round; "First Last, Jr." stays."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2 and all(parts) and not _SUFFIX.fullmatch(parts[1]):
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3 and all(parts) and _SUFFIX.fullmatch(parts[1]):
        return f"{parts[2]} {parts[0]} {parts[1]}"
    return name


def _split(text: str) -> Iterator[str]:
    text = _OTHERS.sub("", text)
    if ";" in text:
        for piece in text.split(";"):
            yield _direct(piece.strip())
        return
    pieces = [piece.strip(" ,") for piece in _AND.split(text) if piece.strip(" ,")]
    if len(pieces) > 1 and all("," in piece for piece in pieces):
        yield from map(_direct, pieces)
        return
    for piece in pieces:
        yield from _commas(piece)


def _commas(piece: str) -> Iterator[str]:
    """Split "A B, C D" into two names, but see one in "Last, First" and pairs in "Last, F., Last, F."."""
    parts = [part.strip() for part in piece.split(",") if part.strip()]
    if len(parts) == 3 and " " not in parts[0] and _SUFFIX.fullmatch(parts[1]):
        yield _direct(piece)
        return
    pairs = list(zip(parts[::2], parts[1::2], strict=False))
    if len(parts) % 2 == 0 and all(_is_reversed(last, first) for last, first in pairs):
        yield from (f"{first} {last}" for last, first in pairs)
        return
    names: list[str] = []
    for part in parts:
        if names and _SUFFIX.fullmatch(part):
            names[-1] += f", {part}"
        else:
            names.append(part)
    yield from names


def _is_reversed(last: str, first: str) -> bool:
    if _SUFFIX.fullmatch(first):
        return False
    surname_like = " " not in last or bool(_LOWER_PARTICLE.match(last))
    return bool(_INITIALS.fullmatch(first)) or " " not in first or surname_like
