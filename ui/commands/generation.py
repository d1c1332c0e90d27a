"""`askpapers eval generate`: a test set from the library, and what became of each draft."""

from pathlib import Path

from assistant.chat_model import choose
from assistant.errors import QuestionError
from assistant.schema import Json
from eval.generation.drafts import Report, Tally, row
from eval.generation.questions import generate as generated
from ui.options import Options
from ui.rows import write_row, writing
from ui.session import chat_model_settings, open_library, settings, warning
from ui.terminal import progress, say, show_grid


def generation(count: int, out: Path, seed: int, as_json: bool, options: Options) -> int:
    """Write questions made from the library, one a line, and say how many of each kind passed.

    Raises QuestionError when the library's papers give none.
    """
    chosen = settings(options)
    with open_library(chosen) as library, progress("Questions") as bar:
        model = choose(chosen.llm, chat_model_settings(chosen))
        if told := warning(model):
            say(told)
        report = generated(library, count, seed, model, bar)
    if not report.kept:
        raise QuestionError("The library's papers give no question: read some with `askpapers ingest --sample` first.")
    with writing(out) as file:
        for number, draft in enumerate(report.kept, 1):
            write_row(row(draft, number), file)
    if as_json:
        write_row(_summary(report))
    else:
        show_grid(_grid(report))
    if len(report.kept) < count:
        say(f"{len(report.kept)} of {count} questions: the library's papers give no more that hold.")
    return 0


def _summary(report: Report) -> dict[str, Json]:
    kinds: dict[str, Json] = {kind: _told(tally) for kind, tally in report.tallies.items()}
    return {"questions": len(report.kept), "written_by_model": report.written_by_model, "kinds": kinds}


def _told(tally: Tally) -> dict[str, Json]:
    dropped: dict[str, Json] = dict(tally.dropped)
    return {"tried": tally.tried, "passed": tally.passed, "kept": tally.kept, "dropped": dropped}


def _grid(report: Report) -> list[list[str]]:
    rows = [["kind", "tried", "passed", "kept", "dropped"]]
    for kind, tally in report.tallies.items():
        dropped = ", ".join(f"{count} {why}" for why, count in sorted(tally.dropped.items(), key=lambda item: -item[1]))
        rows.append([kind, str(tally.tried), str(tally.passed), str(tally.kept), dropped])
    totals = [
        str(sum(getattr(tally, name) for tally in report.tallies.values())) for name in ("tried", "passed", "kept")
    ]
    return [*rows, ["all", *totals, ""]]
