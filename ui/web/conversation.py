"""What one open page holds: its questions, what has been answered so far, and its filters."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.errors import AskpapersError
from assistant.schema import (
    Answer,
    Checked,
    Event,
    Filters,
    Quoted,
    Removed,
    Retrieved,
    Sentence,
    Source,
    Token,
    Turn,
    Waiting,
)
from assistant.text import sentences


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and what its stream has brought so far; each event makes the next one.

    `scope` is the number of papers that the filters admit.
    `waiting` says what a silent model waits for, `typing` is text that nobody has checked, `failure` a sentence for
    the reader. Nothing follows an `answer`
    or a failure, or once the exchange is `stopped`.
    """

    number: int
    question: str
    filters: Filters
    scope: int
    standalone: str | None = None
    sources: tuple[Source, ...] = ()
    quotes: tuple[Sentence, ...] = ()
    checked: tuple[Sentence | Removed, ...] = ()
    waiting: str | None = None
    typing: str = ""
    answer: Answer | None = None
    failure: str | None = None
    stopped: bool = False

    def after(self, event: Event) -> "Exchange":
        """Return the exchange with one more event of its stream."""
        match event:
            case Retrieved(papers, standalone):
                return replace(self, sources=papers, standalone=standalone)
            case Quoted(quotes):
                return replace(self, quotes=quotes)
            case Waiting(reason=reason):
                return self if reason == self.waiting else replace(self, waiting=reason)
            case Token(text):
                return replace(self, typing=self.typing + text, waiting=None)
            case Checked(sentence):
                return replace(self, checked=(*self.checked, sentence), typing=_behind_first(self.typing))
            case Answer():
                return replace(
                    self, answer=event, typing="", sources=event.papers, standalone=event.standalone_question
                )

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.answer is not None or self.stopped or self.failure is not None

    @property
    def kept(self) -> tuple[Sentence, ...]:
        """The sentences that stand: the answer's, else those checked so far, else the quotations."""
        if self.answer:
            return self.answer.sentences
        return tuple(s for s in self.checked if isinstance(s, Sentence)) or self.quotes

    @property
    def removed(self) -> tuple[Removed, ...]:
        """The sentences that were removed so far."""
        return self.answer.removed if self.answer else tuple(s for s in self.checked if isinstance(s, Removed))

    def keyed(self) -> list[tuple[str, Sentence]]:
        """Return the sentences on the page, each with the key by which its highlights find it."""
        if self.over:
            return self._keys("s", self.kept)
        return self._keys("q", self.quotes) + self._keys("d", self.checked)

    def _keys(self, letter: str, shown: Sequence[Sentence | Removed]) -> list[tuple[str, Sentence]]:
        return [(f"{self.number}{letter}{i}", s) for i, s in enumerate(shown) if isinstance(s, Sentence)]

    def turn(self) -> Turn | None:
        """Return what a follow-up may refer to; None when nothing was said."""
        text = self.answer.text if self.answer else " ".join(s.text for s in self.kept)
        ids = {source.n: source.paper.paper_id for source in self.sources}
        papers = tuple(ids.get(n, "") for n in range(1, max(ids, default=0) + 1))
        return Turn(self.question, text, papers) if text else None


def _behind_first(typing: str) -> str:
    """Drop the first sentence of unchecked text: the one that has now been checked."""
    spans = sentences(typing)
    return typing[spans[1].start :] if len(spans) > 1 else ""


@dataclass(slots=True)
class Conversation:
    """The state of one page, never shared between pages. `stopping` is how Stop reaches a running answer."""

    exchanges: list[Exchange] = field(default_factory=list)
    filters: Filters = field(default_factory=Filters)
    asked: int = 0
    busy: bool = False
    stopping: bool = False

    def history(self) -> list[Turn]:
        """Return the earlier turns, oldest first."""
        return [turn for e in self.exchanges if e.over and (turn := e.turn())]

    def begin(self, question: str, scope: int) -> None:
        """Add a question to so many papers; its answer is running from now on."""
        self.exchanges.append(Exchange(self.asked, question, self.filters, scope))
        self.asked += 1
        self.busy, self.stopping = True, False

    def progress(self, items: Sequence[Event | AskpapersError]) -> bool:
        """Add what the running answer brought, unless a new chat has taken its place; return whether it is over."""
        for item in items if self.exchanges else ():
            last = self.exchanges[-1]
            if isinstance(item, AskpapersError):
                self.exchanges[-1] = replace(last, typing="", failure=str(item))
            else:
                self.exchanges[-1] = last.after(item)
        return not self.exchanges or self.exchanges[-1].over

    def finish(self, failure: str | None) -> None:
        """End the running answer; one that is not over was stopped, or broke off for the reason given."""
        if self.exchanges and not self.exchanges[-1].over:
            stopped = self.stopping or failure is None
            self.exchanges[-1] = replace(
                self.exchanges[-1], typing="", stopped=stopped, failure=None if stopped else failure
            )
        self.busy = self.stopping = False

    def wait_until_idle(self, seconds: float) -> None:
        """Wait for a running answer to end, so many seconds at most."""
        deadline = time.monotonic() + seconds
        while self.busy and time.monotonic() < deadline:
            time.sleep(0.02)

    def clear(self) -> None:
        """Begin a new chat; a running answer ends."""
        self.exchanges.clear()
        self.stopping = self.busy
