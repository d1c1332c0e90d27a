from collections.abc import Mapping, Sequence

import pytest

from eval.retrieval.side_by_side import side_by_side
from eval.runs import Row
from eval.statistics import paired

NAMES = ("dense", "lexical", "fused")


def rows(values: Mapping[str, Sequence[float]]) -> list[Row]:
    return [
        Row(str(n), "query", {"nDCG@10": value, "R@10": 1.0}, name, n, detail={"question": f"Question {n}?"})
        for name, column in values.items()
        for n, value in enumerate(column)
    ]


LEXICAL = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 0.5]
FUSED = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.6, 0.7, 0.6, 0.5, 1.0, 0.6]
DENSE = [value - 0.01 for value in LEXICAL]
VALUES = {"dense": DENSE, "fused": FUSED, "lexical": LEXICAL}


def test_runs_are_compared_with_the_baseline() -> None:
    result = side_by_side(rows(VALUES), NAMES, "lexical")
    assert list(result.runs) == list(NAMES)
    assert result.runs["fused"]["nDCG@10"].mean == pytest.approx(sum(FUSED) / len(FUSED))
    assert set(result.differences) == {"dense", "fused"}
    assert result.differences["fused"]["nDCG@10"].mean == pytest.approx((sum(FUSED) - sum(LEXICAL)) / len(FUSED))
    assert result.differences["fused"]["R@10"].mean == 0
    assert result.differences["fused"]["R@10"].p == 1


def test_chances_are_corrected_for_the_number_of_comparisons() -> None:
    alone = {name: paired(LEXICAL, VALUES[name]).p for name in ("dense", "fused")}
    found = side_by_side(rows(VALUES), NAMES, "lexical").differences
    assert found["dense"]["nDCG@10"].p == pytest.approx(2 * alone["dense"])
    assert found["fused"]["nDCG@10"].p == pytest.approx(alone["fused"])


def test_the_queries_that_changed_most_are_told() -> None:
    result = side_by_side(rows(VALUES), NAMES, "lexical")
    assert result.watched == "fused"
    assert [change.question_id for change in result.gained] == ["0", "1", "2", "3", "4"]
    assert (result.gained[0].question, result.gained[0].value, result.gained[0].baseline) == ("Question 0?", 1.0, 0.0)
    assert [change.question_id for change in result.lost] == ["9", "8"]
    assert result.lost[0].difference == pytest.approx(-0.4)


@pytest.mark.parametrize(
    ("names", "baseline", "watched"),
    [
        (NAMES, "dense", "fused"),
        (NAMES, "fused", "dense"),
        ((*NAMES, "fused@0.5"), "fused", "fused@0.5"),
        ((*NAMES, "fused@0.5"), "fused@0.5", "fused"),
    ],
)
def test_the_run_that_is_watched(names: Sequence[str], baseline: str, watched: str) -> None:
    values = VALUES | ({"fused@0.5": FUSED} if len(names) > 3 else {})
    assert side_by_side(rows(values), names, baseline).watched == watched
