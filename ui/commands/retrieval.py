"""`askpapers eval retrieval`: dense, lexical and fused search side by side on a test collection."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.library import Library
from assistant.schema import Json
from eval.beir import read_collection
from eval.ranking import measured, runs
from eval.statistics import Estimate
from ingest.pipeline import ingest
from ingest.readers import read
from ui.options import Options
from ui.rows import write_row
from ui.session import settings
from ui.terminal import progress, show_grid

Measured = dict[str, dict[str, Estimate]]


def retrieval(folder: Path, split: str, as_json: bool, options: Options) -> int:
    """Measure search on a BEIR folder, its corpus ingested into the library named or one that is thrown away."""
    chosen = settings(options)
    collection = read_collection(folder, split)
    with ExitStack() as stack:
        place = options.library or Path(stack.enter_context(TemporaryDirectory(ignore_cleanup_errors=True))) / "library"
        library = stack.enter_context(Library.open(place, create=True, device=chosen.device))
        with progress("Ingesting") as bar:
            ingest(library, read([str(collection.corpus)]), bar)
        with progress("Searching") as bar:
            found = runs(library, collection, bar)
    result = {name: measured(run, collection) for name, run in found.items()}
    if as_json:
        write_row({"runs": _row(result)})
    else:
        show_grid(_grid(result))
    return 0


def _row(result: Measured) -> Json:
    return {
        name: {
            measure: {"mean": round(e.mean, 4), "low": round(e.low, 4), "high": round(e.high, 4)}
            for measure, e in estimates.items()
        }
        for name, estimates in result.items()
    }


def _grid(result: Measured) -> list[list[str]]:
    names = list(result)
    measures = list(result[names[0]])
    rows = [
        [m, *(f"{result[n][m].mean:.4f} [{result[n][m].low:.3f}, {result[n][m].high:.3f}]" for n in names)]
        for m in measures
    ]
    return [["", *names], *rows]
