"""Whether abstracts say what an answer says, found out anew: nothing that the assistant claims of itself is used."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from assistant.answering import vectors_of
from assistant.figures import figures, foreign
from assistant.library import Library
from assistant.schema import Answer, Paper, Sentence
from assistant.selection import passages
from assistant.support import Verifier
from assistant.text import content_stems

NEEDED = 0.75
"""Log odds of support that a sentence needs here, whoever wrote it: what the assistant asks of the smallest models."""


class Grounding:
    """Asks which papers of an answer support its sentences: those cited first, the others where it matters."""

    def __init__(self, library: Library, answer: Answer) -> None:
        self._library = library
        self._papers = {source.n: source.paper for source in answer.papers}
        self._verifiers: dict[frozenset[int], Verifier | None] = {}

    def supporting(self, text: str, numbers: Collection[int]) -> frozenset[int]:
        """Return those of the numbered papers each of which alone supports a sentence."""
        verifier = self._verifier(numbers) if content_stems(text) else None  # else every abstract holds it
        found = verifier.findings(text) if verifier else ()
        return frozenset(f.n for f in found if not f.against and f.log_odds >= NEEDED)

    def together(self, sentence: Sentence) -> bool:
        """Tell whether the papers that a sentence cites support it: one of them, or each clause one of them."""
        if self.supporting(sentence.text, sentence.citations):
            return True
        several = len(sentence.citations) > 1 and content_stems(sentence.text)
        verifier = self._verifier(sentence.citations) if several else None
        return verifier is not None and isinstance(verifier.verify(sentence.text, sentence.citations), Sentence)

    def at_all(self, sentence: Sentence) -> bool:
        """Tell whether some paper of the answer's list supports a sentence, cited or not."""
        return self.together(sentence) or bool(self.supporting(sentence.text, self._papers))

    def _verifier(self, numbers: Collection[int]) -> Verifier | None:
        """Return what asks the numbered papers; None when none of them has an abstract."""
        key = frozenset(n for n in numbers if n in self._papers)
        if key not in self._verifiers:
            papers = {n: self._papers[n] for n in sorted(key)}
            texts = [passage for n, paper in papers.items() for passage in passages(n, paper)]
            vectors = vectors_of(self._library, papers, texts) if texts else None
            made = None if vectors is None else Verifier(self._library, papers, texts, vectors, NEEDED)
            self._verifiers[key] = made
        return self._verifiers[key]


def citation_recall(sentences: Sequence[Sentence], grounding: Grounding) -> float:
    """Return the share of sentences that their citations, taken together, support (Gao et al. 2023, ALCE)."""
    return _mean([float(grounding.together(s)) for s in sentences])


def citation_precision(sentences: Sequence[Sentence], grounding: Grounding) -> float | None:
    """Return the share of citations that are needed (ALCE); None when there is no citation.

    A citation counts when its sentence is supported and its paper supports it alone, or the others don't without it.
    """
    needed: list[float] = []
    for sentence in sentences:
        alone = grounding.supporting(sentence.text, sentence.citations)
        several = not alone and grounding.together(sentence)
        needed += [float(n in alone or (several and _misses(sentence, n, grounding))) for n in sentence.citations]
    return _mean(needed) if needed else None


def _misses(sentence: Sentence, n: int, grounding: Grounding) -> bool:
    """Tell whether a sentence that its citations support together lacks support without one of them."""
    others = tuple(other for other in sentence.citations if other != n)
    return not grounding.together(replace(sentence, citations=others))


def groundedness(sentences: Sequence[Sentence], grounding: Grounding) -> float:
    """Return the share of sentences that some paper of the answer's list supports, cited or not."""
    return _mean([float(grounding.at_all(s)) for s in sentences])


def foreign_figures(sentences: Sequence[Sentence], papers: Mapping[int, Paper]) -> float:
    """Return the share of sentences with a figure that no paper they cite holds, by value and unit."""
    return _mean([float(bool(foreign(figures(s.text), figures(_record(s.citations, papers))))) for s in sentences])


def _record(numbers: Collection[int], papers: Mapping[int, Paper]) -> str:
    held = [papers[n] for n in numbers if n in papers]
    return " ".join(f"{p.name} {p.year or ''} {p.venue or ''} {p.abstract}" for p in held)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
