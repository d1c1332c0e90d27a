"""Two runs of the same questions: what differs, by how much, and whether chance alone goes as far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from assistant.schema import Json
from eval.reporting.shortfall import named, ordered, total
from eval.runs import Header, Row, Run
from eval.statistics import Difference, Estimate, paired
from eval.summary import LATENCIES, Scored, curve, risks, scored, weight

SIGNIFICANT = 0.05
_ROUNDING = 1e-9
_RESAMPLES = 400  # of an area: each is a sort of all answers

Pair = tuple[Row, Row]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs: what it is called, where it is, what it was made of, and whether it came to its end."""

    name: str
    folder: Path
    header: Header
    finished: bool


@dataclass(frozen=True, slots=True)
class Contrast:
    """A measure over the questions that both runs hold, None where one has no value of it.

    `pairs` counts the questions with a value in both, `lost` names those that had one before and could not be
    scored after.
    """

    before: Estimate | None
    after: Estimate | None
    difference: Difference | None
    pairs: int
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A measure's values of one question; None where it could not be scored or doesn't apply."""

    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose measures moved, times apart, or whose answer reads otherwise.

    `gain` is by how much less it falls short in all, negative when it lost.
    """

    before: Row
    after: Row
    moves: Mapping[str, Move]
    gain: float


