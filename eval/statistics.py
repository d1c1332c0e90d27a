"""Means, their differences, and how far either could be chance: bootstrap intervals and a randomisation test."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
_AT_ONCE = 500_000  # numbers drawn at once, which bounds the memory

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the bounds of its 95% interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the second mean is above the first, its 95% interval, and how likely chance alone goes as far."""

    mean: float
    low: float
    high: float
    p: float


def bootstrap(values: Sequence[float], weights: Sequence[float] | None = None, seed: int = 0) -> Estimate:
    """Return the weighted mean of at least one value with its percentile bootstrap interval (Efron 1979)."""
    numbers = np.asarray(values, dtype=float)
    counts = np.ones(len(numbers)) if weights is None else np.asarray(weights, dtype=float)
    means = np.concatenate([_means(numbers, counts, drawn) for drawn in _draws(len(numbers), seed)])
    low, high = np.nanpercentile(means, [2.5, 97.5])
    return Estimate(float(numbers @ counts / counts.sum()), float(low), float(high))


def paired(
    first: Sequence[float],
    second: Sequence[float],
    weights: tuple[Sequence[float], Sequence[float]] | None = None,
    seed: int = 0,
) -> Difference:
    """Return how two systems differ on the same questions: `first[i]` and `second[i]` are of the same question.

    A weight of 0 leaves a question out on that side; each side needs one that counts. The interval is a paired
    bootstrap's; `p` is that of Fisher's two-sided randomisation test, which exchanges the systems question by
    question (Smucker, Allan and Carterette 2007).
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    v, w = (np.asarray(side, dtype=float) for side in weights) if weights else (np.ones(len(a)), np.ones(len(a)))
    observed = float(b @ w / w.sum() - a @ v / v.sum())
    draws = [_means(b, w, drawn) - _means(a, v, drawn) for drawn in _draws(len(a), seed)]
    low, high = np.nanpercentile(np.concatenate(draws), [2.5, 97.5])
    chance = np.concatenate([_exchanged(a, b, v, w, swap) for swap in _swaps(len(a), seed)])
    as_far = int((np.abs(chance) >= abs(observed) - 1e-12).sum())
    return Difference(observed, float(low), float(high), (1 + as_far) / (1 + len(chance)))


def holm(p: Sequence[float]) -> list[float]:
    """Return p values corrected for being several (Holm 1979), in the order given."""
    order = np.argsort(p, kind="stable")
    steps = [min(1.0, p[place] * (len(p) - rank)) for rank, place in enumerate(order)]
    corrected = np.empty(len(p))
    corrected[order] = np.maximum.accumulate(steps) if steps else []
    return [float(value) for value in corrected]


def _means(values: Array, weights: Array, drawn: NDArray[np.int64]) -> Array:
    """Return the weighted mean of each draw, NaN for one without weight."""
    sums = weights[drawn].sum(axis=1)
    totals = (values * weights)[drawn].sum(axis=1)
    means: Array = np.divide(totals, sums, out=np.full(len(sums), np.nan), where=sums > 0)
    return means


def _exchanged(a: Array, b: Array, v: Array, w: Array, swap: NDArray[np.bool_]) -> Array:
    """Return the differences with the systems exchanged where `swap`, (resamples, n), says so."""
    first, second = _side(a, v, b, w, swap), _side(b, w, a, v, swap)
    differences: Array = second - first
    return differences[~np.isnan(differences)]


def _side(a: Array, v: Array, b: Array, w: Array, swap: NDArray[np.bool_]) -> Array:
    weights = np.where(swap, w, v)
    sums = weights.sum(axis=1)
    totals = np.where(swap, b * w, a * v).sum(axis=1)
    means: Array = np.divide(totals, sums, out=np.full(len(sums), np.nan), where=sums > 0)
    return means


def _draws(n: int, seed: int) -> Iterator[NDArray[np.int64]]:
    generator = np.random.default_rng(seed)
    for size in _slices(n):
        yield generator.integers(0, n, (size, n))


def _swaps(n: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    generator = np.random.default_rng(seed)
    for size in _slices(n):
        yield generator.integers(0, 2, (size, n)).astype(bool)


def _slices(n: int) -> Iterator[int]:
    at_once = max(1, _AT_ONCE // n)
    yield from (min(at_once, RESAMPLES - start) for start in range(0, RESAMPLES, at_once))
