"""The prompt: selected sentences as numbered notes, the question, an instruction; and the tokens it takes."""

import re
from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from assistant.schema import Kind

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

SYSTEM = "You answer questions about research papers from notes."
JUDGE = "Do the notes give the answer? Reply yes or no."
KEEP = "Keep names and numbers as they stand in the notes."
ANSWER = f"Answer in one or two short sentences. {KEEP}"

_LEADING_NUMBERS = re.compile(r"\A(?:\s*\[[\d\s,;–-]+\])+")
_TEMPLATE_TAG = re.compile(r"<(?=[|｜/<!]|[A-Za-z_]+>)")
_INSTRUCTION_TAG = re.compile(r"\[(/?)(INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS)\]", re.IGNORECASE)
_TEMPLATE = 48  # tokens around the messages; the most recorded is 36


def instruction(kind: Kind, words: int | None = None) -> str:
    """Return the last line of the prompt for a kind of question; `words` is the length the user asked for."""
    if kind == "summary":
        return f"Summarize what the notes say about this in about {words or 80} words. {KEEP}"
    if kind == "compare":
        return f"Compare what the notes say, paper by paper, in about {words or 80} words. {KEEP}"
    return ANSWER if words is None else f"Answer in about {words} words. {KEEP}"


def answer_tokens(kind: Kind, words: int | None = None) -> int:
    """Return how many tokens to allow an answer: twice what the words asked for take, so that few are cut."""
    return 32 + 3 * (words or (80 if kind in ("summary", "compare") else 40))


def messages(evidence: Sequence[tuple[int, str]], question: str, instruction: str = ANSWER) -> list["BaseMessage"]:
    """Return the messages for `evidence`, pairs of a paper's number and one sentence of it, in their order.

    What changes from request to request comes last: a server keeps what it has read of an equal beginning.
    """
    from langchain_core.messages import HumanMessage, SystemMessage

    return [SystemMessage(SYSTEM), HumanMessage(_user_text(evidence, question, instruction))]


def fitting(
    evidence: Sequence[tuple[int, str]], question: str, instruction: str, num_ctx: int, num_predict: int
) -> list[tuple[int, str]]:
    """Return the longest beginning of `evidence` whose prompt and `num_predict` tokens fit into `num_ctx`.

    Empty when the question alone is too long.
    """
    room = num_ctx - num_predict - message_tokens(messages((), question, instruction))
    kept: list[tuple[int, str]] = []
    for number, sentence in evidence:
        room -= estimate(_line(number, sentence)) + 1
        if room < 0:
            break
        kept.append((number, sentence))
    return kept


def message_tokens(messages: "Sequence[BaseMessage]") -> int:
    """Estimate, from above, the tokens of messages and of the template around them."""
    return _TEMPLATE + sum(estimate(str(message.text)) for message in messages)


def estimate(text: str) -> int:
    """Estimate, from above, how many tokens any usual tokenizer makes of a text.

    Letters come in threes at least; figures and signs one by one; what lies outside ASCII in up to two each.
    """
    letters = sum(c.isascii() and c.isalpha() for c in text)
    spaces = sum(c == " " for c in text)
    outside = sum(not c.isascii() for c in text)
    return ceil(letters / 3) + 2 * outside + len(text) - letters - spaces - outside


def as_note(text: str) -> str:
    """Return a text as one line that cannot pass for another part of the prompt.

    Line breaks become spaces, bracketed numbers at its start turn round, and the tags of chat templates,
    which a server would obey, come apart. Lone surrogates, which cannot be sent, become question marks.
    """
    line = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    line = _LEADING_NUMBERS.sub(lambda m: m.group().replace("[", "(").replace("]", ")"), line)
    return _INSTRUCTION_TAG.sub(r"(\1\2)", _TEMPLATE_TAG.sub("< ", line))


def _line(number: int, sentence: str) -> str:
    return f"[{number}] {as_note(sentence)}"


def _user_text(evidence: Sequence[tuple[int, str]], question: str, instruction: str) -> str:
    lines = [_line(number, sentence) for number, sentence in evidence]
    return "\n".join(["Notes:", *lines, "", f"Question: {as_note(question)}", instruction])
