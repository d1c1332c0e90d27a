"""The report of two runs: which measures moved and by how much, and the questions whose answers changed."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from eval.comparison import SIGNIFICANT, Change, Comparison, Contrast, Finding, Move, Series, Side, verdict
from eval.reporting.pages import (
    Block,
    Changed,
    Changes,
    Line,
    Page,
    Plots,
    Section,
    Table,
    Text,
    Tile,
    Words,
    counted,
    figure,
    spoken,
)
from eval.reporting.plots import Plot, slope
from eval.reporting.run_page import TOLD, answered, day
from eval.reporting.shortfall import shortfall
from eval.runs import Row

BY_KIND = f"Differences of the measures that moved for some kind; * where p is below {SIGNIFICANT:g}."
ALIKE = 0.2  # below it, two answers have only stray words in common
SHOWN = 60  # changed questions shown side by side
LEGEND = f"p is that of a paired randomisation test; below {SIGNIFICANT:g}, a difference is called better or worse."


def comparison_page(comparison: Comparison, findings: Sequence[Finding] = ()) -> Page:
    """Return the report of a comparison, with what gates found."""
    before, after = comparison.before, comparison.after
    several = len(comparison.series) > 1
    sections = [section for n, s in comparison.series.items() for section in _chapter(n, s, comparison, several)]
    told = Text(comparison.differing or ("The two runs were made of the same.",))
    sections = [Section("What the runs differ in", (told,)), *sections, Section("Provenance", (_sides(before, after),))]
    about = f"before: {before.name}, {day(before.header)} · after: {after.name}, {day(after.header)}"
    warnings = [sentence for sentence in comparison.differing if "unfinished" in sentence]
    warnings += [finding.sentence for finding in findings if finding.fell]
    return Page(f"{before.name} → {after.name}", about, _tiles(comparison), tuple(sections), tuple(warnings))


def only(side: Side, ids: Sequence[str]) -> str:
    """Say which questions only one of the runs has."""
    return f"Only {side.name} has {counted(len(ids), 'question')}: {_some(ids)}."


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:10]) + (" …" if len(ids) > 10 else "")


def difference(contrast: Contrast) -> tuple[str, str, str]:
    """Return a difference as it is read: by how much, its interval, and p."""
    found = contrast.difference
    if found is None:
        return "–", "", ""
    like = max((abs(e.mean) for e in (contrast.before, contrast.after) if e is not None), default=0.0)
    low, high = signed(found.low, like), signed(found.high, like)
    return signed(found.mean, like), f"{low} to {high}", "<0.001" if found.p < 0.001 else f"{found.p:.3f}"


def signed(value: float, like: float) -> str:
    """Return a difference with its sign; a true minus, and none at zero."""
    text = figure(abs(value), like)
    if not text.strip("0.,"):
        return text
    return ("+" if value > 0 else "−") + text


def moved(moves: Mapping[str, Move]) -> Words:
    """Return the measures that moved, each with which way it went."""
    return tuple(
        (f"{spoken(name)} {figure(move.before)} → {figure(move.after)}", _way(name, move))
        for name, move in moves.items()
    )


def _way(name: str, move: Move) -> str:
    first, second = (shortfall(name, value) for value in (move.before, move.after))
    if first is None or second is None or first == second:
        return ""
    return "better" if second < first else "worse"


def _tiles(comparison: Comparison) -> tuple[Tile, ...]:
    if not comparison.series:
        return ()
    name, series = list(comparison.series.items())[-1]
    of = f"{name} " if len(comparison.series) > 1 else ""
    told = [
        (m, c) for m in (*TOLD, "total_ms") if (c := series.contrasts.get(m)) is not None and c.difference is not None
    ]
    return tuple(
        Tile(of + spoken(m), difference(c)[0], f"{_means(c)}, p {difference(c)[2]}", verdict(m, c)) for m, c in told[:5]
    )


def _means(contrast: Contrast) -> str:
    before, after = (None if e is None else e.mean for e in (contrast.before, contrast.after))
    return f"{figure(before, after)} → {figure(after, before)}"


def _chapter(name: str, series: Series, comparison: Comparison, several: bool) -> list[Section]:
    of = f" · {name}" if several else ""
    blocks: list[Block] = [_table(series.contrasts)]
    lacking = ((comparison.before, series.only_before), (comparison.after, series.only_after))
    told = [only(side, ids) for side, ids in lacking if ids]
    if series.unscored:
        told.append(f"Scored in {comparison.before.name} and not in {comparison.after.name}: {_some(series.unscored)}.")
    if told:
        blocks.append(Text(tuple(told)))
    lead = f"{counted(series.questions, 'question')} in both runs. {LEGEND}"
    sections = [Section(f"Measures{of}", tuple(blocks), lead)]
    if slopes := _slopes(name, series.contrasts):
        sections.append(Section(f"Before and after{of}", slopes, "Means with their 95% intervals."))
    if len(series.by_kind) > 1:
        sections.append(Section(f"By kind{of}", (_kinds(series),), BY_KIND))
    return [*sections, _changes(series, of)]


def _table(contrasts: Mapping[str, Contrast]) -> Table:
    lines = []
    for name, contrast in contrasts.items():
        before, after = (None if e is None else e.mean for e in (contrast.before, contrast.after))
        mark = verdict(name, contrast)
        cells = (spoken(name), figure(before, after), figure(after, before), *difference(contrast), mark)
        lines.append(Line(cells, mark=mark))
    return Table(("measure", "before", "after", "difference", "95% interval", "p", ""), tuple(lines))


def _slopes(series: str, contrasts: Mapping[str, Contrast]) -> tuple[Block, ...]:
    """Return a figure of each measure that moved, and the names of those that didn't."""
    plots: dict[str, Plot] = {}
    still = []
    for name, contrast in contrasts.items():
        before, after, found = contrast.before, contrast.after, contrast.difference
        if before is None or after is None or found is None:
            continue
        if not _shows(contrast):
            still.append(spoken(name))
            continue
        mark = verdict(name, contrast)
        labels = (figure(before.mean, after.mean), figure(after.mean, before.mean))
        caption = f"{difference(contrast)[0]}{f', {mark}' if mark else ''}"
        plots[f"{series}-slope-{len(plots)}"] = slope(spoken(name), caption, (before, after), labels, mark)
    told = (Text((f"Unchanged: {', '.join(still)}.",)),) if still else ()
    return (*((Plots(plots, small=True),) if plots else ()), *told)


