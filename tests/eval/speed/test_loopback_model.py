"""The model on loopback, asked by the real client."""

import time

from assistant.chat_model import ChatModelSettings, choose
from assistant.heartbeat import returned
from assistant.model_server import Ollama
from assistant.prompts import JUDGE, messages
from eval.speed.loopback_model import NAME, LoopbackModel

NOTES = [(1, "Kelp shrinks."), (2, "Frost kills vines."), (2, "Moss grows.")]


def test_it_retells_the_first_two_notes_and_says_yes() -> None:
    with LoopbackModel() as server:
        model = choose(f"ollama:{NAME}", ChatModelSettings(ollama_host=server.url))
        assert model
        assert model.billions == 4.0
        assert not model.lacks_template()
        started = time.perf_counter()
        reply = model.stream(messages(NOTES, "What shrinks?"))
        assert "".join(reply) == "The abstract says that kelp shrinks. The abstract says that frost kills vines."
        assert not reply.usage.cut
        assert not reply.usage.prompt_cut
        assert reply.usage.tokens.completion == 13
        odds = returned(model.yes_log_odds(messages(NOTES, "What shrinks?", JUDGE)))
        assert odds is not None
        assert odds > 3
        assert started < server.asked[0] < server.asked[1] < time.perf_counter()
        assert server.written == server.asked[:1]


def test_it_is_gone_afterwards() -> None:
    with LoopbackModel() as server:
        assert Ollama(server.url).version() == "0.0.0"
    assert not Ollama(server.url).reachable()
