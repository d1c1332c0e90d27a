"""How fast askpapers is on a corpus, beside what no program can save and beside what LangChain does by itself."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.encoder import Encoder, Progress, find_model
from assistant.errors import SourceError
from assistant.library import Library
from eval.speed import langchain_peer
from eval.speed.first_token import Overhead, overhead
from eval.speed.growth import Growth, Size, facts, grow, spread
from eval.speed.langchain_peer import Peer, Setup
from eval.speed.latency import Latency, duration
from eval.speed.memory import Memory
from eval.speed.startup import Startup, startup
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.records import RawRecord, Reject


@dataclass(frozen=True, slots=True)
class LangChain:
    """Its plain pipeline over the same papers, a document each; ratios are askpapers' time over its time.

    Same weights, device, number format and threads, in turn with askpapers in the same run. It does less: one vector a
    paper, no lexical index, no catalogue.
    """

    ingest_ratio: float
    search_ratio: float
    ingest_seconds: float
    search_ms: Latency


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured, the encoder being loaded before. `ingest_ratio` is ingest over bare encode, in seconds.

    The bare encode takes the same texts, a title with as many sentences as fit, by the same encoder: same dtype and
    batches. `search_ms` and `answer_ms` are those of the whole library, `sizes` tells of it as it grew. `langchain` is
    None without the extra `peers`; `chat_model` when no question came as far as the chat model.
    """

    ingest_ratio: float
    langchain: LangChain | None
    papers: int
    chunks: int
    texts: int
    ingest_seconds: float
    encode_seconds: float
    reingest_seconds: float
    search_ms: Latency
    answer_ms: Latency
    sizes: tuple[Size, ...]
    memory_mb: Memory
    startup: Startup
    chat_model: Overhead | None


def measure(paths: Sequence[str], on_progress: Progress) -> Speed:
    """Ingest files into a library that is thrown away, searching and asking it without a chat model as it grows.

    Titles that it holds are searched for, and what they speak of is asked. Raises SourceError when it holds no paper.
    """
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Library.open(Path(folder) / "library", create=True) as library,
        _peer(library.encoder, Path(folder) / "langchain") as peer,
    ):
        library.encoder.encode_query("Load the model.")
        records: list[RawRecord | Reject] = []
        reading = duration(lambda: records.extend(read(paths)))
        growth = grow(library, peer, records, on_progress)
        if growth is None:
            raise SourceError(f"No paper was found in {', '.join(paths)}; see why with `askpapers ingest`.")
        names = spread([paper.name for paper in library.catalogue])
        again = duration(lambda: ingest(library, read(paths)))
        beside = overhead(library, facts("How does {} help?", names))
        anew = startup(library.folder, *facts("What does {} do?", names[:1]))
        return _speed(growth, growth.ingest_seconds + reading, again, beside, anew)


@contextmanager
def _peer(encoder: Encoder, folder: Path) -> Iterator[Peer | None]:
    if not langchain_peer.available():
        yield None
        return
    with Peer(Setup(str(find_model(None)), encoder.device, encoder.dtype, str(folder))) as peer:
        yield peer


def _speed(growth: Growth, seconds: float, again: float, beside: Overhead | None, anew: Startup) -> Speed:
    whole = growth.sizes[-1]
    return Speed(
        ingest_ratio=round(seconds / growth.encode_seconds, 3),
        langchain=_langchain(growth, seconds),
        papers=growth.papers,
        chunks=growth.chunks,
        texts=growth.texts,
        ingest_seconds=round(seconds, 3),
        encode_seconds=round(growth.encode_seconds, 3),
        reingest_seconds=round(again, 3),
        search_ms=whole.search_ms,
        answer_ms=whole.answer_ms,
        sizes=growth.sizes,
        memory_mb=growth.memory,
        startup=anew,
        chat_model=beside,
    )


def _langchain(growth: Growth, seconds: float) -> LangChain | None:
    whole, taken = growth.sizes[-1], growth.langchain_seconds
    if taken is None or whole.langchain_search_ms is None:
        return None
    return LangChain(
        ingest_ratio=round(seconds / taken, 3),
        search_ratio=round(whole.search_ms.p50 / max(whole.langchain_search_ms.p50, 0.1), 3),
        ingest_seconds=round(taken, 3),
        search_ms=whole.langchain_search_ms,
    )
