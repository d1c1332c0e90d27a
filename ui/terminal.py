"""What people read in a terminal: answers, sources, tables, progress; in a pipe the same words, unstyled.

Results go to standard output; progress and messages to standard error.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from assistant.schema import Answer, Checked, Event, Paper, Quoted, Removed, Retrieved, Sentence, Waiting

_WIDEST = 96
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """One line of text without the control characters by which a document could steer the terminal."""
    return " ".join(_CONTROL.sub("", text).split())


def byline(paper: Paper) -> str:
    """Authors, venue and year: "A. Moon, B. Sun, C. Star et al., ICML 2026"."""
    authors = ", ".join(paper.authors[:3]) + (" et al." if len(paper.authors) > 3 else "")
    published = " ".join(str(part) for part in (paper.venue, paper.year) if part)
    return clean(", ".join(part for part in (authors, published) if part))


def link(paper: Paper) -> str | None:
    """The paper's web address: its own, or its DOI's."""
    if paper.url and re.match(r"https?://", paper.url):
        return clean(paper.url)
    return f"https://doi.org/{clean(paper.doi)}" if paper.doi else None


def say(message: str) -> None:
    """Write a message for the user to standard error."""
    _errors().print(Text(message), soft_wrap=True)


def show_answer(answer: Answer, verbose: bool = False) -> None:
    """Write an answer with its sources; an abstention with the nearest papers."""
    console = _results()
    _show(console, *_body(answer))
    listed = answer.papers if answer.abstained else [source for source in answer.papers if source.cited]
    if listed:
        console.print()
        _show(console, Text("Nearest papers" if answer.abstained else "Sources", "bold"))
        for source in listed:
            _show_entry(console, f"[{source.n}]", source.paper)
    if answer.removed:
        console.print()
        _show(console, *_removed(answer.removed, verbose))


def show_papers(rows: Sequence[tuple[float, Paper]]) -> None:
    """Write ranked papers with their scores."""
    console = _results()
    for rank, (score, paper) in enumerate(rows, 1):
        _show_entry(console, f"{rank}.", paper, f"{score:.2f}  {paper.paper_id}")


def show_catalogue(papers: Iterable[Paper]) -> None:
    """Write a table of papers; piped, a line each: id, year, venue, title and authors between tabs."""
    console = _console(sys.stdout, widest=160)
    rows = ((p.paper_id, str(p.year or ""), clean(p.venue or ""), clean(p.name), _authors(p)) for p in papers)
    if not console.is_terminal:
        for row in rows:
            console.file.write("\t".join(row) + "\n")
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, ratio in (("Paper", 5), ("Authors", 2)):
        table.add_column(name, ratio=ratio)
    for name in ("Year", "Venue"):
        table.add_column(name, max_width=14)
    table.add_column("Id", ratio=2, overflow="fold", style="dim")
    for paper_id, year, venue, name, authors in rows:
        table.add_row(*(Text(cell) for cell in (name, authors, year, venue, paper_id)))
    console.print(table)


def show_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Write names with their values, one a line, the values aligned."""
    console = _results()
    listed = [(name, clean(value)) for name, value in pairs]
    width = max((len(name) for name, _ in listed), default=0)
    for name, value in listed:
        _show(console, Text.assemble((name.ljust(width + 2), "dim"), value))


