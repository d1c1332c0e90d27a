import threading
import time
from collections.abc import Generator

import pytest

from assistant.heartbeat import beating


def counting(pause: float, stopped: threading.Event, times: int = 3) -> Generator[int]:
    for n in range(times):
        if stopped.wait(pause):
            raise ConnectionError("hung up")
        yield n


def test_a_beat_comes_while_nothing_else_does() -> None:
    stopped = threading.Event()
    got = list(beating(counting(0.12, stopped), stopped.set, beat=0.05))
    assert [n for n in got if n is not None] == [0, 1, 2]
    assert got.count(None) >= 3
    assert stopped.is_set()


def test_what_comes_at_once_comes_without_a_beat() -> None:
    stopped = threading.Event()
    assert list(beating(counting(0.0, stopped, 100), stopped.set)) == list(range(100))


def test_an_exception_is_raised_where_the_items_are_waited_for() -> None:
    def failing() -> Generator[int]:
        yield 1
        raise ArithmeticError("no")

    items = beating(failing(), lambda: None)
    assert next(items) == 1
    with pytest.raises(ArithmeticError, match="no"):
        next(items)


def test_closing_hangs_up_and_does_not_wait() -> None:
    stopped, ended = threading.Event(), threading.Event()

    def stubborn() -> Generator[int]:
        try:
            yield from counting(30.0, stopped)
        finally:
            ended.set()

    items = beating(stubborn(), stopped.set, beat=0.02)
    assert next(items) is None
    start = time.monotonic()
    items.close()
    assert time.monotonic() - start < 0.2
    assert ended.wait(1.0)


def test_nothing_runs_before_the_first_item_is_wanted() -> None:
    ran: list[int] = []

    def noting() -> Generator[int]:
        ran.append(1)
        yield 1

    beating(noting(), lambda: ran.append(2)).close()
    assert ran == []
