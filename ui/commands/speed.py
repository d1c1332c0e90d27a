"""`askpapers eval speed`: ratios, seconds, milliseconds and megabytes on a corpus."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import cast

from assistant.schema import Json
from eval.speed.growth import Size
from eval.speed.langchain_peer import INSTALL
from eval.speed.latency import Latency
from eval.speed.report import Speed, measure
from ingest.sample import sample_path
from ui.options import Options
from ui.rows import write_row
from ui.session import settings
from ui.terminal import progress, say, show_grid, show_pairs, show_text


def speed(path: Path | None, as_json: bool, options: Options) -> int:
    """Measure ingest, search, answers, memory and start-up on a corpus, the built-in one if none is given."""
    settings(options)
    with ExitStack() as stack:
        corpus = path or stack.enter_context(sample_path())
        measured = measure([str(corpus)], stack.enter_context(progress("Ingesting")))
    show(measured, as_json)
    return 0


def show(measured: Speed, as_json: bool) -> None:
    """Write what was measured, ratios first; what was left out, and how to have it, to standard error."""
    if as_json:
        write_row(cast(dict[str, Json], asdict(measured)))
    else:
        show_pairs(_ratios(measured))
        show_text("")
        show_pairs(_figures(measured))
        show_text("")
        show_grid(_grid(measured.sizes))
    if measured.langchain is None:
        say(INSTALL)


def _ratios(measured: Speed) -> list[tuple[str, str]]:
    ratios = [("ingest / bare encode", f"{measured.ingest_ratio:.2f}")]
    if measured.langchain:
        ratios.append(("ingest / LangChain", f"{measured.langchain.ingest_ratio:.2f}"))
        ratios.append(("search / LangChain", f"{measured.langchain.search_ratio:.2f}"))
    return ratios


def _figures(measured: Speed) -> list[tuple[str, str]]:
    held, anew = measured.memory_mb, measured.startup
    figures = [
        ("corpus", f"{measured.papers:,} papers, {measured.chunks:,} chunks"),
        ("ingest", f"{measured.ingest_seconds:.2f} s, {measured.papers / measured.ingest_seconds:.1f} papers/s"),
        ("bare encode", f"{measured.encode_seconds:.2f} s"),
        ("ingest again", f"{measured.reingest_seconds:.2f} s"),
        ("memory, ingest", f"{held.ingest_peak:,.0f} MB at most"),
        ("memory, answers", f"{held.answer_peak:,.0f} MB at most, {held.growth:+.1f} MB over the questions"),
        ("start, --help", f"{anew.help_seconds:.2f} s"),
        ("start, first answer", f"{anew.first_answer_seconds:.2f} s"),
    ]
    if measured.langchain:
        figures.insert(3, ("LangChain's ingest", f"{measured.langchain.ingest_seconds:.2f} s"))
    if measured.chat_model:
        figures.append(("until a model is asked", _times(measured.chat_model.request_ms)))
        figures.append(("until it is to write", _times(measured.chat_model.writing_ms)))
        figures.append(("check of a sentence", _times(measured.chat_model.check_ms)))
    return figures


def _times(latency: Latency) -> str:
    return f"{latency.p50:.1f} ms, 95% within {latency.p95:.1f} ms"


def _grid(sizes: Sequence[Size]) -> list[tuple[str, ...]]:
    """Return a row a size under headings; without LangChain's columns where it was left out."""
    named: list[tuple[str, list[Latency | None]]] = [
        ("search", [size.search_ms for size in sizes]),
        ("quoted answer", [size.answer_ms for size in sizes]),
        ("LangChain's search", [size.langchain_search_ms for size in sizes]),
    ]
    columns: list[tuple[str, ...]] = [("papers", *(f"{size.papers:,}" for size in sizes))]
    for name, latencies in named:
        known = [latency for latency in latencies if latency is not None]
        if known:
            columns.append((f"{name}, ms", *(f"{latency.p50:.1f}" for latency in known)))
            columns.append(("95% within", *(f"{latency.p95:.1f}" for latency in known)))
    return list(zip(*columns, strict=True))
