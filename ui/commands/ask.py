"""`askpapers ask`: one question, a file of questions, or a conversation."""

import sys
from contextlib import closing
from pathlib import Path

from assistant.chain import Assistant

from assistant.errors import AskpapersError, QuestionError
from assistant.questions import Question, read_questions
from assistant.schema import Answer, Json, Turn
from assistant.transcript import answer_row, as_turn, failure_row
from ui.options import Options
from ui.rows import reading, write_row, writing
from ui.session import open_assistant
from ui.terminal import say, show_answer, watching

_FAREWELLS = {"exit", "quit", ":q"}


def ask_one(question: str, options: Options, as_json: bool) -> None:
    """Answer one question on standard output. Raises QuestionError when it is blank."""
    if not question.strip():
        raise QuestionError('The question is empty; write it in quotation marks: askpapers ask "…".')
    with open_assistant(options) as assistant:
        _answer(assistant, question, (), options, as_json)


def ask_many(questions: Path, out: Path | None, options: Options) -> int:
    """Answer a file of questions, a row each, written as soon as it is known; 1 when one of them failed."""
    failed = False
    with reading(questions) as lines, writing(out) as rows, open_assistant(options) as assistant:
        for question in read_questions(lines):
            row = _row(assistant, question, options)
            failed = failed or "error" in row
            write_row(row, rows)
    return int(failed)


def converse(options: Options, as_json: bool) -> None:
    """Answer one line of standard input after the other, each with what was said before it."""
    history: tuple[Turn, ...] = ()
    with open_assistant(options) as assistant:
        while (question := _next_question()) is not None:
            if question:
                try:
                    answer = _answer(assistant, question, history, options, as_json)
                except AskpapersError as error:
                    say(str(error))
                    continue
                history = (*history, as_turn(answer))


def _next_question() -> str | None:
    """Read a line; None at the end of input or at a farewell."""
    prompt = "\n> " if sys.stdin.isatty() else ""
    sys.stderr.write(prompt)
    sys.stderr.flush()
    line = sys.stdin.readline()
    return None if not line or line.strip().lower() in _FAREWELLS else line.strip()


def _answer(
    assistant: Assistant, question: str, history: tuple[Turn, ...], options: Options, as_json: bool
) -> Answer:
    with watching() as see:
        answer = _stream(assistant, question, history, options, see)
    if as_json:
        write_row(answer_row(answer))
    else:
        show_answer(answer, options.verbose)
    _remark(answer, options)
    return answer


def _stream(
    assistant: Assistant,
    question: str,
    history: tuple[Turn, ...],
    options: Options,
    see: Callable[[Event], None],
) -> Answer:
    events = assistant.stream(
        question, history=history, filters=options.filters, words=options.words, k=options.k
    )
    with closing(events):
        for event in events:
            if isinstance(event, Answer):
                return event
            see(event)
    raise AssertionError("a stream ends with its answer")


def _row(assistant: Assistant, question: Question, options: Options) -> dict[str, Json]:
    if question.fault:
        say(question.fault)
        return failure_row(question.question_id, question.fault)
    try:
        answer = _stream(assistant, question.text, question.history, options, lambda _: None)
    except AskpapersError as error:
        say(f"{question.question_id}: {error}")
        return failure_row(question.question_id, str(error))
    if answer.notice:
        say(f"{question.question_id}: {answer.notice}")
    return answer_row(answer, question.question_id)


def _remark(answer: Answer, options: Options) -> None:
    if answer.notice:
        say(answer.notice)
    if options.verbose:
        times = ", ".join(f"{name.replace('_', ' ')} {ms:.0f} ms" for name, ms in answer.timings.items())
        say(
            f"{answer.kind}, {answer.mode}; {times}; tokens {answer.tokens.prompt} + {answer.tokens.completion}"
        )
