"""Questions written by the chat model from a chosen sentence, for an answer that is known; one short prompt each.

What it writes counts only when it is one question, in English, that keeps to the sentence and leaves the answer out.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar, cast

from assistant.chat_model import ChatModel
from assistant.languages import foreign
from assistant.prompts import as_note
from assistant.rewriting import line
from assistant.schema import Waiting
from assistant.text import content_stems
from eval.generation.clauses import capital
from eval.generation.statements import holds

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

PATIENCE: Final = 6
_TOKENS: Final = 48
_ASKS = re.compile(
    r"^(?:in |on |by |for |with |to |at |under |from )?(?:what|which|who|whom|whose|when|where|why|how)\b",
    re.IGNORECASE,
)

_LABEL = re.compile(r"^(?:question|q)\s*[:.]\s*", re.IGNORECASE)
T = TypeVar("T")


@dataclass(slots=True)
class Author:
    """Has a model write questions; gives up after several in a row that were of no use."""

    model: ChatModel
    useless: int = 0
    written: int = 0

    @property
    def gave_up(self) -> bool:
        """Whether the model isn't asked any more."""
        return self.useless >= PATIENCE

    def question(
        self, sentence: str, nuggets: tuple[tuple[str, ...], ...], name: str | None, *, hide: bool
    ) -> str | None:
        """Return the model's question about a sentence, None when it fails or babbles.

        `name` is what the paper calls its contribution: a question must hold it, or with `hide` must not.
        """
        if self.gave_up:
            return None
        answer = ", ".join(spellings[0] for spellings in nuggets)
        text = _finished(line(self.model, _prompt(sentence, answer, name, hide), _TOKENS))
        text = capital(_LABEL.sub("", text).strip(' "'))
        if not _usable(text, sentence, nuggets, name, hide):
            self.useless += 1
            return None
        self.useless = 0
        return text


def _finished(work: Generator[Waiting, None, T]) -> T:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cast(T, end.value)


def _prompt(sentence: str, answer: str, name: str | None, hide: bool) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage

    about = f" about {name}" if name and not hide else ""
    rules = (
        f"Do not use the name {name}; use other words than the sentence." if name and hide else "Name what it is about."
    )
    if hide and not name:
        rules = "Use other words than the sentence."
    task = f'Write one short question{about} whose answer is "{as_note(answer)}". {rules} Do not give the answer away.'
    return [HumanMessage(f"{as_note(sentence)}\n\n{task} Reply with the question only.")]


def _usable(text: str, sentence: str, nuggets: tuple[tuple[str, ...], ...], name: str | None, hide: bool) -> bool:
    if not _ASKS.search(text) or not text.endswith("?") or text.count("?") != 1 or not 5 <= len(text.split()) <= 30:
        return False
    if any(holds(text, spelling) for nugget in nuggets for spelling in nugget) or foreign(text) is not None:
        return False
    bare = (name or "").removeprefix("the ")
    if bare and holds(text, bare) == hide:
        return False
    asked, said = set(content_stems(text)), set(content_stems(sentence)) | set(content_stems(bare))
    kept = asked & said
    return len(kept) >= 2 and (hide or len(kept) >= len(asked) / 2)
