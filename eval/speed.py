"""How fast askpapers is on a corpus, beside the part of it that no program can save: encoding the texts."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from assistant.chain import Assistant
from assistant.chunking import contexts
from assistant.encoder import Progress
from assistant.errors import SourceError
from assistant.library import Library
from assistant.retrieval import Retriever
from ingest.pipeline import ingest
from ingest.readers import read

MOST_QUESTIONS = 50


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds: the median and the 95th percentile."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured, the encoder being loaded before. `ingest_ratio` is ingest over bare encode, in seconds.

    The bare encode takes the same texts, a title with as many sentences as fit, in one call of the same encoder: same
    dtype, batches and order.
    """

    papers: int
    chunks: int
    texts: int
    ingest_seconds: float
    encode_seconds: float
    ingest_ratio: float
    reingest_seconds: float
    search_ms: Latency
    answer_ms: Latency


def measure(paths: Sequence[str], on_progress: Progress) -> Speed:
    """Ingest files into a library that is thrown away, then search and ask it without a chat model.

    Up to MOST_QUESTIONS of its titles are what is searched and asked. Raises SourceError when it holds no paper.
    """
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Library.open(Path(folder) / "library", create=True) as library,
    ):
        library.encoder.encode_query("Load the model.")
        first = _seconds(lambda: ingest(library, read(paths), on_progress))
        again = _seconds(lambda: ingest(library, read(paths), on_progress))
        papers = list(library.catalogue)
        if not papers:
            raise SourceError(f"No paper was found in {', '.join(paths)}; see why with `askpapers ingest`.")
        encoder = library.encoder
        cut = [c for paper in papers for c in contexts(paper, encoder.token_counts, encoder.max_tokens)]
        texts = [context.text for context in cut]
        bare = _seconds(lambda: encoder.encode_documents(texts))
        names = [paper.name for paper in papers[:: -(-len(papers) // MOST_QUESTIONS)]]
        retriever, assistant = Retriever(library), Assistant(library)
        return Speed(
            papers=len(papers),
            chunks=sum(len(context.chunks) for context in cut),
            texts=len(texts),
            ingest_seconds=round(first, 3),
            encode_seconds=round(bare, 3),
            ingest_ratio=round(first / bare, 3),
            reingest_seconds=round(again, 3),
            search_ms=_latency(retriever.search, names),
            answer_ms=_latency(assistant.ask, [f"What is known about {name}?" for name in names]),
        )


def _latency(call: Callable[[str], object], texts: Sequence[str]) -> Latency:
    call(texts[0])
    p50, p95 = np.percentile([1000 * _seconds(partial(call, text)) for text in texts], [50, 95])
    return Latency(round(float(p50), 1), round(float(p95), 1))


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
