"""What was fitted on data: weights and thresholds, with the figures that they were fitted on (`calibration.json`)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log

from assistant.schema import Json


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model: a probability from named numbers; what is at least `threshold` passes."""

    bias: float
    weights: Mapping[str, float]
    threshold: float

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log odds, which the weighted values add up to."""
        return self.bias + sum(weight * values[name] for name, weight in self.weights.items())

    def probability(self, values: Mapping[str, float]) -> float:
        """Return the probability, in 0..1."""
        return probability(self.log_odds(values))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a chat model's "yes" against "no" is worth beside the other signals: it adds `weight * (odds - centre)`."""

    weight: float
    centre: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything fitted. `judgements` are by the largest number of parameters, in billions, that they hold for."""

    support: Logistic
    answerability: Logistic
    judgements: Mapping[float, Judgement]

    def judgement(self, billions: float | None) -> Judgement:
        """Return what a model of a size says is worth; one of unknown size counts as a middling one."""
        sizes = sorted(self.judgements)
        known = sizes[len(sizes) // 2] if billions is None else billions
        return self.judgements[next((size for size in sizes if known <= size), sizes[-1])]


def probability(log_odds: float) -> float:
    """Return the probability of log odds, kept from overflowing."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, log_odds))))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability within (0, 1)."""
    return log(probability / (1 - probability))


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """Return the calibration that comes with askpapers."""
    return _read(json.loads(files("assistant").joinpath("calibration.json").read_text("utf-8")))


def _read(stored: Mapping[str, Json]) -> Calibration:
    judgements = stored["judgements"]
    assert isinstance(judgements, dict)
    return Calibration(
        support=_logistic(stored["support"]),
        answerability=_logistic(stored["answerability"]),
        judgements={float(size): _judgement(each) for size, each in judgements.items()},
    )


def _logistic(stored: Json) -> Logistic:
    assert isinstance(stored, dict)
    weights = stored["weights"]
    assert isinstance(weights, dict)
    return Logistic(_number(stored["bias"]), {k: _number(v) for k, v in weights.items()}, _number(stored["threshold"]))


def _judgement(stored: Json) -> Judgement:
    assert isinstance(stored, dict)
    return Judgement(_number(stored["weight"]), _number(stored["centre"]))


def _number(value: Json) -> float:
    assert isinstance(value, int | float)
    return float(value)
