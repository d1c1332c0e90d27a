import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.languages import foreign

QUESTIONS = Path(__file__).parents[1] / "questions"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()]


def test_questions_in_other_languages_are_known() -> None:
    asked = rows("foreign.jsonl")
    assert len({row["language"] for row in asked}) >= 12
    missed = [row["question"] for row in asked if foreign(row["question"]) != row["language"]]
    assert len(missed) <= 3


@pytest.mark.parametrize("name", ["sample.jsonl", "followups.jsonl"])
def test_english_questions_are_english(name: str) -> None:
    assert [row["question"] for row in rows(name) if foreign(row["question"])] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "LoRA",
        "10.1038/nature14236",
        "Who is Schölkopf?",
        "What is El Niño?",
        "Rényi diffusion models",
        "de novo protein design",
        "papers by Müller and Núñez",
        "Does the model translate into Deutsch?",
    ],
)
def test_foreign_names_make_no_foreign_question(text: str) -> None:
    assert foreign(text) is None


@given(st.text(max_size=80))
def test_any_text_is_in_some_language_or_english(text: str) -> None:
    assert foreign(text) != "English"
