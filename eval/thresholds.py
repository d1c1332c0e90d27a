"""Fits the two thresholds of answers on a library's own questions: when to abstain, and when a sentence is supported.

A threshold is chosen where what should pass and what should not come apart best (Youden 1950), and judged on questions
that had no part in choosing it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from random import Random

import numpy as np
from numpy.typing import NDArray

from assistant.abstention import Gate
from assistant.answering import Extractive, vectors_of
from assistant.calibration import log_odds, probability
from assistant.chain import Assistant
from assistant.errors import QuestionError
from assistant.gathering import Gathering
from assistant.heartbeat import returned
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import EVERYTHING, Checked, Paper, Retrieved
from assistant.selection import passages
from assistant.support import Verifier
from assistant.understanding import Understanding
from eval.cases import Case, plain
from eval.fitting.perturbation import Maker, negated, other_figure, reversed_direction
from eval.measures import holds
from eval.statistics import Estimate, bootstrap

FOLDS = 5
FEWEST = 10
_SUREST = 1e-6  # a probability of 0 or 1 has no log odds
REMOVED = -20.0  # log odds of a sentence that something speaks against
_CHANGES: Sequence[Maker] = (negated, reversed_direction, other_figure)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """Log odds, whether what they are of should pass, and what it was made from."""

    score: float
    right: bool
    group: str


@dataclass(frozen=True, slots=True)
class Point:
    """What a threshold does: the share of what should pass that passes, and the share of the rest that passes too."""

    kept: Estimate
    let_through: Estimate

    @property
    def apart(self) -> float:
        """How far the two are apart, 1 at best."""
        return self.kept.mean - self.let_through.mean


@dataclass(frozen=True, slots=True)
class Fitted:
    """A threshold in log odds, the one before it, and what either does; `after` on examples unseen in fitting."""

    before_threshold: float
    threshold: float
    before: Point
    after: Point
    right: int
    wrong: int

    @property
    def better(self) -> bool:
        """Whether the new threshold did better on unseen examples than the one before."""
        return self.after.apart > self.before.apart


def stated_examples(library: Library, cases: Sequence[Case]) -> Iterator[Example]:
    """Yield, for questions about a fact, the log odds that the best abstract states it, and whether one does."""
    retriever = Retriever(library)
    understanding, gathering = Understanding(library, retriever, None), Gathering(library, retriever)
    gate, extractive, weights = (
        Gate(library, library.calibration),
        Extractive(library),
        library.calibration.answerability,
    )
    for case in cases:
        if case.answerable is None or case.fault:
            continue
        understood = returned(understanding.of(case.question.text, case.question.history))
        if understood.refusal or kind_of(understood.asked.question) != "content":
            continue
        task = gathering.of(understood.asked, case.question.text, "content", EVERYTHING).task
        quoted = () if gate.irrelevant(task) else extractive.quote(task)
        if quoted and (signals := gate.signals(task, quoted)) is not None:
            yield Example(weights.log_odds(asdict(signals)), case.answerable, case.question.text)


def support_examples(assistant: Assistant, cases: Sequence[Case], seed: int) -> Iterator[Example]:
    """Yield the log odds of support of what the chat model writes, and of the same with its meaning changed.

    What holds a fact that was asked for should pass, checked against its gold paper; it should not once a figure, a
    direction or a denial in it is changed, nor when it is checked against another paper that was found.
    """
    random = Random(seed)
    for case in cases:
        if not case.gold or not case.nuggets or case.fault:
            continue
        written, papers = _written(assistant, case)
        right = next((p for p in papers if p.paper_id in case.gold[0]), None)
        other = next((p for p in papers if not any(p.paper_id in ids for ids in case.gold)), None)
        for text in written:
            if right is None or not any(holds(plain(text), s) for nugget in case.nuggets for s in nugget):
                continue
            false = {made for maker in _CHANGES if (made := maker(text, random)) and made != text}
            checked = [(text, right, True), *((made, right, False) for made in sorted(false))]
            checked += [(text, other, False)] if other else []
            for claim, paper, passes in checked:
                yield Example(_support(assistant.library, claim, paper), passes, case.question.text)


def _written(assistant: Assistant, case: Case) -> tuple[list[str], list[Paper]]:
    """Return every sentence that the model wrote for a question, whether it stood or not, and the papers found."""
    written: list[str] = []
    papers: list[Paper] = []
    for event in assistant.stream(case.question.asked(), history=case.question.history):
        if isinstance(event, Checked):
            written.append(event.sentence.text)
        elif isinstance(event, Retrieved):
            papers = [source.paper for source in event.papers]
    return written, papers


def _support(library: Library, claim: str, paper: Paper) -> float:
    texts = passages(1, paper)
    if not texts:
        return REMOVED
    vectors = vectors_of(library, {1: paper}, texts)
    finding = Verifier(library, {1: paper}, texts, vectors, 0.0).findings(claim)[0]
    return REMOVED if finding.against else max(finding.log_odds, REMOVED)


def fitted(examples: Sequence[Example], before: float, about: str) -> Fitted:
    """Fit a threshold in log odds, `before` being the one in use.

    Raises:
        QuestionError: there are too few examples `about` what is fitted.
    """
    scores, right = np.array([e.score for e in examples]), np.array([e.right for e in examples], dtype=bool)
    if min(right.sum(), (~right).sum()) < FEWEST:
        raise QuestionError(
            f"To fit {about} takes {FEWEST} examples that should pass and {FEWEST} that should not, and there are "
            f"{right.sum()} and {(~right).sum()}; make more questions with `askpapers eval generate`."
        )
    folds = np.array([int(sha256(e.group.encode()).hexdigest(), 16) % FOLDS for e in examples])
    passed = np.zeros(len(examples), dtype=bool)
    for fold in range(FOLDS):
        here = folds == fold
        passed[here] = scores[here] >= best_threshold(scores[~here], right[~here], before)
    return Fitted(
        before,
        best_threshold(scores, right, before),
        _point(scores >= before, right),
        _point(passed, right),
        int(right.sum()),
        int((~right).sum()),
    )


def best_threshold(scores: Array, right: NDArray[np.bool_], near: float) -> float:
    """Return the threshold with the largest difference of the two shares; of equals the one nearest `near`.

    It lies in the middle between two scores, or is `near` itself where that is as good.
    """
    if right.all() or not right.any():
        return near
    ordered = np.unique(scores)
    candidates = np.concatenate([[near], (ordered[1:] + ordered[:-1]) / 2])
    apart = [(scores[right] >= t).mean() - (scores[~right] >= t).mean() for t in candidates]
    best = candidates[np.isclose(apart, max(apart))]
    return float(best[np.abs(best - near).argmin()])


def _point(passed: NDArray[np.bool_], right: NDArray[np.bool_]) -> Point:
    return Point(bootstrap(passed[right].astype(float).tolist()), bootstrap(passed[~right].astype(float).tolist()))


def as_stated(fit: Fitted) -> float:
    """Return a threshold of log odds as the probability that a calibration holds."""
    return round(min(max(probability(fit.threshold), _SUREST), 1 - _SUREST), 6)


def stated_before(library: Library) -> float:
    """Return the log odds from which on the library's questions are answered now."""
    return log_odds(library.calibration.stated)
