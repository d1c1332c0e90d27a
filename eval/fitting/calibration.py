"""Fits what decides whether a question is answered, and shows risk against coverage.

    python -m eval.fitting.calibration LIBRARY QUESTIONS.jsonl [LIBRARY QUESTIONS.jsonl …]

QUESTIONS.jsonl has lines of `{"question", "history", "gold"}`; without gold no paper of that library answers it. Prints
the weights of the signals (`assistant.answerability`) as `calibration.json` holds them, and what each threshold would
do, with the questions of a fold unseen by the weights that score them.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from assistant.abstention import Gate
from assistant.answerability import Signals
from assistant.answering import Extractive
from assistant.calibration import shipped
from assistant.gathering import Gathering
from assistant.heartbeat import returned
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.questions import turn
from assistant.retrieval import Retriever
from assistant.schema import EVERYTHING
from assistant.understanding import Understanding

FOLDS = 8
REGULARISATION = 0.1
THRESHOLDS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A question about a fact, its signals, and whether an abstract answers it."""

    question: str
    signals: Signals
    answerable: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted logistic model: its bias, and a weight a signal."""

    bias: float
    weights: dict[str, float]


def examples(library: Library, lines: Sequence[str]) -> Iterator[Example]:
    """Yield the questions about a fact, also those that nothing in the library is relevant to."""
    retriever = Retriever(library)
    understanding, gathering = Understanding(library, retriever, None), Gathering(library, retriever)
    gate, extractive = Gate(library, shipped()), Extractive(library)
    for row in map(json.loads, filter(str.strip, lines)):
        understood = returned(understanding.of(row["question"], [turn(item) for item in row.get("history") or ()]))
        kind = kind_of(understood.asked.question)
        if understood.refusal or kind != "content":
            continue
        task = gathering.of(understood.asked, row["question"], kind, EVERYTHING).task
        quoted = extractive.quote(task)
        if quoted and (found := gate.signals(task, quoted)) is not None:
            yield Example(row["question"], found, bool(row["gold"]))


def matrix(found: Sequence[Example]) -> Array:
    """Return the signals, shape (examples, signals)."""
    return np.array([list(asdict(example.signals).values()) for example in found], dtype=np.float64)


def fit(signals: Array, answerable: NDArray[np.bool_]) -> Fit:
    """Return the weights for signals as they are, shape (examples, signals)."""
    scaler, model = StandardScaler(), LogisticRegression(C=REGULARISATION, max_iter=3000)
    model.fit(scaler.fit_transform(signals), answerable)
    weights = model.coef_[0] / scaler.scale_
    names = [field.name for field in fields(Signals)]
    bias = float(model.intercept_[0] - weights @ scaler.mean_)
    return Fit(round(bias, 3), {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)})


def unseen(signals: Array, answerable: NDArray[np.bool_], groups: Sequence[str]) -> Array:
    """Return the probability of each example by weights that saw none of its group, shape (examples,)."""
    model = make_pipeline(StandardScaler(), LogisticRegression(C=REGULARISATION, max_iter=3000))
    folds = GroupKFold(min(FOLDS, len(set(groups))))
    chances: Array = cross_val_predict(model, signals, answerable, groups=groups, cv=folds, method="predict_proba")
    return chances[:, 1]


def main(arguments: Sequence[str]) -> None:
    """Print the fit, its AUROC over unseen questions, and false refusals against abstentions."""
    found: list[Example] = []
    for folder, file in zip(arguments[::2], arguments[1::2], strict=True):
        with Library.open(Path(folder)) as library:
            found += examples(library, Path(file).read_text(encoding="utf-8").splitlines())
    signals, answerable = matrix(found), np.array([example.answerable for example in found])
    chances = unseen(signals, answerable, [example.question for example in found])
    fitted = fit(signals, answerable)
    sys.stdout.write(json.dumps({"bias": fitted.bias, "weights": fitted.weights}, indent=1) + "\n")
    auroc = roc_auc_score(answerable, chances)
    sys.stdout.write(f"{len(found)} questions, {answerable.sum()} answerable; AUROC {auroc:.3f}\n")
    for threshold in THRESHOLDS:
        refused = chances < threshold
        risk = (~answerable & ~refused).sum() / max((~refused).sum(), 1)
        sys.stdout.write(
            f"{threshold}: coverage {(~refused).mean():.3f}, risk {risk:.3f}; answerable ones refused"
            f" {refused[answerable].mean():.3f}, unanswerable ones {refused[~answerable].mean():.3f}\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
