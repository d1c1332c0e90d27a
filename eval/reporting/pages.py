"""What a report's page is made of: sections of tables, figures, questions and changes, before HTML or Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval.reporting.plots import Plot
from eval.statistics import Estimate

Words = tuple[tuple[str, str], ...]
"""A text in pieces, each with how it is marked: "", or a word that the page's style knows."""


@dataclass(frozen=True, slots=True)
class Line:
    """A table's row: its cells, a note below the first, a mark, and where an interval lies on the scale from 0 to 1.

    What stands in brackets at the end of a cell may be shown smaller.
    """

    cells: tuple[str, ...]
    note: str = ""
    mark: str = ""
    span: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; all columns but the first `words` hold figures. One with a title may be folded away under it."""

    head: tuple[str, ...]
    lines: tuple[Line, ...]
    title: str = ""
    words: int = 1
    form: str = "table"


@dataclass(frozen=True, slots=True)
class Plots:
    """Figures by the id of their element, side by side where they are `small`."""

    plots: Mapping[str, Plot]
    small: bool = False
    form: str = "plots"


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences, one a line."""

    sentences: tuple[str, ...]
    form: str = "text"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that went wrong: what was answered, what had been expected, and the measures that say so."""

    question_id: str
    kind: str
    question: str
    answer: Words
    removed: Words
    facts: Words
    papers: Words
    failed: Words
    reference: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Cases:
    """Questions, the worst first."""

    cases: tuple[Asked, ...]
    form: str = "cases"


@dataclass(frozen=True, slots=True)
class Changed:
    """A question before and after: both answers, words that only one has marked, and the measures that moved."""

    question_id: str
    kind: str
    question: str
    way: str
    before: Words
    after: Words
    moves: Words


@dataclass(frozen=True, slots=True)
class Changes:
    """Questions whose answers changed."""

    changes: tuple[Changed, ...]
    form: str = "changes"


Block = Table | Plots | Text | Cases | Changes


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under its title."""

    title: str
    blocks: tuple[Block, ...]
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure that stands at the top: its name, its value, its interval."""

    name: str
    value: str
    interval: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report."""

    title: str
    about: str
    tiles: tuple[Tile, ...]
    sections: tuple[Section, ...]
    warnings: tuple[str, ...] = field(default=())

    def plots(self) -> dict[str, Plot]:
        """Return all figures by the id of their element."""
        blocks = [block for section in self.sections for block in section.blocks]
        return {name: plot for block in blocks if isinstance(block, Plots) for name, plot in block.plots.items()}


def figure(value: float | None, like: float | None = None) -> str:
    """Return a value as it is read; with as many digits as one `like` it, which can be larger."""
    if value is None:
        return "–"
    size = max(abs(value), abs(like or 0.0))
    digits = 0 if size >= 100 else 1 if size >= 10 else 3
    return f"{value:,.{digits}f}"


def interval(estimate: Estimate | None) -> str:
    """Return an interval as it is read."""
    if estimate is None:
        return ""
    return f"{figure(estimate.low, estimate.high)}–{figure(estimate.high, estimate.high)}"


def span(estimate: Estimate | None) -> tuple[float, float, float] | None:
    """Return low, mean and high of what lies between 0 and 1, else None."""
    if estimate is None or not 0 <= estimate.low <= estimate.high <= 1:
        return None
    return estimate.low, estimate.mean, estimate.high


def spoken(name: str) -> str:
    """Return a measure's name in words."""
    return name.replace("_", " ")


def counted(number: int, what: str) -> str:
    """Return a number of things: "1 question", "2 questions"."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def listed(pairs: Sequence[tuple[str, str]], title: str = "", head: tuple[str, str] = ("", "")) -> Table:
    """Return a table of names and values."""
    return Table(head, tuple(Line(pair) for pair in pairs), title, words=2)
