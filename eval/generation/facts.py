"""Drafts about single papers: facts, the same in other words, and follow-ups to a first answer. No search; pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from assistant.schema import Paper, Turn
from assistant.text import content_stems, fold, sentences
from eval.generation.clauses import capital, plain, weight
from eval.generation.drafts import Draft, Kind, Passage
from eval.generation.references import Reference
from eval.generation.statements import Asked, holds
from eval.generation.templates import questions
from eval.generation.wording import reworded

_ALONE: Final = frozenset({"acronym"})  # forms that name what they are about without naming the paper
_ACRONYM = re.compile(r"\(([A-Z][A-Za-z-]*[A-Z])s?\)")
_INTRODUCES = re.compile(r"\b(?:proposes?|introduc(?:es?|ing)|presents?|develops?|designs?|propos(?:es?|ing))\b")
_MOST: Final = {"acronym": 0.1, "code": 0.08, "definition": 0.12, "called": 0.12}
_ANSWERED_BEFORE: Final = frozenset(
    {"definition", "proposes", "acronym", "called"}
)  # forms that the first answer gives away
_AGENT: Final = frozenset(
    {
        "how",
        "object",
        "by how much",
        "metric",
        "share",
        "definition",
        "basis",
        "parts",
        "proposes",
        "idea",
        "does",
        "meant",
    }
)  # forms of what a method is and does, not a study
_BY_DEED: Final = frozenset({"object", "does", "meant", "trouble"})  # too open to ask them of "the neural framework"
_STUDY = ("the study of", "the work on", "the paper “")


@dataclass(frozen=True, slots=True)
class Fact:
    """A question with its place: the paper, how it may be called, and the sentence that answers."""

    paper: Paper
    reference: Reference
    asked: Asked
    source: Passage

    @property
    def sentence(self) -> str:
        """The sentence that answers, verbatim."""
        return self.paper.abstract[self.source.start : self.source.end]


def facts(paper: Paper, reference: Reference) -> list[Fact]:
    """Return all facts that the patterns find in a paper, in its order."""
    several = len(_INTRODUCES.findall(paper.abstract)) > 1
    return [
        Fact(paper, reference, _spelled_out(asked, paper.abstract), Passage(paper.paper_id, span.start, span.end))
        for span in sentences(paper.abstract)
        for asked in questions(paper.abstract[span.start : span.end], reference)
        if not (several and asked.form == "proposes")
    ]


def _spelled_out(asked: Asked, abstract: str) -> Asked:
    """Return a question whose facts may be said in full where its abstract abbreviates them, "SNNs"."""
    if asked.form in ("acronym", "which", "called"):
        return asked
    nuggets, more = (
        tuple((*spellings, *_in_full(spellings, abstract)) for spellings in some)
        for some in (asked.nuggets, asked.more)
    )
    return replace(asked, nuggets=nuggets, more=more)


def _in_full(spellings: Sequence[str], abstract: str) -> Iterator[str]:
    short = spellings[-1]
    if not re.fullmatch(r"[A-Z]{2,6}s?", short):
        return
    letters = short.removesuffix("s")
    initials = r"[ -]".join(rf"{letter}[a-z]+" for letter in letters)
    if found := re.search(rf"\b({initials}) \({letters}s?\)", abstract, re.IGNORECASE):
        yield found.group(1)


def acronyms(papers: Iterable[Paper]) -> Counter[str]:
    """Count the papers that introduce each abbreviation."""
    return Counter(name for paper in papers for name in set(_ACRONYM.findall(paper.abstract)))


def named(fact: Fact) -> Draft | None:
    """Return the question with the paper's own name in it, or one that needs none."""
    called = fact.reference.best or ""
    return _draft("fact", fact, filled(fact.asked, called)) if _fits(fact, called) else None


def is_named(fact: Fact) -> bool:
    """Tell whether the question of `named` names its paper, so that it needs no other words to be specific."""
    slot = "{it}" in fact.asked.question
    described = fact.reference.name is None and fact.reference.description is not None
    return (slot and not described) or fact.asked.form in _ALONE


def paraphrased(fact: Fact, random: Random) -> Draft | None:
    """Return the question in other words and without the paper's name; None where none are known."""
    called, slot = fact.reference.description, "{it}" in fact.asked.question
    if fact.asked.form in _ALONE or not _fits(fact, called or "") or (slot and len((called or "").split()) > 10):
        return None
    question = filled(fact.asked, called or "")
    told = re.search(r" (?:for|of|that|to|in|on|from) ", (called or "")[4:])
    if slot and not told and (fact.asked.form in _BY_DEED or weight(called or "") < 4):
        return None
    other = reworded(question, called if slot and called else "", random)
    hidden = slot and fact.reference.name is not None
    if other is None and not hidden:
        return None
    text = other or question
    bare = (fact.reference.name or "\0").removeprefix("the ")
    if fold(bare) in fold(text) or _repeats(text):
        return None
    return _draft("paraphrase", fact, text)


