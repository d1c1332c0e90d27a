import pytest
from langchain_core.messages import HumanMessage

from assistant.chat_model import ChatModel, ChatModelSettings, choose
from assistant.heartbeat import returned
from assistant.rewriting import keeps, line, rewritten
from assistant.schema import Turn
from tests.ollama_server import OllamaServer, Scripted

HISTORY = (
    Turn("Which weather models are there?", "TideScope reconstructs convective systems [1]. It uses radar [1]."),
)
FOLLOWUP = "How many stations does it read?"


def model_of(server: OllamaServer) -> ChatModel:
    found = choose("auto", ChatModelSettings(server.url, first_token_timeout=5, between_token_timeout=2))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "written",
    [
        "How many stations does TideScope read?",
        '"How many stations does TideScope read?"',
        "Rewritten question: How many stations does TideScope read?\nIt reads radar.",
    ],
)
def test_a_good_rewriting_is_taken(written: str) -> None:
    with OllamaServer(script=written) as server:
        assert returned(rewritten(model_of(server), FOLLOWUP, HISTORY)) == "How many stations does TideScope read?"
        prompt = server.chats[-1]["messages"][-1]["content"]
        assert server.chats[-1]["options"]["num_predict"] == 40
    assert FOLLOWUP in prompt
    assert "TideScope reconstructs convective systems" in prompt
    assert "radar" not in prompt


@pytest.mark.parametrize(
    "written",
    [
        "Which weather models are there?",
        "What does TideScope read?",
        "How many stations does WindNet read?",
        "How many weather stations in Europe does TideScope read?",
        "Which stations does TideScope read?",
        FOLLOWUP,
        "",
        Scripted(status=500),
        Scripted("How many", end="drop"),
    ],
)
def test_a_bad_rewriting_is_dropped_in_silence(written: str | Scripted) -> None:
    with OllamaServer(script=written) as server:
        assert returned(rewritten(model_of(server), FOLLOWUP, HISTORY)) is None


def test_a_model_that_goes_on_is_stopped_after_its_line() -> None:
    with OllamaServer(script=Scripted("One line.\n" + "and more " * 50, delay=0.02)) as server:
        assert returned(line(model_of(server), [HumanMessage("Go")], 40)) == "One line."
        assert server.wait_closed()


def test_a_question_word_must_survive() -> None:
    turns = (Turn("Does TideScope use radar?", "It uses radar [1]."),)
    assert keeps("Why does TideScope use radar?", "Why?", turns)
    assert not keeps("Does TideScope use radar?", "Why?", turns)
