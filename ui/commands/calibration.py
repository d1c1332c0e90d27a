"""`askpapers eval calibrate`: thresholds fitted on questions of one's own, before and after."""

from dataclasses import dataclass
from pathlib import Path

from assistant.calibration import Adjustment, shipped
from assistant.chain import Assistant
from assistant.schema import Json
from eval.cases import Dataset
from eval.thresholds import Fitted, Point, as_stated, fitted, stated_before, stated_examples, support_examples
from ui.commands.questions import read
from ui.options import Options
from ui.rows import write_row
from ui.session import open_assistant, open_library, settings
from ui.terminal import say, show_grid


@dataclass(frozen=True, slots=True)
class Fits:
    """Both thresholds, that of support only where a chat model writes, and what is worth keeping."""

    stated: Fitted
    support: Fitted | None
    adjustment: Adjustment

    @property
    def better(self) -> bool:
        """Whether anything did better than what is in use."""
        return self.stated.better or (self.support is not None and self.support.better)


def calibrate(questions: Path, keys: Path | None, write: bool, seed: int, as_json: bool, options: Options) -> int:
    """Fit the thresholds on a file of questions and show what they do; keep them in the library with `write`."""
    with open_assistant(settings(options)) as assistant:
        found = _fits(assistant, read(questions, keys, assistant.library), seed)
        if write and found.better:
            assistant.library.calibrate(found.adjustment)
    if as_json:
        support = None if found.support is None else _fit_row(found.support)
        write_row({"abstention": _fit_row(found.stated), "support": support, "written": write and found.better})
    else:
        _show(found, write)
    return 0


def reset(options: Options) -> int:
    """Go back to the thresholds that askpapers ships."""
    with open_library(settings(options)) as library:
        library.calibrate(None)
    say("The library uses the thresholds that askpapers ships.")
    return 0


def _fits(assistant: Assistant, dataset: Dataset, seed: int) -> Fits:
    library, model = assistant.library, assistant.model
    calibration = library.calibration
    stated = fitted(list(stated_examples(library, dataset.cases)), stated_before(library), "when to abstain")
    held = library.adjustment
    support, shift = None, (held and held.needed) or 0.0
    if model is not None:
        needed = calibration.needed_by(model.billions)
        examples = list(support_examples(assistant, dataset.cases, seed))
        support = fitted(examples, needed, "when a sentence is supported")
        now = support.threshold if support.better else needed
        shift = now - shipped().needed_by(model.billions)
    threshold = as_stated(stated) if stated.better else calibration.stated
    return Fits(stated, support, Adjustment(threshold, round(shift, 3), dataset.digest))


def _show(found: Fits, written: bool) -> None:
    fits = [("abstention", found.stated)] + ([("support", found.support)] if found.support else [])
    rows = [["", "threshold", "should pass and does", "should not and does"]]
    for name, fit in fits:
        rows.append([f"{name}, now", f"{fit.before_threshold:+.2f}", *_cells(fit.before)])
        rows.append([f"{name}, fitted", f"{fit.threshold:+.2f}", *_cells(fit.after)])
    show_grid(rows)
    say("Thresholds are log odds; the figures of those fitted are of questions that had no part in the fit.")
    for name, fit in fits:
        worth = "did better" if fit.better else "did no better than the one in use, which stays"
        say(f"{name}: {fit.right} that should pass, {fit.wrong} that should not; the fitted threshold {worth}.")
    if found.support is None:
        say("Support was not fitted: without a chat model (--llm) all sentences are quotations.")
    if not found.better:
        say("Nothing is worth keeping; the library stays as it is.")
    else:
        say("Kept in the library." if written else "Nothing was written; keep what did better with --write.")


def _cells(point: Point) -> list[str]:
    return [f"{e.mean:.3f} [{e.low:.2f}, {e.high:.2f}]" for e in (point.kept, point.let_through)]


def _fit_row(fit: Fitted) -> dict[str, Json]:
    return {
        "before": _point_row(fit.before_threshold, fit.before),
        "after": _point_row(fit.threshold, fit.after),
        "better": fit.better,
        "right": fit.right,
        "wrong": fit.wrong,
    }


def _point_row(threshold: float, point: Point) -> dict[str, Json]:
    shares: dict[str, Json] = {
        name: {"mean": round(e.mean, 4), "low": round(e.low, 4), "high": round(e.high, 4)}
        for name, e in (("kept", point.kept), ("let_through", point.let_through))
    }
    return {"threshold": round(threshold, 3), **shares}
