import threading
import time
from itertools import pairwise

import pytest

from assistant.chat_model import ChatModel, ChatModelSettings
from assistant.errors import ChatModelTimeout
from assistant.model_queue import ModelQueue, Reading, Turn, queue_of
from assistant.schema import Waiting


def place(turn: Turn) -> int:
    """Return a turn's place as it is told it; 0 when it is its turn."""
    return next(iter(turn), Waiting()).position


def test_the_first_waits_for_nobody() -> None:
    with ModelQueue().turn("tiny:1b") as turn:
        assert list(turn) == []


def test_everybody_knows_his_place_and_moves_up() -> None:
    queue = ModelQueue()
    with queue.turn("tiny:1b") as first:
        with queue.turn("tiny:1b") as second, queue.turn("tiny:1b") as third:
            assert [place(turn) for turn in (first, second, third)] == [0, 1, 2]
            assert next(iter(second)).reason == "Next in line for tiny:1b."
            assert next(iter(third)).reason == "Second in line for tiny:1b."
        with queue.turn("tiny:1b") as again:
            assert place(again) == 1


def test_far_back_in_line_the_place_is_a_number() -> None:
    queue = ModelQueue()
    turns = [queue.turn("tiny:1b").__enter__() for _ in range(8)]
    assert next(iter(turns[7])).reason == "Number 7 in line for tiny:1b."


def test_who_is_told_to_stop_leaves_and_the_others_move_up_at_once() -> None:
    queue = ModelQueue()
    first, second, third = (queue.turn("tiny:1b").__enter__() for _ in range(3))
    moved: list[float] = []

    def wait() -> None:
        places = [waiting.position for waiting in third]
        assert places[0] == 2
        assert all(a >= b for a, b in pairwise(places))
        moved.append(time.monotonic())

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.05)
    second.__exit__(None, None, None)
    left = time.monotonic()
    first.__exit__(None, None, None)
    waiting.join(2.0)
    assert moved[0] - left < 0.2


def test_an_exception_gives_the_turn_back() -> None:
    queue = ModelQueue()
    with pytest.raises(ArithmeticError), queue.turn("tiny:1b"):
        raise ArithmeticError
    with queue.turn("tiny:1b") as turn:
        assert place(turn) == 0


def test_many_are_served_one_at_a_time_in_the_order_in_which_they_came() -> None:
    queue, served, inside = ModelQueue(), list[int](), list[int]()
    gate = queue.turn("tiny:1b").__enter__()

    def ask(n: int, turn: Turn) -> None:
        list(turn)
        inside.append(n)
        assert inside == [n]
        served.append(n)
        time.sleep(0.005)
        inside.remove(n)
        turn.__exit__(None, None, None)

    turns = [queue.turn("tiny:1b").__enter__() for _ in range(12)]
    threads = [threading.Thread(target=ask, args=pair) for pair in enumerate(turns)]
    for thread in reversed(threads):
        thread.start()
    gate.__exit__(None, None, None)
    for thread in threads:
        thread.join(5.0)
    assert served == list(range(12))


def test_one_line_a_server_and_none_for_others() -> None:
    assert queue_of("http://one:1") is queue_of("http://one:1")
    assert queue_of("http://one:1") is not queue_of("http://two:1")
    one = ChatModel("ollama", "tiny:1b", ChatModelSettings("http://box.example:1"))
    other = ChatModel("ollama", "large:9b", ChatModelSettings("box.example:1", num_ctx=512))
    elsewhere = ChatModel("perplexity", "x")
    with one.turn(), other.turn() as second, elsewhere.turn(), elsewhere.turn() as free:
        assert place(second) == 1
        assert place(free) == 0


# Prompts that were stopped


def give_up(reading: Reading, tokens: int, error: type[BaseException] = GeneratorExit, sent: bool = True) -> None:
    with pytest.raises(error), reading.prompt("tiny:1b", tokens, lambda: sent):
        raise error


def test_a_stopped_prompt_is_read_for_as_long_as_its_length_takes() -> None:
    reading = Reading()
    reading.measured(400, 10.0)
    reading.measured(400, 0.01)
    give_up(reading, 1500)
    assert 36 < reading.left() <= 37.5
    assert reading.reason() == "tiny:1b is still reading a question that was stopped; about 40 s left."


def test_a_prompt_that_took_too_long_is_still_read_and_one_that_failed_is_not() -> None:
    reading = Reading()
    reading.measured(40, 1.0)
    give_up(reading, 400, ArithmeticError)
    assert reading.reason() is None
    give_up(reading, 400, ChatModelTimeout)
    assert 8 < reading.left() <= 10


def test_a_prompt_that_was_answered_leaves_nothing_behind() -> None:
    reading = Reading()
    prompt = reading.prompt("tiny:1b", 400, lambda: True)
    prompt.answered(None)
    with pytest.raises(GeneratorExit), prompt:
        raise GeneratorExit
    assert reading.reason() is None


def test_a_prompt_that_was_never_sent_is_read_by_nobody() -> None:
    reading = Reading()
    give_up(reading, 400, sent=False)
    assert reading.reason() is None


def test_one_stopped_behind_another_was_never_read() -> None:
    reading = Reading()
    reading.measured(40, 1.0)
    give_up(reading, 400)
    give_up(reading, 4000)
    assert reading.left() <= 10


def test_the_time_is_over_or_an_answer_comes() -> None:
    reading = Reading()
    reading.measured(40, 0.001)
    give_up(reading, 40)
    time.sleep(0.01)
    assert reading.reason() is None
    give_up(reading, 40_000_000)
    assert reading.left() > 1
    reading.answered()
    assert (reading.left(), reading.reason()) == (0.0, None)
