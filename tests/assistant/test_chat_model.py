import math
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import BaseMessage

from assistant import chat_model, prompts
from assistant.chat_model import ChatModel, ChatModelSettings, Usage, choose, suggested, suggested_for
from assistant.errors import (
    AskpapersError,
    ChatModelError,
    ChatModelInterrupted,
    ChatModelMissing,
    ChatModelTimeout,
    ChatModelUnreachable,
    SettingsError,
)
from assistant.heartbeat import returned
from assistant.machine import available_memory
from assistant.model_queue import queue_of
from assistant.schema import Tokens, Waiting
from assistant.thinking import Thinking
from tests.ollama_server import BUSY, CRASH, EMBEDDER, Model, OllamaServer, Scripted

MESSAGES = prompts.messages([(1, "It halves the cost."), (2, "It is fast.")], "What does it do?")
QWEN = Model("qwen3:4b", 2_500_000_000)
SMALL = Model("qwen2.5-coder:0.5b", 491_400_641)


def settings(server: OllamaServer, first: float = 10.0, between: float = 10.0) -> ChatModelSettings:
    return ChatModelSettings(
        ollama_host=server.url, first_token_timeout=first, between_token_timeout=between, connect_timeout=1.0
    )


def model_of(server: OllamaServer, first: float = 10.0, between: float = 10.0) -> ChatModel:
    return ChatModel("ollama", server.models[0].name, settings(server, first, between))


def read(server: OllamaServer, messages: list[BaseMessage] = MESSAGES, num_predict: int = 64) -> tuple[str, Usage]:
    reply = model_of(server).stream(messages, num_predict)
    return "".join(reply), reply.usage


def judged(model: ChatModel) -> float | None:
    return returned(model.yes_log_odds(MESSAGES))


@pytest.fixture
def free_url() -> str:
    with OllamaServer() as server:
        return server.url


# Replies


def test_a_reply_comes_in_pieces_with_its_usage_at_the_end() -> None:
    with OllamaServer(script="It halves the cost.") as server:
        reply = model_of(server).stream(MESSAGES, 64)
        written = filter(None, reply)
        assert next(written) == "It"
        assert reply.usage == Usage()
        assert list(written) == [" halves", " the", " cost."]
    assert reply.usage.tokens.completion == 4
    assert reply.usage.tokens.prompt > 20
    assert reply.usage.done_reason == "stop"
    assert not reply.usage.cut
    assert not reply.usage.prompt_cut


def test_what_is_sent() -> None:
    with OllamaServer() as server:
        read(server, num_predict=77)
    (body,) = server.chats
    assert body["model"] == "qwen3:4b"
    assert body["options"] == {"num_ctx": 4096, "num_predict": 77, "temperature": 0}
    assert body["think"] is False
    assert body["keep_alive"] == "5m"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["messages"][1]["content"] == MESSAGES[1].content


@pytest.mark.parametrize(("given", "sent"), [("-1", -1), (300, 300), ("10m", "10m"), ("0", 0)])
def test_a_keep_alive_without_a_unit_is_sent_as_a_number(given: str | int, sent: str | int) -> None:
    with OllamaServer() as server:
        asked = ChatModelSettings(ollama_host=server.url, keep_alive=given)
        list(ChatModel("ollama", "qwen3:4b", asked).stream(MESSAGES))
    assert server.chats[0]["keep_alive"] == sent


def test_a_model_that_is_loaded_large_enough_is_not_loaded_again() -> None:
    with OllamaServer(loaded={"qwen3:4b": 2048}) as server:
        read(server, num_predict=64)
        assert server.chats[-1]["options"]["num_ctx"] == 2048
        read(server, num_predict=2000)
        assert server.chats[-1]["options"]["num_ctx"] == 4096
        read(server, num_predict=64)
    assert server.loads == [("qwen3:4b", 4096)]


