"""Does an abstract say this? Checks each sentence that a model wrote against the abstracts before it counts."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from assistant import contrast
from assistant.calibration import shipped
from assistant.overlap import Overlap, overlap
from assistant.schema import Paper, Quote, Removed, Sentence
from assistant.selection import Passage, Vector
from assistant.text import content_stems, fold

_CLAUSE = re.compile(r";\s+|,?\s+(?:while|whereas|but)\s+", re.IGNORECASE)

Weigh = Callable[[Iterable[str]], Mapping[str, float]]
"""Gives the idf weights of stems."""
Encode = Callable[[str], Vector]
"""Gives the unit vector of a sentence, (dimension,)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What paper `n` says of a sentence: how probably it supports it, by which passages, and what speaks against."""

    n: int
    probability: float
    passages: tuple[Passage, ...]
    against: tuple[str, ...] = ()

    @property
    def supports(self) -> bool:
        """Tell whether the sentence may stand."""
        return not self.against and self.probability >= shipped().support.threshold


@dataclass(frozen=True, slots=True)
class Verifier:
    """Checks sentences against `papers` by number, their `passages` and the vectors of these, (n, dimension)."""

    papers: Mapping[int, Paper]
    passages: Sequence[Passage]
    vectors: Vector
    weigh: Weigh
    encode: Encode

    def verify(self, text: str, cited: Collection[int] = ()) -> Sentence | Removed:
        """Return the sentence with the citations that support it, or why it is left out.

        `cited` are the numbers that the model named; they are asked first. Another paper that plainly supports the
        sentence corrects a wrong number.
        """
        if not content_stems(text):
            return Removed(text, tuple(cited), "It says nothing that an abstract could support.")
        findings = self.findings(text)
        named = [f for f in findings if f.n in cited]
        for pool in (named, findings):
            best = max(pool, key=_worth, default=None)
            if best is not None and best.supports:
                return self._sentence(text, [best])
        clauses = [clause.strip() for clause in _CLAUSE.split(text) if content_stems(clause)]
        if len(clauses) > 1 and all(len(content_stems(clause)) > 1 for clause in clauses):
            each = [max(self.findings(clause), key=_worth) for clause in clauses]
            if all(found.supports for found in each):
                return self._sentence(text, each)
        return Removed(text, tuple(cited), _why(max(findings, key=_worth)))

    def findings(self, text: str) -> list[Finding]:
        """Return what each paper has to say of a sentence, in the order of their numbers."""
        weights, vector = self.weigh(content_stems(text)), self.encode(text)
        cosines = self.vectors @ vector
        return [self._finding(text, weights, cosines, n) for n in dict.fromkeys(p.n for p in self.passages)]

    def _finding(self, text: str, weights: Mapping[str, float], cosines: Vector, n: int) -> Finding:
        places = [i for i, p in enumerate(self.passages) if p.n == n]
        passages, paper = [self.passages[i] for i in places], self.papers[n]
        shared = overlap(text, weights, passages, cosines[places], paper.name)
        sources = tuple(passages[i] for i in shared.sources)
        if any(_is_part(text, p.text) for p in passages):
            return Finding(n, 1.0, tuple(p for p in passages if _is_part(text, p.text))[:1])
        known = f"{paper.name} {paper.year or ''} {paper.venue or ''} {paper.abstract}"
        against = contrast.contradictions(text, [p.text for p in sources], known)
        return Finding(n, probability(shared), sources, tuple(against))

    @staticmethod
    def _sentence(text: str, findings: Sequence[Finding]) -> Sentence:
        used = sorted({p for f in findings for p in f.passages}, key=lambda p: (p.n, p.span.start))
        quotes = tuple(Quote(p.n, p.text, p.span.start, p.span.end) for p in used)
        verbatim = all(len(f.passages) == 1 and _is_part(text, f.passages[0].text) for f in findings)
        score = round(min(f.probability for f in findings), 3)
        citations = tuple(dict.fromkeys(f.n for f in findings))
        return Sentence(text, citations, "verbatim" if verbatim else "supported", score, quotes)


def probability(shared: Overlap) -> float:
    """Return how probably an abstract supports a sentence that shares so much with it, in 0..1."""
    model = shipped().support
    return model.probability({name: getattr(shared, name) for name in model.weights})


def _worth(finding: Finding) -> float:
    return finding.probability - len(finding.against)


def _is_part(text: str, source: str) -> bool:
    """Tell whether a sentence stands in a source word for word, its end apart."""
    return fold(text).rstrip(".!?; ") in fold(source)


def _why(finding: Finding) -> str:
    if finding.against:
        return f"The nearest abstract does not support it: {'; '.join(finding.against)}."
    return "No sentence of the abstracts supports it."
