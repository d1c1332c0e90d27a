"""A follow-up made standalone by the chat model, for where the rules of `followup` find nothing to refer to.

It is asked for then alone. Reading even this prompt takes a small model on a CPU a second or more, before the first
quotation is shown, and the server forgets the prompt it has read before. Where the rules do resolve a reference, a
small model would rather change the question than improve it: of nine, one of 0.5B repeated the earlier question in
four, one of 1.5B asked something else in four. So nothing that it loses or adds of its own is let through.
"""

import re
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from assistant.chat_model import ChatModel
from assistant.citations import split
from assistant.errors import ChatModelError
from assistant.prompts import as_note
from assistant.schema import Turn, Waiting
from assistant.text import content_stems, sentences, words

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

TOKENS = 40
_TURNS = 2
_LONGEST_ANSWER = 200
_ASKING = frozenset("what which who whom whose when where why how many much long often not no without".split())
_QUOTES = " \"'“”«»*"
_LABEL = re.compile(r"\A(?:\W*(?:standalone|rewritten|rephrased)[\w ]*:)\s*", re.IGNORECASE)


def rewritten(model: ChatModel, question: str, history: Sequence[Turn]) -> Generator[Waiting, None, str | None]:
    """Return the question as the model asks it without its history, or None.

    None where the model fails, loses a word that carries meaning or that asks, adds one that nobody has said, or
    repeats an earlier question. Yields Waiting while nothing comes.
    """
    written = yield from line(model, _prompt(question, history[-_TURNS:]), TOKENS)
    return written if written and keeps(written, question, history) else None


def keeps(written: str, question: str, history: Sequence[Turn]) -> bool:
    """Tell whether a rewriting says what the question says, with nothing added but words of the history."""
    said = {stem for turn in history for stem in content_stems(f"{turn.question} {turn.answer}")}
    asked, now = set(content_stems(question)), set(content_stems(written))
    if not asked <= now or not now <= asked | said or words(written) == words(question):
        return False
    if not _asking(question) <= _asking(written):
        return False
    earlier = [(set(content_stems(turn.question)), _asking(turn.question)) for turn in history]
    return now == asked or (now, _asking(written)) not in earlier


def _asking(text: str) -> frozenset[str]:
    return _ASKING & set(words(text))


def line(model: ChatModel, prompt: "Sequence[BaseMessage]", num_predict: int) -> Generator[Waiting, None, str]:
    """Return the first line of a model's reply without quotation marks around it, "" when the model fails.

    Yields Waiting while nothing comes.
    """
    text = ""
    try:
        with model.stream(prompt, num_predict) as reply:
            for piece in reply:
                if not piece:
                    yield model.waiting()
                text = (text + piece).lstrip()
                if "\n" in text:
                    break
    except ChatModelError:
        return ""
    return _LABEL.sub("", text.partition("\n")[0].strip(_QUOTES)).strip(_QUOTES)


def _prompt(question: str, history: Sequence[Turn]) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage

    lines = [text for turn in history for text in (f"Q: {as_note(turn.question)}", f"A: {_opening(turn.answer)}")]
    task = "Rewrite this last question so that it can be understood alone. Keep its words."
    return [HumanMessage("\n".join([*lines, f"Q: {as_note(question)}", task]))]


def _opening(answer: str) -> str:
    """Return the first sentence of an answer without its markers."""
    span = next(iter(sentences(answer)), None)
    text, _ = split(answer[span.start : span.end] if span else "", range(1, 100))
    return as_note(text[:_LONGEST_ANSWER])
