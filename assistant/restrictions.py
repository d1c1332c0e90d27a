"""What a question restricts papers to: years, venues, authors, sessions, keywords, fields that are there or not.

`read` takes the restrictions out of a question and leaves the words that say what the papers are about. What names
nothing that the library holds becomes a condition that nothing meets, so that it is said rather than ignored.
"""

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches

from assistant.authorship import read_authors
from assistant.conditions import Condition, Range, Vocabulary
from assistant.places import read_designated, read_sessions, read_unknown_venues, read_venues
from assistant.reading import NOT, Reading
from assistant.text import fold, words
from assistant.years import read_years

_CUE = r"from|in|at|by|of|on|with"
_NEITHER = re.compile(
    rf"\b(?:(?P<before>{_CUE})\s+)?neither\s+(?:(?P<after>{_CUE})\s+)?(?P<first>[^?.!;]{{1,60}}?),?\s+nor\s+"
    rf"(?:(?:{_CUE})\s+)?",
    re.IGNORECASE,
)
_SPELLED = {"a single": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_N = r"(?P<n>\d+|one|two|three|four|five|six|ten|a single)"
_AUTHOR_COUNT = re.compile(
    rf"(?:\b(?:with|by|have|has|having|of|written by|list(?:ing)?)\s+)?(?:(?P<more>more than|over)|(?P<least>at least)"
    rf"|(?P<less>fewer than|less than|under)|(?P<most>at most|up to|no more than)|(?P<exact>exactly|only"
    rf"|just))?\s*\b{_N}"
    r"(?P<or>\s+or (?:more|fewer|less))?\s+(?:co-?)?authors?\b|\b(?P<single>(?:single|sole)[- ]author(?:ed)?|solo)\b",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"\b(?:(?P<no>(?:that |which |who )?(?:(?:do|does|did|have|has|are|is)(?:n't| not)?\s+)?(?:have|has|with(?=\s+no\b)"
    r"|without|lack(?:s|ing)?|miss(?:es|ing)?|not having|with)?\s*(?:\bno\b|\bnot any\b|(?<=without)|(?<=lack)"
    r"|(?<=lacks)"
    r"|(?<=lacking)|(?<=missing)|(?<=misses)|(?<=n't have)|(?<=not have))|are missing|is missing)"
    r"|(?P<yes>(?:that |which )?(?:have|has|with|having)))"
    r"\s+(?:an?\s+|any\s+|the\s+|their\s+)?(?P<field>abstracts?|authors?|titles?|years?|venues?|doi|dois|urls?|links?"
    r"|keywords?|sessions?|arxiv(?: ids?| numbers?)?|openreview(?: ids?)?|pubmed(?: ids?)?)\b(?!\s+[\"“«\w]+\s*[\"”])",
    re.IGNORECASE,
)
_ARXIV = re.compile(rf"{NOT}(?:on|from|in)\s+(?P<field>arxiv|openreview|pubmed)\b", re.IGNORECASE)
_KEYWORD = re.compile(
    r"(?P<no>\b(?:not|without(?: the)?)\s+)?(?:\b(?:with|under|having|by)\s+)?(?:the\s+)?\b(?:keywords?|tags?"
    r"|tagged(?: with| as)?|labell?ed)\s+"
    r"(?:[\"“«](?P<quoted>[^\"”»]+)[\"”»]|(?P<bare>[^\s?.!,]+(?:\s+(?!from|in|of|by|and|or|since)[^\s?.!,]+){0,3}))",
    re.IGNORECASE,
)


def read(question: str, vocabulary: Vocabulary, year: int) -> tuple[tuple[Condition, ...], str]:
    """Return the conditions in a question, and the rest of it; `year` is the current one."""
    reading = Reading(_NEITHER.sub(_none_of, question), vocabulary, year)
    reading.take(_KEYWORD, lambda m: _keyword(m, vocabulary))
    read_designated(reading)
    read_sessions(reading)
    reading.take(_AUTHOR_COUNT, _author_count)
    reading.take(_HAS, _presence)
    reading.take(_ARXIV, lambda m: _identified(m, vocabulary))
    read_venues(reading)
    read_years(reading)
    read_authors(reading)
    read_unknown_venues(reading)
    return tuple(reading.found), " ".join(reading.rest.split())


def _none_of(match: re.Match[str]) -> str:
    """Put `at neither A nor B` as `not at A or B`."""
    cue = match["before"] or match["after"] or ""
    return f"not {cue} {match['first']} or "


def _author_count(match: re.Match[str]) -> list[Condition]:
    if match["single"]:
        return [Condition("authors", ((1, 1),), "single")]
    n = int(match["n"]) if match["n"].isdigit() else _SPELLED[match["n"].lower()]
    more, fewer = (bool(match["or"]) and word in match["or"].lower() for word in ("more", "er"))
    fewer = bool(match["or"]) and not more
    bounds: Range = (n, n)
    if match["more"]:
        bounds = (n + 1, None)
    elif match["least"] or more:
        bounds = (n, None)
    elif match["less"]:
        bounds = (None, n - 1)
    elif match["most"] or fewer:
        bounds = (None, n)
    return [Condition("authors", (bounds,), match.group().strip())]


_HELD = {"doi": "doi", "arxiv": "arxiv", "openreview": "openreview", "pubmed": "pubmed", "link": "url", "url": "url"}


def _presence(match: re.Match[str]) -> list[Condition]:
    name = match["field"].split()[0].lower()
    name = _HELD.get(name.rstrip("s"), name if name.endswith("s") else f"{name}s")
    name = {"abstracts": "abstract", "titles": "title", "years": "year", "venues": "venue", "sessions": "session"}.get(
        name, name
    )
    return [Condition("has", (name,), name, negated=match["yes"] is None)]


def _identified(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition] | None:
    name = match["field"].lower()
    if any(fold(venue) == name for venue in vocabulary.venues):
        return None
    return [Condition("has", (name,), name, bool(match["no"]))]


def _keyword(match: re.Match[str], vocabulary: Vocabulary) -> list[Condition]:
    asked = (match["quoted"] or match["bare"]).strip()
    values = tuple(word for word in vocabulary.keywords if fold(word) == fold(asked))
    return [Condition("keyword", values, asked, bool(match["no"]))]


def nearest(condition: Condition, vocabulary: Vocabulary) -> list[str]:
    """Return spellings that the library holds and that are near to what a condition without values asks for."""
    held: Mapping[str, Collection[str]] = {
        "venue": vocabulary.venues,
        "author": vocabulary.authors,
        "session": vocabulary.sessions,
        "keyword": vocabulary.keywords,
    }
    names = held.get(condition.field, ())
    by_fold = {words(name)[-1]: name for name in names if words(name)} if condition.field == "author" else {}
    by_fold |= {fold(name): name for name in names if name}
    return [by_fold[name] for name in get_close_matches(fold(condition.asked), list(by_fold), 3, 0.75)]
