import numpy as np
import pytest

from assistant.topics import Cut, Scores
from eval.fitting.topics import measured, topics_of


def test_topics_are_read_line_by_line() -> None:
    [one, two] = topics_of(['{"topic": "bees", "papers": ["a", "b"]}', "", '{"topic": "tides", "papers": []}'])
    assert (one.about, one.papers) == ("bees", frozenset({"a", "b"}))
    assert (two.about, two.papers) == ("tides", frozenset())


@pytest.mark.parametrize(
    ("cut", "expected"),
    [(Cut(0.0, 0.75), (0.5, 1.0)), (Cut(0.0, 0.45), (1.0, 2 / 3)), (Cut(1.0, 0.6), (1.0, 1.0))],
)
def test_recall_and_precision_of_a_cut(cut: Cut, expected: tuple[float, float]) -> None:
    nearness, words = (np.array(values, np.float32) for values in ([1.0, 0.5, 0.5, 0.1], [0.0, 1.0, 0.0, 0.0]))
    found = Scores(["a", "b", "c", "d"], nearness, words, nearness)
    assert measured(found, frozenset({"a", "b"}), cut) == pytest.approx(expected)
