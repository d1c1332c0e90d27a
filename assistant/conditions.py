"""Conditions on papers, as a question puts them: values, their SQL, and their words."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.text import fold

Field = Literal["year", "venue", "author", "session", "keyword", "authors", "has"]
Range = tuple[int | None, int | None]

FEW = 4

_WITHIN = {
    "author": "EXISTS (SELECT 1 FROM json_each(papers.authors) WHERE value IN ({}))",
    "session": "EXISTS (SELECT 1 FROM json_each(papers.extra, '$.session') WHERE value IN ({}))",
    "keyword": "EXISTS (SELECT 1 FROM json_each(papers.keywords) WHERE value IN ({}))",
    "venue": "folded_venue IN ({})",
}
_NOT_EMPTY = {
    "abstract": "abstract <> ''",
    "authors": "authors <> '[]'",
    "keywords": "keywords <> '[]'",
    "session": "EXISTS (SELECT 1 FROM json_each(papers.extra, '$.session') WHERE value NOT IN ('', '[]'))",
    **{name: f"{name} IS NOT NULL" for name in ("title", "year", "venue", "doi", "url")},
    **{
        name: f"EXISTS (SELECT 1 FROM keys WHERE keys.paper_id = papers.paper_id AND key LIKE '{name}:%')"  # noqa: S608
        for name in ("arxiv", "openreview", "pubmed")
    },
}


@dataclass(frozen=True, slots=True)
class Condition:
    """What papers must meet: any of the values, or with `negated` none of them. `asked` is how the question put it.

    Values are those that the library holds, as it spells them; ranges for `year` and for `authors`, their number;
    for `has` the names of fields that must not be empty. No value at all is met by no paper. `missing` are those of
    several names asked for that the library doesn't know.
    """

    field: Field
    values: tuple[str | Range, ...]
    asked: str = ""
    negated: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the library's papers say in the fields that can be asked for, each as it is spelled there."""

    venues: Collection[str] = ()
    authors: Collection[str] = ()
    sessions: Collection[str] = ()
    keywords: Collection[str] = ()


def clause(condition: Condition) -> tuple[str, list[str | int]]:
    """Return the SQL that is true of the papers which meet a condition, and its values.

    Whoever lacks the field meets no condition on it, but every negated one.
    """
    parts: list[str] = []
    values: list[str | int] = []
    names = [value for value in condition.values if isinstance(value, str)]
    if condition.field == "has":
        parts = [_NOT_EMPTY[name] for name in names]
    elif names:
        parts = [_WITHIN[condition.field].format(",".join("?" * len(names)))]
        values = [fold(name) if condition.field == "venue" else name for name in names]
    for low, high in (value for value in condition.values if not isinstance(value, str)):
        column = "year" if condition.field == "year" else "json_array_length(authors)"
        bounds = [(f"{column} {sign} ?", n) for sign, n in ((">=", low), ("<=", high)) if n is not None]
        parts.append(f"({' AND '.join(sql for sql, _ in bounds)})")
        values += [n for _, n in bounds]
    met = f"coalesce({' OR '.join(parts)}, 0)" if parts else "0"
    return (f"NOT {met}" if condition.negated else met), values


def described(conditions: Sequence[Condition]) -> str:
    """Say what conditions admit, as `from ICML, of 2024, by Lei Sha`."""
    return ", ".join(_described(condition) for condition in conditions)


def _described(condition: Condition) -> str:
    no = "not " if condition.negated else ""
    names = [value for value in condition.values if isinstance(value, str)]
    asked = condition.asked
    if condition.field == "venue":
        return f"{no}from {_either(names) or asked}"
    if condition.field == "session":
        return f"{no}in {asked if len(names) > FEW else _either(names) or asked}"
    if condition.field == "author":
        same = len(names) == 1 or not names or _either(names) == asked
        return f"{no}by {(_either(names) or asked) if same else f'{asked} ({_several(names)})'}"
    if condition.field == "keyword":
        return f"{'without' if condition.negated else 'with'} the keyword {asked}"
    if condition.field == "has":
        return f"{'without' if condition.negated else 'with'} {_a(names[0])}"
    ranges = [value for value in condition.values if not isinstance(value, str)]
    if condition.field == "year":
        return f"{no}of {_either([_bounds(r, 'later', 'earlier') for r in ranges])}"
    return (
        f"with {_either([_bounds(r, 'more', 'fewer') for r in ranges])} {'author' if ranges == [(1, 1)] else 'authors'}"
    )


def missing(conditions: Sequence[Condition]) -> list[str]:
    """Say of which names asked for beside others the library has nothing, as `by Jane Doe`."""
    prepositions = {"author": "by", "session": "in"}
    return [f"{prepositions.get(c.field, 'from')} {name}" for c in conditions if c.values for name in c.missing]


def _either(names: Sequence[str]) -> str:
    return " or ".join(names)


def _several(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")


def _a(name: str) -> str:
    shown = {"doi": "a DOI", "url": "a link", "arxiv": "an arXiv id", "openreview": "an OpenReview id"}
    plain = f"an {name}" if name == "abstract" else name if name.endswith("s") else f"a {name}"
    return shown.get(name, "a PubMed id" if name == "pubmed" else plain)


def _bounds(bounds: Range, more: str, fewer: str) -> str:
    low, high = bounds
    if low == high:
        return str(low)
    if low is not None and high is not None:
        return f"{low} to {high}"
    return f"{low} or {more}" if high is None else f"{high} or {fewer}"
