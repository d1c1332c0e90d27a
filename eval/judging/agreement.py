"""How far a judge can be trusted: its agreement with people, and what sways it. Pure.

Every figure comes with a 95% bootstrap interval (Efron 1979), or is None with the reason. Verdicts that are unscored
are counted and left out.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from eval.judging.grades import SCALE
from eval.judging.judge import Verdict, VerdictName
from eval.judging.labelled import Judged, Pair
from eval.statistics import RESAMPLES, bootstrap

Weighting = Literal["none", "linear", "quadratic"]
Array = NDArray[np.float64]

_NOTHING_SCORED = "nothing was scored"
_ABOVE = 3  # the highest grade that does not count as a yes


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with the bounds of its 95% interval; None with the reason where it is not defined."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a verdict with labels on `scale`.

    `kappa` by weighting; `counts[i][j]`: how many answers labelled `scale[i]` got `scale[j]`.
    """

    scale: tuple[int, ...]
    scored: int
    unscored: int
    accuracy: Figure
    kappa: dict[Weighting, Figure]
    counts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PositionBias:
    """Pairs of answers judged in both orders.

    `consistent`: the share in which the same answer is better both times; `first`: how often the one that stands
    first is, 0.5 without bias.
    """

    pairs: int
    unscored: int
    consistent: Figure
    first: Figure


@dataclass(frozen=True, slots=True)
class LengthBias:
    """Answers judged as they are and with a sentence repeated.

    `rising`: the share whose value rises; `rise`: by how much, from -1 to 1. `words`: Spearman's correlation of value
    and number of words, beside that of the labels, `words_of_labels`.
    """

    pairs: int
    unscored: int
    rising: Figure
    rise: Figure
    words: Figure
    words_of_labels: Figure


def agreement(judged: Sequence[Judged], scale: range) -> dict[VerdictName, Agreement]:
    """Return the agreement with the labels for each verdict that was asked for.

    A yes or no counts as 1 or 0; where only one side is graded, grades 4 and 5 count as 1.
    """
    names: tuple[VerdictName, ...] = ("correct", "supported", "helpful")
    by_name = {name: [each for each in judged if each.row.verdict == name] for name in names}
    return {name: _agreement(rows, name, scale) for name, rows in by_name.items() if rows}


def position_bias(pairs: Sequence[Pair]) -> PositionBias:
    """Return how far the place of an answer sways the judge (Zheng et al. 2023)."""
    scored = [(pair.chosen, pair.chosen_swapped) for pair in pairs if pair.chosen and pair.chosen_swapped]
    consistent = [float(chosen != swapped) for chosen, swapped in scored]
    first = [sum(place == "first" for place in places) / 2 for places in scored]
    nothing = _NOTHING_SCORED if pairs else "no two answers differ"
    return PositionBias(len(scored), len(pairs) - len(scored), _mean(consistent, nothing), _mean(first, nothing))


def length_bias(judged: Sequence[Judged]) -> LengthBias:
    """Return how far the length of an answer sways the judge."""
    rises = [
        each.padded.value - each.verdict.value
        for each in judged
        if each.padded.value is not None and each.verdict.value is not None
    ]
    known = [each for each in judged if each.verdict.value is not None]
    words = [float(len(each.row.answer.split())) for each in known]
    values = [each.verdict.value for each in known if each.verdict.value is not None]
    return LengthBias(
        len(rises),
        len(judged) - len(rises),
        _mean([float(rise > 0) for rise in rises], _NOTHING_SCORED),
        _mean(rises, _NOTHING_SCORED),
        _correlated(words, values, "value"),
        _correlated(words, [float(each.row.label) for each in known], "label"),
    )


