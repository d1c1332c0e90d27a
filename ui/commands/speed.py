"""`askpapers eval speed`: seconds and milliseconds on a corpus."""

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import cast

from assistant.schema import Json
from eval.speed import Speed, measure
from ingest.sample import sample_path
from ui.options import Options
from ui.rows import write_row
from ui.session import settings
from ui.terminal import progress, show_pairs


def speed(path: Path | None, as_json: bool, options: Options) -> int:
    """Measure ingest, search and answers on a corpus, the built-in one if none is given."""
    settings(options)
    with ExitStack() as stack:
        corpus = path or stack.enter_context(sample_path())
        measured = measure([str(corpus)], stack.enter_context(progress("Ingesting")))
    if as_json:
        write_row(cast(dict[str, Json], asdict(measured)))
    else:
        show_pairs(_pairs(measured))
    return 0


def _pairs(measured: Speed) -> list[tuple[str, str]]:
    return [
        ("corpus", f"{measured.papers:,} papers, {measured.chunks:,} chunks"),
        ("ingest", f"{measured.ingest_seconds:.2f} s, {measured.papers / measured.ingest_seconds:.1f} papers/s"),
        ("bare encode", f"{measured.encode_seconds:.2f} s, so ingest is {measured.ingest_ratio:.2f} times that"),
        ("ingest again", f"{measured.reingest_seconds:.2f} s"),
        ("search", f"{measured.search_ms.p50:.1f} ms, 95% within {measured.search_ms.p95:.1f} ms"),
        ("answer", f"{measured.answer_ms.p50:.1f} ms, 95% within {measured.answer_ms.p95:.1f} ms, by quotations"),
    ]