def test_a_server_that_does_not_tell_the_context_gets_the_configured_one() -> None:
    with OllamaServer(loaded={"qwen3:4b": 2048}, ps_has_context=False) as server:
        read(server)
    assert server.chats[0]["options"]["num_ctx"] == 4096


def test_loading_reads_no_prompt_and_settles_the_context_size() -> None:
    with OllamaServer() as server:
        model_of(server).load()
        assert server.chats == []
        assert server.loads == [("qwen3:4b", 4096)]
        read(server)
    assert server.loads == [("qwen3:4b", 4096)]


def test_no_proxy_is_asked_for_loopback(monkeypatch: pytest.MonkeyPatch, free_url: str) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, free_url)
    with OllamaServer(script="It works.") as server:
        assert read(server)[0] == "It works."


def test_a_cut_reply_says_so() -> None:
    with OllamaServer(script=Scripted("It halves the", end="length")) as server:
        text, usage = read(server)
    assert text == "It halves the"
    assert usage.cut


@pytest.mark.parametrize(("counted", "cut"), [(4096, True), (9, True), (70, False), (0, False)])
def test_a_prompt_that_was_not_read_whole_is_noticed(counted: int, cut: bool) -> None:
    with OllamaServer(script=Scripted("It works.", prompt_tokens=counted)) as server:
        assert read(server)[1].prompt_cut is cut


def test_an_over_long_prompt_is_noticed() -> None:
    with OllamaServer() as server:
        long = prompts.messages([(1, "It-halves-the-cost-of-it-all. " * 900)], "What does it do?")
        assert read(server, long)[1] == Usage(Tokens(4096, 900), "stop", prompt_cut=True)


def test_an_empty_reply_is_no_error() -> None:
    with OllamaServer(script=Scripted([""])) as server:
        assert read(server)[0] == ""


def test_a_server_that_only_loads_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    with OllamaServer(script=[Scripted(end="load"), "It works."]) as server:
        assert read(server)[0] == "It works."
    assert len(server.chats) == 2
    assert not [record for record in caplog.records if record.name.startswith("langchain")]


def test_threads_may_share_a_model() -> None:
    with OllamaServer(script=lambda body: body["messages"][1]["content"][-1]) as server:
        model, said = model_of(server), {}

        def ask(n: int) -> None:
            said[n] = "".join(model.stream(prompts.messages([(1, "It works.")], "Why?", str(n))))

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == {n: str(n) for n in range(4)}


# Thinking


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (["<think>", "Hm.", "</think>", "\n\nIt", " works."], "It works."),
        (["<th", "ink>Hm. </", "thi", "nk>It", " works."], "It works."),
        (["It works. <thinking>Hm.</thinking>", "Fast."], "It works. Fast."),
        (["<think>Hm. It", " works."], ""),
        (["It works.", "</think> Fast."], "It works. Fast."),
        (["a <", " b <t", "h> <think"], "a < b <th> <think"),
    ],
)
def test_thinking_is_left_out(pieces: list[str], text: str) -> None:
    with OllamaServer(script=Scripted(pieces)) as server:
        assert read(server)[0] == text


def test_thinking_beside_the_text_is_left_out() -> None:
    with OllamaServer(script=Scripted("It works.", thinking=["Hm", "."])) as server:
        assert read(server)[0] == "It works."


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<thin", "king>", "<", ">", "k", "A", " b", "\n"]),
        max_size=12,
    )
)
def test_where_thinking_is_cut_makes_no_difference(pieces: list[str]) -> None:
    def shown(parts: list[str]) -> str:
        thinking = Thinking()
        return "".join([thinking.feed(part) for part in parts] + [thinking.finish()])

    whole = "".join(pieces)
    assert shown(pieces) == shown([whole]) == shown(list(whole))


# Stopping


def test_closing_in_mid_answer_hangs_up_within_a_second() -> None:
    with OllamaServer(script=Scripted("one two three " * 200, delay=0.05)) as server:
        with model_of(server).stream(MESSAGES) as reply:
            written = filter(None, reply)
            assert [next(written), next(written)] == ["one", " two"]
            start = time.monotonic()
        assert time.monotonic() - start < 0.2
        assert server.wait_closed(1.0)
        assert list(reply) == []
        server.script = "It works."
        assert read(server)[0] == "It works."