def reasons(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Count the reasons for which verdicts are unscored, the most frequent first."""
    return dict(Counter(verdict.reason for verdict in verdicts if verdict.reason is not None).most_common())


def kappa(counts: Array, weighting: Weighting = "none") -> Array:
    """Return Cohen's kappa (1960; weighted 1968) of counts, shape (…, k, k); NaN where it is not defined.

    That is where both sides use one and the same class, so that chance alone would agree.
    """
    distance = np.abs(np.subtract.outer(np.arange(counts.shape[-1]), np.arange(counts.shape[-1]))).astype(float)
    weights = {"none": (distance > 0).astype(float), "linear": distance, "quadratic": distance**2}[weighting]
    total = counts.sum((-2, -1))
    rows, columns = counts.sum(-1)[..., :, None], counts.sum(-2)[..., None, :]
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = (weights * rows * columns).sum((-2, -1)) / total
        found: Array = 1 - (weights * counts).sum((-2, -1)) / chance
    return found


def spearman(first: Sequence[float] | Array, second: Sequence[float] | Array) -> float | None:
    """Return Spearman's rank correlation, ties sharing their mean rank; None when one side doesn't vary."""
    ranks = _ranks(first), _ranks(second)
    if len(ranks[0]) < 2 or any(np.ptp(rank) == 0 for rank in ranks):
        return None
    return float(np.corrcoef(*ranks)[0, 1])


def _agreement(rows: Sequence[Judged], name: VerdictName, scale: range) -> Agreement:
    graded = name != "supported" and scale == SCALE
    used = scale if graded else range(2)
    both = [(each.row.label, each.verdict.value) for each in rows if each.verdict.value is not None]
    labels = [label if scale == used else int(label > _ABOVE) for label, _ in both]
    verdicts = [round(SCALE[0] + value * (SCALE[-1] - SCALE[0])) for _, value in both]
    verdicts = verdicts if graded else [int(verdict > _ABOVE) for verdict in verdicts]
    places = np.array(
        [(used.index(label), used.index(verdict)) for label, verdict in zip(labels, verdicts, strict=True)]
    )
    places = places.reshape(-1, 2).astype(np.int64)
    weightings: tuple[Weighting, ...] = ("none", "linear", "quadratic") if graded else ("none",)
    return Agreement(
        tuple(used),
        len(both),
        len(rows) - len(both),
        _mean([float(label == verdict) for label, verdict in places], _NOTHING_SCORED),
        {weighting: _kappa(places, used, weighting) for weighting in weightings},
        tuple(tuple(int(count) for count in row) for row in _counts(places, len(used))),
    )


def _kappa(places: NDArray[np.int64], scale: range, weighting: Weighting) -> Figure:
    """Return kappa for pairs of places on a scale, shape (n, 2)."""
    if not len(places):
        return Figure(reason=_NOTHING_SCORED)
    if len(set(places[:, 0])) == 1:
        return Figure(reason=f"all labels are {scale[places[0, 0]]}, so that chance can't be told from agreement")
    value = float(kappa(_counts(places, len(scale)), weighting))
    draws = np.random.default_rng(0).integers(0, len(places), (RESAMPLES, len(places)))
    found = kappa(_counts(places[draws], len(scale)), weighting)
    return _with_interval(value, found[~np.isnan(found)])


def _correlated(words: Sequence[float], values: Sequence[float], what: str) -> Figure:
    value = spearman(words, values)
    if value is None:
        constant = "number of words" if len(set(words)) < 2 else what
        return Figure(reason=f"every answer has the same {constant}" if words else _NOTHING_SCORED)
    first, second = np.array(words), np.array(values)
    draws = np.random.default_rng(0).integers(0, len(words), (RESAMPLES, len(words)))
    again = (spearman(first[draw], second[draw]) for draw in draws)
    return _with_interval(value, np.array([each for each in again if each is not None]))


def _mean(values: Sequence[float], nothing: str) -> Figure:
    if not values:
        return Figure(reason=nothing)
    found = bootstrap(values)
    return Figure(found.mean, found.low, found.high)


def _with_interval(value: float, resampled: Array) -> Figure:
    """Return a value with the interval of what it is for resamples, of those for which it is defined."""
    low, high = np.percentile(resampled, [2.5, 97.5]) if len(resampled) else (value, value)
    return Figure(value, float(low), float(high))


def _counts(places: NDArray[np.int64], size: int) -> Array:
    """Count pairs of places, shape (…, n, 2), into a table each, shape (…, size, size)."""
    cells = places[..., 0] * size + places[..., 1]
    tables = cells.reshape(prod(cells.shape[:-1]), cells.shape[-1])
    tables = tables + np.arange(len(tables))[:, None] * size * size
    found = np.bincount(tables.ravel(), minlength=len(tables) * size * size)
    return found.reshape(*cells.shape[:-1], size, size).astype(float)


def _ranks(values: Sequence[float] | Array) -> Array:
    _, inverse, counts = np.unique(np.asarray(values, dtype=float), return_inverse=True, return_counts=True)
    ranks: Array = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks
