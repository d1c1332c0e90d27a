"""Agreement against scikit-learn and SciPy, and judges whose leanings are known."""

import json
import math
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr  # type: ignore[import-untyped]
from sklearn.metrics import cohen_kappa_score

from eval.judging.agreement import Weighting, agreement, kappa, length_bias, position_bias, reasons, spearman
from eval.judging.grades import SCALE, Place
from eval.judging.judge import Verdict
from eval.judging.labelled import Judged, Labelled, Pair

BINARY = range(2)


def verdict(value: float | None, reason: str = "no grade") -> Verdict:
    return Verdict(value, reason if value is None else None, 1, "")


def judged(label: int, value: float | None, after: float | None = None, words: int = 3, **more: str) -> Judged:
    evidence = ("E.",) if "evidence" in more else ()
    row = Labelled("1", "Q?", "w " * words, label, more.get("reference"), evidence)
    return Judged(row, verdict(value), verdict(after))


def counts_of(labels: list[int], verdicts: list[int], size: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    counts = np.zeros((size, size))
    for label, given_ in zip(labels, verdicts, strict=True):
        counts[label, given_] += 1
    return counts


@pytest.mark.parametrize("weighting", ["none", "linear", "quadratic"])
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=60))
def test_kappa_is_scikit_learns(weighting: Weighting, both: list[tuple[int, int]]) -> None:
    labels, verdicts = [label for label, _ in both], [given_ for _, given_ in both]
    mine = float(kappa(counts_of(labels, verdicts, 5), weighting))
    if len({*labels, *verdicts}) == 1:
        assert math.isnan(mine)
        return
    weights = None if weighting == "none" else weighting
    assert mine == pytest.approx(cohen_kappa_score(labels, verdicts, labels=range(5), weights=weights), abs=1e-6)


def test_kappa_by_hand() -> None:
    """Two raters, 50 items: 35 agreed on where chance would give 25 (0.4 of what is beyond it)."""
    assert float(kappa(np.array([[20.0, 5.0], [10.0, 15.0]]))) == pytest.approx(0.4)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=2, max_size=40))
def test_spearman_is_scipys(both: list[tuple[int, int]]) -> None:
    first, second = [float(a) for a, _ in both], [float(b) for _, b in both]
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert spearman(first, second) is None
    else:
        assert spearman(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-6)


def test_agreement_on_grades_counts_what_is_unscored_and_leaves_it_out() -> None:
    rows = [judged(5, 1.0), judged(1, 0.0), judged(4, 0.5), judged(2, None), judged(2, 0.25)]
    found = agreement(rows, SCALE)["helpful"]
    assert (found.scale, found.scored, found.unscored) == ((1, 2, 3, 4, 5), 4, 1)
    assert found.accuracy.value == 0.75
    assert found.counts[3] == (0, 0, 1, 0, 0)
    assert sum(map(sum, found.counts)) == 4
    plain, linear, quadratic = (found.kappa[name].value or 0.0 for name in ("none", "linear", "quadratic"))
    assert 0 < plain < linear < quadratic < 1
    low, high = found.kappa["linear"].low, found.kappa["linear"].high
    assert low is not None
    assert high is not None
    assert low < linear <= high


def test_the_interval_narrows_with_more_answers() -> None:
    def width(times: int) -> float:
        rows = [judged(1, 1.0), judged(1, 0.0), judged(0, 0.0), judged(0, 0.25)] * times
        found = agreement(rows, BINARY)["helpful"].kappa["none"]
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    assert width(50) < width(5)


def test_a_grade_above_3_is_a_yes_where_labels_are_0_and_1() -> None:
    rows = [judged(1, 0.75), judged(1, 1.0), judged(0, 0.5), judged(0, 0.0)]
    found = agreement(rows, BINARY)["helpful"]
    assert (found.scale, found.accuracy.value, found.kappa["none"].value) == ((0, 1), 1.0, 1.0)
    assert set(found.kappa) == {"none"}


def test_a_yes_is_compared_with_labels_above_3() -> None:
    rows = [judged(label, value, evidence="E.") for label, value in ((5, 1.0), (4, 1.0), (3, 0.0), (1, 0.0))]
    found = agreement(rows, SCALE)["supported"]
    assert (found.scale, found.kappa["none"].value) == ((0, 1), 1.0)


def test_verdicts_are_kept_apart() -> None:
    rows = [judged(1, 1.0), judged(0, 0.0, reference="R."), judged(1, 1.0, evidence="E.")]
    assert list(agreement(rows, BINARY)) == ["correct", "supported", "helpful"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([judged(1, 1.0), judged(1, 0.0)], "all labels are 1"),
        ([judged(1, None), judged(0, None)], "nothing was scored"),
    ],
)
def test_where_kappa_is_not_defined_it_is_none_with_the_reason(rows: list[Judged], reason: str) -> None:
    figure = agreement(rows, BINARY)["helpful"].kappa["none"]
    assert (figure.value, figure.low, figure.high) == (None, None, None)
    assert (figure.reason or "").startswith(reason)


def test_a_judge_that_always_says_the_same_is_no_better_than_chance() -> None:
    figure = agreement([judged(1, 1.0), judged(0, 1.0), judged(1, 1.0)], BINARY)["helpful"].kappa["none"]
    assert figure.value == 0


VALUES = st.sampled_from([None, 0.0, 0.25, 0.5, 0.75, 1.0])


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.integers(1, 5), VALUES, VALUES, st.integers(1, 4)), max_size=8),
    st.lists(st.tuples(*[st.sampled_from([None, "first", "second"])] * 2), max_size=8),
)
def test_no_figure_is_ever_nan(
    rows: list[tuple[int, float | None, float | None, int]], places: list[tuple[Place | None, Place | None]]
) -> None:
    shown = [judged(*row) for row in rows]
    found = [asdict(each) for each in agreement(shown, SCALE).values()]
    found += [asdict(length_bias(shown)), asdict(position_bias([Pair(*pair) for pair in places]))]
    json.dumps(found, allow_nan=False)


def test_position_bias() -> None:
    always = position_bias([Pair("first", "first")] * 4)
    fair = position_bias([Pair("first", "second"), Pair("second", "first"), Pair(None, "first")])
    assert (always.first.value, always.consistent.value) == (1.0, 0.0)
    assert (fair.first.value, fair.consistent.value) == (0.5, 1.0)
    assert (fair.pairs, fair.unscored) == (2, 1)
    assert position_bias([]).first.reason == "no two answers differ"
    assert position_bias([Pair(None, None)]).first.reason == "nothing was scored"


def test_length_bias() -> None:
    likes = length_bias([judged(3, words / 8, words / 8 + 0.25, words) for words in (2, 4, 6)])
    assert (likes.rising.value, likes.rise.value) == (1.0, 0.25)
    assert likes.words.value == pytest.approx(1.0)
    assert likes.words_of_labels.reason == "every answer has the same label"
    mixed = length_bias([judged(2, 0.5, 0.75), judged(4, 0.5, 0.25), judged(3, None, 1.0)])
    assert (mixed.rising.value, mixed.rise.value, mixed.pairs, mixed.unscored) == (0.5, 0.0, 2, 1)
    assert mixed.words.reason == "every answer has the same number of words"
    assert length_bias([]).rise.reason == "nothing was scored"


def test_reasons_are_counted() -> None:
    assert reasons([verdict(None, "a"), verdict(1.0), verdict(None, "b"), verdict(None, "b")]) == {"b": 2, "a": 1}
