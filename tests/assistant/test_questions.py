"""Files of questions: both forms of history, and lines that cannot be asked."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import QuestionError
from assistant.questions import Question, read_questions, turn
from assistant.schema import Turn


def read(*lines: str, key: str = "question") -> list[Question]:
    return list(read_questions(lines, key))


def test_history_comes_in_two_forms_and_other_keys_are_ignored() -> None:
    row = {
        "id": "q1",
        "question": "And the second one?",
        "history": [["Moons?", "Two [1]."], {"question": "Why?", "answer": "So [1].", "papers": ["p1"]}],
        "gold": ["p1"],
    }
    assert read(json.dumps(row)) == [
        Question("q1", "And the second one?", (Turn("Moons?", "Two [1]."), Turn("Why?", "So [1].", ("p1",))))
    ]


def test_ids_are_kept_as_given_and_line_numbers_stand_in() -> None:
    lines = ['\ufeff{"id": 7, "text": "a"}', "", '{"_id": "q2", "text": "b"}', '{"text": "c"}']
    assert [question.question_id for question in read(*lines, key="text")] == [7, "q2", 4]


@pytest.mark.parametrize(
    ("line", "question_id", "says"),
    [
        ("no json", 1, "Line 1: this is not a JSON object."),
        ("[1]", 1, "not a JSON object"),
        ('{"id": "q"}', "q", '"question" must hold'),
        ('{"id": "q", "question": "  "}', "q", '"question" must hold'),
        ('{"id": "q", "question": "a", "history": "b"}', "q", "list of turns"),
        ('{"id": "q", "question": "a", "history": [["b"]]}', "q", "a turn of"),
        ("[" * 100_000, 1, "not a JSON object"),
    ],
)
def test_a_bad_line_says_what_is_wrong_with_it(line: str, question_id: str | int, says: str) -> None:
    [question] = read(line)
    assert question.question_id == question_id
    with pytest.raises(QuestionError, match=re.escape(says)):
        question.asked()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["id", "_id", "question", "history"]), json_values))
def test_any_object_is_a_question_or_a_fault(row: dict[str, Any]) -> None:
    [question] = read(json.dumps(row))
    assert question.fault or question.asked()


@given(json_values)
def test_any_turn_is_read_or_refused(item: Any) -> None:
    try:
        read_back = turn(item)
    except QuestionError:
        return
    assert isinstance(item, list | dict)
    assert isinstance(read_back, Turn)