def test_an_error_of_the_reader_hangs_up_too() -> None:
    def fail(model: ChatModel) -> None:
        with model.stream(MESSAGES) as reply:
            raise ArithmeticError(next(filter(None, reply)))

    with OllamaServer(script=Scripted("one two three " * 200, delay=0.05)) as server:
        with pytest.raises(ArithmeticError, match="one"):
            fail(model_of(server))
        assert server.wait_closed(1.0)


def test_no_connection_outlives_its_reply() -> None:
    with OllamaServer(script="It works.") as server:
        reply = model_of(server).stream(MESSAGES)
        list(reply)
        model_of(server).load()
        assert server.wait_unconnected()


def silent(server: OllamaServer, reply: Iterator[str]) -> None:
    """Wait until the server has one more question, and check that nothing comes of it yet."""
    asked = len(server.chats)
    assert next(reply) == ""
    while len(server.chats) == asked:
        assert next(reply) == ""


def test_closing_while_the_prompt_is_read_hangs_up_within_a_second() -> None:
    with OllamaServer(script=Scripted("It works.", reading=0.8)) as server:
        start = time.monotonic()
        with model_of(server).stream(MESSAGES) as reply:
            silent(server, reply)
        assert server.wait_closed(1.0 - (time.monotonic() - start))


def test_a_judgement_can_be_stopped_while_the_prompt_is_read() -> None:
    with OllamaServer(script=Scripted("Yes", reading=0.8), yes_log_odds=None) as server:
        judging = model_of(server).yes_log_odds(MESSAGES)
        while not server.chats:
            assert next(judging) == Waiting()
        judging.close()
        assert server.wait_closed(0.5)


def test_the_next_question_is_told_that_the_server_still_reads_a_stopped_one() -> None:
    with OllamaServer(script=[Scripted("No", reading=1.0), Scripted("Yes.")]) as server:
        model = model_of(server)
        queue_of(server.url).reading.measured(prompts.message_tokens(MESSAGES), 4.5)
        with model.stream(MESSAGES) as reply:
            silent(server, reply)
        with model.stream(MESSAGES) as reply:
            silent(server, reply)
            assert model.waiting() == Waiting(
                0, "qwen3:4b is still reading a question that was stopped; about 5 s left."
            )
            assert "".join(reply) == "Yes."
        assert model.waiting() == Waiting()


def test_how_long_a_prompt_takes_is_measured_by_what_the_server_tells() -> None:
    with OllamaServer(script=Scripted("It works.", reading=0.3)) as server:
        list(model_of(server).stream(MESSAGES))
        reading = queue_of(server.url).reading
        reading.stopped("qwen3:4b", 100 * prompts.message_tokens(MESSAGES), time.monotonic())
        assert 40 < reading.left() < 45


def test_before_any_prompt_was_measured_the_time_left_is_unknown() -> None:
    with OllamaServer(script=[Scripted("No", reading=0.8), Scripted("Yes.")]) as server:
        model = model_of(server)
        with model.stream(MESSAGES) as reply:
            silent(server, reply)
        assert model.waiting().reason == "qwen3:4b is still reading a question that was stopped."
        assert "".join(model.stream(MESSAGES)) == "Yes."
        assert model.waiting().reason is None


def test_a_stopped_answer_leaves_no_prompt_behind() -> None:
    with OllamaServer(script=Scripted("one two three " * 200, delay=0.05)) as server:
        model = model_of(server)
        with model.stream(MESSAGES) as reply:
            next(filter(None, reply))
        assert model.waiting() == Waiting()


