"""Shared fixtures: the bundled encoder, loaded once, and small libraries made with it."""

import ipaddress
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from assistant.chunking import contexts
from assistant.encoder import Encoder
from assistant.library import Library
from assistant.model_queue import queue_of
from assistant.schema import Paper
from assistant.tables import Change


def _refuse_foreign_sockets(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse connections and look-ups of names beyond this machine."""
    host: object = None
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    elif event in {"socket.getaddrinfo", "socket.gethostbyname"}:
        host = arguments[0]
    if isinstance(host, str | bytes) and not _is_here(host.decode() if isinstance(host, bytes) else host):
        raise ConnectionRefusedError(f"A test reached for {host!r}; only loopback is open to tests.")


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback or ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return host in {"", "localhost"}


sys.addaudithook(_refuse_foreign_sockets)

# A busy machine is no fault of the code: properties are about results, not about time.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

PAPERS = (
    Paper(
        "openreview:bees0001",
        title="WaggleNet: Decoding the Dances of Bees",
        abstract="Honey bees dance to tell where flowers are. We train a network to read the dance from video. "
        "WaggleNet finds 93% of the flower patches. It runs on a small camera.",
        authors=("Ada van der Berg", "José Núñez"),
        year=2024,
        venue="ICML",
        doi="10.1234/bees",
        source_ids=("17",),
        aliases=("doi:10.1234/bees",),
    ),
    Paper(
        "arxiv:2501.00001",
        title="TIDE-BENCH: A Benchmark for Forecasting the Sea",
        abstract="Tides follow the moon, storms do not. TIDE-BENCH holds forty years of harbour records. "
        "Recurrent models forecast storms badly.",
        authors=("José Núñez", "Li Wei"),
        year=2025,
        venue="NeurIPS",
    ),
    Paper(
        "doi:10.1234/glacier",
        title="Glaciers Remember: $S$now2Ice Models",
        abstract="Glaciers keep the air of the past. A diffusion model reconstructs the temperature of each winter.",
        authors=("Wei Lin",),
        year=2026,
        venue="icml",
    ),
    Paper("title:0123456789abcdef", title="Songs of the Deep", authors=("Ada Moon",)),
)


@pytest.fixture(autouse=True)
def _new_lines() -> None:
    """Forget what was learnt of a server whose port another test's server may have now."""
    queue_of.cache_clear()


@pytest.fixture(scope="session")
def encoder() -> Encoder:
    return Encoder()


def change_of(papers: Sequence[Paper], encoder: Encoder) -> Change:
    """Return the change that adds papers with their chunks and vectors."""
    change = Change(papers=list(papers))
    for paper in papers:
        cut = contexts(paper, encoder.token_counts, encoder.max_tokens)
        change.keys[paper.paper_id] = (paper.paper_id, *paper.aliases)
        change.chunks[paper.paper_id] = [chunk for context in cut for chunk in context.chunks]
        change.vectors |= encoder.encode_contexts(cut)
    return change


@pytest.fixture
def open_library(tmp_path: Path, encoder: Encoder) -> Iterator[Callable[[], Library]]:
    """Opens the library of this test, again and again if need be, with the encoder that is loaded already."""
    opened = []

    def open_() -> Library:
        library = Library.open(tmp_path / "library", create=True, loaded=encoder)
        opened.append(library)
        return library

    yield open_
    for library in opened:
        library.close()


@pytest.fixture
def library(open_library: Callable[[], Library], encoder: Encoder) -> Library:
    """A library of `PAPERS`."""
    library = open_library()
    with library.writing():
        library.commit(change_of(PAPERS, encoder))
    return library


def run_python(code: str, *arguments: object, check: bool = True) -> str:
    """Run code in a process of its own and return what it printed."""
    command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0 or not check, done.stderr
    return done.stdout
