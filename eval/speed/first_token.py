"""What askpapers adds to the time that a chat model takes, before its first token and after each of its sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.library import Library
from assistant.schema import Checked
from eval.speed.latency import Latency, latency
from eval.speed.loopback_model import NAME, LoopbackModel


@dataclass(frozen=True, slots=True)
class Overhead:
    """What is added beside a chat model that replies at once.

    `request_ms`: from the question until the model is asked for anything; `writing_ms`: until it is asked to write,
    which follows its yes or no to whether the evidence has the answer; `check_ms`: from the piece of text that
    completes a sentence until the sentence is verified. A model that takes its time has part of that done meanwhile.
    """

    questions: int
    sentences: int
    request_ms: Latency
    writing_ms: Latency
    check_ms: Latency


def overhead(library: Library, questions: Sequence[str]) -> Overhead | None:
    """Ask with a chat model on loopback; None when no question got as far as the model."""
    request, writing, check = [], [], []
    with LoopbackModel() as server:
        model = choose(f"ollama:{NAME}", ChatModelSettings(ollama_host=server.url))
        assistant = Assistant(library, model)
        assistant.ask(questions[0])
        for question in questions:
            server.asked.clear()
            server.written.clear()
            started = perf_counter()
            check += _checks(assistant, question)
            if server.written:
                request.append(server.asked[0] - started)
                writing.append(server.written[0] - started)
    if not (request and check):
        return None
    return Overhead(len(request), len(check), latency(request), latency(writing), latency(check))


def _checks(assistant: Assistant, question: str) -> list[float]:
    """Return the seconds between each checked sentence and the event before it."""
    found, before = [], perf_counter()
    for event in assistant.stream(question):
        now = perf_counter()
        if isinstance(event, Checked):
            found.append(now - before)
        before = perf_counter()
    return found
