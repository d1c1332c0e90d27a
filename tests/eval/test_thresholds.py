import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.calibration import Adjustment, log_odds, shipped
from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.errors import QuestionError
from assistant.library import Library
from assistant.manifest import Manifest
from eval.statistics import Estimate
from eval.thresholds import (
    FOLDS,
    REMOVED,
    Example,
    Fitted,
    Point,
    as_stated,
    best_threshold,
    fitted,
    stated_before,
    stated_examples,
    support_examples,
)
from tests.eval.answers import case
from tests.models import faithful
from tests.ollama_server import OllamaServer

QUESTION = "What share of the flower patches does WaggleNet find?"


@pytest.mark.parametrize(
    ("wrong", "right", "near", "threshold"),
    [
        ([0, 1], [2, 3], 9, 1.5),
        ([0, 1], [2, 3], 1.8, 1.8),
        ([0, 2], [1, 3], 0.0, 0.5),
        ([0, 2], [1, 3], 9.0, 2.5),
        ([5], [1], 0.0, 0.0),
        ([], [1, 2], 7.0, 7.0),
        ([1, 2], [], 7.0, 7.0),
        ([1, 1, 1], [1, 1], 4.0, 4.0),
    ],
)
def test_the_best_threshold(wrong: list[float], right: list[float], near: float, threshold: float) -> None:
    scores = np.array([*wrong, *right], dtype=float)
    passes = np.array([False] * len(wrong) + [True] * len(right))
    assert best_threshold(scores, passes, near) == pytest.approx(threshold)


@given(st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=2, max_size=15), st.integers(-9, 9))
@settings(max_examples=50)
def test_no_threshold_does_better(rows: list[tuple[int, bool]], near: int) -> None:
    scores, right = np.array([float(s) for s, _ in rows]), np.array([r for _, r in rows])
    if right.all() or not right.any():
        return

    def apart(threshold: float) -> float:
        kept = [s >= threshold for s, r in rows if r]
        through = [s >= threshold for s, r in rows if not r]
        return sum(kept) / len(kept) - sum(through) / len(through)

    found = best_threshold(scores, right, near)
    inner = range(round(min(scores)), round(max(scores)))
    assert apart(found) >= max([apart(near), *(apart(t + 0.5) for t in inner)]) - 1e-9


def examples(count: int = 40, group: Callable[[int], str] = str) -> list[Example]:
    return [Example(2.0 + i % 3 if i % 2 else -2.0 - i % 3, bool(i % 2), group(i)) for i in range(count)]


def test_a_fit_tells_what_it_does() -> None:
    found = fitted(examples(), 9.0, "it")
    assert (found.right, found.wrong) == (20, 20)
    assert (found.before.kept.mean, found.before.let_through.mean) == (0, 0)
    assert (found.after.kept.mean, found.after.let_through.mean) == (1, 0)
    assert -2 < found.threshold < 2
    assert found.better
    assert found.after.apart == 1
    assert not fitted(examples(), 0.0, "it").better


@pytest.mark.parametrize(("right", "wrong"), [(9, 30), (30, 9), (0, 0), (10, 9)])
def test_too_few_examples_are_one_sentence(right: int, wrong: int) -> None:
    some = [Example(1.0, True, str(i)) for i in range(right)] + [Example(0.0, False, str(i)) for i in range(wrong)]
    with pytest.raises(QuestionError, match=r"To fit when to abstain takes 10 .* eval generate") as caught:
        fitted(some, 0.0, "when to abstain")
    assert f"there are {right} and {wrong};" in str(caught.value)
    assert fitted(examples(20), 0.0, "it").right == 10


def fold_of(group: str) -> int:
    return int(sha256(group.encode()).hexdigest(), 16) % FOLDS


def test_unseen_examples_have_no_part_in_their_threshold() -> None:
    """All examples of a group lie where only they could have taught a threshold to be."""
    groups = [next(str(i) for i in range(99) if fold_of(str(i)) == fold) for fold in range(2)]
    common = [Example(5.0, True, groups[0])] * 12 + [Example(-5.0, False, groups[0])] * 12
    odd = [Example(7.0, False, groups[1])] * 4 + [Example(9.0, True, groups[1])] * 40
    found = fitted([*common, *odd], 0.0, "it")
    assert found.after.let_through.mean == pytest.approx(4 / 16)
    assert found.after.kept.mean == pytest.approx(40 / 52)
    assert found.threshold > 5


