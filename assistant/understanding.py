"""What a question asks, in English and on its own, before anything is searched for it."""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from assistant import routing
from assistant.chat_model import ChatModel
from assistant.followup import Standalone, standalone
from assistant.languages import foreign
from assistant.library import Library
from assistant.naming import in_use, is_called, own_name
from assistant.retrieval import Retriever
from assistant.rewriting import rewritten
from assistant.schema import Paper, Turn, Waiting
from assistant.text import fold, words
from assistant.translation import Translator

_NEAREST = 3
_NOT_LATIN = re.compile(r"[^\u0000-\u024f]+")
_ENGLISH_ONLY = (
    "This question seems to be in {language}. Without a chat model only English questions are understood: ask in "
    "English, or with names that the abstracts use."
)
_ABOUT_NAMES = (
    "This question seems to be in {language}. Without a chat model only the names in it are understood; this is what "
    "the abstracts say about {names}."
)


@dataclass(frozen=True, slots=True)
class Understood:
    """A question in English, standalone, and the language that it was asked in unless that is English.

    `refusal`: why nothing can be searched for it; `notice`: what of it was not understood.
    """

    asked: Standalone
    language: str | None = None
    refusal: str | None = None
    notice: str | None = None


class Understanding:
    """Understands questions about a library; without a chat model, English ones and names."""

    def __init__(self, library: Library, retriever: Retriever, model: ChatModel | None) -> None:
        self._library = library
        self._retriever = retriever
        self._model = model

    def of(self, question: str, history: Sequence[Turn]) -> Generator[Waiting, None, Understood]:
        """Return what a question asks; a chat model is used for another language and for what the rules leave open.

        Yields Waiting while that model says nothing.
        """
        language = foreign(question)
        if language is None:
            return Understood((yield from self._standalone(question, history)))
        english: str | None = None
        if self._model is not None:
            english = yield from _in_turn(self._model, Translator(self._model, language).question(question))
        if english is not None:
            return Understood((yield from self._standalone(english, history)), language)
        names = self._known(question)
        if not names:
            return Understood(Standalone(question), language, refusal=_ENGLISH_ONLY.format(language=language))
        called = " and ".join(names)
        notice = _ABOUT_NAMES.format(language=language, names=called)
        return Understood(Standalone(f"What is {called}?"), language, notice=notice)

    def _standalone(self, question: str, history: Sequence[Turn]) -> Generator[Waiting, None, Standalone]:
        if not history:
            return Standalone(question)
        cited = self._library.catalogue.papers([paper_id for turn in history for paper_id in turn.papers])
        titles = {paper.paper_id: own_name(paper) or (f"“{paper.title}”" if paper.title else "") for paper in cited}
        asked = standalone(question, history, titles, self._is_paper)
        if self._model is None or not asked.depends or asked.resolved:
            return asked
        better = yield from _in_turn(self._model, rewritten(self._model, question, history))
        return replace(asked, question=better, others=(asked.question,)) if better else asked

    def _is_paper(self, name: str) -> bool:
        """Tell whether a paper goes by a name."""
        asked = set(words(name))
        return any(asked & set(words(own_name(found.paper))) for found in self._retriever.search(name, _NEAREST))

    def _known(self, question: str) -> list[str]:
        """Return the identifiers in a question, else the names in it that a near paper goes by or introduces."""
        identifiers = routing.identifiers(question)
        if self._library.catalogue.resolve(identifiers):
            return identifiers
        latin = _NOT_LATIN.sub(" ", question)
        nearest = [found.paper for found in self._retriever.search(latin, _NEAREST)]
        own = [name for name in map(own_name, nearest) if is_called(latin, name, in_use(self._library))]
        coined = [name for name in routing.names(latin) if any(_introduces(paper, name) for paper in nearest)]
        return list({fold(name): name for name in [*own, *coined]}.values())


def _in_turn(model: ChatModel, asking: Generator[Waiting, None, str | None]) -> Generator[Waiting, None, str | None]:
    """Have a model asked once everybody before has been served."""
    with model.turn() as turn:
        yield from turn
        return (yield from asking)


def _introduces(paper: Paper, name: str) -> bool:
    """Tell whether a name stands in a paper's title, or in its abstract beside what it abbreviates."""
    abbreviates = f"({name})" in paper.abstract or f"{name} (" in paper.abstract
    return abbreviates or set(words(name)) <= set(words(paper.name))
