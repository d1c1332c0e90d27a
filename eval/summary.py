"""Rows of a run as estimates: each measure's mean with its interval, and risk against coverage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from eval.measures import BY_NAME, MEASURES
from eval.runs import Row
from eval.statistics import Estimate, bootstrap

LATENCIES = ("total_ms", "first_sentence_ms")


@dataclass(frozen=True, slots=True)
class Scored:
    """A measure over rows: its estimate, None without a score, and how many rows it was scored for and how many not."""

    estimate: Estimate | None
    scored: int
    unscored: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Risk against coverage: `risk[i]` is the share of wrong answers among the surest `coverage[i]` of all questions.

    `area` is the mean of the risks.
    """

    coverage: tuple[float, ...]
    risk: tuple[float, ...]
    area: float


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a run's rows add up to, over all questions and by kind. Percentiles are milliseconds."""

    measures: Mapping[str, Scored]
    by_kind: Mapping[str, Mapping[str, Scored]]
    curve: Curve | None
    percentiles: Mapping[str, Mapping[str, float]]
    faults: tuple[tuple[str, str], ...]


def summarised(rows: Sequence[Row], seed: int = 0) -> Summary:
    """Return the summary of rows of one series."""
    kinds = dict.fromkeys(row.kind for row in rows)
    return Summary(
        measures=scored(rows, seed),
        by_kind={kind: scored([row for row in rows if row.kind == kind], seed) for kind in kinds},
        curve=curve(rows),
        percentiles=_percentiles(rows),
        faults=tuple((row.question_id, str(row.detail["error"])) for row in rows if "error" in row.detail),
    )


def scored(rows: Sequence[Row], seed: int = 0) -> dict[str, Scored]:
    """Return every measure that applies to some row, in the order of `MEASURES`, then by name."""
    names = {name for row in rows for name in row.measures}
    ordered = [m.name for m in MEASURES if m.name in names] + sorted(names - BY_NAME.keys())
    found = {name: _scored(name, rows, seed) for name in ordered}
    if (area := _area(rows, seed)) is not None:
        found["aurc"] = area
    return {name: found[name] for name in dict.fromkeys([*(m.name for m in MEASURES), *found]) if name in found}


def weight(name: str, value: float) -> float:
    """Return how often a row counts in a measure's mean: F1 is a mean in which a hit counts for both its rates."""
    return 2.0 if name == "abstention_f1" and value == 1 else 1.0


def curve(rows: Iterable[Row]) -> Curve | None:
    """Return risk against coverage over the answers that have a confidence; None when there is none.

    Answers of equal confidence come in together, each with their mean risk, so that their order doesn't matter.
    """
    asked = [row for row in rows if row.measures.get("coverage") is not None]
    sure = [(row.confidence, row.measures.get("risk")) for row in asked if row.measures["coverage"]]
    known = [(c, r) for c, r in sure if c is not None and r is not None]
    if not known:
        return None
    risk = risks(np.array([c for c, _ in known]), np.array([r for _, r in known]))
    coverage = tuple(float(n) / len(asked) for n in range(1, len(known) + 1))
    return Curve(coverage, tuple(risk.tolist()), float(risk.mean()))


def risks(confidence: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """Return the risk of the surest 1, 2, … answers, (n,) of (n,); equals share their mean."""
    values, places = np.unique(-confidence, return_inverse=True)
    sums = np.bincount(places, weights=wrong, minlength=len(values))
    counts = np.bincount(places, minlength=len(values))
    expected = np.repeat(sums / counts, counts)
    return np.asarray(np.cumsum(expected) / np.arange(1, len(expected) + 1))


def _scored(name: str, rows: Sequence[Row], seed: int) -> Scored:
    values = [row.measures[name] for row in rows if name in row.measures]
    numbers = [value for value in values if value is not None]
    estimate = bootstrap(numbers, [weight(name, value) for value in numbers], seed) if numbers else None
    return Scored(estimate, len(numbers), len(values) - len(numbers))


def _area(rows: Sequence[Row], seed: int) -> Scored | None:
    """Return the area under the curve with its bootstrap interval."""
    known = [
        (row.confidence, row.measures["risk"])
        for row in rows
        if row.measures.get("coverage") and row.confidence is not None and row.measures.get("risk") is not None
    ]
    if not known:
        return None
    confidence, wrong = (np.array(side, dtype=float) for side in zip(*known, strict=True))
    generator = np.random.default_rng(seed)
    draws = generator.integers(0, len(known), (400, len(known)))
    areas = [risks(confidence[drawn], wrong[drawn]).mean() for drawn in draws]
    low, high = np.percentile(areas, [2.5, 97.5])
    return Scored(Estimate(float(risks(confidence, wrong).mean()), float(low), float(high)), len(known), 0)


def _percentiles(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    found = {}
    for name in LATENCIES:
        if values := [value for row in rows if (value := row.measures.get(name)) is not None]:
            p50, p95, p99 = np.percentile(values, [50, 95, 99])
            found[name] = {"p50": round(float(p50), 1), "p95": round(float(p95), 1), "p99": round(float(p99), 1)}
    return found
