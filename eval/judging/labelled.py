"""Answers that people have labelled, and what a judge says of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from assistant.errors import QuestionError
from assistant.schema import Json
from assistant.text import sentences
from eval.judging.grades import SCALE, Place
from eval.judging.judge import Judge, Verdict, VerdictName

_BINARY = range(2)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One answer with a person's label: 0 or 1, or a grade from 1 to 5."""

    label_id: str
    question: str
    answer: str
    label: int
    reference: str | None = None
    evidence: tuple[str, ...] = ()

    @property
    def verdict(self) -> VerdictName:
        """The verdict to compare with the label: against a reference, else against evidence, else on its own."""
        if self.reference is not None:
            return "correct"
        return "supported" if self.evidence else "helpful"


@dataclass(frozen=True, slots=True)
class Pair:
    """Which of two answers a judge prefers, by the place where it stands; asked again, they have changed places."""

    chosen: Place | None
    chosen_swapped: Place | None


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge said of an answer, and of the same with a sentence repeated at its end."""

    row: Labelled
    verdict: Verdict
    padded: Verdict


def read_labelled(lines: Iterable[str]) -> tuple[list[Labelled], range]:
    """Return the labelled answers of a file, and its scale: 0 and 1, or 1 to 5.

    Raises QuestionError for the first line that cannot be used, for labels of both scales, and when there is no line.
    """
    rows = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                rows.append(_labelled(line, number))
            except QuestionError as error:
                raise QuestionError(f"Line {number}: {error}") from error
    if not rows:
        raise QuestionError('The file holds no labelled answer: write {"question", "answer", "label"}, one a line.')
    labels = {row.label for row in rows}
    if labels <= set(_BINARY):
        return rows, _BINARY
    if 0 in labels:
        raise QuestionError("The labels are of two scales, 0 and 1, and 1 to 5: use one in a file.")
    return rows, SCALE


def judge_rows(judge: Judge, rows: Sequence[Labelled], advance: Callable[[int, int], None]) -> list[Judged]:
    """Have each answer judged as it is and padded. Raises what a first verdict raises."""
    found = []
    for done, row in enumerate(rows):
        advance(done, len(rows))
        found.append(Judged(row, _verdict(judge, row, row.answer), _verdict(judge, row, padded(row.answer))))
    advance(len(rows), len(rows))
    return found


def judge_pairs(judge: Judge, rows: Sequence[Labelled], advance: Callable[[int, int], None]) -> list[Pair]:
    """Have each answer compared with another one, in both orders."""
    asked = list(pairs(rows))
    found = []
    for done, (question, first, second) in enumerate(asked):
        advance(done, len(asked))
        found.append(Pair(judge.prefers(question, first, second), judge.prefers(question, second, first)))
    advance(len(asked), len(asked))
    return found


def pairs(rows: Sequence[Labelled]) -> Iterator[tuple[str, str, str]]:
    """Yield a question and two answers to compare, for each answer to which another one is found.

    The other one is the next answer to the same question, else its reference, else an answer to another question,
    which is easy to tell apart.
    """
    for index, row in enumerate(rows):
        following = rows[index + 1 :]
        same = (other.answer for other in following if other.question == row.question)
        elsewhere = (other.answer for other in chain(following, rows) if other.question != row.question)
        others = chain(same, [row.reference] if row.reference else [], elsewhere)
        if other := next((text for text in others if text.split() != row.answer.split()), None):
            yield row.question, row.answer, other


def padded(answer: str) -> str:
    """Return an answer with its first sentence once more at its end: longer, and nothing new."""
    first = next(iter(sentences(answer)), None)
    return f"{answer.rstrip()} To repeat: {answer[first.start : first.end] if first else answer.strip()}"


def _verdict(judge: Judge, row: Labelled, answer: str) -> Verdict:
    if row.verdict == "correct":
        return judge.correct(row.question, row.reference or "", answer)
    if row.verdict == "supported":
        return judge.supported(answer, row.evidence)
    return judge.helpful(row.question, answer)


def _labelled(line: str, number: int) -> Labelled:
    try:
        row: Json = json.loads(line.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise QuestionError("this is not a JSON object.") from error
    if not isinstance(row, dict):
        raise QuestionError("this is not a JSON object.")
    label = row.get("label")
    if not isinstance(label, int | float) or label not in (*_BINARY, *SCALE):
        raise QuestionError('"label" must be 0 or 1, or a grade from 1 to 5.')
    given = row.get("id", row.get("_id", number))
    reference, evidence = _text(row, "reference"), row.get("evidence")
    texts = evidence if isinstance(evidence, list) else [] if evidence is None else [evidence]
    if not all(isinstance(text, str) for text in texts):
        raise QuestionError('"evidence" must be a text or a list of texts.')
    kept = tuple(str(text) for text in texts if str(text).strip())
    return Labelled(str(given), _needed(row, "question"), _needed(row, "answer"), int(label), reference, kept)


def _needed(row: dict[str, Json], name: str) -> str:
    text = _text(row, name)
    if text is None:
        raise QuestionError(f'"{name}" must hold a text.')
    return text


def _text(row: dict[str, Json], name: str) -> str | None:
    text = row.get(name)
    if text is not None and not isinstance(text, str):
        raise QuestionError(f'"{name}" must hold a text.')
    return text if text and text.strip() else None
