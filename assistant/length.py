"""How long an answer a reader asks for, in words or sentences. Rules; no model."""

import re
from typing import Final

BRIEF: Final = 45
DETAILED: Final = 220
SHORTEST: Final = 10

_SENTENCES_SPELLED: Final = {"one": 1, "single": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_WORDS_SPELLED: Final = {"fifty": 50, "a hundred": 100, "one hundred": 100, "two hundred": 200}
_SPELLED: Final = _SENTENCES_SPELLED | _WORDS_SPELLED
_AT_MOST = r"under|about|at (?:the )?most|max(?:imum)?(?: of)?|no more than|not more than"
_ROUGHLY = rf"(?:(?:{_AT_MOST}|around|roughly|approximately|circa|just|only|exactly|up to|(?:fewer|less) than) )?"
_BY = r"\b(?:in|within|with|using|(?:keep|limit|cut)\w* (?:\w+ ){0,4}?to) (?:a )?"
_ENOUGH = r"(?=\W{0,2}(?:please|max(?:imum)?|tops|only|at (?:the )?most|or (?:less|fewer)|(?:is|are) enough|will do)\b)"
_ALONE = r"(?:^|[.?!;:,–—-] ?)"


def _asking(number: str, unit: str, bounds: str) -> re.Pattern[str]:
    """Return the pattern of the ways to ask for a number of units: its first group that is met is the number."""
    counted = rf"(?:an? )?~?\b({number})[ -]{unit}s?\b"
    ways = (
        rf"{_BY}{_ROUGHLY}{counted}(?: or (?:less|fewer))?",
        rf"\b(?:{bounds}) {counted}",
        rf"{_ROUGHLY}{counted}{_ENOUGH}",
        rf"{_ALONE}{_ROUGHLY}{counted}(?=\W*$)",
        rf"\b({number})-(?:{unit})(?= \w)",
    )
    return re.compile("|".join(ways), re.IGNORECASE)


_SENTENCES = _asking(rf"{'|'.join(_SENTENCES_SPELLED)}|\d{{1,2}}", r"(?:\w+ )?sentence", "no more than")
_WORDS = _asking(rf"{'|'.join(_WORDS_SPELLED)}|\d{{1,3}}", "word", _AT_MOST)
_BRIEFLY = re.compile(r"\b(?:briefly|in brief|in short|short answer|concisely|tl;?dr|in a nutshell)\b", re.I)
_IN_DETAIL = re.compile(r"\b(?:in (?:more |great )?detail|detailed|at length|thorough(?:ly)?|comprehensively)\b", re.I)


def sentences_asked(question: str) -> int | None:
    """Return the number of sentences that a reader asks for, as in "in two sentences"."""
    return _number(_SENTENCES.search(question))


def words_asked(question: str) -> int | None:
    """Return the number of words that a reader asks for, also as "briefly" or "in detail"; None when not at all."""
    asked = _number(_WORDS.search(question))
    if asked is not None:
        return max(SHORTEST, asked)
    return BRIEF if _BRIEFLY.search(question) else DETAILED if _IN_DETAIL.search(question) else None


def without_length(question: str) -> str:
    """Return a question without the words that ask for a length in figures."""
    return _WORDS.sub(" ", _SENTENCES.sub(" ", question))


def _number(match: re.Match[str] | None) -> int | None:
    if match is None:
        return None
    said = next(filter(None, match.groups())).lower()
    return _SPELLED.get(said) or int(said)
