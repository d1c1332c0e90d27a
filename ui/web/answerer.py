"""What the web app asks of an assistant, and how it comes by one."""

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Protocol

from assistant.errors import LibraryMissing
from assistant.schema import Event, Filters, Paper, Turn


class Facets(Protocol):
    """How many papers there are of each year and each venue."""

    @property
    def years(self) -> Mapping[int, int]: ...

    @property
    def venues(self) -> Mapping[str, int]: ...


class Catalogue(Protocol):
    """The papers of a library."""

    def count(self) -> int: ...

    def facets(self) -> Facets: ...

    def sample(self, n: int) -> Sequence[Paper]: ...


class Library(Protocol):
    """An open library."""

    @property
    def catalogue(self) -> Catalogue: ...


class Answerer(Protocol):
    """Answers questions about a library. `stream` ends with an Answer, or raises AskpapersError."""

    @property
    def mode(self) -> str: ...

    @property
    def library(self) -> Library: ...

    def stream(
        self, question: str, *, history: Sequence[Turn] = (), filters: Filters = ..., words: int | None = None
    ) -> Generator[Event]: ...


class Desk:
    """The assistant of a server, opened when the first page finds a library, and shared by all pages after that."""

    def __init__(self, opener: Callable[[], Answerer]) -> None:
        self._opener = opener
        self._lock = threading.Lock()
        self._assistant: Answerer | None = None

    def assistant(self) -> Answerer | None:
        """Return the assistant; None while there is no library. Raises AskpapersError when it cannot be opened."""
        with self._lock:
            if self._assistant is None:
                try:
                    self._assistant = self._opener()
                except LibraryMissing:
                    return None
            return self._assistant
