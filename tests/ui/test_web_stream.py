import asyncio
import threading
import time
from collections.abc import Generator
from itertools import pairwise

from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.errors import ChatModelTimeout
from assistant.library import Library
from assistant.schema import Event, Token, Waiting
from tests.ollama_server import OllamaServer, Scripted
from ui.web.stream import INTERVAL, Item, paced


async def collected(events: Generator[Event], stop_after: float | None = None) -> list[tuple[float, list[Item]]]:
    start = time.monotonic()
    stopped = (lambda: time.monotonic() - start > stop_after) if stop_after else (lambda: False)
    return [(time.monotonic() - start, batch) async for batch in paced(events, stopped=stopped)]


def tokens(n: int, pause: float, closed: list[str] | None = None) -> Generator[Event]:
    try:
        for i in range(n):
            yield Token(str(i))
            time.sleep(pause)
    finally:
        if closed is not None:
            closed.append(threading.current_thread().name)


def test_a_fast_stream_is_drawn_at_most_ten_times_a_second_and_loses_nothing() -> None:
    batches = asyncio.run(collected(tokens(100, 0.01)))
    assert [t for _, batch in batches for t in batch] == [Token(str(i)) for i in range(100)]
    times = [at for at, _ in batches]
    assert all(later - earlier >= INTERVAL * 0.95 for earlier, later in pairwise(times))
    assert len(batches) <= 13


def test_the_first_event_is_not_kept_waiting() -> None:
    batches = asyncio.run(collected(tokens(1, 0.5)))
    assert batches[0][0] < 0.1


def test_a_stop_closes_the_generator_in_its_thread() -> None:
    closed: list[str] = []
    start = time.monotonic()
    batches = asyncio.run(collected(tokens(1000, 0.02, closed), stop_after=0.3))
    assert time.monotonic() - start < 0.6
    time.sleep(0.1)
    assert closed == ["answer"]
    assert 0 < sum(len(batch) for _, batch in batches) < 30


def test_a_consumer_that_leaves_closes_the_generator() -> None:
    closed: list[str] = []

    async def leave() -> None:
        stream = paced(tokens(1000, 0.02, closed), stopped=lambda: False)
        await anext(stream)
        await stream.aclose()

    asyncio.run(leave())
    time.sleep(0.1)
    assert closed == ["answer"]


def test_a_stop_hangs_up_on_a_model_that_still_reads_its_prompt(library: Library) -> None:
    async def stop(events: Generator[Event]) -> None:
        async for batch in paced(events, stopped=lambda: False):
            if server.chats and any(isinstance(event, Waiting) for event in batch):
                return

    with OllamaServer(script=Scripted("It works.", reading=0.9), yes_log_odds=None) as server:
        model = choose("auto", ChatModelSettings(server.url))
        asyncio.run(stop(Assistant(library, model).stream("How many flower patches does WaggleNet find?")))
        assert server.wait_closed(1.0)


def test_an_error_for_the_reader_is_the_last_item() -> None:
    def failing() -> Generator[Event]:
        yield Token("a")
        raise ChatModelTimeout("It took too long.")

    items = [item for _, batch in asyncio.run(collected(failing())) for item in batch]
    assert items[0] == Token("a")
    assert isinstance(items[1], ChatModelTimeout)
    assert len(items) == 2
