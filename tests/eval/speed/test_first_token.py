"""What is added beside a model that replies at once."""

from assistant.library import Library
from eval.speed.first_token import overhead


def test_questions_that_reach_the_model_are_counted(library: Library) -> None:
    found = overhead(library, ["What share of the flower patches does WaggleNet find?", "Hello!"])
    assert found
    assert found.questions == 1
    assert found.sentences >= 1
    assert 0 < found.request_ms.p50 < found.writing_ms.p50
    assert found.check_ms.p50 > 0


def test_none_when_no_question_reaches_the_model(library: Library) -> None:
    assert overhead(library, ["Hello!", "How many papers are there?"]) is None