@dataclass(frozen=True, slots=True)
class Series:
    """One series of both runs: measures over all and by kind, changed questions, and the ids that one run lacks.

    `questions` counts those that both hold; `had` are the measures that the first run has any value of.
    """

    questions: int
    had: frozenset[str]
    contrasts: Mapping[str, Contrast]
    by_kind: Mapping[str, Mapping[str, Contrast]]
    changes: tuple[Change, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def unscored(self) -> tuple[str, ...]:
        """The ids of questions of which something was measured before and could not be after."""
        return tuple(dict.fromkeys(name for contrast in self.contrasts.values() for name in contrast.lost))

    def losers(self) -> tuple[Change, ...]:
        """Return the questions that lost, the most first."""
        return tuple(sorted((c for c in self.changes if c.gain < 0), key=lambda change: change.gain))

    def gainers(self) -> tuple[Change, ...]:
        """Return the questions that gained, the most first."""
        return tuple(sorted((c for c in self.changes if c.gain > 0), key=lambda change: -change.gain))


@dataclass(frozen=True, slots=True)
class Gate:
    """By how much a measure's mean may fall; where lower is better, by how much it may rise."""

    measure: str
    drop: float


@dataclass(frozen=True, slots=True)
class Finding:
    """What a gate found of a series: whether its measure fell by more, and in one sentence what happened."""

    gate: Gate
    series: str
    fell: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs, what they were made of that differs, in sentences, and their series by name."""

    before: Side
    after: Side
    differing: tuple[str, ...]
    series: Mapping[str, Series]


def compared(before: Run, after: Run, seed: int = 0) -> Comparison:
    """Return how the second run differs from the first, question by question."""
    first, second = (Side(run.name, run.folder, run.header(), run.finished) for run in (before, after))
    return Comparison(first, second, differing(first, second), compared_rows(before.rows(), after.rows(), seed))


def compared_rows(before: Sequence[Row], after: Sequence[Row], seed: int = 0) -> dict[str, Series]:
    """Return the comparison of two runs' rows by series, matched by question."""
    names = dict.fromkeys(row.series for row in (*before, *after))
    return {name: _series(_of(name, before), _of(name, after), seed) for name in names}


def verdict(name: str, contrast: Contrast) -> Literal["better", "worse", "differs", ""]:
    """Say which way a measure went; "" where chance alone may well go as far."""
    found = contrast.difference
    if found is None or found.p >= SIGNIFICANT:
        return ""
    better = named(name).better
    if better == "neither":
        return "differs"
    return "better" if (found.mean > 0) == (better == "higher") else "worse"


def differing(before: Side, after: Side) -> tuple[str, ...]:
    """Return what the runs were not alike in, a sentence each."""
    a, b = before.header, after.header
    told = []
    if a.command != b.command:
        told.append(f"They are of two commands: eval {a.command}, then eval {b.command}.")
    if a.questions != b.questions:
        told.append("They read two files of questions; only the questions that both hold are compared.")
    if a.library != b.library:
        told.append(f"The library's papers or its encoder changed: digest {a.library}, then {b.library}.")
    if a.model != b.model:
        told.append(f"Written by {a.model or 'no model'}, then by {b.model or 'no model'}.")
    if a.seed != b.seed:
        told.append(f"The seed was {a.seed}, then {b.seed}.")
    told += _changed("The setting", a.settings, b.settings) + _changed("The version of", a.versions, b.versions)
    unfinished = [side.name for side in (before, after) if not side.finished]
    told += [f"The run {name} is unfinished: not all of its questions have been asked." for name in unfinished]
    return tuple(told)


def _changed(what: str, before: Mapping[str, Json], after: Mapping[str, Json]) -> list[str]:
    names = [name for name in dict.fromkeys((*before, *after)) if before.get(name) != after.get(name)]
    return [f"{what} {name} was {_said(before.get(name))}, then {_said(after.get(name))}." for name in names]


def _said(value: Json) -> str:
    return "not set" if value is None else str(value)


def _of(series: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.series == series]


def _series(before: Sequence[Row], after: Sequence[Row], seed: int) -> Series:
    first, second = ({row.question_id: row for row in rows} for rows in (before, after))
    pairs = [(row, second[name]) for name, row in first.items() if name in second]
    kinds = dict.fromkeys(row.kind for _, row in pairs)
    changes = (_change(*pair) for pair in pairs)
    had = {name for row in before for name, value in row.measures.items() if value is not None}
    return Series(
        len(pairs),
        frozenset(had | {"aurc"} if curve(before) else had),
        contrasts(pairs, seed),
        {kind: contrasts([pair for pair in pairs if pair[1].kind == kind], seed) for kind in kinds},
        tuple(change for change in changes if change is not None),
        tuple(name for name in first if name not in second),
        tuple(name for name in second if name not in first),
    )


def contrasts(pairs: Sequence[Pair], seed: int = 0) -> dict[str, Contrast]:
    """Return each measure of questions' rows before and after, in the order of `MEASURES`, then by name."""
    sides = [scored([pair[i] for pair in pairs], seed) for i in (0, 1)]
    return {
        name: _contrast(name, sides[0].get(name), sides[1].get(name), pairs, seed)
        for name in ordered(sides[0].keys() | sides[1].keys())
    }


def _contrast(name: str, before: Scored | None, after: Scored | None, pairs: Sequence[Pair], seed: int) -> Contrast:
    part = "risk" if name == "aurc" else name  # what each question has of it
    return Contrast(
        None if before is None else before.estimate,
        None if after is None else after.estimate,
        _area_difference(pairs, seed) if name == "aurc" else _difference(name, pairs, seed),
        sum(all(row.measures.get(part) is not None for row in pair) for pair in pairs),
        tuple(a.question_id for a, b in pairs if a.measures.get(part) is not None and _unscored(part, b)),
    )


def _unscored(name: str, row: Row) -> bool:
    """Tell whether a row should have had a value; a question that failed lacks also those of an answer."""
    return "error" in row.detail or (name in row.measures and row.measures[name] is None)


def _difference(name: str, pairs: Sequence[Pair], seed: int) -> Difference | None:
    first, second = ([pair[i].measures.get(name) for pair in pairs] for i in (0, 1))
    v, w = ([0.0 if value is None else weight(name, value) for value in side] for side in (first, second))
    return paired([x or 0.0 for x in first], [x or 0.0 for x in second], (v, w), seed) if any(v) and any(w) else None


def _area_difference(pairs: Sequence[Pair], seed: int) -> Difference | None:
    """Return how the areas under risk against coverage differ, the questions drawn in pairs."""
    sides = np.array([[_surety(row) for row in pair] for pair in pairs])  # (questions, runs, confidence and risk)
    if np.isnan(sides[:, :, 0]).all(axis=0).any():
        return None
    generator, rows = np.random.default_rng(seed), np.arange(len(sides))
    observed = _area(sides[:, 1]) - _area(sides[:, 0])
    drawn = [sides[generator.integers(0, len(sides), len(sides))] for _ in range(_RESAMPLES)]
    differences = [_area(each[:, 1]) - _area(each[:, 0]) for each in drawn]
    swaps = generator.integers(0, 2, (_RESAMPLES, len(sides)))
    chance = np.array([_area(sides[rows, 1 - swap]) - _area(sides[rows, swap]) for swap in swaps])
    low, high = np.nanpercentile(differences, [2.5, 97.5])
    known = chance[~np.isnan(chance)]
    as_far = int((np.abs(known) >= abs(observed) - 1e-12).sum())
    return Difference(observed, float(low), float(high), (1 + as_far) / (1 + len(known)))


def _surety(row: Row) -> tuple[float, float]:
    """Return confidence and risk of an answer that has both, else NaN."""
    risk = row.measures.get("risk")
    known = row.measures.get("coverage") and row.confidence is not None and risk is not None
    return (row.confidence, risk) if known else (np.nan, np.nan)  # type: ignore[return-value]


def _area(side: np.ndarray) -> float:
    known = side[~np.isnan(side[:, 0])]
    return float(risks(known[:, 0], known[:, 1]).mean()) if len(known) else np.nan


def _change(before: Row, after: Row) -> Change | None:
    names = [name for name in dict.fromkeys((*before.measures, *after.measures)) if name not in LATENCIES]
    moves = {name: Move(before.measures.get(name), after.measures.get(name)) for name in names}
    moved = {name: move for name, move in moves.items() if move.before != move.after}
    if not moved and all(before.detail.get(part) == after.detail.get(part) for part in ("answer", "error")):
        return None
    return Change(before, after, moved, total(before) - total(after))


def unusable(gates: Sequence[Gate], comparison: Comparison) -> str | None:
    """Say which gate names a measure that can't fall, because the first run lacks it or no end of it is good."""
    had = frozenset[str]().union(*(series.had for series in comparison.series.values()))
    names = ordered(had)
    fit = [name for name in names if named(name).better != "neither"]
    for gate in gates:
        if gate.measure not in fit:
            why = "has no good end" if gate.measure in names else f"is no measure of {comparison.before.name}"
            return f"{gate.measure!r} {why}; a gate takes one of {', '.join(fit) or 'none, for nothing was measured'}."
    return None


def judged(gates: Sequence[Gate], comparison: Comparison) -> tuple[Finding, ...]:
    """Return what each gate finds of each series that has its measure. What was lost counts as fallen."""
    return tuple(
        _finding(gate, name, series, comparison.after)
        for gate in gates
        for name, series in comparison.series.items()
        if gate.measure in series.had
    )


def _finding(gate: Gate, name: str, series: Series, after: Side) -> Finding:
    what = gate.measure if name == "answers" else f"{gate.measure} of {name}"
    contrast = series.contrasts.get(gate.measure)
    if contrast is None or contrast.difference is None or contrast.before is None or contrast.after is None:
        return Finding(gate, name, True, f"{what} fell away: {after.name} has no value of it for these questions.")
    if series.only_before and not after.finished:
        return Finding(gate, name, True, f"{what} fell away for the questions that {after.name} has not asked yet.")
    lower = named(gate.measure).better == "lower"
    fall = contrast.difference.mean if lower else -contrast.difference.mean
    fell = fall > gate.drop + _ROUNDING
    way = ("rose" if lower else "fell") if fell else "held"
    means = f"{contrast.before.mean:.4g}, then {contrast.after.mean:.4g}"
    if contrast.lost and not fell:
        return Finding(
            gate, name, True, f"{what} fell away for {_some(contrast.lost)} that {after.name} did not score."
        )
    limit = f"{'more than' if fell else 'within'} the {gate.drop:g} allowed"
    return Finding(gate, name, fell, f"{what} {way}: {means}, {limit} (p = {contrast.difference.p:.2g}).")


def _some(questions: Sequence[str]) -> str:
    return "1 question" if len(questions) == 1 else f"{len(questions)} questions"