def show_grid(rows: Sequence[Sequence[str]]) -> None:
    """Write a table whose first row names the columns."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        _show(_results(), Text(line.rstrip(), "dim" if number == 0 else ""))


def show_finding(state: str, sentence: str, style: str) -> None:
    """Write a finding after its state."""
    _show(_results(), Text.assemble((f"{state:<9}", style), clean(sentence)))


def show_text(text: str, style: str = "") -> None:
    """Write a paragraph."""
    _show(_results(), Text(clean(text), style))


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar with rate and time left while work goes on; yields what to call with done and total."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    console = _errors()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(label, total=None, rate="")

        def advance(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:.0f}/s" if speed else "")

        yield advance


@contextmanager
def download(label: str) -> Iterator[Callable[[str, int | None, int | None], None]]:
    """Show a bar in bytes while something is fetched; yields what to call with the step, bytes done and in all."""
    columns: tuple[ProgressColumn, ...] = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    columns += (TransferSpeedColumn(), TimeRemainingColumn())
    console = _errors()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task, steps = bar.add_task(label, total=None), {""}

        def advance(step: str, done: int | None, total: int | None) -> None:
            if step not in steps:
                steps.add(step)
                bar.reset(task, total=total)
            shown = label if total else f"{label}: {clean(step)}"
            bar.update(task, description=shown, completed=done or 0, total=total)

        yield advance


@contextmanager
def watching(written: bool) -> Iterator[Callable[[Event], None]]:
    """Show an answer while it is made; yields what to call with each event. Gone at the end.

    `written` says that a model writes after the quotations.
    """
    console = _errors()
    if not console.is_terminal:
        yield lambda _: None
        return
    view = _Progress(written)
    with Live(view.render(), console=console, transient=True, refresh_per_second=8) as live:

        def see(event: Event) -> None:
            view.see(event)
            live.update(view.render())

        yield see


class _Progress:
    """What stands on the screen before the answer is complete: quotations, then the sentences that held."""

    def __init__(self, written: bool) -> None:
        self._found = "Found in the abstracts" + ("; the model is reading them" if written else "")
        self._state = "Searching"
        self._quoted: tuple[Sentence, ...] = ()
        self._checked: list[Sentence] = []

    def see(self, event: Event) -> None:
        if isinstance(event, Retrieved):
            self._state = "Reading the abstracts"
        elif isinstance(event, Quoted):
            self._quoted, self._state = event.sentences, self._found
        elif isinstance(event, Waiting):
            self._state = event.reason.rstrip(".") if event.reason else self._going_on()
        elif isinstance(event, Checked) and isinstance(event.sentence, Sentence):
            self._checked.append(event.sentence)
            self._state = "The model is writing"

    def _going_on(self) -> str:
        if self._checked:
            return "The model is writing"
        return self._found if self._quoted else "Searching"

    def render(self) -> Group:
        shown = _prose(self._checked or self._quoted)
        return Group(shown, Spinner("dots", Text(self._state + " …", "dim")))


def _results() -> Console:
    return _console(sys.stdout)


def _errors() -> Console:
    return _console(sys.stderr)


def _console(stream: TextIO, widest: int = _WIDEST) -> Console:
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.width = min(console.width, widest)
    return console


def _show(console: Console, *parts: Text) -> None:
    """Wrap at words in a terminal; leave lines whole in a pipe, for tools that read lines."""
    for part in parts:
        console.print(part, soft_wrap=not console.is_terminal)


def _body(answer: Answer) -> list[Text]:
    """An answer's text: flowing sentences, a list as its items, or what an abstention says."""
    if not answer.sentences:
        return [_marked(line) for line in answer.text.splitlines()]
    if "\n" in answer.text:
        return [_sentence(sentence) for sentence in answer.sentences]
    return [_prose(answer.sentences)]


def _prose(sentences: Iterable[Sentence]) -> Text:
    return Text(" ").join(_sentence(sentence) for sentence in sentences)


def _sentence(sentence: Sentence) -> Text:
    text = clean(sentence.text)
    shown = Text(f"“{text}”" if sentence.support == "verbatim" else text)
    for n in sentence.citations:
        shown.append(" ").append(f"[{n}]", "cyan")
    return shown


def _marked(text: str) -> Text:
    shown = Text(clean(text))
    shown.highlight_regex(r"\[\d+\]", "cyan")
    return shown


def _show_entry(console: Console, mark: str, paper: Paper, note: str | None = None) -> None:
    """One paper beside its mark: its name, and below it who, where and the link."""
    lines = [Text(clean(paper.name), "bold")]
    lines += [Text(line, "dim") for line in (byline(paper), link(paper), note) if line]
    if console.is_terminal:
        grid = Table.grid(padding=(0, 1))
        grid.add_row(Text(mark, "cyan"), Text("\n").join(lines))
        console.print(grid)
    else:
        indent = "\n" + " " * (len(mark) + 1)
        _show(console, Text(f"{mark} ") + Text(indent).join(lines))


def _authors(paper: Paper) -> str:
    return clean(", ".join(paper.authors[:2]) + (" et al." if len(paper.authors) > 2 else ""))


def _removed(removed: Sequence[Removed], verbose: bool) -> list[Text]:
    some = "1 sentence was" if len(removed) == 1 else f"{len(removed)} sentences were"
    told = [Text(f"{some} removed: the abstracts do not support what the model wrote.", "dim")]
    if verbose:
        told += [Text(f"- {clean(each.text)} ({clean(each.why)})", "dim") for each in removed]
    return told