def test_the_limit_of_the_next_question_does_not_count_what_is_read_for_nobody() -> None:
    with OllamaServer(script=[Scripted("It", reading=0.5), Scripted("No", reading=0.7)]) as server:
        model = model_of(server, first=0.8)
        list(model.stream(MESSAGES))
        with model.stream(MESSAGES) as reply:
            silent(server, reply)
        server.script = Scripted("Yes.", first_delay=0.6)
        assert "".join(model.stream(MESSAGES)) == "Yes."


def test_closing_before_the_first_piece_asks_nothing() -> None:
    with OllamaServer() as server:
        model_of(server).stream(MESSAGES).close()
    assert server.chats == []


# Errors: each says what happened and what to do


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (
            Scripted(status=404, error="model 'qwen3:4b' not found"),
            ChatModelMissing,
            "`ollama pull qwen3:4b`",
        ),
        (Scripted("It", end="error"), ChatModelInterrupted, "stopped in the middle of its answer"),
        (Scripted(end="error", error=CRASH), ChatModelInterrupted, "unexpected EOF"),
        (Scripted("It", end="drop"), ChatModelInterrupted, "`askpapers doctor`"),
        (Scripted(status=0), ChatModelInterrupted, "`askpapers doctor`"),
        (Scripted("It works.", end="no done"), ChatModelInterrupted, "before its answer was complete"),
        (Scripted(end="load"), ChatModelError, "loaded qwen3:4b but wrote nothing"),
        (Scripted(status=503, error=BUSY), ChatModelError, "ask again in a minute"),
        (Scripted(status=403), ChatModelError, "OLLAMA_HOST"),
        (Scripted(status=404, error="404 page"), ChatModelError, "is not Ollama"),
        (
            Scripted(status=400, error="the input length exceeds the context length"),
            ChatModelError,
            "smaller `-k`",
        ),
        (
            Scripted(status=400, error="the prompt is longer than the context length currently available"),
            ChatModelError,
            "smaller `-k`",
        ),
        (
            Scripted(status=500, error="model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
            ChatModelError,
            r"system memory \(5.6 GiB\)",
        ),
    ],
)
def test_each_failure_has_one_plain_sentence(reply: Scripted, kind: type[AskpapersError], words: str) -> None:
    with OllamaServer(script=reply) as server, pytest.raises(kind, match=words) as raised:
        read(server)
    plain(raised.value)


def plain(error: BaseException) -> None:
    text = str(error)
    assert isinstance(error, AskpapersError)
    assert text.endswith(".")
    assert "\n" not in text
    assert "Error" not in text
    assert len(text) < 220


def test_text_that_came_before_a_failure_is_kept() -> None:
    with OllamaServer(script=Scripted("It halves", end="error")) as server:
        reply = model_of(server).stream(MESSAGES)
        got: list[str] = []
        with pytest.raises(ChatModelInterrupted):
            got.extend(filter(None, reply))
        assert got == ["It", " halves"]


def test_nothing_listens(free_url: str) -> None:
    gone = ChatModelSettings(ollama_host=free_url)
    model = ChatModel("ollama", "qwen3:4b", gone)
    for action in (
        lambda: list(model.stream(MESSAGES)),
        model.load,
        lambda: choose("ollama:qwen3:4b", gone),
        lambda: judged(model),
    ):
        with pytest.raises(ChatModelUnreachable, match="`ollama serve`") as raised:
            action()
        plain(raised.value)


def test_a_server_that_dies_in_mid_answer() -> None:
    with OllamaServer(script=Scripted("one two three " * 200, delay=0.02)) as server:
        reply = model_of(server).stream(MESSAGES)
        next(filter(None, reply))
        server.stop()
        with pytest.raises(ChatModelInterrupted):
            list(reply)


def test_slower_to_begin_than_allowed() -> None:
    with OllamaServer(script=Scripted("It", first_delay=5.0)) as server:
        with pytest.raises(ChatModelTimeout, match=r"sent nothing for 0\.2 seconds") as raised:
            list(model_of(server, first=0.2).stream(MESSAGES))
        plain(raised.value)
        assert server.wait_closed(1.0)


