import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.statistics import bootstrap, holm


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
