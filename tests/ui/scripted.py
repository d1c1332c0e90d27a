"""An answerer with prepared answers: what stands behind the model boundary in the tests of the page."""

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.errors import ChatModelUnreachable
from assistant.schema import (
    EVERYTHING,
    Answer,
    Checked,
    Event,
    Filters,
    Paper,
    Quote,
    Quoted,
    Removed,
    Retrieved,
    Sentence,
    Source,
    Token,
    Turn,
    Waiting,
)
from ui.preload import Loadable

TIDE = Paper(
    "p-tide",
    title="TideNet: Forecasting Estuary Tides with $O(n \\log n)$ Attention",
    abstract="Estuary tides are hard to forecast. TideNet attends to gauges along the river at a cost of"
    " $O(n \\log n)$. It lowers the error of six-hour forecasts by 18% where $x<y$ and $a>b$. Training costs between"
    " $5 and $10 an hour.",
    authors=("Ilka Brandvoll", "Tomé Arrizaga", "Wen Haoran"),
    year=2025,
    venue="Harbour",
    url="https://openreview.net/forum?id=tide",
    doi="10.1234/tide",
)
SALT = Paper(
    "p-salt",
    label="SaltMarsh",
    abstract="Salt marshes store carbon. We map them from space with a network that we call SaltMarsh."
    " SaltMarsh finds 94% of the marshes that surveyors find.",
    authors=tuple(f"Surveyor Number{i}" for i in range(9)),
    year=2024,
    venue="Shoreline",
    url="javascript:alert(1)",
)
REEF = Paper(
    "p-reef",
    title="ReefCast: Bleaching Alerts",
    abstract="ReefCast warns of bleaching two weeks ahead.",
    year=2025,
)
PAPERS = (TIDE, SALT, REEF)


def quotation(n: int, paper: Paper, quote: str) -> Sentence:
    """A verbatim sentence of a paper's abstract."""
    start = paper.abstract.index(quote)
    return Sentence(quote, (n,), "verbatim", 1.0, (Quote(n, quote, start, start + len(quote)),))


GAUGES = quotation(1, TIDE, "TideNet attends to gauges along the river at a cost of $O(n \\log n)$.")
ERROR = quotation(1, TIDE, "It lowers the error of six-hour forecasts by 18% where $x<y$ and $a>b$.")
MARSHES = quotation(2, SALT, "SaltMarsh finds 94% of the marshes that surveyors find.")


def sources(*papers: Paper, cited: Sequence[int] = ()) -> tuple[Source, ...]:
    """The papers as numbered sources."""
    return tuple(Source(n, paper, n in cited, 1 / n) for n, paper in enumerate(papers, 1))


@dataclass
class Shelves:
    """A catalogue of a few papers."""

    papers: Sequence[Paper]

    def __len__(self) -> int:
        return len(self.papers)

    def __iter__(self) -> Iterator[Paper]:
        return iter(self.papers)

    def count(self, filters: Filters) -> int:
        first, last = filters.years
        return sum(
            (not filters.venues or p.venue in filters.venues) and (first or 0) <= (p.year or 0) <= (last or 9999)
            for p in self.papers
        )

    def facets(self) -> "Shelves":
        return self

    @property
    def years(self) -> Mapping[int, int]:
        return {y: sum(p.year == y for p in self.papers) for p in self.papers if (y := p.year)}

    @property
    def venues(self) -> Mapping[str, int]:
        return {v: sum(p.venue == v for p in self.papers) for p in self.papers if (v := p.venue)}


@dataclass
class Room:
    """A library of a few papers."""

    catalogue: Shelves


