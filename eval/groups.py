"""Drafts about several papers: those that share a phrase, and pairs to compare. No search; pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from assistant.schema import Paper
from assistant.text import content_stems
from eval.clauses import weight
from eval.drafts import Draft
from eval.facts import Fact, filled
from eval.neighbours import Neighbourhood
from eval.references import Reference
from eval.statements import holds

_CORE: Final = frozenset({"definition", "proposes", "how", "purpose", "object", "basis", "cast", "idea", "parts"})
_JOINED: Final = frozenset("how purpose object parts data metric count authors basis".split()) | {"by how much"}
_COMPARE: Final = (
    "Compare {0} and {1}.", "How does {0} differ from {1}?", "What is the difference between {0} and {1}?",
    "How do {0} and {1} compare?",
)  # fmt: skip
_SHARED: Final = (
    "What do the papers on {0} propose?", "What has been done on {0}?",
    "Which approaches deal with {0}, and how do they work?", "Summarize what the papers about {0} contribute.",
)  # fmt: skip
_NEAR: Final = 0.5
FactsOf = Callable[[Paper], Sequence[Fact]]


def core(paper: Paper, facts_of: FactsOf) -> tuple[str, ...]:
    """Return what an answer about a paper would hold one of: what it is, does and consists of."""
    found = [
        spellings[0 if len(spellings[0]) < 60 else -1]
        for fact in facts_of(paper)
        if fact.asked.form in _CORE
        for spellings in fact.asked.nuggets
        if weight(spellings[-1]) >= (1 if fact.asked.form == "definition" else 2)
    ]
    return tuple(dict.fromkeys(found))


def comparisons(
    papers: Sequence[Paper],
    references: Mapping[str, Reference],
    near: Neighbourhood,
    facts_of: FactsOf,
    random: Random,
) -> Iterator[Draft]:
    """Yield comparisons of two papers that are near to each other and both have a name, no pair twice."""
    known = {paper.paper_id: paper for paper in papers}
    seen: set[frozenset[str]] = set()
    for paper in papers:
        mine = references[paper.paper_id]
        if mine.name is None:
            continue
        for other_id, cosine in near.nearest(paper.paper_id, 3):
            pair = frozenset((paper.paper_id, other_id))
            other = known.get(other_id)
            theirs = references[other_id] if other else None
            if (
                other is None
                or theirs is None
                or theirs.name is None
                or cosine < _NEAR
                or pair in seen
                or paper.paper_id not in dict(near.nearest(other_id, 5))
            ):
                continue
            seen.add(pair)
            names = [mine.name, theirs.name]
            text = random.choice(_COMPARE).format(*names)
            found = [core(paper, facts_of), core(other, facts_of)]
            nuggets = tuple(tuple(s for s in some if not holds(text, s)) for some in found)
            if all(nuggets):
                yield Draft("compare", "compare", text, (paper.paper_id, other_id), nuggets)
                break


def joined(
    papers: Sequence[Paper], near: Neighbourhood, known: Mapping[str, Paper], facts_of: FactsOf, random: Random
) -> Iterator[Draft]:
    """Yield questions for a fact each of two papers that are near to each other, both named in it."""
    for paper in papers:
        near_by = [known[other_id] for other_id, cosine in near.nearest(paper.paper_id, 4) if cosine >= _NEAR]
        for other in random.sample(near_by, len(near_by)):
            if draft := _joined(facts_of(paper), facts_of(other), random):
                yield draft
                break


def _joined(some: Sequence[Fact], others: Sequence[Fact], random: Random) -> Draft | None:
    mine, theirs = ([f for f in each if f.reference.name and "{it}" in f.asked.question] for each in (some, others))
    pairs = [(one, two) for one in mine for two in theirs]
    alike = [(one, two) for one, two in pairs if one.asked.question == two.asked.question]
    unlike = [(one, two) for one, two in pairs if {one.asked.form, two.asked.form} <= _JOINED]
    for one, two in [*random.sample(alike, len(alike)), *random.sample(unlike, len(unlike))]:
        text = _both(one, two)
        gold = (one.paper.paper_id, two.paper.paper_id)
        if text and len(text.split()) <= 28:
            return Draft("multi", one.asked.form, text, gold, one.asked.nuggets + two.asked.nuggets)
    return None


def _both(one: Fact, two: Fact) -> str | None:
    names = f"{one.reference.name} and {two.reference.name}"
    if one.asked.question == two.asked.question:
        text = one.asked.question.replace("{it}", names)
        for pattern, plural in (
            (r"^What is ", "What are "),
            (r" is (.+) evaluated\?$", r" are \1 evaluated?"),
            (r"\bdoes\b", "do"),
        ):
            text = re.sub(pattern, plural, text)
        return text.replace("dataset are", "datasets are")
    first = filled(one.asked, one.reference.name or "").rstrip("?")
    second = filled(two.asked, two.reference.name or "")
    return f"{first}, and {second[:1].lower()}{second[1:]}"


def shared(
    phrases: Mapping[str, Sequence[str]],
    papers: Mapping[str, Paper],
    references: Mapping[str, Reference],
    facts_of: FactsOf,
    random: Random,
) -> Iterator[Draft]:
    """Yield questions about a phrase that only a few papers share; their nuggets are a fact or name of each."""
    for phrase in random.sample(sorted(phrases), len(phrases)):
        ids = tuple(phrases[phrase])
        if not all(paper_id in papers for paper_id in ids):
            continue
        text = random.choice(_SHARED).format(phrase)
        asked = set(content_stems(phrase))
        nuggets = []
        for paper_id in ids:
            reference = references[paper_id]
            found = core(papers[paper_id], facts_of)
            name = ((reference.name or "").removeprefix("the "),) if reference.name else ()
            told = [s for s in (*name, *found) if not holds(text, s) and not set(content_stems(s)) <= asked]
            nuggets.append(tuple(told))
        if all(nuggets):
            yield Draft("multi", "shared phrase", text, ids, tuple(nuggets))
