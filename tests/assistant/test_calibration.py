from dataclasses import fields
from itertools import pairwise
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answerability import Signals
from assistant.calibration import Calibration, Judgement, Logistic, log_odds, probability, shipped
from assistant.overlap import Overlap

NOTHING = Logistic(0.0, {})
SIZED = Calibration(
    NOTHING,
    {1.0: 2.0, 8.0: 1.0},
    NOTHING,
    0.5,
    {8.0: Judgement(0.9, 0.5), 1.0: Judgement(0.1, 0.0), 2.0: Judgement(0.4, 0.2)},
)


def test_log_odds_add_up() -> None:
    model = Logistic(-1.0, {"warmth": 2.0, "noise": -0.5})
    assert model.log_odds({"warmth": 3.0, "noise": 4.0, "unasked": 9.0}) == pytest.approx(3.0)
    with pytest.raises(KeyError):
        model.log_odds({"warmth": 3.0})


@pytest.mark.parametrize(("billions", "weight"), [(0.0, 0.1), (1.0, 0.1), (1.1, 0.4), (None, 0.4), (7, 0.9), (70, 0.9)])
def test_a_judgement_goes_by_the_size_of_a_model(billions: float | None, weight: float) -> None:
    assert SIZED.judgement(billions).weight == weight


@pytest.mark.parametrize(("billions", "needed"), [(0.5, 2.0), (1.0, 2.0), (None, 1.0), (8.0, 1.0), (400, 1.0)])
def test_support_needed_goes_by_the_size_of_a_model(billions: float | None, needed: float) -> None:
    assert SIZED.needed_by(billions) == needed


def test_what_is_shipped_weighs_what_is_measured() -> None:
    calibration = shipped()
    assert set(calibration.support.weights) <= {f.name for f in fields(Overlap)} | {"entailed"}
    assert set(calibration.answerability.weights) == {f.name for f in fields(Signals)}
    assert 0 < calibration.stated < 1


@given(st.floats(0, 1000), st.floats(0, 1000))
def test_larger_models_are_believed_more(one: float, other: float) -> None:
    small, large = sorted((one, other))
    assert shipped().needed_by(small) >= shipped().needed_by(large)
    assert 0 <= shipped().judgement(small).weight <= shipped().judgement(large).weight


@given(st.floats(allow_nan=False))
def test_a_probability_never_overflows(odds: float) -> None:
    assert 0 < probability(odds) < 1


@given(st.floats(-20, 20))
def test_a_probability_and_its_log_odds_are_each_others_inverse(odds: float) -> None:
    assert log_odds(probability(odds)) == pytest.approx(odds, abs=1e-5)
    assert probability(odds) / probability(-odds) == pytest.approx(exp(odds), rel=1e-6)


@given(st.lists(st.floats(-30, 30), min_size=2))
def test_higher_odds_are_more_probable(odds: list[float]) -> None:
    assert all(probability(a) <= probability(b) for a, b in pairwise(sorted(odds)))
