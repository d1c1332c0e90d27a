import json
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ollama_server import EMBEDDER, Model, OllamaServer, Scripted

EXCHANGES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "ollama_exchanges.jsonl").read_text(encoding="utf-8").splitlines()
]
NOT_SPOKEN = ("delete missing", "openai", "chat format", "chat tools", "chat, thinking")
VARYING = ("model_info", "tensors", "eval_duration")
CODER = ("qwen2.5-coder:1.5b", "qwen2.5-coder:0.5b", "smollm2:135m")
QUESTION = {"model": "qwen3:4b", "messages": [{"role": "user", "content": "Why is it so?"}]}


def shape(value: Any) -> Any:
    """Return a JSON value's keys and types; of a list, those of its first element."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items() if key not in VARYING}
    if isinstance(value, list):
        return [shape(inner) for inner in value[:1]]
    return type(value).__name__


def lines_of(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def chat(server: OllamaServer, **extra: Any) -> list[Any]:
    return lines_of(httpx.post(f"{server.url}/api/chat", json=QUESTION | extra, trust_env=False).text)


@pytest.mark.parametrize("exchange", EXCHANGES, ids=[exchange["name"] for exchange in EXCHANGES])
def test_it_answers_as_a_real_server_did(exchange: dict[str, Any]) -> None:
    if exchange["name"].startswith(NOT_SPOKEN):
        pytest.skip("nothing in askpapers asks for this")
    request = exchange["request"]
    body = request["body"].encode() if request["body"] else None
    server = OllamaServer(
        models=[Model(name, size=9) for name in CODER],
        script=Scripted(["To", " count", " to"], end="length" if "num_predict" in str(body) else "stop"),
        loaded={"qwen2.5-coder:0.5b": 2048},
        pull_error="pull model manifest: no such host" if exchange["name"] == "pull no network" else None,
    )
    with server, httpx.Client(trust_env=False) as client:
        url, headers = server.url + request["path"], request["headers"]
        response = client.request(request["method"], url, headers=headers, content=body)
    assert response.status_code == exchange["status"]
    assert response.headers.get("Content-Type") == exchange["content_type"]
    if "json" not in (exchange["content_type"] or ""):
        assert response.text == exchange["body"]
        return
    recorded, answered = lines_of(exchange["body"]), lines_of(response.text)
    assert [shape(line) for line in answered] == [shape(line) for line in recorded]
    if response.status_code != 200:
        assert answered == recorded


def test_the_script_goes_on_and_its_last_reply_stays() -> None:
    with OllamaServer(script=["One.", Scripted("Two.")]) as server:
        said = [chat(server, stream=False)[0]["message"]["content"] for _ in range(3)]
    assert said == ["One.", "Two.", "Two."]
    assert len(server.chats) == 3


def test_without_a_script_the_notes_are_the_answer() -> None:
    prompt = "Notes:\n[1] It works.\n[2] It is fast.\n\nQuestion: Why?\nAnswer."
    with OllamaServer() as server:
        lines = chat(server, messages=[{"role": "user", "content": prompt}])
    assert "".join(line["message"]["content"] for line in lines) == "It works. It is fast."
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]


def test_the_judge_answers_by_its_log_odds() -> None:
    with OllamaServer(yes_log_odds=-2.0) as server:
        said = chat(server, logprobs=True, stream=False)[0]
    assert said["message"]["content"] == "No"
    no, yes = said["logprobs"][0]["top_logprobs"]
    assert no["logprob"] - yes["logprob"] == pytest.approx(2.0)


def test_a_prompt_beyond_the_context_counts_as_the_context() -> None:
    with OllamaServer() as server:
        long = [{"role": "user", "content": "word " * 2000}]
        assert chat(server, messages=long, options={"num_ctx": 512})[-1]["prompt_eval_count"] == 512


def test_another_context_size_loads_the_model_again() -> None:
    with OllamaServer() as server:
        for num_ctx in (4096, 4096, 2048):
            chat(server, options={"num_ctx": num_ctx})
    assert server.loads == [("qwen3:4b", 4096), ("qwen3:4b", 2048)]


def test_requests_wait_for_their_turn() -> None:
    with OllamaServer(script=Scripted("One two three.", delay=0.1)) as server:
        start = time.monotonic()
        threads = [threading.Thread(target=chat, args=(server,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert time.monotonic() - start >= 0.4


@pytest.mark.parametrize("reply", [Scripted("One two", end="drop"), Scripted("One", status=0)])
def test_it_can_hang_up(reply: Scripted) -> None:
    with OllamaServer(script=reply) as server, pytest.raises(httpx.RemoteProtocolError):
        chat(server)


def test_it_sees_a_client_hang_up() -> None:
    with (
        OllamaServer(script=Scripted("One two", end="stall")) as server,
        httpx.Client(trust_env=False) as client,
    ):
        with client.stream("POST", f"{server.url}/api/chat", json=QUESTION) as response:
            next(response.iter_lines())
        assert server.wait_closed()
    assert server.chats


def test_stopping_ends_a_stall_and_blames_no_client() -> None:
    failures: list[type[Exception]] = []

    def ask() -> None:
        try:
            chat(server)
        except httpx.HTTPError as error:
            failures.append(type(error))

    with OllamaServer(script=Scripted("One", end="stall")) as server:
        thread = threading.Thread(target=ask)
        thread.start()
        assert server.wait_chats(1)
    thread.join(5)
    assert failures == [httpx.RemoteProtocolError]
    assert not any(request.closed for request in server.requests)


def test_old_servers_and_embedders_are_told_by_what_they_list() -> None:
    with OllamaServer(models=[EMBEDDER, Model("old:1b", capabilities=None)]) as server:
        listed = httpx.get(f"{server.url}/api/tags", trust_env=False).json()["models"]
    assert listed[0]["capabilities"] == ["embedding"]
    assert "capabilities" not in listed[1]


def test_a_pulled_model_is_there() -> None:
    with OllamaServer(models=[]) as server:
        pulled = httpx.post(f"{server.url}/api/pull", json={"model": "new:1b"}, trust_env=False)
        assert lines_of(pulled.text)[-1] == {"status": "success"}
        assert [model.name for model in server.models] == ["new:1b"]
