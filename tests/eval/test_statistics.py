import pytest

from eval.statistics import bootstrap


def test_equal_values_have_no_spread() -> None:
    assert bootstrap([0.5] * 9) == bootstrap([0.5])
    assert (bootstrap([0.5]).low, bootstrap([0.5]).high) == (0.5, 0.5)


def test_the_interval_holds_the_mean_and_narrows_with_more_values() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 1000)
    assert few.mean == pytest.approx(0.5)
    assert few.low < few.mean < few.high
    assert many.high - many.low < few.high - few.low
    assert few.high - few.low == pytest.approx(0.44, abs=0.08)
