"""Seconds and milliseconds: how long work takes, once or again and again."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds: the median and the 95th percentile."""

    p50: float
    p95: float


def latency(seconds: Sequence[float]) -> Latency:
    """Return the median and the 95th percentile of some times, at least one."""
    p50, p95 = 1000 * np.percentile(seconds, [50, 95])
    return Latency(round(float(p50), 1), round(float(p95), 1))


def duration(work: Callable[[], object]) -> float:
    """Do the work and return the seconds that it took."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def durations(call: Callable[[str], object], texts: Iterable[str]) -> list[float]:
    """Call with one text after the other and return the seconds that each took."""
    return [duration(partial(call, text)) for text in texts]
