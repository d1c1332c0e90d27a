"""What tests compare of evaluated answers: means of measures, and rows without their times."""

from collections.abc import Sequence
from dataclasses import replace

from eval.runs import Row
from eval.summary import LATENCIES, summarised


def untimed(row: Row) -> Row:
    """Return a row without what differs from one time to the next."""
    measures = {name: value for name, value in row.measures.items() if name not in LATENCIES}
    detail = {name: value for name, value in row.detail.items() if name != "timings_ms"}
    return replace(row, measures=measures, detail=detail)


def means(rows: Sequence[Row]) -> dict[str, float]:
    """Return the mean of each measure that was scored."""
    found = summarised(rows).measures.items()
    return {name: scored.estimate.mean for name, scored in found if scored.estimate is not None}