@dataclass
class Scripted:
    """Answers by the first word of the question; records what it was asked, and when it was closed."""

    mode: str = "ollama:tiny:1b"
    papers: Sequence[Paper] = PAPERS
    pace: float = 1.0
    model: Loadable | None = None
    asked: list[tuple[str, tuple[Turn, ...], Filters]] = field(default_factory=list)
    closed: list[float] = field(default_factory=list)
    yielded: int = 0

    @property
    def library(self) -> Room:
        return Room(Shelves(self.papers))

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        filters: Filters = EVERYTHING,
        words: int | None = None,
    ) -> Generator[Event]:
        self.asked.append((question, tuple(history), filters))
        word = question.split()[0].lower()
        script = {
            "quote": self._quote,
            "queue": self._queue,
            "slow": self._slow,
            "absent": self._absent,
            "foreign": self._foreign,
            "fail": self._fail,
            "notice": self._notice,
            "crash": self._crash,
            "hello": self._hello,
            "list": self._list,
            "many": self._many,
            "hostile": self._hostile,
            "burst": self._burst,
        }.get(word, self._write)
        try:
            yield from script(question)
        except GeneratorExit:
            self.closed.append(time.monotonic())
            raise

    def _pause(self, seconds: float) -> None:
        time.sleep(seconds * self.pace)

    def _answer(self, question: str, *kept: Sentence, papers: Sequence[Paper] = PAPERS, **more: object) -> Answer:
        cited = {n for s in kept for n in s.citations}
        text = " ".join(s.text + "".join(f" [{n}]" for n in s.citations) for s in kept)
        facts: dict[str, object] = {"kind": "content", "mode": self.mode, "text": text, "composed": "model"}
        facts |= {
            "timings": {"total": 7100.0},
            "papers": sources(*papers, cited=tuple(cited)),
            "sentences": kept,
        }
        facts |= {"standalone_question": question} | more
        return Answer(question=question, **facts)  # type: ignore[arg-type]

    def _write(self, question: str) -> Generator[Event]:
        standalone = question if len(self.asked) < 2 else f"{question} (of TideNet)"
        yield Retrieved(sources(*PAPERS), standalone)
        yield Quoted((GAUGES, MARSHES))
        self._pause(0.4)
        written = Sentence("TideNet cuts six-hour errors by 18%.", (1,), "supported", 0.9, ERROR.evidence)
        gone = Removed("It also predicts storms.", (1,), "No abstract mentions storms.")
        for piece in ("TideNet cuts six-hour ", "errors by 18% [1]. ", "It also"):
            yield Token(piece)
            self._pause(0.12)
        yield Checked(written)
        yield Token(" predicts storms.")
        self._pause(0.12)
        yield Checked(gone)
        self._pause(0.8)
        yield Checked(MARSHES)
        yield self._answer(
            question, written, MARSHES, removed=(gone,), standalone_question=standalone, composed="mixed"
        )

    def _quote(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        yield Quoted((GAUGES, MARSHES))
        yield self._answer(question, GAUGES, MARSHES, composed="quotations", mode="extractive")

    def _queue(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        yield Quoted((GAUGES, MARSHES))
        for _ in range(4):
            yield Waiting(2, "Second in line for tiny:1b.")
            self._pause(0.2)
        yield Waiting()
        self._pause(0.4)
        yield Token("TideNet")
        yield self._answer(question, GAUGES, MARSHES, composed="mixed")

    def _slow(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        yield Quoted((GAUGES, MARSHES))
        yield Checked(Sentence("TideNet attends to gauges.", (1,), "supported", 0.9, GAUGES.evidence))
        for i in range(600):
            yield Token(f"word{i} ")
            self._pause(0.05)

    def _absent(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        text = "“TideNet” is in the library [1], but its abstract does not say who paid for it."
        yield self._answer(question, text=text, abstained=True, reason="not_stated", composed=None)

    def _foreign(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(REEF), question)
        text = "No paper comes close enough to answer from."
        yield self._answer(
            question, papers=(REEF,), text=text, abstained=True, reason="nothing_relevant", composed=None
        )

    def _fail(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        raise ChatModelUnreachable("Nothing answers at http://127.0.0.1:11434; start it with `ollama serve`.")

    def _notice(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        notice = "The model tiny:1b stopped in mid-answer; quotations complete the answer."
        yield self._answer(question, GAUGES, composed="quotations", notice=notice)

    def _crash(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        raise ZeroDivisionError("a bug")

    def _hello(self, question: str) -> Generator[Event]:
        yield Answer(question, question, "smalltalk", self.mode, "Hello. Ask about the papers in this library.")

    def _many(self, question: str) -> Generator[Event]:
        sources = tuple(Source(n, REEF, cited=True, score=1.0) for n in range(1, 81))
        head = Sentence("This library holds 80 papers about reefs.", tuple(range(1, 81)), "supported")
        yield Retrieved(sources, question)
        answer = self._answer(question, head, text=head.text, kind="count", composed=None)
        yield replace(answer, papers=sources)

    def _list(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        head = Sentence("There are 3 papers:", (), "supported")
        items = [Sentence(p.name, (n,), "supported") for n, p in enumerate(PAPERS, 1)]
        text = head.text + "".join(f"\n- {s.text} [{s.citations[0]}]" for s in items)
        yield self._answer(question, head, *items, text=text, kind="list", composed=None)

    def _burst(self, question: str) -> Generator[Event]:
        yield Retrieved(sources(*PAPERS), question)
        for i in range(100):
            yield Token(f"w{i} ")
            self.yielded += 1
            self._pause(0.01)
        yield self._answer(question, GAUGES)

    def _hostile(self, question: str) -> Generator[Event]:
        text = question.removeprefix("hostile").strip()
        paper = Paper(
            "p-<img>",
            title=text,
            abstract=f"{text} {text}",
            authors=(text,),
            venue=text,
            url=f"javascript:{text}",
            doi=text,
        )
        found = (Source(1, paper, True, 1.0),)
        yield Retrieved(found, text)
        said = Sentence(text, (1,), "verbatim", 1.0, (Quote(1, text, 0, len(text)),))
        yield Quoted((said,))
        yield Token(text)
        self._pause(0.15)
        gone = Removed(text, (1,), text)
        yield Checked(gone)
        yield self._answer(question, said, papers=(paper,), removed=(gone,), notice=text, standalone_question=text)
