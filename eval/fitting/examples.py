"""Training pairs for the entailment head: made from abstracts by perturbation, and read from labelled claims.

Pairs are balanced: a changed claim meets both the sentence it was made from (contradicted) and that sentence changed
alike (supported), so that neither the claim's wording nor the words shared with the evidence decide.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from assistant.entailment import CONTRADICTED, SUPPORTED, UNSAID
from assistant.text import words
from eval.fitting.head import Pair
from eval.fitting.perturbation import (
    Maker,
    abbreviated,
    in_passive,
    names,
    negated,
    other_figure,
    other_name,
    reversed_direction,
    reworded,
    same_direction,
    shortened,
    swapped_roles,
    with_foreign_clause,
)

_BOTH_WAYS: Mapping[str, Maker] = {"negated": negated, "reversed": reversed_direction, "roles": swapped_roles}
_FEWEST, _MOST = 8, 55
_LARGEST_CHANGE = 6


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with an abstract that it is checked against; `rationale` are the sentences that decide."""

    claim: str
    abstract: str
    sentences: tuple[str, ...]
    label: int
    rationale: tuple[int, ...]


def from_abstract(sentences: Sequence[str], random: Random, most: int = 3) -> list[Pair]:
    """Return pairs made from up to `most` sentences of one abstract."""
    usable = [i for i, s in enumerate(sentences) if _FEWEST <= len(s.split()) <= _MOST]
    held = names(" ".join(sentences))
    pairs: list[Pair] = []
    for i in random.sample(usable, min(most, len(usable))):
        neighbour = random.choice([s for j, s in enumerate(sentences) if j != i] or [""])
        pairs += _from_sentence(sentences[i], neighbour, held, random)
    return pairs


def _from_sentence(sentence: str, neighbour: str, held: Sequence[str], random: Random) -> list[Pair]:
    makers: dict[str, Maker] = {
        **_BOTH_WAYS,
        "figure": other_figure,
        "name": lambda text, seeded: other_name(text, held, seeded),
    }
    order = ["roles", *random.sample(["negated", "reversed", "reversed", "negated", "figure", "name"], 6)]
    for kind in order:
        changed = makers[kind](sentence, random)
        if changed is None or changed == sentence:
            continue
        seed = random.random()
        claim, false = (said_otherwise(text, Random(seed)) for text in (sentence, changed))
        if claim == false or len(claim.split()) < 4 or (kind != "roles" and _change(claim, false) > _LARGEST_CHANGE):
            continue
        pairs = [Pair(claim, sentence, SUPPORTED), Pair(false, sentence, CONTRADICTED)]
        if kind in _BOTH_WAYS:
            pairs += [Pair(claim, changed, CONTRADICTED), Pair(false, changed, SUPPORTED)]
        return pairs + _beside(claim, sentence, neighbour, random)
    return []


def _beside(claim: str, sentence: str, neighbour: str, random: Random) -> list[Pair]:
    """Return pairs that are unsaid (another sentence, a clause of it added), and the whole sentence reworded."""
    if not neighbour:
        return []
    pairs = [Pair(claim, neighbour, UNSAID)]
    longer = with_foreign_clause(claim, neighbour, random) if random.random() < 0.6 else None
    if longer:
        pairs.append(Pair(longer, sentence, UNSAID))
    whole = reworded(sentence, random) if random.random() < 0.4 else None
    if whole:
        pairs.append(Pair(whole, sentence, SUPPORTED))
    return pairs


def said_otherwise(sentence: str, random: Random) -> str:
    """Return a claim that the sentence supports: shorter, in other words."""
    text = sentence
    for _ in range(random.choice((1, 2, 2, 3))):
        text = shortened(text, random) or text
    for maker, chance in ((reworded, 0.7), (same_direction, 0.45), (abbreviated, 0.8), (in_passive, 0.3)):
        if random.random() < chance:
            text = maker(text, random) or text
    return text


def _change(one: str, other: str) -> int:
    left, right = Counter(words(one)), Counter(words(other))
    return sum(((left - right) + (right - left)).values())


def from_case(case: Case, nearest: Sequence[int], random: Random) -> list[Pair]:
    """Return the pairs of a labelled case. `nearest` orders its sentences by how near the claim they are.

    Each claim also appears turned round, with the other label, so that a claim's wording alone tells nothing.
    """
    others = [i for i in nearest if i not in case.rationale]
    pairs = []
    if case.label == UNSAID:
        counts = (1.0, 0.7, 0.4, 0.4)
        pairs += [Pair(case.claim, case.sentences[i], UNSAID, w) for i, w in zip(others, counts, strict=False)]
        for maker in (negated, reversed_direction, same_direction, reworded):
            changed = maker(case.claim, random)
            if changed and others:
                pairs.append(Pair(changed, case.sentences[random.choice(others[:4])], UNSAID, 0.4))
        return pairs
    for i in case.rationale:
        pairs += _turned(case.claim, case.sentences[i], case.label, random)
    return pairs + [Pair(case.claim, case.sentences[i], UNSAID, 0.2) for i in others[3:5]]


def _turned(claim: str, evidence: str, label: int, random: Random) -> list[Pair]:
    turned = CONTRADICTED if label == SUPPORTED else SUPPORTED
    pairs = [Pair(claim, evidence, label)]
    changes: list[tuple[Callable[[str, Random], str | None], int, float]] = [
        (negated, turned, 0.6), (reversed_direction, turned, 0.6), (same_direction, label, 0.5), (reworded, label, 0.5),
    ]  # fmt: skip
    if label == SUPPORTED:
        changes += [(swapped_roles, turned, 0.5), (other_figure, turned, 0.5)]
    for maker, outcome, weight in changes:
        made = {maker(claim, random) for _ in range(2)} - {None, claim}
        pairs += [Pair(text, evidence, outcome, weight) for text in sorted(filter(None, made))]
    for maker, outcome in ((negated, turned), (reversed_direction, turned), (same_direction, label)):
        text = maker(evidence, random)
        if text and text != evidence:
            pairs.append(Pair(claim, text, outcome, 0.5))
    return pairs
