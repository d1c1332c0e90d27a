import json

import pytest

from assistant.chat_model import ChatModelSettings
from assistant.errors import QuestionError
from eval.judging.judge import choose_judge
from eval.judging.labelled import Labelled, judge_pairs, judge_rows, padded, pairs, read_labelled
from tests.ollama_server import OllamaServer

ROW = {"id": "a", "question": "Q?", "answer": "A.", "label": 1}


def test_what_a_row_holds_decides_what_is_judged() -> None:
    rows, scale = read_labelled(
        [
            "\ufeff" + json.dumps(ROW),
            "",
            json.dumps(ROW | {"reference": "R.", "evidence": "E.", "label": 0}),
            json.dumps({**ROW, "evidence": ["E.", " ", "F."], "label": True}),
            json.dumps({**ROW, "evidence": [], "reference": None, "label": 1.0, "id": 7}),
        ]
    )
    assert scale == range(2)
    assert [row.verdict for row in rows] == ["helpful", "correct", "supported", "helpful"]
    assert rows[2] == Labelled("a", "Q?", "A.", 1, None, ("E.", "F."))
    assert rows[3].label_id == "7"


def test_labels_above_1_are_grades() -> None:
    assert read_labelled([json.dumps(ROW), json.dumps({**ROW, "label": 3})])[1] == range(1, 6)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "no labelled answer"),
        (["", " "], "no labelled answer"),
        (["no JSON"], "Line 1: this is not a JSON object."),
        (["[1]"], "Line 1: this is not"),
        ([json.dumps(ROW), "{}"], 'Line 2: "label"'),
        ([json.dumps({**ROW, "label": 6})], '"label"'),
        ([json.dumps({**ROW, "label": 2.5})], '"label"'),
        ([json.dumps({**ROW, "label": "1"})], '"label"'),
        ([json.dumps({**ROW, "label": None})], '"label"'),
        ([json.dumps({**ROW, "label": 1e999})], '"label"'),
        ([json.dumps({**ROW, "question": " "})], '"question"'),
        ([json.dumps({**ROW, "answer": 3})], '"answer"'),
        ([json.dumps({**ROW, "reference": ["R."]})], '"reference"'),
        ([json.dumps({**ROW, "evidence": [1]})], '"evidence"'),
        ([json.dumps({**ROW, "label": 0}), json.dumps({**ROW, "label": 4})], "two scales"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(lines: list[str], says: str) -> None:
    with pytest.raises(QuestionError) as raised:
        read_labelled(lines)
    assert says in str(raised.value)


def row(question: str, answer: str, reference: str | None = None) -> Labelled:
    return Labelled("1", question, answer, 1, reference)


def test_answers_to_one_question_are_compared_first_then_with_the_reference_then_with_any() -> None:
    rows = [row("Q", "one"), row("Q", "two", "ref"), row("P", "three"), row("Q", "two ", "two")]
    assert list(pairs(rows)) == [
        ("Q", "one", "two"),
        ("Q", "two", "ref"),
        ("P", "three", "two "),
        ("Q", "two ", "three"),
    ]
    assert list(pairs([row("Q", "one"), row("P", "one")])) == []


def test_padding_says_nothing_new() -> None:
    assert padded("It counts kelp. It is fast. ") == "It counts kelp. It is fast. To repeat: It counts kelp."
    assert padded("kelp") == "kelp To repeat: kelp"


def test_every_answer_is_judged_twice_and_each_pair_in_both_orders() -> None:
    rows, steps = [row("Q", "one"), row("Q", "two")], list[tuple[int, int]]()
    with OllamaServer(script=["5", "4", "3", "2", "A", "B"]) as server:
        judge = choose_judge("ollama:qwen3:4b", "", False, ChatModelSettings(server.url))
        judged = judge_rows(judge, rows, lambda done, total: steps.append((done, total)))
        [pair] = judge_pairs(judge, rows, lambda done, total: steps.append((done, total)))
        asked = [chat["messages"][0]["content"] for chat in server.chats]
    assert [(each.verdict.value, each.padded.value) for each in judged] == [(1.0, 0.75), (0.5, 0.25)]
    assert (pair.chosen, pair.chosen_swapped) == ("first", "second")
    assert "Answer A: one\nAnswer B: two" in asked[4]
    assert "Answer A: two\nAnswer B: one" in asked[5]
    assert steps == [(0, 2), (1, 2), (2, 2), (0, 1), (1, 1)]
