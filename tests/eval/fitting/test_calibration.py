import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answerability import Signals
from assistant.library import Library
from eval.fitting.calibration import Example, examples, fit, matrix, unseen


def signals(nearest: float) -> Signals:
    return Signals(0.5, 0.5, nearest, 0.0, 0.3, 0.0, 0.0, 0.0)


def test_questions_about_facts_become_examples(library: Library) -> None:
    rows = [
        {"question": "How does Tidal Forecasting find the spring tide?", "gold": ["a"]},
        {"question": "Which learning rate was used for tidal forecasting of the spring tide?", "gold": []},
        {"question": "Summarise the papers on tides.", "gold": ["a"]},
    ]
    found = list(examples(library, [json.dumps(row) for row in rows]))
    assert {example.answerable for example in found} <= {True, False}
    assert all("Summarise" not in example.question for example in found)


def test_weights_have_the_sign_of_what_they_weigh() -> None:
    found = [Example(str(i), signals(0.8 if i % 2 else 0.2), bool(i % 2)) for i in range(40)]
    values, answerable = matrix(found), np.array([example.answerable for example in found])
    assert fit(values, answerable).weights["nearest"] > 0
    chances = unseen(values, answerable, [example.question for example in found])
    assert chances[answerable].min() > 0.5 > chances[~answerable].max()


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=4, max_size=20))
def test_what_tells_nothing_weighs_nothing(rows: list[tuple[float, bool]]) -> None:
    answerable = np.array([answer for _, answer in rows])
    if answerable.all() or not answerable.any():
        return
    values = matrix([Example("", signals(value), answer) for value, answer in rows])
    assert fit(values, answerable).weights["detail"] == pytest.approx(0)
