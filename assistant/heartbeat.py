"""A generator that runs in a thread of its own, so that whoever waits for it can also be stopped."""

import threading
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Literal, TypeVar

T = TypeVar("T")

BEAT = 0.25  # seconds: nobody who is told to stop waits for longer


def beating(items: Generator[T], hang_up: Callable[[], None], beat: float = BEAT) -> Generator[T | None]:
    """Yield what `items` yields, and None whenever nothing has come for `beat` seconds.

    What `items` raises in its thread is raised here. When this generator ends or is closed, `hang_up` is called; it
    must make `items` end soon, which nobody waits for.
    """
    arrived: SimpleQueue[T | _Over] = SimpleQueue()
    threading.Thread(target=_run, args=(items, arrived), name="model", daemon=True).start()
    try:
        while True:
            try:
                item = arrived.get(timeout=beat)
            except Empty:
                yield None
                continue
            if not isinstance(item, _Over):
                yield item
            elif item.error is None:
                return
            else:
                raise item.error
    finally:
        hang_up()


def returned(generator: Generator[object, None, T]) -> T:
    """Run a generator to its end and return what it returns, for whoever has time to wait."""
    said: list[T] = []

    def running() -> Generator[object]:
        said.append((yield from generator))

    for _ in running():
        pass
    return said[0]


@dataclass(frozen=True, slots=True)
class _Over:
    """The end of the items, and the exception that ended them."""

    error: BaseException | None


class _Ending:
    """Context that reports how it was left, so that an exception reaches whoever waits, and nobody else."""

    def __init__(self, arrived: "SimpleQueue[T | _Over]") -> None:
        self._report = arrived.put

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[True]:
        self._report(_Over(error))
        return True


def _run(items: Generator[T], arrived: "SimpleQueue[T | _Over]") -> None:
    with _Ending(arrived), closing(items):
        for item in items:
            arrived.put(item)
