"""Times, and the two figures made of them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.speed.latency import Latency, duration, durations, latency


@given(st.lists(st.floats(0, 100), min_size=1))
def test_both_figures_lie_within_the_times(seconds: list[float]) -> None:
    found = latency(seconds)
    assert 1000 * min(seconds) - 0.1 <= found.p50 <= found.p95 <= 1000 * max(seconds) + 0.1


def test_seconds_become_milliseconds() -> None:
    assert latency([0.001, 0.002, 0.0123]) == Latency(2.0, 11.3)


def test_work_is_timed() -> None:
    assert duration(lambda: time.sleep(0.02)) >= 0.02
    called: list[str] = []
    assert len(durations(called.append, "ab")) == 2
    assert called == ["a", "b"]


def test_no_times_have_no_figures() -> None:
    with pytest.raises((IndexError, ValueError)):
        latency([])
