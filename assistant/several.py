"""Questions that name several papers: what they ask of each. Rules; no model."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant import routing
from assistant.schema import Paper
from assistant.sought import defines, expands
from assistant.text import sentences, words

_JOINS = re.compile(
    r"\s*[\"'”’]?\s*(?:,|&|/|,?\s*\b(?:and|or|as well as|versus|vs\.?))\s*(?:of |the )?[\"'“‘]?\s*", re.IGNORECASE
)
_BESIDE = re.compile(
    r"\b(?:on|with|using|over|against|than|to|from|via|into|between|across|like|as|including|namely)"
    r" (?:both )?(?:the )?(?:\w+ )?[\"'“‘]?$",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\b(?:both|either|each of) $", re.IGNORECASE)
_ARE = re.compile(
    r"\b(?P<before>(?:what|which|who|where|how|why)(?: \w+){0,3}? )(?P<verb>are|were|do|have)\b", re.IGNORECASE
)
_IS = {"are": "is", "were": "was", "do": "does", "have": "has"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of the paper that goes by a name in it."""

    name: str
    question: str


@dataclass(frozen=True, slots=True)
class Bearers:
    """What names in a question are: `is_paper` tells that a paper goes by one, `is_unknown` that no paper holds it."""

    is_paper: Callable[[str], bool]
    is_unknown: Callable[[str], bool]


def asked_of_each(question: str, names: Sequence[str], bearers: Bearers) -> tuple[list[Asked], list[str]]:
    """Return what a question asks of each of several papers, and the names beside theirs that no paper bears.

    Two ways of naming several are known: "What are A and B?", and a question each, "What is A, and how fast is B?".
    `names` are what may be names of papers in the question, the surest first. Nothing is returned when it doesn't name
    several.
    """
    found: list[Asked] = []
    missing: list[str] = []
    for clause in routing.clauses(question):
        parts, unknown = _of_clause(clause, names, bearers)
        found += parts
        missing += unknown
    once = list({tuple(words(part.name)): part for part in found}.values())
    return (once, missing) if len(once) + len(missing) > 1 else ([], [])


def _of_clause(clause: str, names: Sequence[str], bearers: Bearers) -> tuple[list[Asked], list[str]]:
    places = _places(clause, names)
    for run in _runs(clause, places):
        (start, _), (_, end) = run[0], run[-1]
        called = [clause[a:b] for a, b in run]
        papers = [name for name in called if bearers.is_paper(name)]
        unknown = [name for name in called if name not in papers and bearers.is_unknown(name)]
        beside = any(bearers.is_paper(clause[a:b]) for a, b in places if (a, b) not in run)
        if papers and len(papers) + len(unknown) > 1 and not beside and not _BESIDE.search(clause[:start]):
            before = _singular(_BOTH.sub("", clause[:start]))
            return [Asked(name, before + name + clause[end:]) for name in papers], unknown
    here = {clause[a:b] for a, b in places}
    first = next((name for name in names if name in here and bearers.is_paper(name)), None)
    return ([Asked(first, clause)] if first is not None else []), []


def _places(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return where names stand in a text, in order; of those that overlap the longest."""
    found: list[tuple[int, int]] = []
    for name in sorted(names, key=len, reverse=True):
        for match in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text):
            if all(match.end() <= a or match.start() >= b for a, b in found):
                found.append(match.span())
    return sorted(found)


def _runs(text: str, places: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return the stretches of names that are joined by commas and conjunctions alone."""
    runs = [[places[0]]] if places else []
    for (_, end), place in pairwise(places):
        if _JOINS.fullmatch(text[end : place[0]]):
            runs[-1].append(place)
        else:
            runs.append([place])
    return [run for run in runs if len(run) > 1]


def _singular(before: str) -> str:
    """Return the beginning of a question with its verb in the number of one thing."""
    return _ARE.sub(lambda m: m["before"] + _IS[m["verb"].lower()], before, count=1)


def introduces(paper: Paper, name: str) -> bool:
    """Tell whether a name stands in a paper's title, or its abstract says what it is or stands for."""
    if f" {' '.join(words(name))} " in f" {' '.join(words(paper.name))} ":
        return True
    told = [paper.abstract[span.start : span.end] for span in sentences(paper.abstract)]
    return any(expands(name, text) or defines(name, text) for text in told)