def _shows(contrast: Contrast | None) -> bool:
    """Tell whether a difference is one to the digits that are read."""
    return contrast is not None and bool(difference(contrast)[0].strip("0.–"))


def _kinds(series: Series) -> Table:
    kinds = series.by_kind.values()
    names = [name for name in series.contrasts if any(_shows(found.get(name)) for found in kinds)]
    lines = [Line((spoken(name), *(_kind(name, found) for found in series.by_kind.values()))) for name in names]
    return Table(("measure", *series.by_kind), tuple(lines))


def _kind(name: str, contrasts: Mapping[str, Contrast]) -> str:
    if (contrast := contrasts.get(name)) is None:
        return "–"
    return difference(contrast)[0] + ("*" if verdict(name, contrast) else "")


def _changes(series: Series, of: str) -> Section:
    losers, gainers = series.losers(), series.gainers()
    others = tuple(change for change in series.changes if change.gain == 0)
    lead = (
        f"{len(series.changes)} of {counted(series.questions, 'question')} changed: {len(losers)} lost, "
        f"{len(gainers)} gained, {len(others)} read otherwise. Words that only one answer has are marked."
    )
    shown = [*losers[: SHOWN // 2], *gainers[: SHOWN // 2]]
    shown += others[: SHOWN - len(shown)]
    return Section(f"Changed questions{of}", (Changes(tuple(map(_changed, shown))),) if shown else (), lead)


def _changed(change: Change) -> Changed:
    moves = moved(change.moves)
    before, after = told_apart(_text(change.before), _text(change.after))
    if "error" in change.after.detail:
        moves = (("not scored", "worse"),)
    way = "worse" if change.gain < 0 else "better" if change.gain > 0 else ""
    question = str(change.after.detail.get("question") or change.before.detail.get("question") or "")
    return Changed(change.after.question_id, change.after.kind, question, way, before, after, moves)


def _text(row: Row) -> str:
    fault = row.detail.get("error")
    return f"Not scored: {fault}" if fault else " ".join(text for text, _ in answered(row))


def told_apart(before: str, after: str) -> tuple[Words, Words]:
    """Return two texts in pieces, each piece that the other lacks marked "only"; unmarked when they share little."""
    first, second = before.split(), after.split()
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if matcher.ratio() < ALIKE:
        return ((" ".join(first), ""),), ((" ".join(second), ""),)
    left: list[tuple[str, str]] = []
    right: list[tuple[str, str]] = []
    for what, i, j, k, m in matcher.get_opcodes():
        mark = "" if what == "equal" else "only"
        left += [(" ".join(first[i:j]), mark)] if j > i else []
        right += [(" ".join(second[k:m]), mark)] if m > k else []
    return tuple(left), tuple(right)


def _sides(before: Side, after: Side) -> Table:
    pairs = [("questions", "questions"), ("library", "library"), ("model", "model"), ("seed", "seed")]
    lines = [Line((name, *(_said(getattr(s.header, field)) for s in (before, after)))) for name, field in pairs]
    for part in ("settings", "versions"):
        a, b = (dict(getattr(side.header, part)) for side in (before, after))
        lines += [Line((spoken(n), *(_said(held.get(n)) for held in (a, b)))) for n in dict.fromkeys((*a, *b))]
    return Table(("", before.name, after.name), tuple(lines), words=3)


def _said(value: object) -> str:
    return "none" if value is None else str(value)
