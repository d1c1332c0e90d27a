"""How far what was measured of a question is from what a perfect answer would have reached."""

from collections.abc import Collection, Mapping

from eval.measures import BY_NAME, MEASURES, Measure
from eval.runs import Row

FAILED = 0.3  # short by as much is worth showing: one of three sentences unsupported, one of three facts missing
# They say again, more finely or over other questions, what another measure says of the same answer.
_REPEATED = frozenset({"nugget_f3", "reference_recall", "groundedness", "abstention_precision", "abstention_f1"})


def named(name: str) -> Measure:
    """Return the measure of a name; those of rankings, as `nDCG@10`, are shares of which more is better."""
    return BY_NAME.get(name, Measure(name, "", "all"))


def ordered(names: Collection[str]) -> list[str]:
    """Return names of measures in the order of `MEASURES`, then by name."""
    return [m.name for m in MEASURES if m.name in names] + sorted(set(names) - BY_NAME.keys())


def shortfall(name: str, value: float | None) -> float | None:
    """Return how far a value is from its good end: 0 at it, 1 at the other end and for what could not be scored.

    None for what has no good end, and for times, which have no bad one.
    """
    if name.endswith("_ms") or (better := named(name).better) == "neither":
        return None
    if value is None:
        return 1.0
    share = min(max(value, 0.0), 1.0)
    return 1 - share if better == "higher" else share


def total(row: Row) -> float:
    """Return the sum of a question's shortfalls."""
    return sum(_short(row).values())


def failed(row: Row) -> Mapping[str, float | None]:
    """Return the measures by which a question went wrong, with their values, the worst first."""
    short = _short(row)
    worst = sorted((name for name in short if short[name] >= FAILED), key=lambda name: -short[name])
    return {name: row.measures[name] for name in worst}


def _short(row: Row) -> dict[str, float]:
    told = {name: shortfall(name, value) for name, value in row.measures.items() if name not in _REPEATED}
    return {name: value for name, value in told.items() if value is not None}
