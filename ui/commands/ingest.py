"""`askpapers ingest`: files and folders into the library."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from assistant.library import Library
from assistant.machine import yield_to_others
from assistant.schema import Json
from ingest.pipeline import Report, ingest
from ingest.readers import read
from ingest.records import Reject
from ingest.sample import sample_path
from ui.options import Options
from ui.rows import write_row
from ui.session import settings
from ui.terminal import progress, say, show_text

REJECTED = 3


@dataclass(frozen=True, slots=True)
class Sources:
    """What to read: files and folders, the built-in corpus; values for fields that records lack; a format for all."""

    paths: tuple[Path, ...]
    sample: bool
    defaults: Mapping[str, str]
    form: str | None


def ingest_paths(
    sources: Sources, options: Options, encoder: str | None, sync: bool, dry_run: bool, as_json: bool
) -> int:
    """Read papers into the library; 3 when records were rejected, 1 when there was no paper at all."""
    chosen = settings(options)
    yield_to_others()
    with ExitStack() as stack:
        named = [str(path) for path in sources.paths]
        if sources.sample:
            named.append(str(stack.enter_context(sample_path())))
        records = read(named, format=sources.form, defaults=sources.defaults)
        library = stack.enter_context(
            Library.open(chosen.library, create=True, encoder_name=encoder or chosen.encoder, device=chosen.device)
        )
        bar = stack.enter_context(progress("Ingesting"))
        report = ingest(library, records, bar, sync=named if sync else (), dry_run=dry_run)
    for reject in report.rejected:
        say(f"Rejected: {_place(reject)}: {reject.reason}")
    if as_json:
        write_row(_row(report))
    else:
        show_text(_summary(report, dry_run))
    return _code(report)


def _code(report: Report) -> int:
    if not report.rejected:
        return 0
    whole_files = all(reject.record is None for reject in report.rejected)
    return 1 if whole_files and not _held(report) else REJECTED


def _held(report: Report) -> int:
    return report.new + report.updated + report.unchanged + report.duplicate


def _summary(report: Report, dry_run: bool) -> str:
    counts = {
        "new": report.new,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "duplicate": report.duplicate,
        "removed": report.removed,
        "by title only": report.title_only,
        "rejected": len(report.rejected),
    }
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
    state = "papers there would be in the library" if dry_run else "papers in the library"
    return f"{told or 'Nothing'}; {report.papers:,} {state} ({report.seconds['total']:.1f} s)."


def _place(reject: Reject) -> str:
    parts = [reject.file]
    if reject.record is not None:
        parts.append(f"record {reject.record}")
    if reject.line is not None:
        parts.append(f"line {reject.line}")
    return ", ".join(parts)


def _row(report: Report) -> dict[str, Json]:
    return {
        "new": report.new,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "duplicate": report.duplicate,
        "removed": report.removed,
        "title_only": report.title_only,
        "encoded_chunks": report.encoded_chunks,
        "papers": report.papers,
        "rejected": [
            {"file": each.file, "record": each.record, "line": each.line, "reason": each.reason}
            for each in report.rejected
        ],
        "seconds": {name: round(seconds, 3) for name, seconds in report.seconds.items()},
    }
