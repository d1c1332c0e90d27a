"""Having the chat model loaded while the user still thinks about the first question."""

import threading
from contextlib import suppress
from typing import Protocol

from assistant.errors import AskpapersError


class Loadable(Protocol):
    """A chat model that can be loaded before it is asked."""

    def load(self) -> None:
        """Have it loaded. Raises AskpapersError."""


def preload(model: Loadable | None) -> threading.Thread | None:
    """Load a model in the background. One that cannot be loaded says so when it is asked."""
    if model is None:
        return None
    thread = threading.Thread(target=_load, args=(model,), name="loading", daemon=True)
    thread.start()
    return thread


def _load(model: Loadable) -> None:
    with suppress(AskpapersError):
        model.load()
