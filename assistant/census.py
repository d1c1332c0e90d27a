"""Questions that the catalogue alone answers: how many papers, or which, of a year, a venue or an author. Exact."""

import re
from collections.abc import Collection, Sequence

from assistant.schema import Filters, Kind, Paper, Sentence, Source
from assistant.text import content_stems, fold

MOST = 200

_YEAR = r"((?:19|20)\d\d)"
_BETWEEN = re.compile(rf"\b(?:between |from )?{_YEAR}\s*(?:-|–|to|and|until)\s*{_YEAR}\b", re.IGNORECASE)
_SINCE = re.compile(rf"\b(?:since|from {_YEAR} on|starting in)\s*(?:{_YEAR})?", re.IGNORECASE)
_AFTER = re.compile(rf"\bafter {_YEAR}\b", re.IGNORECASE)
_BEFORE = re.compile(rf"\bbefore {_YEAR}\b", re.IGNORECASE)
_SINGLE = re.compile(rf"\b{_YEAR}\b")
_AUTHOR = re.compile(
    r"\b(?:by|of|did|has|have|with|from|author(?:ed)?(?: by)?)\s+"
    r"((?:[A-ZÀ-Þ][\w.'’-]*\s+(?:(?:van|von|de|der|la)\s+)*){0,3}"
    r"[A-ZÀ-Þ][\w'’-]+)"
)
_GENERIC = frozenset(
    content_stems(
        "how many number count total papers paper articles abstracts works studies publications list all every show"
        " name find which there are in library collection corpus here published written write wrote author authors"
        " authored appear appeared come year years venue conference between since before after until have contain"
        " hold exist"
    )
)


def filters_in(question: str, venues: Collection[str]) -> Filters | None:
    """Return the filters that a question for papers consists of; None when it asks for something else beside them.

    `venues` are those that the library holds.
    """
    rest, years = _years(question)
    found = []
    for venue in sorted(venues, key=len, reverse=True):
        pattern = re.compile(rf"(?<!\w){re.escape(venue)}(?!\w)", re.IGNORECASE)
        if pattern.search(rest):
            found.append(venue)
            rest = pattern.sub(" ", rest)
    author = _AUTHOR.search(rest)
    authors = (author.group(1).strip(),) if author else ()
    rest = rest.replace(authors[0], " ") if authors else rest
    if set(content_stems(rest)) - _GENERIC:
        return None
    return Filters(years, tuple(found), authors)


def _years(text: str) -> tuple[str, tuple[int | None, int | None]]:
    """Return a text without its years, and the bounds that they set."""
    if match := _BETWEEN.search(text):
        low, high = sorted(int(year) for year in match.groups())
        return _BETWEEN.sub(" ", text), (low, high)
    if match := _AFTER.search(text):
        return _AFTER.sub(" ", text), (int(match.group(1)) + 1, None)
    if match := _BEFORE.search(text):
        return _BEFORE.sub(" ", text), (None, int(match.group(1)) - 1)
    if (match := _SINCE.search(text)) and (year := match.group(1) or match.group(2)):
        return _SINCE.sub(" ", text), (int(year), None)
    if match := _SINGLE.search(text):
        return _SINGLE.sub(" ", text, count=1), (int(match.group(1)), int(match.group(1)))
    return text, (None, None)


def sentences(kind: Kind, total: int, papers: Sequence[Paper], filters: Filters) -> tuple[Sentence, ...]:
    """Return the answer in sentences made from the catalogue: the count, or a sentence a paper of a list."""
    numbers = tuple(range(1, len(papers) + 1))
    if kind == "list" and total == len(papers):
        return tuple(Sentence(_entry(paper), (n,), "supported", 1.0) for n, paper in zip(numbers, papers, strict=True))
    noun = "paper" if total == 1 else "papers"
    text = f"This library holds {total:,} {noun} {described(filters)}".rstrip()
    hint = f"; `askpapers papers list{_options(filters)}` lists them all" if total > len(papers) else ""
    return (Sentence(f"{text}{hint}.", numbers, "supported", 1.0),)


def described(filters: Filters) -> str:
    """Say what filters admit, as `from ICML, of 2024`."""
    low, high = filters.years
    parts = [f"from {' or '.join(filters.venues)}"] if filters.venues else []
    if low is not None or high is not None:
        bounds = f"of {low}" if low == high else f"of {low} to {high}" if low and high else ""
        parts.append(bounds or (f"of {low} or later" if low else f"of {high} or earlier"))
    parts += [f"by {' or '.join(filters.authors)}"] if filters.authors else []
    return ", ".join(parts)


def text_of(answer: Sequence[Sentence]) -> str:
    """Return the sentences with their markers, as items of a list when there are several."""
    lines = [" ".join([sentence.text, *(f"[{n}]" for n in sentence.citations)]) for sentence in answer]
    return lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def sources(papers: Sequence[Paper]) -> tuple[Source, ...]:
    """Return papers as sources that the answer cites, numbered in their order."""
    return tuple(Source(n, paper, True, 1.0) for n, paper in enumerate(papers, start=1))


def _entry(paper: Paper) -> str:
    where = " ".join(str(part) for part in (paper.venue, paper.year) if part)
    return f"{paper.name}{f' ({where})' if where else ''}."


def _options(filters: Filters) -> str:
    low, high = filters.years
    years = (
        "" if low is None and high is None else f" --year {low}" if low == high else f" --year {low or ''}-{high or ''}"
    )
    venues = "".join(f" --venue {fold(v) if ' ' not in v else repr(v)}" for v in filters.venues)
    return years + venues + "".join(f" --author {a!r}" for a in filters.authors)
