"""Papers that a text calls by their own names, as BERT; a name that is an ordinary word must be written as a name."""

import re
from collections.abc import Callable, Iterable

from assistant.library import Library
from assistant.ordinary import is_ordinary
from assistant.schema import Paper
from assistant.text import fold, words

LONGEST_NAME = 5
_TOKEN = re.compile(r"[^\W_]+")
_OPENS_SENTENCE = re.compile(r"(?:^|[.?!:]\s+)[\"'“(]*$")
_SEARCHED = 20


def own_name(paper: Paper) -> str:
    """Return what a paper calls its contribution, as `BERT`: its title up to a colon, or a label that is a name."""
    if paper.title:
        head, colon, _ = paper.title.partition(":")
        return head if colon and len(head.split()) <= 3 else ""
    return "" if paper.label is None or paper.label.endswith("…") else paper.label


def is_called(text: str, name: str, ordinary: Callable[[str], bool]) -> bool:
    """Tell whether a text calls something by a name.

    All words of the name stand in it. A name of a single word that is an `ordinary` one has to be spelled there as it
    is spelled itself: "What does STAND need?", not "What does NPU stand for?".
    """
    bare = words(name)
    if not bare or not set(bare) <= set(words(text)):
        return False
    if len(bare) > 1 or not bare[0].isalpha() or not ordinary(bare[0]):
        return True
    written = [token for token in _TOKEN.finditer(text) if fold(token.group()) == bare[0] and token.group() in name]
    return not text.isupper() and any(
        not (_is_capitalised(token.group()) and _OPENS_SENTENCE.search(text[: token.start()])) for token in written
    )


def _is_capitalised(word: str) -> bool:
    return len(word) == 1 or (word[:1].isupper() and word[1:].islower())


def in_use(library: Library) -> Callable[[str], bool]:
    """Return a test that tells whether a folded word is an ordinary one, by itself or as a library's abstracts use it.

    They use it so where it is no part of a name and written small, as `cast` and never `bert`.
    """

    def ordinary(word: str) -> bool:
        if is_ordinary(word):
            return True
        if not word.isalpha():
            return False
        small = re.compile(rf"(?<![\w/.@-]){re.escape(word)}(?![\w/-])")
        found = library.catalogue.papers(paper_id for paper_id, _ in library.terms.search(word, _SEARCHED))
        return any(small.search(paper.abstract) for paper in found)

    return ordinary


class Names:
    """The own names of a library's papers. Safe from any thread."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._ordinary = in_use(library)
        self._known: tuple[int, dict[str, list[str]]] = (-1, {})

    def bearers(self, name: str) -> list[Paper]:
        """Return the papers that go by a name."""
        return self._library.catalogue.papers(self._by_name().get(" ".join(words(name)), ()))

    def within(self, text: str) -> list[str]:
        """Return the own names of papers in a text as it writes them, in its order, longer ones before their parts."""
        known = self._by_name()
        tokens = list(_TOKEN.finditer(text))
        found: list[str] = []
        start = 0
        while start < len(tokens):
            for end in range(min(len(tokens), start + LONGEST_NAME), start, -1):
                name = text[tokens[start].start() : tokens[end - 1].end()]
                if " ".join(words(name)) in known and self._is_name(text, name):
                    found.append(name)
                    start = end - 1
                    break
            start += 1
        return list(dict.fromkeys(found))

    def _is_name(self, text: str, name: str) -> bool:
        return any(is_called(text, own_name(paper), self._ordinary) for paper in self.bearers(name))

    def _by_name(self) -> dict[str, list[str]]:
        generation = self._library.generation
        if self._known[0] != generation:
            self._known = (generation, _by_name(self._library.catalogue))
        return self._known[1]


def _by_name(papers: Iterable[Paper]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for paper in papers:
        if name := " ".join(words(own_name(paper))):
            found.setdefault(name, []).append(paper.paper_id)
    return found
