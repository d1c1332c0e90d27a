"""`askpapers ask`: one question, a file of questions, or a conversation."""

import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from assistant.chain import Assistant
from assistant.errors import QuestionError
from assistant.questions import Question, read_questions
from assistant.schema import Answer, Event, Json, Turn
from assistant.transcript import answer_row, as_turn, failure_row
from ui.options import Options
from ui.outcome import Failure, attempt
from ui.preload import preload
from ui.rows import reading, write_row, writing
from ui.session import advice, open_assistant, settings, warning
from ui.terminal import say, show_answer, watching

_FAREWELLS = {"exit", "quit", ":q"}


def ask_one(question: str, options: Options, as_json: bool) -> int:
    """Answer one question on standard output. Raises QuestionError when it is blank."""
    if not question.strip():
        raise QuestionError('The question is empty; write it in quotation marks: askpapers ask "…".')
    with open_assistant(settings(options)) as assistant:
        _say_if(warning(assistant.model))
        _answer(assistant, question, (), options, as_json)
    return 0


def ask_many(questions: Path, out: Path | None, options: Options) -> int:
    """Answer a file of questions, a row each, written as soon as it is known; 1 when one of them failed."""
    failed = False
    with reading(questions) as lines, open_assistant(settings(options)) as assistant, writing(out) as rows:
        _say_if(warning(assistant.model))
        for question in read_questions(lines):
            row = _row(assistant, question, options)
            failed = failed or "error" in row
            write_row(row, rows)
    return int(failed)


def converse(options: Options, as_json: bool) -> int:
    """Answer one line of standard input after the other, each with what was said before it."""
    history: tuple[Turn, ...] = ()
    if _in_terminal():
        with suppress(ImportError):
            import readline  # noqa: F401 (gives `input` editing and arrow keys; Windows has its own)
    chosen = settings(options)
    with open_assistant(chosen) as assistant:
        preload(assistant.model)
        _say_if(advice(chosen, assistant.model))
        while (question := _next_question()) is not None:
            if question:
                ask = partial(_answer, assistant, question, history, options, as_json)
                answer = attempt(ask, options.verbose)
                if isinstance(answer, Failure):
                    say(answer.sentence)
                else:
                    history = (*history, as_turn(answer))
                    sys.stdout.write("" if as_json else "\n")
    return 0


def _next_question() -> str | None:
    """Read a line; None at the end of input or at a farewell."""
    try:
        line = input("> " if _in_terminal() else "")
    except EOFError:
        return None
    return None if line.strip().lower() in _FAREWELLS else line.strip()


def _in_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _answer(assistant: Assistant, question: str, history: tuple[Turn, ...], options: Options, as_json: bool) -> Answer:
    with watching(written=assistant.model is not None) as see:
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
    events = assistant.stream(question, history=history, filters=options.filters, words=options.words, k=options.k)
    with closing(events):
        for event in events:
            if isinstance(event, Answer):
                return event
            see(event)
    raise AssertionError("a stream ends with its answer")


def _row(assistant: Assistant, question: Question, options: Options) -> dict[str, Json]:
    answer = attempt(
        lambda: _stream(assistant, question.asked(), question.history, options, lambda _: None), options.verbose
    )
    if isinstance(answer, Failure):
        say(f"{question.question_id}: {answer.sentence}")
        return failure_row(question.question_id, answer.sentence)
    if answer.notice:
        say(f"{question.question_id}: {answer.notice}")
    return answer_row(answer, question.question_id)


def _say_if(sentence: str | None) -> None:
    if sentence:
        say(sentence)


def _remark(answer: Answer, options: Options) -> None:
    if answer.notice:
        say(answer.notice)
    if options.verbose:
        times = ", ".join(f"{name.replace('_', ' ')} {ms:.0f} ms" for name, ms in answer.timings.items())
        say(f"{answer.kind}, {answer.mode}; {times}; tokens {answer.tokens.prompt} + {answer.tokens.completion}")
