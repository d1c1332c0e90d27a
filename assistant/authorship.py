"""The authors that a question restricts papers to, and whom of the library's a name can stand for."""

import re

from assistant.conditions import Condition, Vocabulary
from assistant.reading import Reading
from assistant.text import fold, words

_CAPITAL = r"(?:[^\W\d_a-zß-ÿ][\w.'’-]*)"
_PARTICLE = r"(?:van|von|de|der|den|del|di|da|dos|du|la|le|el|al|bin|ibn|ben|ter|ten|zu|y)"
_NAME = rf"{_CAPITAL}(?:\s+(?:{_PARTICLE}\s+)*{_CAPITAL}){{0,4}}"
_NAMES = (
    rf"(?:{_PARTICLE}\s+)*{_NAME}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|nor|&|and by|or by|and not)\s+){_NAME})*"
)
_BY = re.compile(
    r"(?P<no>\b(?:not|never|except(?: for| those)?|excluding|other than|(?:did|does|has|have)(?:n't| not))\s+)?"
    r"\b(?P<cue>(?:(?:was |were |been |that were )?(?:written|authored|co-?authored|published|papers?|articles?"
    r"|works?|those|ones)\s+)?by"
    r"|(?i:who|which|what|how many)?\s*(?:papers?|articles?|works)?\s*\b(?:did|do|does|has|have)"
    r"|(?:co-?)?authors?(?: named| called|:)?"
    r"|of|from|with)\s+(?:the\s+)?(?:author\s+|researcher\s+)?"
    rf"(?P<names>{_NAMES})(?:'s\b|’s\b)?(?P<verb>\s+(?:together\s+)?(?:write|wrote|written|publish(?:ed)?"
    rf"|(?:co-?)?author(?:ed)?|contribut\w+ to"
    r"|have|appear(?:ed)?(?: on)?|as (?:an? )?(?:co-?)?authors?)\b)?"
)
_HALF_WRITTEN = re.compile(rf"\b(?P<by>by|author)\s+(?P<name>{_CAPITAL}(?:\s+[^\W\d_][\w.'’-]*){{1,3}})")
_WROTE = re.compile(
    rf"\b(?P<names>{_NAMES})(?P<no>\s+(?:did not|didn't|has not|hasn't|never))?\s+(?:has\s+|have\s+)?"
    r"(?:wrote|written|write|published|publish|(?:co-?)?author(?:ed)?)\b"
    r"|\b(?P<own>(?:[^\W\d_a-zß-ÿ][\w.'’-]*\s+){0,3}[^\W\d_a-zß-ÿ][\w-]*)['’]s?\s+(?=(?:\w+\s+)?(?:papers|articles"
    r"|works|publications))"
)
_PLAIN_BY = re.compile(
    r"\b(?:(?:papers?|articles?|works?|publications?|written|authored|anything|everything)\s+by|by|(?:papers?"
    r"|articles?)\s+(?:did|has|have)|author)\s+"
    r"(?P<words>[^?.!,]+)",
    re.IGNORECASE,
)
_STOPS = frozenset(
    "from in of since before after until between about on with that which write written publish published wrote "
    "and or not for".split()
)
_NO_NAME = frozenset("the a i we you how which what who list all any this these it".split())


def read_authors(reading: Reading) -> None:
    """Read the names of authors in a question: all of those joined by `and`, any of those joined by `or`."""
    vocabulary = reading.vocabulary
    reading.rest = _HALF_WRITTEN.sub(lambda m: _capitalised(m, vocabulary), reading.rest)
    reading.take(_WROTE, lambda m: _authored(m["names"] or m["own"], vocabulary, negated=bool(m["no"])))
    reading.take(_BY, lambda m: _by(m, vocabulary))
    reading.rest = _PLAIN_BY.sub(lambda m: _plain_by(m, reading), reading.rest)


