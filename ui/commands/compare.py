"""`askpapers eval compare`: two stored runs side by side, and whether what matters fell."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.errors import RunError
from assistant.schema import Json
from eval.comparison import (
    SIGNIFICANT,
    Change,
    Comparison,
    Contrast,
    Finding,
    Gate,
    Series,
    Side,
    compared,
    judged,
    unusable,
    verdict,
)
from eval.reporting.comparison_page import difference, moved, only
from eval.reporting.pages import figure
from eval.reporting.reports import write_comparison
from eval.reporting.shortfall import named
from eval.runs import Run, stored
from ui.arguments import Limit
from ui.options import Options
from ui.parameters import need
from ui.rows import write_row
from ui.session import settings
from ui.terminal import progress, say, show_grid, show_text

_LISTED = 5  # questions that lost or gained, named in the terminal


def compare(
    before: Path, after: Path, limits: Sequence[Limit], out: Path | None, as_json: bool, options: Options
) -> int:
    """Compare two runs, write what differs, and return 1 when a gate fell."""
    library, gates = settings(options).library, [Gate(limit.measure, limit.drop) for limit in limits]
    folders = found(before, library), found(after, library)
    with Run.open(folders[0]) as first, Run.open(folders[1]) as second, progress("Comparing"):
        comparison = compared(first, second)
    need(not (fault := unusable(gates, comparison)), fault or "")
    findings = judged(gates, comparison)
    if as_json:
        write_row(comparison_row(comparison, findings))
    else:
        _show(comparison)
    if out is not None:
        say(f"The comparison is in {write_comparison(out, comparison, findings)}.")
    for finding in findings:
        if finding.fell:
            say(finding.sentence)
    return int(any(finding.fell for finding in findings))


def found(run: Path, library: Path) -> Path:
    """Return the folder of a run: the one named, else the library's run of that name. Raises RunError."""
    kept = {folder.name: folder for folder in stored(library / "runs")}
    if run.exists() or not kept:
        return run
    if str(run) not in kept:
        some = ", ".join(list(kept)[:5]) + (" …" if len(kept) > 5 else "")
        raise RunError(f"There is no run {run}; name a folder that `askpapers eval answers` made, or one of {some}.")
    return kept[str(run)]


def comparison_row(comparison: Comparison, findings: Sequence[Finding] = ()) -> dict[str, Json]:
    """Return a comparison as JSON; measures that a run lacks are null.

    `{"before", "after": {"run", "created", "finished"}, "differing": [sentence], "series": {NAME: {"questions",
    "measures": {MEASURE: {"before", "after", "difference", "low", "high", "p", "pairs", "better"}}, "by_kind": {KIND:
    measures}, "changed": [{"id", "kind", "gain", "measures": {MEASURE: [before, after]}, "answers": [before, after]}],
    "only_before": [id], "only_after": [id], "unscored": [id]}}, "gates": [{"measure", "drop", "series", "fell",
    "sentence"}]}`
    """
    return {
        "before": _side_row(comparison.before),
        "after": _side_row(comparison.after),
        "differing": list(comparison.differing),
        "series": {name: _series_row(series) for name, series in comparison.series.items()},
        "gates": [
            {
                "measure": finding.gate.measure,
                "drop": finding.gate.drop,
                "series": finding.series,
                "fell": finding.fell,
                "sentence": finding.sentence,
            }
            for finding in findings
        ],
    }


def _side_row(side: Side) -> dict[str, Json]:
    return {"run": side.name, "created": side.header.created, "finished": side.finished}


def _series_row(series: Series) -> dict[str, Json]:
    return {
        "questions": series.questions,
        "measures": _contrast_rows(series.contrasts),
        "by_kind": {kind: _contrast_rows(contrasts) for kind, contrasts in series.by_kind.items()},
        "changed": [_change_row(change) for change in series.changes],
        "only_before": list(series.only_before),
        "only_after": list(series.only_after),
        "unscored": list(series.unscored),
    }


def _contrast_rows(contrasts: Mapping[str, Contrast]) -> dict[str, Json]:
    return {name: _contrast_row(name, contrast) for name, contrast in contrasts.items()}


def _contrast_row(name: str, contrast: Contrast) -> dict[str, Json]:
    found = contrast.difference
    return {
        "before": None if contrast.before is None else round(contrast.before.mean, 4),
        "after": None if contrast.after is None else round(contrast.after.mean, 4),
        "difference": None if found is None else round(found.mean, 4),
        "low": None if found is None else round(found.low, 4),
        "high": None if found is None else round(found.high, 4),
        "p": None if found is None else round(found.p, 4),
        "pairs": contrast.pairs,
        "better": named(name).better,
    }


def _change_row(change: Change) -> dict[str, Json]:
    return {
        "id": change.after.question_id,
        "kind": change.after.kind,
        "gain": round(change.gain, 4),
        "measures": {name: [move.before, move.after] for name, move in change.moves.items()},
        "answers": [row.detail.get("answer") for row in (change.before, change.after)],
    }


def _show(comparison: Comparison) -> None:
    show_text(f"before: {comparison.before.name}; after: {comparison.after.name}", "dim")
    for sentence in comparison.differing:
        show_text(sentence)
    for name, series in comparison.series.items():
        if len(comparison.series) > 1:
            show_text(name, "bold")
        _show_series(series, comparison)


def _show_series(series: Series, comparison: Comparison) -> None:
    rows = [_cells(name, contrast) for name, contrast in series.contrasts.items()]
    if rows:
        show_grid([["measure", "before", "after", "difference", "95% interval", "p", ""], *rows])
        show_text(f"better, worse, differs: p < {SIGNIFICANT:g} by a paired randomisation test.", "dim")
    for side, ids in ((comparison.before, series.only_before), (comparison.after, series.only_after)):
        if ids:
            show_text(only(side, ids))
    if series.unscored:
        show_text(f"Not scored after, though before: {', '.join(series.unscored)}.")
    show_text(f"{len(series.changes)} of {series.questions} questions changed.")
    for what, changes in (("lost", series.losers()), ("gained", series.gainers())):
        for change in changes[:_LISTED]:
            show_text(f"{change.after.question_id} {what} {abs(change.gain):.2f}: {_told(change)}", "dim")


def _told(change: Change) -> str:
    if "error" in change.after.detail:
        return "not scored."
    return "; ".join(words for words, way in moved(change.moves) if way)


def _cells(name: str, contrast: Contrast) -> list[str]:
    before, after = (None if e is None else e.mean for e in (contrast.before, contrast.after))
    return [name, figure(before, after), figure(after, before), *difference(contrast), verdict(name, contrast)]
