"""Runs over the same queries side by side: their means, how they differ from one of them, and on which queries most."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from eval.runs import Row
from eval.statistics import Difference, Estimate, bootstrap, holm, paired

BY = "nDCG@10"
MOST = 5


@dataclass(frozen=True, slots=True)
class Change:
    """A query with a run's value of the measure `BY` and the baseline's."""

    question_id: str
    question: str
    run: str
    value: float
    baseline: float

    @property
    def difference(self) -> float:
        """By how much the run is better."""
        return self.value - self.baseline


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Runs by name, measures by name. `gained` and `lost` are of the run `watched`, the greatest change first.

    Each `p` of a difference is corrected for the number of runs compared with the baseline in that measure (Holm).
    """

    runs: Mapping[str, Mapping[str, Estimate]]
    baseline: str
    differences: Mapping[str, Mapping[str, Difference]]
    watched: str
    gained: tuple[Change, ...]
    lost: tuple[Change, ...]


def side_by_side(rows: Iterable[Row], names: Sequence[str], baseline: str) -> SideBySide:
    """Compare the runs of these names, more than one, by the rows of a stored run; every run has all queries."""
    by_run: dict[str, list[Row]] = {name: [] for name in names}
    for row in rows:
        by_run[row.series].append(row)
    columns = {name: _columns(of_run) for name, of_run in by_run.items()}
    watched = _watched(names, baseline)
    changes = _changes(by_run[watched], by_run[baseline])
    return SideBySide(
        {name: {measure: bootstrap(v) for measure, v in column.items()} for name, column in columns.items()},
        baseline,
        _differences(columns, baseline),
        watched,
        tuple(change for change in changes[:MOST] if change.difference > 0),
        tuple(change for change in changes[::-1][:MOST] if change.difference < 0),
    )


def _columns(rows: Sequence[Row]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for row in rows:
        for measure, value in row.measures.items():
            assert value is not None  # a ranking can always be measured
            found.setdefault(measure, []).append(value)
    return found


def _differences(
    columns: Mapping[str, Mapping[str, Sequence[float]]], baseline: str
) -> dict[str, dict[str, Difference]]:
    others = [name for name in columns if name != baseline]
    found: dict[str, dict[str, Difference]] = {name: {} for name in others}
    for measure, before in columns[baseline].items():
        compared = [paired(before, columns[name][measure]) for name in others]
        corrected = holm([difference.p for difference in compared])
        for name, difference, p in zip(others, compared, corrected, strict=True):
            found[name][measure] = replace(difference, p=p)
    return found


def _watched(names: Sequence[str], baseline: str) -> str:
    """Return the run whose queries are shown: the search that is used, or what was asked for beside it."""
    return "fused" if baseline != "fused" else names[3] if len(names) > 3 else names[0]


def _changes(rows: Sequence[Row], before: Sequence[Row]) -> list[Change]:
    """Return all queries, what gained most first; equals by place in the file."""
    changes = [
        Change(row.question_id, str(row.detail["question"]), row.series, row.measures[BY] or 0, old.measures[BY] or 0)
        for row, old in zip(rows, before, strict=True)
    ]
    return sorted(changes, key=lambda change: -change.difference)
