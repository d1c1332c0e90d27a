"""The line before a model's server: one request at a time, first come, first served, and everybody knows his place.

Ollama serves one request after another without a sign of life to those that wait. A prompt that it has begun to read
it reads to the end, also when the question was stopped; then the line says so.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from math import ceil
from time import monotonic
from types import TracebackType

from assistant.errors import ChatModelTimeout
from assistant.heartbeat import BEAT
from assistant.schema import Waiting

_PLACES = {1: "Next", 2: "Second", 3: "Third", 4: "Fourth", 5: "Fifth"}
_MEASURED = 5  # replies; the server reads faster what it remembers, so the slowest of some is the speed
_ROUND = 5  # seconds


class ModelQueue:
    """The line before one server, and what is known of how it reads."""

    def __init__(self) -> None:
        self.reading = Reading()
        self._moved = threading.Condition()
        self._line: list[Turn] = []

    def turn(self, model: str) -> "Turn":
        """Return a place in the line, taken when it is entered; `model` is whom to name to those that wait."""
        return Turn(model, self._line, self._moved)


class Turn:
    """A place in the line while its context lasts; iterate over it until it is one's turn."""

    def __init__(self, model: str, line: "list[Turn]", moved: threading.Condition) -> None:
        self._model, self._line, self._moved = model, line, moved

    def __enter__(self) -> "Turn":
        with self._moved:
            self._line.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._moved:
            self._line.remove(self)
            self._moved.notify_all()

    def __iter__(self) -> Iterator[Waiting]:
        """Yield one's place when it changes, and now and then, so that whoever waits can leave; end at one's turn."""
        while place := self._place():
            yield Waiting(place, f"{_PLACES.get(place, f'Number {place}')} in line for {self._model}.")
            with self._moved:
                if self._place() == place:
                    self._moved.wait(BEAT)

    def _place(self) -> int:
        with self._moved:
            return self._line.index(self)


class Reading:
    """How fast a server reads prompts, and until when it reads one whose question was stopped.

    Prompts count in estimated tokens, whatever the estimate: the speed is in the same.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._speeds: deque[float] = deque(maxlen=_MEASURED)
        self._stopped: tuple[str, float | None] | None = None

    def prompt(self, model: str, tokens: int, sent: Callable[[], bool]) -> "Prompt":
        """Return a prompt that is about to be sent; `sent` tells whether it has been."""
        return Prompt(self, model, tokens, sent)

    def left(self) -> float:
        """Return for how many seconds the server will still read for nobody, as far as that is known."""
        with self._lock:
            until = self._stopped[1] if self._stopped else None
        return max(0.0, until - monotonic()) if until is not None else 0.0

    def reason(self) -> str | None:
        """Say what a prompt that is not answered yet waits for; None when nothing is known to be before it."""
        with self._lock:
            stopped = self._stopped
        left = self.left()
        if stopped is None or (stopped[1] is not None and not left):
            return None
        time = f"; about {ceil(left / _ROUND) * _ROUND} s left" if left else ""
        return f"{stopped[0]} is still reading a question that was stopped{time}."

    def measured(self, tokens: int, seconds: float) -> None:
        """Learn that a prompt of so many tokens was read in so many seconds."""
        with self._lock:
            self._speeds.append(tokens / max(seconds, 1e-3))

    def answered(self) -> None:
        """Learn that the server writes: it reads for nobody any more."""
        with self._lock:
            self._stopped = None

    def stopped(self, model: str, tokens: int, since: float) -> None:
        """Learn that a prompt sent at `since`, as `monotonic` has it, was given up before it was answered."""
        with self._lock:
            before = self._stopped[1] if self._stopped else since
            if before is None or before > monotonic():
                return  # it was still behind the one stopped earlier, so that the server never began to read it
            speed = min(self._speeds, default=None)
            self._stopped = (model, max(since, before) + tokens / speed if speed else None)


class Prompt:
    """A prompt that is being read while its context lasts."""

    def __init__(self, reading: Reading, model: str, tokens: int, sent: Callable[[], bool]) -> None:
        self._reading, self._model, self._tokens, self._sent = reading, model, tokens, sent
        self._since = monotonic()
        self._answered = False

    def __enter__(self) -> "Prompt":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        given_up = isinstance(error, GeneratorExit | KeyboardInterrupt | ChatModelTimeout)
        if given_up and self._sent() and not self._answered:
            self._reading.stopped(self._model, self._tokens, self._since)

    def answered(self, seconds: float | None) -> None:
        """Learn that the model writes, and once it has told in how many seconds it read the prompt."""
        if not self._answered:
            self._answered = True
            self._reading.answered()
        if seconds is not None:
            self._reading.measured(self._tokens, seconds)


@cache
def queue_of(_server: str) -> ModelQueue:
    """Return the line before the server at an address, the same for all of this process."""
    return ModelQueue()
