"""A library that grows: what each paper costs to take in, and what a question costs at each size.

Beside every step the same texts are encoded and nothing else, and LangChain's plain pipeline takes the same papers, so
that whatever else the machine does meets all three.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.chain import Assistant
from assistant.chunking import contexts
from assistant.encoder import Progress
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import Paper
from eval.speed.langchain_peer import Peer
from eval.speed.latency import Latency, duration, durations, latency
from eval.speed.memory import Memory, Watch, resident
from ingest.pipeline import ingest
from ingest.records import RawRecord, Reject

MOST_QUESTIONS = 50

_SIXTEENTHS = (1, 4, 8, 12, 16)  # of the records, after each step
_MEASURED = (1, 4, 16)  # after these, questions are asked
_FEWEST = 64  # records that are worth growing step by step
_MANY = 65  # texts; fewer are encoded on one thread, as those of a question
_FOUND = 10
_TAIL = 4  # words


@dataclass(frozen=True, slots=True)
class Size:
    """The latencies when the library held so many papers; `langchain_search_ms` is None without the peer.

    Searches are for titles; answers are to questions for facts, which take the whole way from search to quotations.
    """

    papers: int
    search_ms: Latency
    answer_ms: Latency
    langchain_search_ms: Latency | None


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds for all papers: for ingest, for encoding the same texts, and for LangChain, None without the peer."""

    papers: int
    chunks: int
    texts: int
    ingest_seconds: float
    encode_seconds: float
    langchain_seconds: float | None
    sizes: tuple[Size, ...]
    memory: Memory


def grow(
    library: Library, peer: Peer | None, records: Sequence[RawRecord | Reject], on_progress: Progress
) -> Growth | None:
    """Take records into an empty library step by step; None when they hold no paper.

    Each step reads all records up to its end, as ingest passes over those that it knows: nothing is encoded twice.
    """
    growing = _Growing(library, peer)
    start = 0
    for sixteenths in _SIXTEENTHS if len(records) >= _FEWEST else (16,):
        end = len(records) * sixteenths // 16
        growing.step(records[:end], _shifted(on_progress, start, end, len(records)))
        if sixteenths in _MEASURED:
            growing.ask()
        start = end
    return growing.result() if growing.known else None


class _Growing:
    def __init__(self, library: Library, peer: Peer | None) -> None:
        self.library, self.peer = library, peer
        self.known: set[str] = set()
        self._unasked: list[Paper] = []
        self._chunks = self._texts = 0
        self._ingest = self._encode = self._langchain = 0.0
        self._sizes: list[Size] = []
        self._ingesting, self._answering = Watch(), Watch()
        self._growth = 0.0

    def step(self, records: Sequence[RawRecord | Reject], on_progress: Progress) -> None:
        """Ingest records, most of them new, then have the others do their part of it with the papers that are new."""
        with self._ingesting:
            self._ingest += duration(lambda: ingest(self.library, records, on_progress))
        papers = [paper for paper in self.library.catalogue if paper.paper_id not in self.known]
        if not papers:
            return
        self.known.update(paper.paper_id for paper in papers)
        self._unasked += papers
        self._encode += self._bare(papers)
        if self.peer:
            texts = ["\n\n".join(part for part in (paper.title, paper.abstract) if part) for paper in papers]
            self._langchain += self.peer.add(texts)

    def _bare(self, papers: Sequence[Paper]) -> float:
        """Return the seconds for encoding the texts of papers in one call of the same encoder."""
        encoder = self.library.encoder
        cut = [context for paper in papers for context in contexts(paper, encoder.token_counts, encoder.max_tokens)]
        texts = [context.text for context in cut]
        self._chunks += sum(len(context.chunks) for context in cut)
        self._texts += len(texts)
        times = -(-_MANY // len(texts))
        return duration(lambda: encoder.encode_documents(texts * times)) / times

    def ask(self) -> None:
        """Search and ask for papers that nobody has asked for, so that nothing is remembered of the question."""
        papers, self._unasked = self._unasked, []
        names = spread([paper.name for paper in papers])
        if not names:
            return
        retriever, assistant = Retriever(self.library), Assistant(self.library)
        retriever.search("What is warm?")
        assistant.ask("What is known about warming up?")
        own, langchain = self._searches(retriever, names)
        with self._answering:
            first, *rest = facts("How well does {} work?", names)
            answers = durations(assistant.ask, [first])
            held = resident()
            answers += durations(assistant.ask, rest)
            self._growth = round(resident() - held, 1)
        self._sizes.append(
            Size(len(self.known), latency(own), latency(answers), latency(langchain) if langchain else None)
        )

    def _searches(self, retriever: Retriever, names: Sequence[str]) -> tuple[list[float], list[float]]:
        """Return the seconds that each search took here and, in turn with it, by LangChain."""
        own: list[float] = []
        langchain: list[float] = []
        if self.peer:
            self.peer.search("What is warm?", _FOUND)
        for name in names:
            own += durations(lambda text: retriever.search(text, _FOUND), [name])
            if self.peer:
                langchain.append(self.peer.search(name, _FOUND))
        return own, langchain

    def result(self) -> Growth:
        return Growth(
            papers=len(self.known),
            chunks=self._chunks,
            texts=self._texts,
            ingest_seconds=self._ingest,
            encode_seconds=self._encode,
            langchain_seconds=self._langchain if self.peer else None,
            sizes=tuple(self._sizes),
            memory=Memory(self._ingesting.peak, self._answering.peak, self._growth),
        )


def spread(texts: Sequence[str]) -> list[str]:
    """Return up to MOST_QUESTIONS of the texts, evenly from among all."""
    return list(texts[:: -(-len(texts) // MOST_QUESTIONS) or 1])


def facts(form: str, names: Sequence[str]) -> list[str]:
    """Return questions for facts about the last words of each name: a name in full would only be looked up."""
    return list(dict.fromkeys(form.format(" ".join(name.split()[-_TAIL:])) for name in names))


def _shifted(on_progress: Progress, start: int, end: int, count: int) -> Callable[[int, int], None]:
    return lambda done, total: on_progress(start + (end - start) * done // total, count)
