"""What was fitted on data: weights and thresholds, in `calibration.json`; docs/LOG.md has the figures behind them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from math import exp, log

_MIDDLING = 1.5  # billions of parameters


@dataclass(frozen=True, slots=True)
class Logistic:
    """A logistic model: log odds from named numbers."""

    bias: float
    weights: Mapping[str, float]

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log odds, which the weighted values add up to."""
        return self.bias + sum(weight * values[name] for name, weight in self.weights.items())


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a chat model's "yes" against "no" is worth beside the other signals: it adds `weight * (odds - centre)`."""

    weight: float
    centre: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Everything fitted. What is kept by size holds for models of up to so many billions of parameters.

    `needed` are the log odds of support that a sentence needs to stand: the smaller a model, the more it invents.
    `stated` is the probability that an abstract states the answer below which a question is not answered.
    """

    support: Logistic
    needed: Mapping[float, float]
    answerability: Logistic
    stated: float
    judgements: Mapping[float, Judgement]

    def judgement(self, billions: float | None) -> Judgement:
        """Return what a model of a size says is worth."""
        return self.judgements[_bracket(self.judgements, billions)]

    def needed_by(self, billions: float | None) -> float:
        """Return the log odds of support that a sentence of a model of a size needs to stand."""
        return self.needed[_bracket(self.needed, billions)]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What was fitted on one library's own questions: a threshold `stated`, and by how much `needed` is shifted.

    None keeps what is shipped. `questions` is the digest of the file of questions.
    """

    stated: float | None
    needed: float | None
    questions: str


def _bracket(sizes: Iterable[float], billions: float | None) -> float:
    """Return the smallest size that reaches so far; a model of unknown size counts as a middling one."""
    known = _MIDDLING if billions is None else billions
    ordered = sorted(sizes)
    return next((size for size in ordered if known <= size), ordered[-1])


def probability(log_odds: float) -> float:
    """Return the probability of log odds, kept from overflowing."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, log_odds))))


def log_odds(probability: float) -> float:
    """Return the log odds of a probability within (0, 1)."""
    return log(probability / (1 - probability))


@lru_cache(maxsize=1)
def shipped() -> Calibration:
    """Return the calibration that comes with askpapers."""
    stored = json.loads(files("assistant").joinpath("calibration.json").read_text("utf-8"))
    support = stored["support"]
    asked = stored["answerability"]
    return Calibration(
        support=Logistic(support["bias"], support["weights"]),
        needed={float(size): float(odds) for size, odds in support["needed"].items()},
        answerability=Logistic(asked["bias"], asked["weights"]),
        stated=asked["threshold"],
        judgements={float(size): Judgement(**judgement) for size, judgement in stored["judgements"].items()},
    )


def adjusted(calibration: Calibration, adjustment: Adjustment | None) -> Calibration:
    """Return a calibration with what was fitted on a library's own questions in the place of what is shipped."""
    if adjustment is None:
        return calibration
    shift = adjustment.needed or 0.0
    return replace(
        calibration,
        stated=calibration.stated if adjustment.stated is None else adjustment.stated,
        needed={size: odds + shift for size, odds in calibration.needed.items()},
    )
