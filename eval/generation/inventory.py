"""Questions about the whole library, answered exactly by its catalogue: which papers, and how many."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final

from assistant.catalogue import Facet
from assistant.library import Library
from eval.generation.drafts import Draft

_LONGEST: Final = 25  # a list that a reader would check by hand
_SPELLED = "zero one two three four five six seven eight nine ten eleven twelve".split()
_WHICH: Final[Mapping[Facet, Sequence[str]]] = {
    "year": ("Which papers are from {0}?", "List all papers published in {0}."),
    "venue": ("Which papers appeared at {0}?", "List the papers published at {0}."),
    "author": ("Which papers did {0} write?", "List all papers by {0}."),
    "session": ("Which papers are in the session “{0}”?",),
    "keyword": ("Which papers have the keyword “{0}”?",),
}
_HOW_MANY: Final[Mapping[Facet, Sequence[str]]] = {
    "year": ("How many papers are from {0}?", "How many papers were published in {0}?"),
    "venue": ("How many papers appeared at {0}?", "How many papers of {0} are there?"),
    "author": ("How many papers by {0} are there?",),
    "session": ("How many papers are in the session “{0}”?",),
    "keyword": ("How many papers have the keyword “{0}”?",),
}
_PAIRS: Final[tuple[tuple[Facet, Facet, str, str], ...]] = (
    ("venue", "year", "Which papers appeared at {0} in {1}?", "How many papers appeared at {0} in {1}?"),
    ("author", "year", "Which papers did {0} publish in {1}?", "How many papers did {0} publish in {1}?"),
    ("author", "venue", "Which papers did {0} publish at {1}?", "How many papers did {0} publish at {1}?"),
)


def inventory(library: Library, random: Random) -> Iterator[Draft]:
    """Yield questions of which papers there are and how many, alone by one field and by two, in random order.

    A field that all papers agree in is counted and not listed; one that only some papers have is asked for too.
    """
    ids = [paper.paper_id for paper in library.catalogue]
    facets: tuple[Facet, ...] = ("year", "venue", "author", "session", "keyword")
    groups = {facet: library.catalogue.grouped(facet, ids) for facet in facets}
    drafts: list[Draft] = []
    for facet, values in groups.items():
        chosen = random.sample(list(values.items()), min(len(values), 60))
        chosen += [item for item in list(values.items())[:20] if item not in chosen]
        for value, papers in chosen:
            drafts += _both(_WHICH[facet], _HOW_MANY[facet], (value,), papers, len(ids), random)
    for one, other, which, how_many in _PAIRS:
        drafts += _crossed(groups[one], groups[other], which, how_many, len(ids), random)
    drafts += _spans(groups["year"], len(ids), random)
    random.shuffle(drafts)
    yield from drafts


def _both(
    which: Sequence[str],
    how_many: Sequence[str],
    values: Sequence[str],
    papers: Sequence[str],
    total: int,
    random: Random,
) -> Iterator[Draft]:
    if any(not value.strip() or len(value) > 80 or "“" in value for value in values):
        return
    if len(papers) <= _LONGEST and len(papers) < total:
        yield Draft("list", "list", random.choice(which).format(*values), tuple(papers))
    if len(papers) > 1:
        yield Draft("count", "count", random.choice(how_many).format(*values), tuple(papers), (spelled(len(papers)),))


def _crossed(
    some: Mapping[str, Sequence[str]],
    others: Mapping[str, Sequence[str]],
    which: str,
    how_many: str,
    total: int,
    random: Random,
) -> Iterator[Draft]:
    if len(others) < 2 or len(some) < 2:
        return
    for value in random.sample(sorted(some), min(len(some), 60)):
        members = set(some[value])
        for other in random.sample(sorted(others), min(len(others), 20)):
            both = [paper_id for paper_id in others[other] if paper_id in members]
            if both and len(both) < len(members):
                yield from _both((which,), (how_many,), (value, other), both, total, random)


def _spans(years: Mapping[str, Sequence[str]], total: int, random: Random) -> Iterator[Draft]:
    known = sorted(years)
    for _ in range(4 if len(known) > 2 else 0):
        low, high = sorted(random.sample(known, 2))
        papers = [paper_id for year in known if low <= year <= high for paper_id in years[year]]
        which, how_many = "Which papers are from {0} to {1}?", "How many papers were published between {0} and {1}?"
        yield from _both((which,), (how_many,), (low, high), papers, total, random)


def spelled(number: int) -> tuple[str, ...]:
    """Return how a count may be written."""
    found = [str(number), f"{number:,}"]
    return tuple(dict.fromkeys(found + ([_SPELLED[number]] if number < len(_SPELLED) else [])))