def test_slower_to_go_on_than_allowed() -> None:
    with OllamaServer(script=Scripted("It", end="stall")) as server:
        with pytest.raises(ChatModelTimeout, match="fell silent") as raised:
            list(model_of(server, between=0.2).stream(MESSAGES))
        plain(raised.value)
        assert server.wait_closed(1.0)


def test_each_limit_holds_in_its_place_only() -> None:
    with OllamaServer(script=Scripted("It works.", first_delay=0.6)) as server:
        assert "".join(model_of(server, first=5.0, between=0.2).stream(MESSAGES)) == "It works."
        server.script = Scripted("It works.", delay=0.6)
        assert "".join(model_of(server, first=0.3, between=5.0).stream(MESSAGES)) == "It works."


@pytest.fixture
def web_server() -> Iterator[str]:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = b"<html>Hello</html>"
            self.send_response(200)
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


def test_something_else_listens_there(web_server: str) -> None:
    other = ChatModelSettings(ollama_host=web_server)
    assert choose("auto", other) is None
    for action in (
        lambda: choose("ollama:qwen3:4b", other),
        lambda: list(ChatModel("ollama", "qwen3:4b", other).stream(MESSAGES)),
    ):
        with pytest.raises(ChatModelError, match="is not Ollama"):
            action()


# Judging


@pytest.mark.parametrize("log_odds", [3.0, -2.5, 0.0])
def test_the_log_odds_of_yes_take_one_token(log_odds: float) -> None:
    with OllamaServer(yes_log_odds=log_odds) as server:
        got = judged(model_of(server))
    assert got == pytest.approx(log_odds, abs=1e-6)
    assert server.chats[0]["options"]["num_predict"] == 1


def test_judge_and_writer_share_all_but_the_last_line_so_that_it_is_read_once() -> None:
    notes, question = [(1, "It halves the cost."), (2, "It is fast.")], "What does it do?"
    with OllamaServer() as server:
        model = model_of(server)
        model.load()
        list(model.yes_log_odds(prompts.messages(notes, question, prompts.JUDGE)))
        list(model.stream(prompts.messages(notes, question, prompts.instruction("content"))))
    judge, writer = server.chats
    assert judge["messages"][:-1] == writer["messages"][:-1]
    asked, told = (body["messages"][-1]["content"].rsplit("\n", 1) for body in (judge, writer))
    assert asked[0] == told[0]
    assert (asked[1], told[1]) == (prompts.JUDGE, prompts.ANSWER)
    same = ("model", "keep_alive", "think", "tools", "format", "stream")
    assert [judge.get(name) for name in same] == [writer.get(name) for name in same]
    options = [{**body["options"], "num_predict": None} for body in (judge, writer)]
    assert options[0] == options[1]
    assert server.loads == [("qwen3:4b", 4096)]


def test_a_model_that_ends_at_once_has_no_log_odds() -> None:
    with OllamaServer(script=Scripted([""]), yes_log_odds=None) as server:
        assert judged(model_of(server)) is None


def test_log_odds_fold_case_and_bound_what_is_not_listed() -> None:
    listed = [("Yes", 0.5), (" yes", 0.2), ("NO", 0.1), ("Maybe", 0.05)]
    top = [{"token": token, "logprob": math.log(chance)} for token, chance in listed]
    assert chat_model._log_odds(top) == pytest.approx(math.log(7))
    assert chat_model._log_odds(top[:2] + top[3:]) == pytest.approx(math.log(14))
    assert chat_model._log_odds(top[3:]) is None
    assert chat_model._log_odds([]) is None


# Choosing


def test_none_is_no_model(free_url: str) -> None:
    assert choose("none", ChatModelSettings(ollama_host=free_url)) is None


def test_auto_without_ollama_is_no_model(free_url: str) -> None:
    start = time.monotonic()
    assert choose("auto", ChatModelSettings(ollama_host=free_url)) is None
    assert time.monotonic() - start < 2.0


