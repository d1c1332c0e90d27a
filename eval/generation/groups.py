"""Drafts about several papers: those that share a phrase, and pairs to compare. No search; pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from assistant.schema import Paper
from assistant.text import content_stems
from eval.generation.clauses import weight
from eval.generation.drafts import Draft
from eval.generation.facts import Fact
from eval.generation.neighbours import Neighbourhood
from eval.generation.references import Reference
from eval.generation.statements import Nuggets, holds

_WORKS: Final = ("how", "basis", "purpose")  # forms that tell how something works
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


def core(paper: Paper, facts_of: FactsOf) -> Nuggets:
    """Return what a comparison would say of a paper: what it is, and what for or how; () when either isn't known."""
    facts = facts_of(paper)
    defined = next((fact.asked for fact in facts if fact.asked.form == "definition"), None)
    if defined is None:
        return ()
    found = [fact.asked.nuggets[0] for fact in facts if fact.asked.form in _WORKS]
    more = [
        spelling
        for spellings in (*defined.more, *found)
        for spelling in spellings
        if weight(spelling) >= 2 or re.search(r"[A-Z]{2}", spelling)
    ]
    return (defined.nuggets[0], tuple(dict.fromkeys(more))) if more else ()


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
            nuggets = tuple(tuple(s for s in some if not holds(text, s)) for side in found for some in side)
            if all(found) and all(nuggets):
                yield Draft("compare", "compare", text, (paper.paper_id, other_id), nuggets)
                break


def joined(
    papers: Sequence[Paper], near: Neighbourhood, known: Mapping[str, Paper], facts_of: FactsOf, random: Random
) -> Iterator[Draft]:
    """Yield questions for the same fact of two papers that are near to each other, both named in it."""
    for paper in papers:
        near_by = [known[other_id] for other_id, cosine in near.nearest(paper.paper_id, 4) if cosine >= _NEAR]
        for other in random.sample(near_by, len(near_by)):
            if draft := _joined(facts_of(paper), facts_of(other), random):
                yield draft
                break


def _joined(some: Sequence[Fact], others: Sequence[Fact], random: Random) -> Draft | None:
    mine, theirs = ([f for f in each if f.reference.name and "{it}" in f.asked.question] for each in (some, others))
    pairs = [(one, two) for one in mine for two in theirs]
    alike = [(one, two) for one, two in pairs if one.asked.question == two.asked.question and one.asked.form != "meant"]
    for one, two in random.sample(alike, len(alike)):
        text = _both(one, two)
        gold = (one.paper.paper_id, two.paper.paper_id)
        if len(text.split()) <= 28:
            return Draft("multi", one.asked.form, text, gold, one.asked.nuggets + two.asked.nuggets)
    return None


def _both(one: Fact, two: Fact) -> str:
    text = one.asked.question.replace("{it}", f"{one.reference.name} and {two.reference.name}")
    for pattern, plural in (
        (r"^What is ", "What are "),
        (r" is (.+) evaluated\?$", r" are \1 evaluated?"),
        (r"\bdoes\b", "do"),
    ):
        text = re.sub(pattern, plural, text)
    return text.replace("dataset are", "datasets are")


def _initials(phrase: str) -> str:
    return "".join(word[0] for word in re.findall(r"\w+", phrase.lower()))


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
        if phrase != phrase.lower() and any(phrase.lower() in papers[one].abstract for one in ids):
            phrase = phrase.lower()  # capitals of a title
        if re.search(r"\b[A-Z][a-z]|-\w+$|ed\b", phrase):
            continue  # capitals of a name, a phrase cut off
        if any(f"{phrase}s" in papers[one].abstract for one in ids):
            phrase = f"{phrase}s"
        text = random.choice(_SHARED).format(phrase)
        asked = set(content_stems(phrase))
        nuggets = []
        for paper_id in ids:
            reference = references[paper_id]
            defined = [fact.asked for fact in facts_of(papers[paper_id]) if fact.asked.form == "definition"]
            found = [spelling for asks in defined for spelling in asks.nuggets[0]]
            name = ((reference.name or "").removeprefix("the "),) if reference.name else ()
            name = () if name and (len(name[0]) < 3 or name[0].lower() in _initials(phrase)) else name
            told = [s for s in (*name, *found) if not holds(text, s) and not set(content_stems(s)) <= asked]
            nuggets.append(tuple(told))
        if all(nuggets):
            yield Draft("multi", "shared phrase", text, ids, tuple(nuggets))
