"""Does an abstract say this? Checks each sentence that a model wrote against the abstracts before it counts."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant import contrast
from assistant.calibration import log_odds, probability, shipped
from assistant.cross_encoder import CrossEncoder
from assistant.encoder import Encoder
from assistant.entailment import LAYERS, Entailment, Side
from assistant.library import Library
from assistant.overlap import Overlap, overlap
from assistant.schema import Paper, Quote, Removed, Sentence
from assistant.selection import Passage, Vector
from assistant.text import content_stems, fold

_CLAUSE = re.compile(r";\s+|,?\s+(?:while|whereas|but)\s+", re.IGNORECASE)

VERBATIM = 9.0  # log odds of what stands in the abstract word for word
CROSS_WEIGHT = 0.5
CROSS_MOST = 3.0  # log odds, either way
_LEAST = 1e-4
_AGAINST = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What paper `n` says of a sentence: the log odds that it supports it, by which passages, and what is against."""

    n: int
    log_odds: float
    passages: tuple[Passage, ...]
    against: tuple[str, ...] = ()


class Verifier:
    """Checks sentences against `papers` by number, their `passages` and the vectors of these, (n, dimension).

    `needed` are the log odds of support that a sentence needs to stand. The learned head is asked where it knows the
    library's encoder, and a cross-encoder where there is one.
    """

    def __init__(
        self,
        library: Library,
        papers: Mapping[int, Paper],
        passages: Sequence[Passage],
        vectors: Vector,
        needed: float,
        cross_encoder: CrossEncoder | None = None,
    ) -> None:
        self.papers = papers
        self._cross_encoder = cross_encoder
        self._library, self._passages, self._vectors, self._needed = library, passages, vectors, needed
        self._head = head_for(library.encoder)
        self._read: dict[str, Side] = {}
        self._found: dict[str, list[Finding]] = {}

    def prepare(self, texts: Iterable[str]) -> None:
        """Read sentences for the head before they are needed, as while a model still reads its prompt."""
        self._sides(list(texts))

    def verify(self, text: str, cited: Collection[int] = ()) -> Sentence | Removed:
        """Return the sentence with the citations that support it, or why it is left out.

        `cited` are the numbers that the model named; they are asked first. Another paper that plainly supports the
        sentence corrects a wrong number.
        """
        if text.rstrip("\"' ").endswith("?") or _says_little(text):
            return Removed(text, tuple(cited), "It says nothing that an abstract could support.")
        findings = self.findings(text)
        named = [f for f in findings if f.n in cited]
        for pool in (named, findings):
            best = max(pool, key=_worth, default=None)
            if best is not None and self._supports(best):
                return self._sentence(text, [best])
        clauses = [clause.strip() for clause in _CLAUSE.split(text) if content_stems(clause)]
        if len(clauses) > 1 and all(len(content_stems(clause)) > 1 for clause in clauses):
            each = [max(self.findings(clause), key=_worth) for clause in clauses]
            if all(map(self._supports, each)):
                return self._sentence(text, each)
        return Removed(text, tuple(cited), _why(max(findings, key=_worth)))

    def findings(self, text: str) -> list[Finding]:
        """Return what each paper has to say of a sentence, in the order of their numbers; found out once."""
        if text not in self._found:
            self._found[text] = self._new_findings(text)
        return self._found[text]

    def _new_findings(self, text: str) -> list[Finding]:
        verbatim = {p.n: Finding(p.n, VERBATIM, (p,)) for p in reversed(self._passages) if _is_part(text, p.text)}
        numbers = dict.fromkeys(p.n for p in self._passages)
        if verbatim.keys() == numbers.keys():
            return [verbatim[n] for n in numbers]
        weights = self._library.terms.idf(content_stems(text))
        claim = None
        if self._head is None:
            vector = self._library.encoder.encode_query(text)
        else:
            tokens = self._library.encoder.token_vectors([text], LAYERS)[0]
            vector, claim = tokens.mean, self._head.read(tokens)
        cosines = self._vectors @ vector
        return [verbatim.get(n) or self._finding(text, weights, cosines, n, claim) for n in numbers]

    def _supports(self, finding: Finding) -> bool:
        return not finding.against and finding.log_odds >= self._needed

    def _finding(self, text: str, weights: Mapping[str, float], cosines: Vector, n: int, claim: Side | None) -> Finding:
        places = [i for i, p in enumerate(self._passages) if p.n == n]
        passages, paper = [self._passages[i] for i in places], self.papers[n]
        shared = overlap(text, weights, passages, cosines[places], paper.name)
        sources = tuple(passages[i] for i in shared.sources)
        nearest = passages[int(cosines[places].argmax())]
        entailed = self._entailed(claim, [p.text for p in {*sources, nearest}])
        known = f"{paper.name} {paper.year or ''} {paper.venue or ''} {' '.join(p.text for p in passages)}"
        against = contrast.contradictions(text, [p.text for p in sources], known)
        finding = Finding(n, support(shared, entailed), sources, tuple(against))
        return self._judged(text, finding, sorted({*sources, nearest}, key=lambda p: p.span.start))

    def _judged(self, text: str, finding: Finding, evidence: Sequence[Passage]) -> Finding:
        """Return a finding with what the cross-encoder adds; it is spared what it could not change."""
        if self._cross_encoder is None or finding.against or finding.log_odds + CROSS_MOST < self._needed:
            return finding
        (opinion,) = self._cross_encoder.judge(" ".join(p.text for p in evidence), [text])
        added = max(-CROSS_MOST, min(CROSS_MOST, CROSS_WEIGHT * opinion.log_odds))
        against = (f"{self._cross_encoder.name} reads the contrary in it",) if opinion.contradicts else ()
        return replace(finding, log_odds=finding.log_odds + added, against=against)

    def _entailed(self, claim: Side | None, evidence: Sequence[str]) -> float:
        """Return the learned head's log odds that one of the sentences says a claim; 0 without a head."""
        if self._head is None or claim is None:
            return 0.0
        best = float(self._head.score(claim, self._sides(evidence)).max())
        return log_odds(min(max(best, _LEAST), 1 - _LEAST))

    def _sides(self, texts: Sequence[str]) -> list[Side]:
        new = [text for text in texts if text not in self._read]
        if self._head is not None and new:
            read = zip(new, self._library.encoder.token_vectors(new, LAYERS), strict=True)
            self._read.update({text: self._head.read(tokens) for text, tokens in read})
        return [self._read[text] for text in texts if text in self._read]

    @staticmethod
    def _sentence(text: str, findings: Sequence[Finding]) -> Sentence:
        used = sorted({p for f in findings for p in f.passages}, key=lambda p: (p.n, p.span.start))
        quotes = tuple(Quote(p.n, p.text, p.span.start, p.span.end) for p in used)
        verbatim = all(len(f.passages) == 1 and _is_part(text, f.passages[0].text) for f in findings)
        score = round(probability(min(f.log_odds for f in findings)), 3)
        citations = tuple(dict.fromkeys(f.n for f in findings))
        return Sentence(text, citations, "verbatim" if verbatim else "supported", score, quotes)


def support(shared: Overlap, entailed: float) -> float:
    """Return the log odds that an abstract supports a sentence that shares so much with it."""
    model = shipped().support
    values = {name: entailed if name == "entailed" else float(getattr(shared, name)) for name in model.weights}
    return model.log_odds(values)


@lru_cache(maxsize=4)
def head_for(encoder: Encoder) -> Entailment | None:
    """Return the learned head, read once an encoder; None for an encoder that it does not know."""
    return Entailment.load(encoder)


def _worth(finding: Finding) -> float:
    return finding.log_odds - _AGAINST * len(finding.against)


def _says_little(text: str) -> bool:
    """Tell whether a text is no statement: less than two words that mean something, of which one is no figure."""
    stems = set(content_stems(text))
    return len(stems) < 2 or not any(stem.isalpha() for stem in stems)


def _is_part(text: str, source: str) -> bool:
    """Tell whether a sentence stands in a source word for word, its end apart."""
    part = re.escape(fold(text).rstrip(".!?; "))
    return bool(re.search(rf"(?<!\w){part}(?!\w)", fold(source)))


def _why(finding: Finding) -> str:
    if finding.against:
        return f"The nearest abstract does not support it: {'; '.join(finding.against)}."
    return "No sentence of the abstracts supports it."