@pytest.mark.parametrize(
    ("models", "loaded", "chosen"),
    [
        ([], [], None),
        ([EMBEDDER], [], None),
        ([EMBEDDER, SMALL, QWEN], [], "qwen3:4b"),
        ([QWEN, SMALL, EMBEDDER], ["qwen2.5-coder:0.5b"], "qwen2.5-coder:0.5b"),
        ([QWEN, EMBEDDER], ["nomic-embed-text:latest"], "qwen3:4b"),
        ([SMALL, Model("huge:400b", 400 << 40)], [], "qwen2.5-coder:0.5b"),
        ([Model("huge:400b", 400 << 40)], [], None),
        ([Model("gpt-oss:120b-cloud", 384), Model("glm:9b", 9, remote_host="https://example.org")], [], None),
        ([Model("mxbai-embed-large:latest", 9 << 20, capabilities=None, family="bert")], [], None),
        ([Model("old:1b", 1 << 30, capabilities=None)], [], "old:1b"),
    ],
)
def test_auto_takes_the_loaded_or_the_largest_chat_model(
    models: list[Model], loaded: list[str], chosen: str | None
) -> None:
    with OllamaServer(models=models, loaded=dict.fromkeys(loaded, 4096)) as server:
        model = choose("auto", settings(server))
    assert (model and model.spec) == (chosen and f"ollama:{chosen}")


@pytest.mark.parametrize(
    ("available", "name"),
    [
        (0, "qwen3:0.6b"),
        ((4 << 30) - 1, "qwen3:0.6b"),
        (4 << 30, "qwen3:1.7b"),
        (8 << 30, "qwen3:4b"),
        (16 << 30, "qwen3:8b"),
        (1 << 40, "qwen3:8b"),
    ],
)
def test_a_model_is_suggested_that_fits_the_memory_available(available: int, name: str) -> None:
    assert suggested_for(available) == name


def test_the_memory_that_counts_is_that_of_the_server() -> None:
    assert suggested(ChatModelSettings("http://box.example")) == "qwen3:4b"
    assert suggested() == suggested_for(available_memory())


