# ruff: noqa: E501
from random import Random

import pytest

from eval.generation.wording import reworded


@pytest.mark.parametrize(
    ("question", "kept", "other"),
    [
        ("By how much does the silt model reduce error?", "the silt model", "To what extent does the silt model lower error?"),
        ("What does the unified silt model outperform?", "the unified silt model", "What does the unified silt model beat?"),
        ("What do existing surveys rely on?", "", None),
    ],
)  # fmt: skip
def test_questions_are_put_in_other_words(question: str, kept: str, other: str | None) -> None:
    made = {reworded(question, kept, Random(seed)) for seed in range(10)}
    assert (
        made == {other}
        if other
        else made == {"What do earlier surveys depend on?", "What do current surveys depend on?"}
    )


def test_a_noun_that_is_spelled_like_a_verb_stays() -> None:
    assert reworded("On what kind of control benchmarks are gains seen?", "", Random(0)) is None