def followed_up(
    fact: Fact, opening: tuple[str, str], other: tuple[str, str, str] | None, random: Random
) -> Draft | None:
    """Return the question as a second one, after an answer that introduced its paper.

    `opening` is the first question about this paper and a sentence of it. With `other`, the id, name and a sentence of
    another paper, the first question asks for both, and the second for "the first one" or "the second one".
    """
    name = fact.reference.name
    if "{it}" not in fact.asked.question or name is None or fact.asked.form in _ANSWERED_BEFORE:
        return None
    if other is None:
        turn = Turn(opening[0], f"{opening[1]} [1]", (fact.paper.paper_id,))
        text = _possessive(fact.asked.question)
    else:
        turn, text = _among_two(fact, opening[1], other, random)
    if text is None:
        return None
    draft = _draft("followup", fact, text)
    if draft is None or any(holds(turn.answer, spelling) for nugget in draft.nuggets for spelling in nugget):
        return None
    return replace(draft, history=(turn,), standalone=filled(fact.asked, name))


def _among_two(fact: Fact, sentence: str, other: tuple[str, str, str], random: Random) -> tuple[Turn, str]:
    mine = (fact.paper.paper_id, fact.reference.name or "", sentence)
    first = random.random() < 0.5
    one, two = (mine, other) if first else (other, mine)
    turn = Turn(f"What are {one[1]} and {two[1]}?", f"{one[2]} [1] {two[2]} [2]", (one[0], two[0]))
    return turn, fact.asked.question.replace("{it}", "the first one" if first else "the second one")


def _possessive(question: str) -> str | None:
    text = question
    for pattern, mine in (
        (r"the authors of \{it\}", "its authors"),
        (r"^What are the (.+) of \{it\}\?$", r"What are its \1?"),
        (r"^What is the (.+) of \{it\}\?$", r"What is its \1?"),
        (r"\bthe ([\w -]+?) of \{it\}", r"its \1"),
        (r"\{it\}", "it"),
    ):
        text = re.sub(pattern, mine, text)
    return None if text == "What is it?" else text


def _fits(fact: Fact, called: str) -> bool:
    """Tell whether what a paper is called can stand in a question: a study itself reduces and consists of nothing."""
    if "{it}" not in fact.asked.question:
        return True
    if not called.startswith(_STUDY):
        return bool(called)
    return fact.asked.form not in _AGENT and "authors of {it}" not in fact.asked.question.split(", according")[0]


def filled(asked: Asked, called: str) -> str:
    """Put what a paper is called into a question; a study isn't "evaluated", and has no authors but itself."""
    text = asked.question.replace("{it}", called)
    text = text.replace("according to the authors of the work on", "according to the work on")
    text = text.replace("according to the authors of the paper", "according to the paper")
    text = text.replace("according to the authors of the study", "according to the study")
    if called.startswith(_STUDY):
        text = text.replace(f"is {called} evaluated", f"does {called} report results")
        text = text.replace(f"reported for {called}", f"reported in {called}")
        text = text.replace(f"with {called}?", f"in {called}?")
    return capital(" ".join(text.split()))


def _draft(kind: Kind, fact: Fact, text: str) -> Draft | None:
    if _repeats(text):
        return None
    gold = (fact.paper.paper_id,)
    return Draft(kind, fact.asked.form, text, gold, fact.asked.nuggets, plain_line(fact.sentence), fact.source)


def plain_line(text: str) -> str:
    """Return a sentence on one line."""
    return " ".join(text.split())


def _repeats(text: str) -> bool:
    """Tell whether a question says the same twice, as when a description says what is asked for."""
    stems = Counter(content_stems(text))
    return sum(count - 1 for count in stems.values()) >= 2


def introduction(paper: Paper, reference: Reference, besides: str = "") -> str | None:
    """Return the sentence by which a paper introduces its contribution, another one than `besides`."""
    name = (reference.name or "").removeprefix("the ")
    texts = [plain_line(paper.abstract[span.start : span.end]) for span in sentences(paper.abstract)]
    holding = [text for text in texts if name and name in text and text != besides and "http" not in text]
    return next((text for text in holding if len(plain(text)) < 400), None)


def spread(values: Sequence[Fact], used: Counter[str], random: Random, *, more: bool = False) -> Iterator[Fact]:
    """Yield facts, those of the forms least used so far first; ties in random order.

    What costs no understanding, as where the code is, takes no more than a small share, with `more` thrice that.
    """
    total = sum(used.values()) * (3 if more else 1)
    left = [fact for fact in values if used[fact.asked.form] <= _MOST.get(fact.asked.form, 1.0) * total + 1]
    random.shuffle(left)
    while left:
        best = min(left, key=lambda fact: used[fact.asked.form])
        left.remove(best)
        yield best
