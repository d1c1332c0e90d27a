"""`askpapers eval retrieval`: dense, lexical and fused search side by side on judged queries."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.errors import QuestionError
from assistant.library import Library
from assistant.schema import Json
from assistant.settings import Settings
from eval.provenance import fingerprint, versions
from eval.reporting.reports import write_reports
from eval.retrieval.beir import read_collection
from eval.retrieval.collection import Collection
from eval.retrieval.gold import judged
from eval.retrieval.ranking import run_names
from eval.retrieval.searches import evaluate
from eval.retrieval.side_by_side import BY, Change, SideBySide, side_by_side
from eval.runs import Header, Run
from eval.statistics import Difference, Estimate
from ingest.pipeline import ingest
from ingest.readers import read
from ui.commands import questions
from ui.options import Options
from ui.rows import write_row
from ui.session import open_library, settings
from ui.terminal import progress, say, show_grid, show_text

_TOLD = {
    "unjudged": "Queries without a judgement in this split, left out: {}.",
    "follow_ups": "Questions with a history, left out: {}.",
    "unanswerable": "Questions that no paper answers, left out: {}.",
    "without_gold": 'Questions without "gold", left out: {}.',
    "blank": "Judged queries without text, which find nothing and count as 0: {}.",
    "without_relevant": "Queries to which nothing is relevant, which count as 0: {}.",
    "not_relevant": "Judgements of gain 0 or below, not relevant: {}.",
    "lacking": "Relevant documents that the library lacks, missed by every run: {}.",
    "shared": "Judged documents whose id several papers have, each at its best place: {}.",
    "rejected": "Records of the corpus that could not be read: {}.",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What to measure: a BEIR folder with its split or a file of questions with its keys, and how."""

    source: Path
    split: str
    keys: Path | None
    weights: tuple[float, ...]
    baseline: str
    encoder: str | None
    out: Path | None


def retrieval(asked: Asked, as_json: bool, options: Options) -> int:
    """Search the queries of a collection several ways, and write how good each is; 1 when a question was faulty.

    A BEIR folder's corpus is ingested into the library named or one that is thrown away; questions are searched in the
    library in use.
    """
    chosen = settings(options)
    with _opened(asked, options, chosen) as (library, collection, rejected), ExitStack() as stack:
        folder = _folder(asked, options, library)
        place = folder or Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True)))
        with Run.begin(place, _header(asked, library, collection)) as run:
            if left := len(run.done()):
                say(f"{folder} holds {left} of {len(collection.queries)} queries; going on from there.")
            with progress("Searching") as bar:
                found = evaluate(library, collection, run, bar, asked.weights)
            result = side_by_side(run.rows(), run_names(asked.weights), asked.baseline)
            report = None if folder is None else write_reports(run)
    counts = {**collection.counts, **found, "rejected": rejected}
    for name, sentence in _TOLD.items():
        if count := counts.get(name):
            say(sentence.format(f"{count:,}"))
    for question_id, error in collection.faults:
        say(f"{question_id} was not searched: {error}")
    if as_json:
        write_row(_row(result, counts, collection.faults))
    else:
        _show(result)
    if report is not None:
        say(f"The run is in {folder}; its report is {report}.")
    return int(bool(collection.faults))


@contextmanager
def _opened(asked: Asked, options: Options, chosen: Settings) -> Iterator[tuple[Library, Collection, int]]:
    """Open the library that is searched; yield it, what is asked of it, and how many records were rejected."""
    if asked.source.is_file() or str(asked.source) == "-":
        with open_library(chosen) as library:
            yield library, judged(questions.read(asked.source, asked.keys, library), _name(asked)), 0
        return
    collection = read_collection(asked.source, asked.split)
    with ExitStack() as stack:
        place = options.library and chosen.library
        place = place or Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))) / "library"
        encoder = asked.encoder or chosen.encoder
        library = stack.enter_context(Library.open(place, create=True, encoder_name=encoder, device=chosen.device))
        with progress("Ingesting") as bar:
            report = ingest(library, read([str(collection.corpus)]), bar)
        if not report.papers:
            raise QuestionError(
                f"{collection.corpus} holds no paper; see why with `askpapers ingest {collection.corpus} --dry-run`."
            )
        yield library, collection, len(report.rejected)


def _folder(asked: Asked, options: Options, library: Library) -> Path | None:
    """Return where the run is kept: where told, else beside a library that stays, else nowhere."""
    if asked.out is not None or (asked.source.is_dir() and options.library is None):
        return asked.out
    return library.folder / "runs" / f"{_name(asked)}-{datetime.now():%Y%m%d-%H%M%S}"


def _name(asked: Asked) -> str:
    if str(asked.source) == "-":
        return "questions"
    return asked.source.resolve().name if asked.source.is_dir() else asked.source.stem


def _header(asked: Asked, library: Library, collection: Collection) -> Header:
    chosen: dict[str, Json] = {"collection": collection.name, "weights": list(asked.weights)}
    return Header("retrieval", collection.digest, fingerprint(library), chosen, versions("ir-measures"))


def _row(result: SideBySide, counts: Mapping[str, int], faults: Sequence[tuple[str, str]]) -> dict[str, Json]:
    return {
        "runs": {run: {m: _interval(e) for m, e in found.items()} for run, found in result.runs.items()},
        "baseline": result.baseline,
        "differences": {
            run: {m: _interval(d) | {"p": round(d.p, 4)} for m, d in found.items()}
            for run, found in result.differences.items()
        },
        "queries": {
            "gained": [_change(change) for change in result.gained],
            "lost": [_change(change) for change in result.lost],
        },
        "counts": dict(counts),
        "faults": [{"id": question_id, "error": error} for question_id, error in faults],
    }


def _interval(found: Estimate | Difference) -> dict[str, Json]:
    return {"mean": round(found.mean, 4), "low": round(found.low, 4), "high": round(found.high, 4)}


def _change(change: Change) -> Json:
    return {
        "id": change.question_id,
        "question": change.question,
        "run": change.run,
        "measure": BY,
        "value": round(change.value, 4),
        "baseline": round(change.baseline, 4),
        "difference": round(change.difference, 4),
    }


def _show(result: SideBySide) -> None:
    """Write a table for each measure, a row a run, then the queries that changed most."""
    for measure in result.runs[result.baseline]:
        show_grid(
            [[measure, "mean", "95% interval", f"against {result.baseline}", "95% interval", "p"]]
            + [
                [run, *_estimated(estimates[measure]), *_compared(result.differences.get(run, {}).get(measure))]
                for run, estimates in result.runs.items()
            ]
        )
        show_text("")
    for verb, changes in (("gained", result.gained), ("lost", result.lost)):
        if changes:
            show_text(f"{result.watched} {verb} most against {result.baseline}, {BY}:")
            for c in changes:
                show_text(f"{c.baseline:.3f} to {c.value:.3f}, {c.question_id}: {c.question}")
            show_text("")


def _estimated(e: Estimate) -> list[str]:
    return [f"{e.mean:.4f}", f"{e.low:.3f} to {e.high:.3f}"]


def _compared(d: Difference | None) -> list[str]:
    return ["", "", ""] if d is None else [f"{d.mean:+.4f}", f"{d.low:+.3f} to {d.high:+.3f}", f"{d.p:.4f}"]