@pytest.mark.parametrize(
    ("available", "total", "chosen"),
    [(8 << 30, 9 << 30, "qwen3:4b"), (2 << 30, 9 << 30, "qwen2.5-coder:0.5b"), (9, 9 << 30, "qwen2.5-coder:0.5b")],
)
def test_auto_takes_what_the_memory_available_can_hold(
    available: int, total: int, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.chat_model.available_memory", lambda: available)
    monkeypatch.setattr("assistant.chat_model.total_memory", lambda: total)
    with OllamaServer(models=[SMALL, QWEN, EMBEDDER]) as server:
        model = choose("auto", settings(server))
    assert model is not None
    assert model.name == chosen


def test_a_model_without_a_template_is_told(free_url: str) -> None:
    bare = Model("bare:1b", template="{{ .Prompt }}")
    with OllamaServer(models=[bare, QWEN]) as server:
        known = [ChatModel("ollama", name, settings(server)).lacks_template() for name in ("bare:1b", "qwen3:4b", "x")]
    assert known == [True, False, False]
    assert not ChatModel("ollama", "bare:1b", ChatModelSettings(free_url)).lacks_template()
    assert not ChatModel("perplexity", "bare:1b").lacks_template()


def test_a_model_is_taken_by_its_name() -> None:
    with OllamaServer(models=[QWEN, Model("llama:latest")]) as server:
        for spec, name in [("ollama:qwen3:4b", "qwen3:4b"), ("ollama:llama", "llama:latest")]:
            chosen = choose(spec, settings(server))
            assert chosen is not None
            assert chosen.digest
            assert replace(chosen, digest=None) == ChatModel("ollama", name, settings(server), billions=4.0)


@pytest.mark.parametrize(
    ("spec", "kind", "words"),
    [
        ("ollama:nope:1b", ChatModelMissing, "`ollama pull nope:1b`"),
        ("ollama:nope", ChatModelMissing, "`ollama pull nope`"),
        ("ollama:qwen2.5-coder", ChatModelMissing, "`--llm ollama:qwen2.5-coder:0.5b`"),
        ("ollama:qwen2.5-coder:7b", ChatModelMissing, "`--llm ollama:qwen2.5-coder:0.5b`"),
        ("ollama:nomic-embed-text", ChatModelError, "only makes embeddings"),
        ("ollama:", SettingsError, "`--llm ollama:qwen3:4b`"),
        (":x", SettingsError, "auto, none"),
        ("gpt", SettingsError, "auto, none"),
        ("", SettingsError, "auto, none"),
        ("qwen3:4b", SettingsError, "`--llm ollama:qwen3:4b`"),
        ("fireworks:some-model", ChatModelError, "`pip install langchain-fireworks`"),
    ],
)
def test_a_model_that_cannot_be_used(spec: str, kind: type[AskpapersError], words: str) -> None:
    with OllamaServer(models=[SMALL, EMBEDDER]) as server, pytest.raises(kind, match=words) as raised:
        choose(spec, settings(server))
    plain(raised.value)


# Other providers: a package as LangChain looks for it, found on the path

PACKAGE = """
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk


class QuotaError(Exception):
    pass


class ChatPerplexity(BaseChatModel):
    model: str
    temperature: float
    max_tokens: int
    timeout: float
    max_retries: int

    _llm_type = "perplexity"

    def __init__(self, **kwargs):
        if kwargs["model"] == "keyless":
            raise ValueError("Did not find an API key\\nfor perplexity")
        super().__init__(**kwargs)

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        raise NotImplementedError

    def _stream(self, messages, stop=None, run_manager=None, **kwargs):
        if self.model == "broken":
            raise AttributeError("a mistake")
        for word in ("It", " works"):
            yield ChatGenerationChunk(message=AIMessageChunk(word))
        if self.model == "poor":
            raise QuotaError("No credit left.")
        usage = {"input_tokens": 7, "output_tokens": self.max_tokens, "total_tokens": 9}
        yield ChatGenerationChunk(
            message=AIMessageChunk(".", usage_metadata=usage), generation_info={"finish_reason": self.model}
        )
"""


@pytest.fixture
def other_provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "langchain_perplexity.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("langchain_perplexity", None)


@pytest.mark.usefixtures("other_provider")
@pytest.mark.parametrize(("reason", "cut"), [("length", True), ("MAX_TOKENS", True), ("stop", False)])
def test_another_provider_answers(reason: str, cut: bool) -> None:
    model = choose(f"perplexity:{reason}")
    assert model is not None
    assert model.spec == f"perplexity:{reason}"
    reply = model.stream(MESSAGES, 12)
    assert "".join(reply) == "It works."
    assert reply.usage == Usage(Tokens(7, 12), reason, cut=cut)
    assert judged(model) is None
    model.load()


@pytest.mark.usefixtures("other_provider")
def test_another_provider_fails_plainly() -> None:
    with pytest.raises(ChatModelError, match=r"could not use keyless \(Did not find an API key\)") as raised:
        choose("perplexity:keyless")
    plain(raised.value)
    poor = choose("perplexity:poor")
    assert poor is not None
    with pytest.raises(ChatModelInterrupted, match="No credit left"):
        list(poor.stream(MESSAGES))


@pytest.mark.usefixtures("other_provider")
def test_a_mistake_in_code_is_not_dressed_up() -> None:
    broken = choose("perplexity:broken")
    assert broken is not None
    with pytest.raises(AttributeError, match="a mistake"):
        list(broken.stream(MESSAGES))


def test_importing_it_imports_no_model_library() -> None:
    code = (
        "import sys, assistant.chat_model, assistant.prompts, assistant.citations\n"
        "libraries = {'langchain', 'langchain_core', 'langchain_ollama', 'ollama', 'httpx'}\n"
        "print(sorted(libraries & sys.modules.keys()))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
