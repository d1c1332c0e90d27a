"""How far a sentence says what the sentences of an abstract say: words covered, their sequence, their neighbourhood."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from assistant.figures import is_figure
from assistant.selection import Passage, Vector, met
from assistant.text import STOPWORDS, content_stems, stem, words

MOST_SOURCES = 3
_WORTH_ADDING = 0.06  # the share of a sentence's weight that one more source must cover
_MEANING = 0.3  # what the cosine counts beside the words in choosing the first source
_MEANING_LATER = 0.075
_REPORTING = frozenset(
    content_stems(
        "paper method approach work study propose introduce present note notes describe discuss show demonstrate find"
        " framework model use using achieve called new novel author based"
    )
)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What a sentence shares with one abstract, each in 0..1; `sources` are the places of the sentences compared.

    `covered`: weight of its stems that the sources hold together. The others leave out the name that the paper goes by.
    `sequence`: stems in the order of one source; `joint`: in that of any of them, by weight; `free`: the same without
    words of reporting; `near`: neighbouring stems that are neighbours in a source.
    """

    sources: tuple[int, ...]
    covered: float
    sequence: float
    joint: float
    free: float
    near: float


def overlap(
    text: str, weights: Mapping[str, float], passages: Sequence[Passage], cosines: Vector, name: str
) -> Overlap:
    """Compare a sentence, whose stems have `weights`, with the passages of one abstract; `name` is the paper's.

    `cosines` are those of the sentence with the passages, (n,). There is one passage at least.
    """
    weights = {term: weight for term, weight in weights.items() if not is_figure(term)} or weights
    total = sum(weights.values()) or 1.0
    sources, left = _sources(weights, passages, cosines)
    own = frozenset(content_stems(name))
    claim = tuple(s for s in sequence(text) if s not in own) or sequence(text)  # where it says "we", "it", "the model"
    theirs = [sequence(passages[i].text) for i in sources]
    longest = [_common(claim, other, weights) for other in theirs]
    together = set[int]().union(*longest)
    telling = [i for i, stem_ in enumerate(claim) if stem_ not in _REPORTING]
    return Overlap(
        sources=tuple(sources),
        covered=1 - left / total,
        sequence=max(len(found) for found in longest) / max(len(claim), 1),
        joint=_weight(claim, together, weights) / (_weight(claim, range(len(claim)), weights) or 1.0),
        free=_weight(claim, [i for i in telling if i in together], weights) / (_weight(claim, telling, weights) or 1.0),
        near=adjacency(claim, theirs),
    )


@lru_cache(maxsize=4096)
def sequence(text: str) -> tuple[str, ...]:
    """Return the stems of a text's content words, in order, repeats kept; figures, compared by value, are left out."""
    return tuple(stem(word) for word in words(text) if word not in STOPWORDS and not is_figure(word))


def _sources(weights: Mapping[str, float], passages: Sequence[Passage], cosines: Vector) -> tuple[list[int], float]:
    """Choose greedily the passages that cover a sentence together; return also the weight that they leave."""
    total = sum(weights.values()) or 1.0
    left = np.array(list(weights.values()), dtype=float)
    held = np.array([[met(term, p.stems) for term in weights] for p in passages], dtype=float)
    chosen: list[int] = []
    while len(chosen) < min(MOST_SOURCES, len(passages)):
        gains = held @ left
        worth = gains + (_MEANING_LATER if chosen else _MEANING) * total * cosines
        worth[chosen] = -np.inf
        best = int(worth.argmax())
        if chosen and gains[best] < _WORTH_ADDING * total:
            break
        chosen.append(best)
        left = left * (1 - held[best])
    return chosen, float(left.sum())


def _weight(claim: Sequence[str], places: Collection[int], weights: Mapping[str, float]) -> float:
    return sum(weights.get(claim[i], 1.0) for i in places)


def _common(claim: Sequence[str], other: Sequence[str], weights: Mapping[str, float]) -> set[int]:
    """Return the places in a claim of its heaviest common subsequence with another (ROUGE-L, Lin 2004)."""
    rows = [[0.0] * (len(other) + 1)]
    for stem_ in claim:
        above, row = rows[-1], [0.0]
        weight = weights.get(stem_, 1.0)
        for j, other_stem in enumerate(other):
            row.append(above[j] + weight if stem_ == other_stem else max(above[j + 1], row[j]))
        rows.append(row)
    found, i, j = set[int](), len(claim), len(other)
    while i and j:
        if claim[i - 1] == other[j - 1]:
            found.add(i - 1)
            i, j = i - 1, j - 1
        elif rows[i - 1][j] >= rows[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def adjacency(claim: Sequence[str], sources: Sequence[Sequence[str]]) -> float:
    """Return the share of a claim's neighbouring stems that stand near each other in one of the sources, 0..1."""
    pairs = [(a, b) for a, b in pairwise(claim) if a != b]
    places = [_places(source) for source in sources]
    near = sum(
        any(0 < j - i <= 4 or 0 < i - j <= 2 for at in places for i in at.get(a, ()) for j in at.get(b, ()))
        for a, b in pairs
    )
    return near / len(pairs) if pairs else 1.0


def _places(source: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, stem_ in enumerate(source):
        found.setdefault(stem_, []).append(place)
    return found