def plain_unseen(some: list[Example], before: float) -> tuple[float, float]:
    """Return what passes of right and wrong when each fold is judged by a threshold of the others."""
    passed = []
    for example in some:
        rest = [e for e in some if fold_of(e.group) != fold_of(example.group)]
        threshold = best_threshold(np.array([e.score for e in rest]), np.array([e.right for e in rest]), before)
        passed.append(example.score >= threshold)
    kept = [p for p, e in zip(passed, some, strict=True) if e.right]
    through = [p for p, e in zip(passed, some, strict=True) if not e.right]
    return sum(kept) / len(kept), sum(through) / len(through)


def test_folds_are_of_groups() -> None:
    generator = np.random.default_rng(4)
    some = [Example(float(generator.normal(i % 2)), bool(i % 2), str(i // 3)) for i in range(60)]
    found = fitted(some, 0.0, "it")
    assert (found.after.kept.mean, found.after.let_through.mean) == pytest.approx(plain_unseen(some, 0.0))


@pytest.mark.parametrize("threshold", [-99.0, -9.0, -0.3, 0.0, 2.0, 9.0, 99.0])
def test_any_threshold_can_be_kept_as_a_probability(threshold: float) -> None:
    point = Point(Estimate(1, 1, 1), Estimate(0, 0, 0))
    stated = as_stated(Fitted(0.0, threshold, point, point, 10, 10))
    assert 0 < stated < 1
    assert log_odds(stated) == pytest.approx(max(-13.9, min(13.9, threshold)), abs=0.1)


def test_questions_about_facts_are_examples_of_when_to_abstain(held: Library) -> None:
    cases = [
        case([["openreview:bees0001"]], text=QUESTION),
        case([], text="Which learning rate does WaggleNet use?"),
        case([["openreview:bees0001"]], text="Summarise the papers on bees."),
        case(text="What finds WaggleNet?"),
        case([], text="Who won the chess olympiad?"),
        case([], fault="Odd."),
    ]
    found = list(stated_examples(held, cases))
    assert [(e.group, e.right) for e in found] == [(QUESTION, True), (cases[1].question.text, False)]
    assert found[0].score > found[1].score
    confidence = Assistant(held).ask(QUESTION).confidence
    assert confidence is not None
    assert found[0].score - stated_before(held) == pytest.approx(log_odds(confidence), abs=1e-3)


def test_what_a_model_writes_is_an_example_of_support(held: Library) -> None:
    known = case([["openreview:bees0001"]], [["93%"]], text=QUESTION)
    with OllamaServer(script=faithful) as server:
        assistant = Assistant(held, choose("auto", ChatModelSettings(server.url)))
        found = list(support_examples(assistant, [known, case([["title:echo"]], text="What?")], 0))
        assert found == list(support_examples(assistant, [known], 0))
    right, wrong = [e for e in found if e.right], [e for e in found if not e.right]
    assert len(right) == 1
    assert len(wrong) >= 2
    assert all(e.score == REMOVED for e in wrong)
    assert right[0].score > 0
    assert {e.group for e in found} == {QUESTION}


def test_an_assistant_uses_what_was_fitted(library: Library, open_library: Callable[[], Library]) -> None:
    confidence = Assistant(library).ask(QUESTION).confidence
    assert confidence is not None
    assert not Assistant(library).ask(QUESTION).abstained
    library.calibrate(Adjustment(0.999999, 2.0, "q"))
    refused = Assistant(open_library()).ask(QUESTION)
    assert (refused.abstained, refused.reason) == (True, "not_stated")
    assert library.calibration.needed == {size: odds + 2 for size, odds in shipped().needed.items()}
    library.calibrate(None)
    again = Assistant(open_library()).ask(QUESTION)
    assert (again.abstained, again.confidence) == (False, confidence)
    assert library.calibration == shipped()
    assert library.adjustment is None


def test_a_manifest_without_a_calibration_is_one_as_ever(library: Library, open_library: Callable[[], Library]) -> None:
    path = library.folder / "manifest.json"
    assert "calibration" not in json.loads(path.read_text(encoding="utf-8"))
    library.calibrate(Adjustment(0.25, None, "q"))
    assert json.loads(path.read_text(encoding="utf-8"))["calibration"] == asdict(Adjustment(0.25, None, "q"))
    held = Manifest.read(library.folder)
    assert held is not None
    assert held.calibration == Adjustment(0.25, None, "q")
    opened = open_library()
    assert opened.calibration == replace(shipped(), stated=0.25)
    opened.calibrate(None)
    assert "calibration" not in json.loads(path.read_text(encoding="utf-8"))


def test_the_threshold_in_use_is_a_number(held: Library) -> None:
    assert math.isfinite(stated_before(held))
    assert stated_before(held) == pytest.approx(log_odds(shipped().stated))
