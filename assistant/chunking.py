"""From a paper to what the encoder reads: sentences, each within as much of its abstract as fits. Pure functions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from assistant.schema import Chunk, Paper, Span
from assistant.text import sentences

RECIPE: Final = "sentences in context, 1"
"""Names this way of cutting; a library made with another one is refused."""

CountTokens = Callable[[Sequence[str]], Sequence[int]]
"""How many tokens the encoder reads for each text, its special tokens included."""


@dataclass(frozen=True, slots=True)
class Context:
    """One text that the encoder reads in one pass, and the chunks that get a vector from it.

    `text` begins with the paper's title, `heading` characters long, and goes on with whole sentences; `spans` are the
    chunks' places in it.
    """

    text: str
    heading: int
    spans: tuple[Span, ...]
    chunks: tuple[Chunk, ...]


def contexts(paper: Paper, count_tokens: CountTokens, max_tokens: int) -> list[Context]:
    """Cut a paper into contexts: its title and as many of its next sentences as fit, or the title alone.

    Each sentence is a chunk of one context. No context is longer than `max_tokens`: a sentence that doesn't fit is cut
    between words into several chunks, and so is a title; every word stands in some chunk. Papers with the same text
    share chunk ids.
    """
    title = paper.title or ""
    texts = [paper.abstract[s.start : s.end] for s in sentences(paper.abstract)]
    heading_tokens, *lengths = count_tokens([title, *texts])
    heading = f"{title}\n" if title and texts and heading_tokens <= max_tokens // 2 else ""
    room = max_tokens - (heading_tokens + 1 if heading else 0)
    pieces: list[tuple[str, int]] = [] if heading or not title else _pieces(title, heading_tokens, count_tokens, room)
    for text, length in zip(texts, lengths, strict=True):
        pieces += _pieces(text, length, count_tokens, room)
    return [_context(paper.paper_id, heading, group) for group in _packed(pieces, room)]


def _pieces(text: str, tokens: int, count_tokens: CountTokens, room: int) -> list[tuple[str, int]]:
    """Return a text, halved until every part fits, each part with its tokens."""
    if tokens <= room or len(text) < 2:
        return [(text, tokens)] if text else []
    halves = _halves(text)
    return [
        p for half, n in zip(halves, count_tokens(halves), strict=True) for p in _pieces(half, n, count_tokens, room)
    ]


def _packed(pieces: Iterable[tuple[str, int]], room: int) -> list[list[str]]:
    """Group pieces that follow each other so that no group has more than `room` tokens.

    Counts of pieces, each with its special tokens, add up to at least the count of them together.
    """
    groups: list[list[str]] = []
    free = 0
    for text, tokens in pieces:
        if not groups or tokens > free:
            groups.append([])
            free = room
        groups[-1].append(text)
        free -= tokens
    return groups


def _context(paper_id: str, heading: str, texts: Sequence[str]) -> Context:
    text = heading + " ".join(texts)
    spans, start = [], len(heading)
    for piece in texts:
        spans.append(Span(start, start + len(piece)))
        start += len(piece) + 1
    chunks = tuple(
        Chunk(_chunk_id(text, len(heading), span), paper_id, piece) for span, piece in zip(spans, texts, strict=True)
    )
    return Context(text, len(heading), tuple(spans), chunks)


def _chunk_id(text: str, heading: int, span: Span) -> str:
    """Return an id that is the same wherever the encoder reads the same, in every library."""
    read = f"{heading} {span.start} {span.end} {text}"
    return sha256(read.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _halves(text: str) -> tuple[str, str]:
    """Cut a text at the white space nearest to its middle, or in the middle of its only word."""
    middle = len(text) // 2
    left, right = text.rfind(" ", 1, middle), text.find(" ", middle, -1)
    gaps = [gap for gap in (left, right) if gap > 0]
    if not gaps:
        return text[:middle], text[middle:]
    cut = min(gaps, key=lambda gap: abs(gap - middle))
    return text[:cut].rstrip() or text[:middle], text[cut:].lstrip() or text[middle:]
