"""An answer's events, brought from the thread that makes them to the page at a pace it can draw."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import closing
from queue import Empty, SimpleQueue

from assistant.errors import AskpapersError
from assistant.schema import Event

INTERVAL = 0.1
_POLL = 0.02

Item = Event | AskpapersError


async def paced(
    events: Generator[Event], *, stopped: Callable[[], bool], interval: float = INTERVAL
) -> AsyncGenerator[list[Item]]:
    """Yield the events in batches, at least `interval` seconds apart, none delayed for longer.

    The generator runs in a thread of its own, and is closed there as soon as its current step returns after
    `stopped()` turned true, or this generator was closed. An AskpapersError that it raises is the last item.
    """
    queue: SimpleQueue[Item | None] = SimpleQueue()
    halt = threading.Event()
    threading.Thread(target=_drain, args=(events, queue, halt), name="answer", daemon=True).start()
    try:
        open_ = True
        while open_ and not stopped():
            batch, open_ = _waiting(queue)
            if batch:
                yield batch
            await asyncio.sleep(interval if batch else _POLL)
    finally:
        halt.set()


def _drain(events: Generator[Event], queue: "SimpleQueue[Item | None]", halt: threading.Event) -> None:
    try:
        with closing(events):
            for event in events:
                queue.put(event)
                if halt.is_set():
                    return
    except AskpapersError as error:
        queue.put(error)
    finally:
        queue.put(None)


def _waiting(queue: "SimpleQueue[Item | None]") -> tuple[list[Item], bool]:
    """Take what has arrived; and whether more may come."""
    batch: list[Item] = []
    while True:
        try:
            item = queue.get_nowait()
        except Empty:
            return batch, True
        if item is None:
            return batch, False
        batch.append(item)