def _capitalised(match: re.Match[str], vocabulary: Vocabulary) -> str:
    """Return a name behind `by` with all its capitals, if an author bears as many of its words: `Min zhang`."""
    parts = match["name"].split()
    for end in range(len(parts), 1, -1):
        wanted = words(" ".join(parts[:end]))
        if any(words(name) == wanted for name in resolved(" ".join(parts[:end]), vocabulary)):
            name = [part[:1].upper() + part[1:] for part in parts[:end]]
            return f"{match['by']} {' '.join([*name, *parts[end:]])}"
    return match.group()


def _by(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition] | None:
    cue = match["cue"].lower().split()[-1]
    sure = cue == "by" or cue.startswith(("author", "co-author", "coauthor")) or bool(match["verb"])
    return _authored(match["names"], vocabulary, negated=bool(match["no"]), sure=sure)


def _authored(names: str, vocabulary: Vocabulary, *, negated: bool, sure: bool = True) -> list[Condition] | None:
    """Return the conditions of a list of names: any of those joined by `or`, each of those joined by `and`."""
    kept = names.split()
    while kept and fold(kept[0]) in _NO_NAME:
        kept.pop(0)
    if not kept:
        return None
    names = " ".join(kept)
    some = [
        re.split(r"\s+or\s+(?:by\s+)?|\s+nor\s+", part)
        for part in re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+(?:by\s+)?", names)
    ]
    if re.search(r"\b(?:or|nor)\b", names):
        some = [[name for part in some for name in part]]
    found = []
    for part in some:
        borne = {name: resolved(name, vocabulary) for name in part}
        values = tuple(dict.fromkeys(value for some in borne.values() for value in some))
        if not values and not sure:
            return None
        missing = tuple(name for name, some in borne.items() if not some)
        found.append(Condition("author", values, " or ".join(part), negated, missing if values else ()))
    return found


def _plain_by(match: re.Match[str], reading: Reading) -> str:
    """Read a name that is not written as one, as in `papers by lei sha`."""
    tokens = match["words"].split()
    end = next((i for i, token in enumerate(tokens) if token.lower() in _STOPS), len(tokens))
    name = " ".join(tokens[:end])
    sure = not match.group().lower().startswith("by")  # `accelerated by long …` names no author Long
    for size in range(min(end, 5), 0, -1):
        values = resolved(" ".join(tokens[:size]), reading.vocabulary)
        if values and (size > 1 or sure):
            reading.found.append(Condition("author", tuple(values), " ".join(tokens[:size])))
            return match.group()[: match.start("words") - match.start()] + " ".join(["", *tokens[size:]])
    if (
        1 <= end <= 3
        and sure
        and not re.match(r"(?:papers?|articles?)\s+(?:did|has|have)", match.group(), re.IGNORECASE)
    ):
        reading.found.append(Condition("author", (), name))
        return " ".join(["", *tokens[end:]])
    return match.group()


def resolved(asked: str, vocabulary: Vocabulary) -> list[str]:
    """Return the authors, as the library spells them, that a name can stand for: all that bear it."""
    wanted = words(asked.replace(".", " "))
    if not wanted:
        return []
    surname = wanted[-1]
    near = [(name, words(name)) for name in vocabulary.authors if surname in fold(name)]
    if len(wanted) == 1:
        return [name for name, parts in near if parts and parts[-1] == surname] or [
            name for name, parts in near if surname in parts and len(surname) > 2
        ]
    for same in (_is_same, _is_part, _has_initials):
        if found := [name for name, parts in near if same(wanted, parts)]:
            return found
    return []


def _is_same(wanted: list[str], parts: list[str]) -> bool:
    return wanted == parts


def _is_part(wanted: list[str], parts: list[str]) -> bool:
    return f" {' '.join(wanted)} " in f" {' '.join(parts)} "


def _has_initials(wanted: list[str], parts: list[str]) -> bool:
    """Tell whether a name's words, or words that begin with its initials, stand in another in this order."""
    if not parts or wanted[-1] != parts[-1]:
        return False
    left = iter(parts[:-1])
    return all(any(p == w or (len(w) == 1 and p.startswith(w)) for p in left) for w in wanted[:-1])
