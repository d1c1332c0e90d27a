"""Texts cut into what the page builds: words, formulas, and stretches to highlight. Pure functions.

A run is `{"t": text}` for words, or `{"t": source, "m": tree or null}` for a formula (`mathematics.mathml`),
with `"k": [key, …]` where it is highlighted. The runs of a text, joined by their `t`, are that text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.schema import Json, Span
from ui.web.mathematics import mathml

_FORMULA = re.compile(
    r"""
    (?<!\\)\$\$(?P<block>(?:\\.|[^\\$])+?)\$\$
    | \\\[(?P<bracket>.+?)\\\]
    | \\\((?P<paren>.+?)\\\)
    # Pandoc's rule: no space inside the dollars, no digit behind them; so that prices stay text
    | (?<!\\)\$(?=\S)(?P<inline>(?:\\.|[^\\$])+?)(?<!\s)\$(?!\d)
    """,
    re.VERBOSE | re.DOTALL,
)
_PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a text: words, or one formula with its delimiters and, inside them, its LaTeX."""

    start: int
    end: int
    latex: str | None = None
    display: bool = False


@dataclass(frozen=True, slots=True)
class Highlight:
    """A stretch of a text that supports the sentence `key`."""

    span: Span
    key: str


def segments(text: str) -> list[Segment]:
    """Cut a text into words and formulas; the segments are in order, not empty, and cover it."""
    found, at = [], 0
    for match in _FORMULA.finditer(text):
        if _PARAGRAPH.search(match.group()):
            continue
        if match.start() > at:
            found.append(Segment(at, match.start()))
        group = match.lastgroup or ""
        found.append(Segment(*match.span(), match[group].strip(), group in ("block", "bracket")))
        at = match.end()
    if at < len(text):
        found.append(Segment(at, len(text)))
    return found


def runs(text: str, highlights: Iterable[Highlight] = ()) -> list[Json]:
    """Cut a text at its formulas and at the ends of the highlights.

    A highlight that ends inside a formula takes the whole of it. Offsets outside the text are cut to it.
    """
    marks = list(highlights)
    cuts = sorted({m.span.start for m in marks} | {m.span.end for m in marks})
    pieces: list[Json] = []
    for segment in segments(text):
        if segment.latex is not None:
            pieces.append(_run(text, segment, marks))
            continue
        ends = [c for c in cuts if segment.start < c < segment.end] + [segment.end]
        start = segment.start
        for end in ends:
            pieces.append(_run(text, Segment(start, end), marks))
            start = end
    return pieces


def _run(text: str, segment: Segment, marks: list[Highlight]) -> dict[str, Json]:
    run: dict[str, Json] = {"t": text[segment.start : segment.end]}
    if segment.latex is not None:
        run["m"] = mathml(segment.latex, segment.display)
    keys = {m.key: None for m in marks if m.span.start < segment.end and segment.start < m.span.end}
    if keys:
        run["k"] = list(keys)
    return run
