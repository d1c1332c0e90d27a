"""Questions made from one sentence of an abstract, by patterns of what abstracts state. Pure functions; no model.

Each pattern knows which words of the sentence are the answer and leaves them out. "{it}" in a question stands where
the paper's name, a description of it or, in a follow-up, "it" is to stand; a question without it is understood alone.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from assistant.text import fold
from eval.generation import claims, deeds, definitions, particulars, quantities
from eval.generation.clauses import is_sayable
from eval.generation.references import Reference
from eval.generation.statements import PLURALS, SPELLED, THIRDS, Asked, Pattern, holds, statement

PATTERNS: Final[tuple[Pattern, ...]] = (
    deeds.PATTERNS + claims.PATTERNS + quantities.PATTERNS + definitions.PATTERNS + particulars.PATTERNS
)
_NAMING = frozenset("how purpose object authors basis subject field trouble passive definition does meant than".split())
_NUMBERED = re.compile(
    rf"(?:the |these )?(?:{'|'.join(SPELLED)}|\d+|several|various|multiple|many|numerous|specific|certain)\b",
    re.IGNORECASE,
)  # "two limitations" is no answer
_CUT = re.compile(
    rf"\b(?:and|or) (?:\w+ly )?(?:{PLURALS}|{THIRDS}|focus)\b|[“”\"]|^(?:more|less|better|both|they)\b"
    r"|\b(?:and|or|of|the|to|is|are)$|\b(?:is|are|corresponding|in this manner)\b|\bbetween (?!.* and )",
    re.IGNORECASE,
)  # a second verb behind it, a quotation, half a pair
_POINTS = re.compile(r"[$\\{}]|^(?:this|these|those|such|that)\b|\b(?:it|its|their|them|our)\b", re.IGNORECASE)


def questions(raw: str, reference: Reference) -> list[Asked]:
    """Return the questions that patterns make of a sentence, each with nuggets that stand in it and not in itself."""
    said = statement(raw, reference)
    found = [asked for pattern in PATTERNS for asked in pattern(said)]
    kept: dict[str, Asked] = {}
    for asked in found:
        sound = _sound(asked, raw, reference)
        if sound:
            kept.setdefault(fold(sound.question), sound)
    return list(kept.values())


def _sound(asked: Asked, raw: str, reference: Reference) -> Asked | None:
    """Return a question with those spellings of its facts that the sentence holds; None when a fact has none."""
    source, question = fold(raw), fold(asked.question)
    if any(_NUMBERED.match(spelling) for spellings in asked.nuggets for spelling in spellings if asked.form in _NAMING):
        return None
    bare = source.replace(" (", "(")
    if any(_CUT.search(spelling) for spellings in asked.nuggets for spelling in spellings[:1]):
        return None
    nuggets = []
    for spellings in asked.nuggets:
        kept = [
            s
            for s in spellings
            if s and not _POINTS.search(s) and (fold(s) in source or fold(s) in bare or asked.form == "acronym")
        ]
        kept += [s for s in spellings if s.isalpha() and s in SPELLED and s not in kept]
        if not kept or any(holds(question, s) for s in kept):
            return None
        nuggets.append(tuple(dict.fromkeys(kept)))
    text = " ".join(asked.question.split())
    body = text.removesuffix("?").replace("{it}", "x")
    if not nuggets or not is_sayable(body) or len(text.split()) > 30 or (asked.names and reference.name is None):
        return None
    if asked.form not in ("acronym", "definition", "which", "called") and _spells_out(raw, nuggets, asked, reference):
        return None
    return Asked(asked.form, text, tuple(nuggets), asked.names, asked.more)


def _spells_out(raw: str, nuggets: Iterable[Sequence[str]], asked: Asked, reference: Reference) -> bool:
    """Tell whether an answer is what the paper's name stands for, so that the question gives it away."""
    name = fold((reference.name or "").removeprefix("the "))
    if not name or "{it}" not in asked.question:
        return False
    return any(f"{fold(spellings[-1])} ({name}" in fold(raw) for spellings in nuggets)
