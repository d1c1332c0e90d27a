"""Questions in another language put into English, and checked sentences into that language, by the chat model.

Everything between the two is English: the abstracts, their encoder, and the check of what the model writes. A
translation counts only when it keeps each figure and each coined name; it adds none of either.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass

from assistant.chat_model import ChatModel
from assistant.languages import foreign, likeliest
from assistant.prompts import as_note, estimate
from assistant.rewriting import line
from assistant.routing import names
from assistant.schema import Waiting

_FIGURE = re.compile(r"\d+(?:[.,\u00a0\u202f ]\d+)*")
_SEPARATORS = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Translator:
    """Has `model` translate between English and `language`, named in English; yields Waiting while nothing comes."""

    model: ChatModel
    language: str

    def question(self, text: str) -> Generator[Waiting, None, str | None]:
        """Return a question in English, None where the model fails or loses something."""
        english = yield from self._translated(text, "English")
        return english if english and keeps(text, english) and foreign(english) is None else None

    def sentence(self, text: str) -> Generator[Waiting, None, str | None]:
        """Return an English sentence in the language, None where the model fails or loses something."""
        translated = yield from self._translated(text, self.language)
        return translated if translated and keeps(text, translated) and likeliest(translated) == self.language else None

    def _translated(self, text: str, language: str) -> Generator[Waiting, None, str]:
        from langchain_core.messages import HumanMessage

        task = f"Translate this into {language}. Keep names and numbers. Reply with the translation only."
        asked = [HumanMessage(f"{as_note(text)}\n\n{task}")]
        return (yield from line(self.model, asked, 32 + 2 * estimate(text)))


def keeps(text: str, translated: str) -> bool:
    """Tell whether a translation holds the figures of a text and no others, and all its coined names."""
    return _figures(text) == _figures(translated) and all(name in translated for name in names(text))


def _figures(text: str) -> list[str]:
    """Return the figures of a text, sorted, without the separators, which languages choose differently."""
    return sorted(_SEPARATORS.sub("", figure) for figure in _FIGURE.findall(text))
