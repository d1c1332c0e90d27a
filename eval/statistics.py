"""Means with bootstrap intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the bounds of its 95% interval."""

    mean: float
    low: float
    high: float


def bootstrap(values: Sequence[float], seed: int = 0) -> Estimate:
    """Return the mean of at least one value with its percentile bootstrap interval (Efron 1979)."""
    numbers = np.asarray(values, dtype=float)
    draws = np.random.default_rng(seed).integers(0, len(numbers), (RESAMPLES, len(numbers)))
    means = numbers[draws].mean(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(numbers.mean()), float(low), float(high))
