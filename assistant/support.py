"""Does an abstract say this? Attributes a model's sentence to the source sentences nearest to it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assistant.schema import Paper, Quote, Removed, Sentence
from assistant.selection import Passage, Vector, coverage
from assistant.text import content_stems, fold, words

NEAR = 0.7

_FIGURE = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Attribution:
    """Attributes sentences to `passages`, whose vectors are `vectors`, (n, dimension), and to their `papers`."""

    passages: Sequence[Passage]
    vectors: Vector
    papers: Mapping[int, Paper]

    def attribute(
        self, text: str, cited: Collection[int], weights: Mapping[str, float], vector: Vector
    ) -> Sentence | Removed:
        """Return the sentence with its citations, or why it is left out.

        `cited` are the numbers that the model named; they stand when one of their sentences is near. `weights` are
        the idf weights of the sentence's stems and `vector` its embedding, (dimension,).
        """
        if not content_stems(text):
            return Removed(text, tuple(cited), "It says nothing that an abstract could support.")
        nearness = self._nearness(weights, vector)
        named = [i for i, p in enumerate(self.passages) if p.n in cited]
        for pool in (named, range(len(self.passages))):
            best = max(pool, key=lambda i: nearness[i], default=None)
            if best is not None and nearness[best] >= NEAR and not self._foreign(text, self.passages[best].n):
                return self._sentence(text, self.passages[best], float(nearness[best]))
        best = max(range(len(self.passages)), key=lambda i: nearness[i], default=None)
        if best is not None and nearness[best] >= NEAR:
            figures = ", ".join(sorted(self._foreign(text, self.passages[best].n)))
            return Removed(text, tuple(cited), f"The nearest abstract does not hold the figure {figures}.")
        return Removed(text, tuple(cited), "No sentence of the abstracts is near it.")

    def _nearness(self, weights: Mapping[str, float], vector: Vector) -> Vector:
        covered = np.array([coverage(weights, p.stems) for p in self.passages], dtype=np.float32)
        whole = {
            n: coverage(weights, frozenset().union(*(p.stems for p in self.passages if p.n == n)))
            for n in {p.n for p in self.passages}
        }
        around = np.array([whole[p.n] for p in self.passages], dtype=np.float32)
        meaning = self.vectors @ vector if len(self.passages) else covered
        nearness: Vector = 0.3 * meaning + 0.4 * covered + 0.3 * around
        return nearness

    def _foreign(self, text: str, n: int) -> set[str]:
        """Return the figures of a text that paper `n` does not hold."""
        paper = self.papers[n]
        source = f"{paper.name} {paper.year or ''} {paper.venue or ''} {paper.abstract}"
        return figures(text) - figures(source) - _spelled(source)

    def _sentence(self, text: str, passage: Passage, nearness: float) -> Sentence:
        quote = Quote(passage.n, passage.text, passage.span.start, passage.span.end)
        verbatim = text.rstrip(".!? ") in passage.text
        return Sentence(text, (passage.n,), "verbatim" if verbatim else None, round(min(nearness, 1.0), 3), (quote,))


def figures(text: str) -> set[str]:
    """Return the figures of a text, each written one way: 1,860 and 1860 are one."""
    return {figure.replace(",", "").rstrip(".") for figure in _FIGURE.findall(fold(text))}


def _spelled(text: str) -> set[str]:
    names = "zero one two three four five six seven eight nine ten eleven twelve".split()
    held = set(words(text))
    return {str(value) for value, name in enumerate(names) if name in held}
