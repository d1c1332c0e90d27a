"""From a paper to the texts that the encoder reads. Pure functions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from assistant.schema import Chunk, Paper, Span
from assistant.text import sentences

CountTokens = Callable[[Sequence[str]], Sequence[int]]
"""How many tokens the encoder reads for each text, its special tokens included."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How abstracts are cut: windows of `window` sentences, each sharing `overlap` with the one before.

    With `whole_abstract` the abstract is a chunk too where it fits the encoder.
    """

    window: int = 3
    overlap: int = 1
    whole_abstract: bool = False


DEFAULT = Recipe()


def chunk_id(text: str) -> str:
    """Return the id of a chunk's text, the same in every library and for every encoder."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def chunks(paper: Paper, recipe: Recipe, count_tokens: CountTokens, max_tokens: int) -> list[Chunk]:
    """Cut a paper into chunks: its title and a window of sentences each, or the title alone.

    No chunk is longer than `max_tokens`: a window too long is cut between sentences, a sentence too long between
    words, and every word stands in some chunk. Papers with the same text share chunk ids.
    """
    title = paper.title or ""
    cutter = _Cutter(title, paper.abstract, sentences(paper.abstract), count_tokens, max_tokens)
    texts = dict.fromkeys(cutter.texts(recipe))
    return [Chunk(chunk_id(text), paper.paper_id, text) for text in texts]


class _Cutter:
    """Cuts one abstract. A run is a range of its sentences by their numbers."""

    def __init__(self, title: str, abstract: str, spans: list[Span], count: CountTokens, max_tokens: int) -> None:
        self.count, self.max_tokens = count, max_tokens
        self.title, self.abstract, self.spans = title, abstract, spans
        heading, *lengths = count([title, *(abstract[s.start : s.end] for s in spans)])
        self.lengths = lengths
        self.heading = heading if title else 0
        # A title that leaves no room for a sentence stands in chunks of its own.
        self.prefix = f"{title}\n" if title and heading <= max_tokens // 2 else ""

    def texts(self, recipe: Recipe) -> Iterator[str]:
        number = len(self.spans)
        whole = range(number)
        if (self.title and not self.prefix) or not number:
            yield from self._cut_text(self.title, "")
        if recipe.whole_abstract and number and self._fits(self._text(whole), self._estimate(whole)):
            yield self._text(whole)
            if number <= recipe.window:
                return
        for run in windows(number, recipe):
            yield from self._cut(run)

    def _cut(self, run: range) -> Iterator[str]:
        text = self._text(run)
        if self._fits(text, self._estimate(run)):
            yield text
        elif len(run) > 1:
            middle = len(run) // 2
            yield from self._cut(run[:middle])
            yield from self._cut(run[middle:])
        else:
            span = self.spans[run[0]]
            yield from self._cut_text(self.abstract[span.start : span.end], self.prefix)

    def _cut_text(self, text: str, prefix: str) -> Iterator[str]:
        if self._fits(prefix + text) or len(text) < 2:
            if text:
                yield prefix + text
            return
        left, right = _halves(text)
        yield from self._cut_text(left, prefix)
        yield from self._cut_text(right, prefix)

    def _text(self, run: range) -> str:
        return self.prefix + self.abstract[self.spans[run[0]].start : self.spans[run[-1]].end]

    def _estimate(self, run: range) -> int:
        return self.heading + sum(self.lengths[i] for i in run)

    def _fits(self, text: str, estimate: int | None = None) -> bool:
        # Counts of sentences, each with its special tokens, add up to more than the count of the whole in practice;
        # the margin makes sure of it for any tokenizer, and most chunks need not be counted again.
        if estimate is not None and estimate <= 0.8 * self.max_tokens:
            return True
        return self.count([text])[0] <= self.max_tokens


def windows(number: int, recipe: Recipe) -> Iterator[range]:
    """Yield the runs of sentences that cover `number` of them; the last may be shorter."""
    stride = max(1, recipe.window - recipe.overlap)
    for start in range(0, number, stride):
        yield range(start, min(start + recipe.window, number))
        if start + recipe.window >= number:
            return


def _halves(text: str) -> tuple[str, str]:
    """Cut a text at the white space nearest to its middle, or in the middle of its only word."""
    middle = len(text) // 2
    gaps = [i for i, c in enumerate(text) if c.isspace() and text[:i].strip() and text[i:].strip()]
    if not gaps:
        return text[:middle], text[middle:]
    cut = min(gaps, key=lambda i: abs(i - middle))
    return text[:cut].rstrip(), text[cut:].lstrip()
