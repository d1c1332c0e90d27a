"""What the web app asks of an assistant, and how it comes by one."""

import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Protocol

from assistant.errors import LibraryMissing
from assistant.schema import Event, Filters, Paper, Turn
from ui.preload import Loadable, preload


class Facets(Protocol):
    """How many papers there are of each year and each venue."""

    @property
    def years(self) -> Mapping[int, int]:
        """Papers by year."""

    @property
    def venues(self) -> Mapping[str, int]:
        """Papers by venue."""


class Catalogue(Protocol):
    """The papers of a library."""

    def __len__(self) -> int:
        """Count the papers."""

    def __iter__(self) -> Iterator[Paper]:
        """Yield the papers, oldest first."""

    def count(self, filters: Filters) -> int:
        """Count the papers that the filters admit."""

    def facets(self) -> Facets:
        """Count the papers by what they can be limited to."""


class Library(Protocol):
    """An open library."""

    @property
    def catalogue(self) -> Catalogue:
        """Its papers."""


class Answerer(Protocol):
    """Answers questions about a library."""

    @property
    def mode(self) -> str:
        """Return `extractive`, or the provider and name of the chat model."""

    @property
    def model(self) -> Loadable | None:
        """Return the chat model, if one writes."""

    @property
    def library(self) -> Library:
        """Return the library that it answers from."""

    def stream(
        self, question: str, *, history: Sequence[Turn] = (), filters: Filters = ..., words: int | None = None
    ) -> Generator[Event]:
        """Yield the events of an answer, the Answer last. Raises AskpapersError."""


class Desk:
    """The assistant of a server: opened when the first page finds a library, then shared by all pages.

    `notice` tells what a new chat is to be told of the assistant opened, "" for nothing.
    """

    def __init__(self, opener: Callable[[], Answerer], notice: Callable[[], str] = str) -> None:
        self._opener = opener
        self.notice = notice
        self._loading: threading.Thread | None = None
        self._lock = threading.Lock()
        self._assistant: Answerer | None = None

    @property
    def ready(self) -> bool:
        """Whether the assistant is open already."""
        return self._assistant is not None

    def assistant(self) -> Answerer | None:
        """Return the assistant; None while there is no library. Raises AskpapersError."""
        with self._lock:
            if self._assistant is None:
                try:
                    self._assistant = self._opener()
                except LibraryMissing:
                    return None
            return self._assistant

    def load(self) -> None:
        """Have the chat model loaded in the background, again if it has been idle; for when a page is opened."""
        with self._lock:
            if self._assistant is not None and not (self._loading and self._loading.is_alive()):
                self._loading = preload(self._assistant.model)
