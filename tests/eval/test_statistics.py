import math
from itertools import product
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test  # type: ignore[import-untyped]  # scipy ships no types

from eval.statistics import Difference, bootstrap, holm, paired

FIRST = [0.1, 0.9, 0.4, 0.0, 1.0, 0.3, 0.7, 0.2]
SECOND = [0.5, 0.8, 0.9, 0.1, 1.0, 0.9, 0.6, 0.8]


def test_equal_values_have_no_spread() -> None:
    assert bootstrap([0.5] * 9) == bootstrap([0.5])
    assert (bootstrap([0.5]).low, bootstrap([0.5]).high) == (0.5, 0.5)


def test_the_interval_holds_the_mean_and_narrows_with_more_values() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 1000)
    assert few.mean == pytest.approx(0.5)
    assert few.low < few.mean < few.high
    assert many.high - many.low < few.high - few.low
    assert few.high - few.low == pytest.approx(0.44, abs=0.08)


def test_chances_of_several_comparisons_are_corrected() -> None:
    assert holm([]) == []
    assert holm([0.04]) == [0.04]
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_a_correction_keeps_the_order_and_never_lowers(p: list[float]) -> None:
    corrected = holm(p)
    assert all(after >= before for before, after in zip(p, corrected, strict=True))
    assert [corrected[i] for i in sorted(range(len(p)), key=lambda i: p[i])] == sorted(corrected)
    assert max(corrected) <= 1


def test_the_interval_is_that_of_the_mean_of_many_values() -> None:
    values = np.random.default_rng(1).normal(3.0, 2.0, 400)
    found, error = bootstrap(values.tolist()), values.std() / 20
    assert found.mean == pytest.approx(values.mean(), abs=1e-9)
    assert found.low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert found.high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


@given(st.lists(st.tuples(st.floats(-9, 9), st.integers(1, 3)), min_size=1, max_size=20))
@settings(max_examples=30)
def test_a_weight_is_a_repetition(pairs: list[tuple[float, int]]) -> None:
    values, weights = [v for v, _ in pairs], [float(w) for _, w in pairs]
    found = bootstrap(values, weights)
    assert found.mean == pytest.approx(mean(v for v, w in pairs for _ in range(w)), abs=1e-6)
    assert found.low - 1e-9 <= found.mean <= found.high + 1e-9


def test_values_without_weight_count_for_nothing() -> None:
    found = bootstrap([0.2, 9.0, 0.4], [1.0, 0.0, 1.0])
    assert found.mean == pytest.approx(0.3)
    assert [found.low, found.high] == pytest.approx([0.2, 0.4])


def test_one_value_and_a_seed() -> None:
    found = paired([0.5], [0.75])
    assert (found.mean, found.low, found.high, found.p) == (0.25, 0.25, 0.25, 1.0)
    assert paired(FIRST, SECOND) == paired(FIRST, SECOND)
    assert paired(FIRST, SECOND, seed=1) != paired(FIRST, SECOND)


def exact_p(first: list[float], second: list[float]) -> float:
    """Return the share of all exchanges whose difference goes as far."""
    gaps = [b - a for a, b in zip(first, second, strict=True)]
    observed = abs(mean(gaps))
    signs = list(product((1, -1), repeat=len(gaps)))
    return mean(abs(mean(s * g for s, g in zip(sign, gaps, strict=True))) >= observed - 1e-12 for sign in signs)


def test_the_test_is_the_exact_one_but_for_chance() -> None:
    found = paired(FIRST, SECOND)
    exact = exact_p(FIRST, SECOND)
    reference = permutation_test(
        (np.array(FIRST), np.array(SECOND)), lambda a, b: np.mean(b) - np.mean(a), permutation_type="samples",
        n_resamples=np.inf,
    )  # fmt: skip
    assert exact == pytest.approx(reference.pvalue, abs=1e-6)
    assert found.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 2000))
    assert found.mean == pytest.approx(mean(SECOND) - mean(FIRST), abs=1e-9)


def test_the_interval_is_of_questions_drawn_in_pairs() -> None:
    gaps = np.array(SECOND) - np.array(FIRST)
    draws = gaps[np.random.default_rng(9).integers(0, len(gaps), (4000, len(gaps)))].mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    found = paired(FIRST, SECOND)
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.03)


def test_systems_exchanged_differ_the_other_way() -> None:
    there, back = paired(FIRST, SECOND), paired(SECOND, FIRST)
    assert back.mean == pytest.approx(-there.mean)
    assert [back.low, back.high] == pytest.approx([-there.high, -there.low])
    assert back.p == pytest.approx(there.p)


def test_the_same_answers_do_not_differ() -> None:
    assert paired(FIRST, FIRST) == Difference(0.0, 0.0, 0.0, 1.0)
    assert paired([0.0] * 30, [1.0] * 30).p == pytest.approx(1 / 2001)


def test_a_weight_of_nothing_leaves_a_question_out_on_that_side() -> None:
    weights = ([1.0, 1.0, 0.0, 1.0], [1.0, 0.0, 1.0, 1.0])
    found = paired([0.0, 1.0, 9.0, 0.5], [1.0, 9.0, 0.5, 0.0], weights)
    assert found.mean == pytest.approx(mean([1.0, 0.5, 0.0]) - mean([0.0, 1.0, 0.5]))
    assert all(map(math.isfinite, (found.low, found.high, found.p)))
    assert found.low <= found.mean <= found.high


@given(st.lists(st.tuples(*[st.floats(0, 1)] * 2, *[st.integers(0, 2)] * 2), min_size=1, max_size=12))
@settings(max_examples=30)
def test_no_weights_make_nan(rows: list[tuple[float, float, int, int]]) -> None:
    a, b, v, w = (list(map(float, column)) for column in zip(*rows, strict=True))
    if not sum(v) or not sum(w):
        return
    found = paired(a, b, (v, w))
    assert all(map(math.isfinite, (found.mean, found.low, found.high)))
    assert 0 < found.p <= 1


def test_more_values_than_are_drawn_at_once() -> None:
    values = [0.0, 1.0] * 1500
    assert bootstrap(values).high - bootstrap(values).low == pytest.approx(4 * 0.5 / math.sqrt(3000), rel=0.15)
