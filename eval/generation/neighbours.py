"""Which papers are near to each other, which are versions of one, and which phrases a few of them share."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assistant.catalogue import Catalogue
from assistant.schema import Paper
from assistant.text import STOPWORDS, sentences, stem, words
from eval.generation.clauses import BASE, GERUND, THIRD, is_sayable, weight

SAME: Final = 0.95  # mean cosine of two versions of one paper
_FEW: Final = (2, 3, 4)
_PIECE = re.compile(r"[,.;:()\[\]—–!?]|\s-\s")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_HOLLOW = frozenset(
    """across widely highly often typically strong superior significant extensive demonstrate better achieve toward
    towards via using use used within while most""".split()
)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhood:
    """Papers as the means of their sentences' vectors, (papers, dimension), unit length."""

    paper_ids: Sequence[str]
    places: Mapping[str, int]
    means: NDArray[np.float32]

    @classmethod
    def of(cls, catalogue: Catalogue) -> "Neighbourhood":
        """Read all vectors of a catalogue."""
        owners, _, vectors = catalogue.matrix()
        ids = list(dict.fromkeys(owners))
        places = {paper_id: place for place, paper_id in enumerate(ids)}
        sums = np.zeros((len(ids), vectors.shape[1] if ids else 0), np.float32)
        np.add.at(sums, [places[owner] for owner in owners], vectors)
        return cls(ids, places, sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9))

    def nearest(self, paper_id: str, count: int) -> list[tuple[str, float]]:
        """Return the papers nearest to one with their cosines, best first."""
        if paper_id not in self.places:
            return []
        cosines = self.means @ self.means[self.places[paper_id]]
        order = np.argsort(-cosines, kind="stable")[: count + 1]
        return [(self.paper_ids[i], float(cosines[i])) for i in order if self.paper_ids[i] != paper_id][:count]

    def has_double(self, paper_id: str) -> bool:
        """Tell whether another paper says nearly the same."""
        return any(cosine >= SAME for _, cosine in self.nearest(paper_id, 1))


def shared_phrases(papers: Iterable[Paper]) -> dict[str, tuple[str, ...]]:
    """Return phrases of two or three words that stand in two to four papers only, with the ids of these.

    Each of the papers speaks of it in its title, in its first sentence, or twice.
    """
    holders: dict[tuple[str, ...], dict[str, int]] = {}
    spelt: dict[tuple[str, ...], str] = {}
    for paper in papers:
        opening = paper.abstract[: _opening(paper.abstract)]
        for text, points in ((paper.title or "", 2), (opening, 1), (paper.abstract, 1)):
            for key, phrase in _phrases(text):
                found = holders.setdefault(key, {})
                found[paper.paper_id] = found.get(paper.paper_id, 0) + points
                spelt.setdefault(key, phrase)
    kept = {
        key: found
        for key, found in holders.items()
        if len(found) in _FEW and min(found.values()) >= 2 and weight(spelt[key]) >= 2
    }
    longest = (
        {
            key
            for key in kept
            if not any(_within(key, other) and kept[key].keys() == kept[other].keys() for other in kept)
        }
        if len(kept) < 3000
        else kept.keys()
    )
    return {spelt[key]: tuple(kept[key]) for key in kept if key in longest}


def _opening(abstract: str) -> int:
    spans = sentences(abstract)[:1]
    return spans[-1].end if spans else 0


def _within(key: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(key) < len(other) and key in (other[:-1], other[1:])


def _phrases(text: str) -> Iterable[tuple[tuple[str, ...], str]]:
    for piece in _PIECE.split(text):
        tokens = piece.split()
        for size in (2, 3):
            for start in range(len(tokens) - size + 1):
                run = tokens[start : start + size]
                after = tokens[start + size] if start + size < len(tokens) else ""
                before = tokens[start - 1] if start else ""
                if _is_phrase(run) and _ends(after) and _ends(before):
                    phrase = " ".join(run)
                    yield tuple(stem(word) for word in words(phrase)), phrase


def _is_phrase(run: Sequence[str]) -> bool:
    first, last = run[0].lower(), run[-1].lower()
    plain = all(_WORD.fullmatch(token) and token.lower() not in STOPWORDS | _HOLLOW and len(token) > 2 for token in run)
    verbal = first in BASE or first in THIRD or last in GERUND or last.endswith(("ly", "ed")) or first in GERUND
    return plain and not verbal and not first.endswith("ly") and is_sayable(" ".join(run))


def _ends(word: str) -> bool:
    """Tell whether a word beside a phrase is no part of it."""
    return not word or word.lower() in STOPWORDS or word.lower() in THIRD or word.lower() in BASE
