"""The floor: what a model wrote stands as far as it says as much of the question as quotations would. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from assistant.schema import Composed, Kind, Removed, Sentence
from assistant.selection import asks_figure, coverage, damped, holds_figure
from assistant.text import content_stems

DRAWN_FROM_BEST = 0.85  # share of the best passage's score that one of the passages drawn from must have
BESIDE = 0.45  # a sentence whose passages all stay below this share says something else than was asked
LACKING = 0.12  # share of the question's terms that quotations may cover beyond what was written

Place = tuple[int, int]
"""A passage: its paper's number, and where it starts in the abstract."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The sentences of an answer, who made them, and what was left out because it is beside the question."""

    sentences: tuple[Sentence, ...]
    composed: Composed
    beside: tuple[Removed, ...] = ()


def compose(
    kind: Kind,
    question: str,
    weights: Mapping[str, float],
    written: Sequence[Sentence],
    quoted: Sequence[Sentence],
    worth: Mapping[Place, float],
    words: int,
    *,
    sufficient: bool = True,
) -> Composition:
    """Compose the answer from checked sentences and the quotations that would answer without a model.

    `weights` are idf by stem of the question, `worth` the passages' scores as shares of the best one's, `words` the
    length of an answer that quotations may fill. Without `sufficient` (a model was interrupted, or is too
    small to be relied on) quotations complete the answer in any case.
    """
    written = list(dict.fromkeys(written))
    if kind in ("summary", "compare", "list", "count"):
        return _composition(written, _uncited(written, quoted, words))
    on_point = [s for s in written if _worth(s, worth) >= BESIDE]
    beside = tuple(
        Removed(s.text, s.citations, "It is supported but does not answer the question.")
        for s in written
        if s not in on_point
    )
    if on_point and sufficient and _suffices(question, weights, on_point, quoted, worth):
        return Composition(tuple(on_point), "model", beside)
    kept = [s for s in on_point if _adds(s, question)]
    return _composition(kept, _missing(kept, quoted, worth, words), beside)


def _composition(kept: Sequence[Sentence], added: Sequence[Sentence], beside: tuple[Removed, ...] = ()) -> Composition:
    composed: Composed = "mixed" if kept and added else "model" if kept else "quotations"
    return Composition((*kept, *added), composed, beside)


def _suffices(
    question: str,
    weights: Mapping[str, float],
    written: Sequence[Sentence],
    quoted: Sequence[Sentence],
    worth: Mapping[Place, float],
) -> bool:
    if max(_worth(s, worth) for s in written) < DRAWN_FROM_BEST or not any(_adds(s, question) for s in written):
        return False
    if asks_figure(question) and _hold_figure(quoted) and not _hold_figure(written):
        return False
    terms = damped(weights)
    return coverage(terms, _stems(quoted)) - coverage(terms, _stems(written)) <= LACKING


def _hold_figure(sentences: Sequence[Sentence]) -> bool:
    return any(holds_figure(s.text) for s in sentences)


def _adds(sentence: Sentence, question: str) -> bool:
    """Tell whether a sentence says more than the question does."""
    return bool(set(content_stems(sentence.text)) - set(content_stems(question)))


def _stems(sentences: Sequence[Sentence]) -> frozenset[str]:
    """Return the stems of sentences and of the passages that support them."""
    texts = [s.text for s in sentences] + [quote.quote for s in sentences for quote in s.evidence]
    return frozenset(stem for text in texts for stem in content_stems(text))


def _worth(sentence: Sentence, worth: Mapping[Place, float]) -> float:
    return max((worth.get(place, 0.0) for place in places(sentence)), default=0.0)


def places(sentence: Sentence) -> list[Place]:
    """Return the passages that a sentence rests on."""
    return [(quote.n, quote.start) for quote in sentence.evidence]


def _missing(
    kept: Sequence[Sentence], quoted: Sequence[Sentence], worth: Mapping[Place, float], words: int
) -> list[Sentence]:
    """Return the quotations that say something else than what is kept, the best first to fill up `words`; one at least.

    They come in reading order.
    """
    length = sum(len(s.text.split()) for s in kept) // 2  # half of it says what the quotations do
    added: list[Sentence] = []
    for quotation in sorted(quoted, key=lambda s: -_worth(s, worth)):
        if _said(quotation, kept):
            continue
        length += len(quotation.text.split())
        if length <= words or not added:
            added.append(quotation)
    return [quotation for quotation in quoted if quotation in added]


def _said(quotation: Sentence, kept: Collection[Sentence]) -> bool:
    return any(s.support == "verbatim" and set(places(quotation)) <= set(places(s)) for s in kept)


def _uncited(written: Sequence[Sentence], quoted: Sequence[Sentence], words: int) -> list[Sentence]:
    """Return the quotations of papers that nothing written cites, and while there is room those of other passages."""
    cited = {n for s in written for n in s.citations}
    drawn = {place for s in written for place in places(s)}
    several = len({n for s in quoted for n in s.citations}) > 1
    length = sum(len(s.text.split()) for s in written)
    added: list[Sentence] = []
    for quotation in quoted:
        new = not cited & set(quotation.citations) if several else not drawn & set(places(quotation))
        if new and (several or length + len(quotation.text.split()) <= words or not written):
            added.append(quotation)
            length += len(quotation.text.split())
    return added
