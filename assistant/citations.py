"""Markers, the bracketed numbers of papers in a text: take them out, put them back, split a stream. Pure."""

import re
from collections.abc import Collection, Iterable

from assistant.text import sentences

_NUMBERS = r"\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*"
_MARKER = re.compile(rf"\[({_NUMBERS})\]")
_LENTICULAR = re.compile(rf"【({_NUMBERS})】")
_NUMBER_OR_RANGE = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")
_LONGEST_RANGE = 20
_LARGEST_LOOKALIKE = 99
_INTERVAL_LEAD = re.compile(
    r"(?:\b(?:in|interval|intervals|range|ranges|within|between|from|to|of|over|is|are)|[=∈×(]|\\in)\s*\$?\s*\Z",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|p|br|hr|div|span|script|style|img|ul|ol|li|h[1-6]|code|pre|su[pb]|table|t[dhr]|tbody|iframe"
    r"|svg|mark|small|font|center|html|body|head|input|form|button|link|meta|object|embed|video|audio)(?:\s[^<>=]*=[^<>]*|\s*/?)>"
    r"|<\|[^|<>]*\|>|```\w*",
    re.IGNORECASE,
)
_WRAPPING = re.compile(r"\A[\s{\[]*\"\w+\"\s*:\s*\"?|\"\s*[,}\]][\s,}\]]*\Z")
_TRAILING = re.compile(rf"(?:\s*{_MARKER.pattern}[.!?,;]*)*")
_GLUED = re.compile(rf"(?<=[.!?])(?={_MARKER.pattern})")
_MARKER_BEGUN = re.compile(r"\s*(?:[\[【][\d\s,;–-]*)?\Z")
_BULLETS = re.compile(r"\A(?:\s*(?:[-*•]|\d{1,2}[.)])\s+)+(?=\S)")
_FORMULA_LOOKAHEAD = 80  # how far assistant.text looks for the dollar that closes a formula


def split(text: str, valid: Collection[int]) -> tuple[str, tuple[int, ...]]:
    """Take the markers, and markup and JSON that are none of the abstracts', out of a model's sentence.

    Return the text without them and the numbers of `valid` that they name, in order, each once. Brackets are
    a marker when all their numbers are valid. What merely looks like one is taken out without being cited: a
    single number up to 99, or several at the end. `[0,1]` and `[2017]` are text; `【1】` is read as `[1]`.
    """
    cited: dict[int, None] = {}
    text = _WRAPPING.sub("", _MARKUP.sub("", _LENTICULAR.sub(r"[\1]", text)))
    while (found := _next_marker(text, valid)) is not None:
        match, numbers = found
        cited.update(dict.fromkeys(numbers))
        text = _without(text, match.start(), match.end())
    return text.strip(), tuple(cited)


def render(text: str, citations: Iterable[int]) -> str:
    """Return the text followed by its markers, as `text [1] [2]`."""
    return " ".join([text, *(f"[{n}]" for n in citations)]).strip()


class SentenceStream:
    """Splits text that arrives in pieces into sentences, each with the markers that belong to it.

    Where the pieces begin and end makes no difference. Markers behind a full stop belong to the sentence
    before them; a line break always ends a sentence; bullets and numbers of list items are left out.
    """

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> list[str]:
        """Take one more piece and return the sentences that are now complete."""
        *lines, rest = (self._rest + piece).replace("\r", " ").split("\n")
        complete: list[str] = []
        for line in lines:
            complete += self._ended(line)
        more, self._rest = self._complete(rest, ended=False)
        return complete + more

    def finish(self) -> list[str]:
        """Return what is left, its last sentence possibly unfinished, and start afresh."""
        rest, self._rest = self._rest, ""
        return self._ended(rest)

    def _ended(self, line: str) -> list[str]:
        complete, last = self._complete(line, ended=True)
        return [*complete, last.strip()] if _has_words(last) else complete

    def _complete(self, line: str, *, ended: bool) -> tuple[list[str], str]:
        line = _BULLETS.sub("", _GLUED.sub(" ", _LENTICULAR.sub(r"[\1]", line)))
        complete: list[str] = []
        while (end := _first_end(line, ended=ended)) is not None:
            complete.append(line[:end].strip())
            line = _BULLETS.sub("", line[end:])
        return [sentence for sentence in complete if _has_words(sentence)], line


def _first_end(line: str, *, ended: bool) -> int | None:
    """Return where the first of several sentences ends, or None where that may still change."""
    spans = sentences(line, capitalised=True)  # what the rest will hold is not known yet
    if len(spans) < 2:
        return None
    first = spans[0]
    end = first.end
    markers = _TRAILING.match(line, end)
    behind = markers.end() if markers else end
    if ended:
        return behind
    formula_open = line.count("$", first.start, end) % 2 == 1 and len(line) - end < _FORMULA_LOOKAHEAD
    return None if formula_open or _MARKER_BEGUN.match(line, behind) else behind


def _has_words(sentence: str) -> bool:
    return any(c.isalnum() for c in _MARKER.sub("", sentence))


def _next_marker(text: str, valid: Collection[int]) -> tuple[re.Match[str], list[int]] | None:
    for match in _MARKER.finditer(text):
        numbers = _numbers(match.group(1))
        if numbers and all(n in valid for n in numbers):
            return match, numbers
        if _looks_like_marker(text, match, numbers):
            return match, []
    return None


def _numbers(inside: str) -> list[int]:
    """Return the numbers that a marker names, its ranges spelled out; empty when a range runs back or far."""
    numbers: list[int] = []
    for first, last in _NUMBER_OR_RANGE.findall(inside):
        low, high = int(first), int(last or first)
        if not low <= high < low + _LONGEST_RANGE:
            return []
        numbers += range(low, high + 1)
    return numbers


def _looks_like_marker(text: str, match: re.Match[str], numbers: list[int]) -> bool:
    if not numbers or min(numbers) < 1 or max(numbers) > _LARGEST_LOOKALIKE:
        return False
    if len(numbers) == 1:
        return True
    at_end = not _MARKER.sub("", text[match.end() :]).strip(" .!?,;:")
    return at_end and not _INTERVAL_LEAD.search(text, 0, match.start())


def _without(text: str, start: int, end: int) -> str:
    before, after = text[:start], text[end:]
    if not after or after[0].isspace() or after[0] in ".,;:!?)":
        before = before.rstrip()
    return before + after
