"""`askpapers eval answers`: how good the answers to a file of questions are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from assistant.chain import Assistant
from assistant.schema import Json
from assistant.settings import Settings
from eval.cases import Dataset
from eval.evaluation import Plan, evaluate
from eval.faithfulness import probe
from eval.judging.judge import Judge, choose_judge
from eval.provenance import fingerprint, model_digest, versions
from eval.reporting.reports import write_reports
from eval.runs import Header, Run
from eval.summary import Scored, Summary, summarised
from ui.commands.questions import read
from ui.options import Options
from ui.rows import write_row
from ui.session import chat_model_settings, open_assistant, settings
from ui.terminal import progress, say, show_grid, show_text


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be evaluated and how: the file of questions, that of paper keys, where the run goes, and by whom."""

    questions: Path
    keys: Path | None
    out: Path | None
    faithfulness: int
    judge: str | None
    judge_itself: bool
    seed: int


def answers(wanted: Wanted, as_json: bool, options: Options) -> int:
    """Ask a file of questions, keep what came of it as a run, and write the figures; 1 when a question failed."""
    chosen = settings(options)
    with open_assistant(chosen) as assistant:
        judge = _judge(wanted, assistant, chosen)
        dataset = read(wanted.questions, wanted.keys, assistant.library)
        plan = Plan(options.words, options.k)
        folder = wanted.out or _new_folder(assistant, wanted.questions)
        header = _header(dataset, assistant, plan, wanted)
        with Run.begin(folder, header) as run:
            if left := len(run.done()):
                say(f"{folder} holds {left} of {len(dataset.cases)} answers; going on from there.")
            with progress("Asking") as bar:
                spread = assistant.model is None and judge is None
                device = chosen.device
                evaluate(assistant, dataset.cases, run, bar, plan=plan, judge=judge, device=device, spread=spread)
            if wanted.faithfulness:
                with progress("Asking again") as bar:
                    probe(run, dataset.cases, assistant, plan, wanted.faithfulness, bar)
            summary = summarised(run.rows(), wanted.seed)
            report = write_reports(run, summary)
    if as_json:
        write_row(summary_row(summary))
    else:
        show_summary(summary)
        say(f"The run is in {folder}; its report is {report}.")
    return int(bool(summary.faults))


def summary_row(summary: Summary) -> dict[str, Json]:
    """Return a summary as JSON."""
    return {
        "measures": _measures_row(summary.measures),
        "by_kind": {kind: _measures_row(measures) for kind, measures in summary.by_kind.items()},
        "latency": {name: dict(values) for name, values in summary.percentiles.items()},
        "faults": [{"id": question_id, "error": error} for question_id, error in summary.faults],
    }


def show_summary(summary: Summary) -> None:
    """Write the figures as a table, a row a measure, then what could not be asked."""
    rows = [[name, *_cells(scored)] for name, scored in summary.measures.items()]
    show_grid([["measure", "mean", "95% interval", "scored", "unscored"], *rows])
    for name, found in summary.percentiles.items():
        show_text(f"{name}: {', '.join(f'{p} {value:g}' for p, value in found.items())}", "dim")
    for question_id, error in summary.faults:
        show_text(f"{question_id} was not scored: {error}")


def _cells(scored: Scored) -> list[str]:
    counts = [str(scored.scored), str(scored.unscored or "")]
    if (e := scored.estimate) is None:
        return ["-", "", *counts]
    digits = 1 if e.high >= 10 else 3
    return [f"{e.mean:.{digits}f}", f"{e.low:.{digits}f} to {e.high:.{digits}f}", *counts]


def _measures_row(measures: Mapping[str, Scored]) -> dict[str, Json]:
    return {name: _scored_row(scored) for name, scored in measures.items()}


def _scored_row(scored: Scored) -> dict[str, Json]:
    e = scored.estimate
    values: dict[str, Json] = {"mean": None, "low": None, "high": None}
    if e is not None:
        values = {"mean": round(e.mean, 4), "low": round(e.low, 4), "high": round(e.high, 4)}
    return values | {"scored": scored.scored, "unscored": scored.unscored}


def _judge(wanted: Wanted, assistant: Assistant, chosen: Settings) -> Judge | None:
    if wanted.judge is None:
        return None
    return choose_judge(wanted.judge, assistant.mode, wanted.judge_itself, chat_model_settings(chosen))


def _header(dataset: Dataset, assistant: Assistant, plan: Plan, wanted: Wanted) -> Header:
    model, calibration = assistant.model, assistant.library.calibration
    chosen: dict[str, Json] = {
        "answerer": assistant.mode,
        "words": plan.words,
        "k": plan.k,
        "judge": wanted.judge,
        "cross_encoder": assistant.cross_encoder.name if assistant.cross_encoder else None,
        "stated": calibration.stated,
        "needed": calibration.needed_by(model.billions) if model else None,
    }
    library = fingerprint(assistant.library)
    return Header("answers", dataset.digest, library, chosen, versions(), wanted.seed, model_digest(model))


def _new_folder(assistant: Assistant, questions: Path) -> Path:
    """Return a folder for a run that was not named, beside the library's own files."""
    name = "questions" if str(questions) == "-" else questions.stem
    folder = assistant.library.folder / "runs" / f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    others = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return next(path for path in chain([folder], others) if not path.exists())
