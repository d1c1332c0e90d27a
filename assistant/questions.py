"""Files of questions: one JSON object a line, with an optional history of earlier turns."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assistant.errors import QuestionError
from assistant.schema import Json, Turn

QuestionId = str | int | None


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a file of questions; `fault` says why it cannot be asked, and then `text` is empty."""

    question_id: QuestionId
    text: str
    history: tuple[Turn, ...] = ()
    fault: str | None = None

    def asked(self) -> str:
        """Return the text to ask. Raises QuestionError when there is none."""
        if self.fault:
            raise QuestionError(self.fault)
        return self.text


def read_questions(lines: Iterable[str], key: str = "question") -> Iterator[Question]:
    """Yield the question of each line that isn't blank; a bad line comes back with its fault.

    `key` names the field that holds the question. A line without `id` or `_id` is known by its line number.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            question_id, row = _row(line, number)
            try:
                yield _question(row, question_id, key)
            except QuestionError as error:
                yield Question(question_id, "", fault=f"Line {number}: {error}")


def _row(line: str, number: int) -> tuple[QuestionId, Json]:
    try:
        row: Json = json.loads(line.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return number, None
    given = row.get("id", row.get("_id")) if isinstance(row, dict) else None
    return (given if isinstance(given, str | int) else number), row


def _question(row: Json, question_id: QuestionId, key: str) -> Question:
    if not isinstance(row, dict):
        raise QuestionError("this is not a JSON object.")
    text = row.get(key)
    if not isinstance(text, str) or not text.strip():
        raise QuestionError(f'"{key}" must hold the text to ask.')
    history = row.get("history") or []
    if not isinstance(history, list):
        raise QuestionError('"history" must be a list of turns.')
    return Question(question_id, text, tuple(turn(item) for item in history))


def turn(item: Json) -> Turn:
    """Read one earlier turn: `[question, answer]` or `{"question", "answer", "papers"}`.

    Raises QuestionError for anything else.
    """
    if isinstance(item, list) and len(item) == 2:
        item = {"question": item[0], "answer": item[1]}
    if isinstance(item, Mapping):
        question, answer, papers = item.get("question"), item.get("answer"), item.get("papers") or []
        if isinstance(question, str) and isinstance(answer, str) and isinstance(papers, list):
            return Turn(question, answer, tuple(str(paper) for paper in papers))
    raise QuestionError('a turn of "history" must be [question, answer] or {"question", "answer", "papers"}.')
