import math
from itertools import pairwise, permutations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_score, recall_score

from assistant.library import Library
from eval.measures import MEASURES, measured
from eval.runs import Row
from eval.summary import Scored, Summary, curve, summarised, weight
from tests.eval.answers import FOUND, answer, case, said

BEES = "openreview:bees0001"


def row(confidence: float | None = None, *, kind: str = "fact", name: str = "1", **measures: float | None) -> Row:
    return Row(name, kind, measures, confidence=confidence)


def answered(confidence: float | None, risk: float | None) -> Row:
    return row(confidence, coverage=1.0, risk=risk)


def check(summary: Summary) -> Summary:
    """Look at what holds of every summary: nothing is NaN, intervals are in order, counts add up."""
    for measures in (summary.measures, *summary.by_kind.values()):
        for name, found in measures.items():
            assert (found.estimate is None) is (found.scored == 0), name
            if (e := found.estimate) is not None:
                assert all(map(math.isfinite, (e.mean, e.low, e.high)))
                assert e.low - 1e-9 <= e.mean <= e.high + 1e-9, name
    assert all(math.isfinite(v) for found in summary.percentiles.values() for v in found.values())
    return summary


def estimate(found: Scored) -> float:
    assert found.estimate is not None
    return found.estimate.mean


def test_no_rows_are_an_empty_summary() -> None:
    assert check(summarised([])) == Summary({}, {}, None, {}, ())


def test_what_could_not_be_scored_is_counted_and_no_number() -> None:
    rows = [row(risk=None, coverage=None, total_ms=None), row(risk=None, coverage=None)]
    summary = check(summarised(rows))
    assert summary.measures == {
        "coverage": Scored(None, 0, 2), "risk": Scored(None, 0, 2), "total_ms": Scored(None, 0, 1),
    }  # fmt: skip
    assert (summary.curve, summary.percentiles) == (None, {})


def test_means_are_over_what_was_scored() -> None:
    rows = [row(nugget_recall=v) for v in (1.0, 0.5, None, 0.0)] + [row(kind="multi", nugget_recall=1.0), row()]
    summary = check(summarised(rows))
    found = summary.measures["nugget_recall"]
    assert (found.scored, found.unscored) == (4, 1)
    assert estimate(found) == pytest.approx(0.625)
    assert estimate(summary.by_kind["fact"]["nugget_recall"]) == pytest.approx(0.5)
    assert estimate(summary.by_kind["multi"]["nugget_recall"]) == 1


@given(st.lists(st.floats(0, 1) | st.none(), min_size=1, max_size=30), st.integers(0, 5))
@settings(max_examples=30)
def test_any_values_have_an_interval_that_contains_their_mean(values: list[float | None], seed: int) -> None:
    check(summarised([row(v, coverage=1.0, risk=v, nugget_recall=v, total_ms=v) for v in values], seed))


def test_measures_stand_in_their_order_and_unknown_ones_behind() -> None:
    given_ = row(0.5, zeta=1.0, alpha=1.0, total_ms=1.0, risk=0.0, coverage=1.0, paper_recall=1.0)
    names = list(summarised([given_]).measures)
    assert names == ["paper_recall", "coverage", "risk", "aurc", "total_ms", "alpha", "zeta"]
    assert [m.name for m in MEASURES if m.name in names] == names[:-2]


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=25))
@settings(max_examples=60)
def test_abstention_is_scored_as_by_sklearn(held: Library, questions: list[tuple[bool, bool]]) -> None:
    """True: to be left unanswered, and left so."""
    rows = [
        Row(
            "1", "", measured(case([] if hopeless else [[BEES]]), answer() if refused else answer(said(FOUND, 1)), held)
        )
        for hopeless, refused in questions
    ]
    truth, guess = zip(*questions, strict=True)
    found = check(summarised(rows)).measures
    for name, reference in (("recall", recall_score), ("precision", precision_score), ("f1", f1_score)):
        ours = found.get(f"abstention_{name}")
        expected = reference(truth, guess, zero_division=np.nan)
        assert (ours is None) is bool(np.isnan(expected)), name
        if ours is not None:
            assert estimate(ours) == pytest.approx(expected, abs=1e-6)
    assert estimate(found["coverage"]) == pytest.approx(1 - mean(guess))


def test_only_hits_count_for_both_rates() -> None:
    assert [weight("abstention_f1", 1.0), weight("abstention_f1", 0.0), weight("coverage", 1.0)] == [2, 1, 1]


def plain_aurc(answers: list[tuple[float, float]]) -> tuple[float, list[float]]:
    """Return area and curve: the mean over all orders of answers of equal confidence."""
    orders = [o for o in permutations(answers) if all(a[0] >= b[0] for a, b in pairwise(o))]
    curves = [[mean(r for _, r in order[:n]) for n in range(1, len(order) + 1)] for order in orders]
    return mean(map(mean, curves)), [mean(column) for column in zip(*curves, strict=True)]


@given(st.lists(st.tuples(st.sampled_from((0.1, 0.5, 0.9)), st.sampled_from((0.0, 1.0))), min_size=1, max_size=6))
@settings(max_examples=60)
def test_the_area_is_that_of_all_orders_of_ties(answers: list[tuple[float, float]]) -> None:
    summary = check(summarised([answered(*each) for each in answers]))
    area, risks = plain_aurc(answers)
    assert summary.curve is not None
    assert summary.curve.area == pytest.approx(area, abs=1e-6)
    assert summary.curve.risk == pytest.approx(risks, abs=1e-6)
    assert estimate(summary.measures["aurc"]) == pytest.approx(area, abs=1e-6)
    assert summary.measures["aurc"].scored == len(answers)


@pytest.mark.parametrize(
    ("answers", "area"),
    [
        ([(0.9, 0), (0.8, 0), (0.1, 1)], (0 + 0 + 1 / 3) / 3),
        ([(0.1, 0), (0.8, 0), (0.9, 1)], (1 + 1 / 2 + 1 / 3) / 3),
        ([(0.5, 0), (0.5, 1)], 0.5),
        ([(0.5, 1)], 1.0),
        ([(0.2, 0)], 0.0),
    ],
)
def test_the_area_by_hand(answers: list[tuple[float, float]], area: float) -> None:
    found = curve(answered(*each) for each in answers)
    assert found is not None
    assert found.area == pytest.approx(area)


def test_coverage_is_of_all_questions() -> None:
    rows = [answered(0.9, 0.0), answered(0.8, 1.0), answered(None, 1.0), answered(0.7, None)]
    rows += [row(0.1, coverage=0.0), row(coverage=None, risk=None)]
    found = curve(rows)
    assert found is not None
    assert (found.coverage, found.risk) == ((0.2, 0.4), (0.0, 0.5))
    assert curve([answered(None, 1.0), row(0.2, coverage=0.0)]) is None


def test_percentiles_and_faults() -> None:
    rows = [Row(str(i), "fact", {"total_ms": float(i)}) for i in range(101)]
    rows.append(Row("odd", "fact", {"coverage": None}, detail={"error": "odd: it failed."}))
    summary = check(summarised(rows))
    assert summary.percentiles == {"total_ms": {"p50": 50.0, "p95": 95.0, "p99": 99.0}}
    assert summary.faults == (("odd", "odd: it failed."),)


def test_the_seed_moves_the_interval_and_nothing_else() -> None:
    rows = [row(nugget_recall=float(i % 3 == 0)) for i in range(20)]
    first, again, other = (summarised(rows, seed).measures["nugget_recall"].estimate for seed in (0, 0, 1))
    assert first == again
    assert first is not None
    assert other is not None
    assert first.mean == other.mean
