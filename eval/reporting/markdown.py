"""A report's page as Markdown: the same figures as tables, no text of which is taken for markup."""

import re
from collections.abc import Iterable, Sequence

from eval.reporting.pages import Asked, Block, Cases, Changed, Changes, Page, Plots, Table, Text, Words

_SIGNS = re.compile(r"([\\`*_{}\[\]<>()#|~$&!^])")
_STARTS = re.compile(r"^(\d*)([-+=.](?=[-+=\s]|$))")


def text(page: Page) -> str:
    """Return a page as Markdown; what it shows as a figure stands in its tables."""
    parts = [f"# {escaped(page.title)}", escaped(page.about), *(f"**{escaped(w)}**" for w in page.warnings)]
    if page.tiles:
        rows = [(tile.name, tile.value, tile.interval, tile.mark) for tile in page.tiles]
        parts.append(_rows(("", "", "", ""), rows, words=1))
    for section in page.sections:
        parts.append(f"## {escaped(section.title)}")
        parts += [escaped(section.lead)] if section.lead else []
        parts += [part for block in section.blocks for part in _block(block)]
    return "\n\n".join(parts) + "\n"


def escaped(words: str) -> str:
    r"""Return a text on one line in which no sign means anything to Markdown.

    >>> escaped("a|b <i>")
    'a\\|b \\<i\\>'
    """
    return _STARTS.sub(r"\1\\\2", _SIGNS.sub(r"\\\1", " ".join(words.split())))


def _block(block: Block) -> list[str]:
    match block:
        case Table():
            title = [f"### {escaped(block.title)}"] if block.title else []
            return [*title, _rows(block.head, [line.cells for line in block.lines], block.words)]
        case Text():
            return ["\n".join(f"- {escaped(sentence)}" for sentence in block.sentences)]
        case Cases():
            return [_case(case) for case in block.cases]
        case Changes():
            return [_change(change) for change in block.changes]
        case Plots():
            return []


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]], words: int) -> str:
    rule = ["---" if number < words else "---:" for number in range(len(head))]
    lines = [[escaped(cell) for cell in head], rule, *([escaped(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _case(case: Asked) -> str:
    told = [
        f"### {escaped(case.question_id)} ({escaped(case.kind)})",
        f"**{escaped(case.question)}**",
        escaped(" ".join(part for part, _ in case.answer)) or "(no answer)",
    ]
    items = [
        *_item("Facts", case.facts),
        *_item("Papers", case.papers),
        *_item("Removed", case.removed),
        *_item("Fell short", case.failed),
    ]
    if case.reference:
        items.append(f"- Reference: {escaped(case.reference)}")
    return "\n\n".join([*told, *(["\n".join(items)] if items else [])])


def _item(name: str, words: Words) -> list[str]:
    return [f"- {name}: " + "; ".join(f"{escaped(what)} – {escaped(how)}" for what, how in words)] if words else []


def _change(change: Changed) -> str:
    sides = [" ".join(part for part, _ in side) for side in (change.before, change.after)]
    return "\n\n".join(
        [
            f"### {escaped(change.question_id)} ({escaped(change.kind)}){f': {change.way}' if change.way else ''}",
            f"**{escaped(change.question)}**",
            _rows(("before", "after"), [sides], words=2),
            "; ".join(escaped(what) for what, _ in change.moves) or "Only the wording changed.",
        ]
    )
