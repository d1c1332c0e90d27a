import threading
import time
from dataclasses import replace

import httpx
import pytest

from assistant.errors import ChatModelError, ChatModelMissing, ChatModelUnreachable, SettingsError
from assistant.model_server import InstalledModel, Ollama, PullProgress, Responses, is_loopback, server_url
from tests.ollama_server import EMBEDDER, Model, OllamaServer, Scripted


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("http://0.0.0.0:8000/", "http://127.0.0.1:8000"),
        (":8000", "http://127.0.0.1:8000"),
        ("[::]:8000", "http://[::1]:8000"),
        ("localhost", "http://localhost:11434"),
        ("box.example:8000", "http://box.example:8000"),
        ("http://box.example", "http://box.example:80"),
        ("https://box.example/ollama/", "https://box.example:443/ollama"),
        ("https://me:secret@box.example:8000", "https://me:secret@box.example:8000"),
    ],
)
def test_addresses_are_read_as_ollama_reads_them(host: str, url: str) -> None:
    assert server_url(host) == url
    assert server_url(url) == url


@pytest.mark.parametrize("host", ["box:port", "ftp://box", "a b", "box:99999", "http://[::1"])
def test_an_unusable_address_says_how_to_write_one(host: str) -> None:
    with pytest.raises(SettingsError, match="OLLAMA_HOST=127"):
        server_url(host)


def test_loopback_is_told_from_elsewhere() -> None:
    local = ["http://127.0.0.1:1", "http://127.8.8.8", "http://[::1]:1", "http://localhost:1"]
    assert all(is_loopback(url) for url in local)
    assert not any(is_loopback(url) for url in ["http://10.0.0.1", "http://box.example", "https://127.example"])


def test_what_a_server_has_and_runs() -> None:
    cloud = Model("gpt-oss:120b-cloud", 384, remote_host="https://example.org")
    with OllamaServer(models=[Model(), EMBEDDER, cloud], loaded={"qwen3:4b": 2048}, version="0.25.0") as server:
        ollama = Ollama(server.url)
        assert ollama.reachable()
        assert ollama.version() == "0.25.0"
        assert ollama.loaded() == {"qwen3:4b": 2048}
        assert all(model.digest for model in ollama.models())
        assert [replace(model, digest=None) for model in ollama.models()] == [
            InstalledModel("qwen3:4b", 2_500_000_000, ("completion",), 32768, billions=4.0),
            InstalledModel("nomic-embed-text:latest", 274_000_000, ("embedding",), 2048, billions=4.0),
            InstalledModel("gpt-oss:120b-cloud", 384, ("completion",), 32768, remote=True, billions=4.0),
        ]
        assert [model.chats for model in ollama.models()] == [True, False, True]
        assert ollama.lacks_template("nomic-embed-text")
        assert not ollama.lacks_template("qwen3:4b")
        with pytest.raises(ChatModelMissing, match="`ollama pull nope`"):
            ollama.lacks_template("nope")


def test_a_server_that_is_not_there() -> None:
    with OllamaServer() as server:
        ollama = Ollama(server.url)
    assert not ollama.reachable()
    for ask in (ollama.version, ollama.models, ollama.loaded, lambda: list(ollama.pull("new:1b"))):
        with pytest.raises(ChatModelUnreachable, match="`ollama serve`"):
            ask()


def test_a_password_is_not_shown() -> None:
    with OllamaServer() as server:
        url = server.url.replace("//", "//me:secret@")
    with pytest.raises(ChatModelUnreachable) as raised:
        Ollama(url).version()
    assert "secret" not in str(raised.value)


def test_closing_responses_hangs_up_though_somebody_holds_them() -> None:
    with OllamaServer(script=Scripted("It works.", end="stall")) as server:
        responses = Responses(1.0)
        with httpx.Client(trust_env=False, event_hooks=responses.hooks) as client:
            body = {"model": "qwen3:4b", "messages": [{"role": "user", "content": "Why?"}]}
            held = client.send(client.build_request("POST", f"{server.url}/api/chat", json=body), stream=True)
            responses.close()
            assert server.wait_closed()
            assert held.is_closed


def test_hanging_up_ends_a_wait_for_the_first_byte_in_another_thread() -> None:
    with OllamaServer(script=Scripted("It works.", first_delay=5.0)) as server:
        responses = Responses(1.0)
        timer = threading.Timer(0.2, responses.hang_up)
        body = {"model": "qwen3:4b", "messages": [{"role": "user", "content": "Why?"}]}
        with httpx.Client(trust_env=False, event_hooks=responses.hooks) as client:
            timer.start()
            start = time.monotonic()
            with pytest.raises(httpx.TransportError):
                client.post(f"{server.url}/api/chat", json=body)
            assert time.monotonic() - start < 1.0
        assert server.wait_closed()


def test_who_has_hung_up_gets_no_connection() -> None:
    with OllamaServer() as server:
        responses = Responses(1.0)
        responses.hang_up()
        with (
            httpx.Client(trust_env=False, event_hooks=responses.hooks) as client,
            pytest.raises(httpx.TransportError),
        ):
            client.get(f"{server.url}/api/version")


def test_a_pull_reports_as_it_goes() -> None:
    with OllamaServer(models=[]) as server:
        steps = list(Ollama(server.url).pull("new:1b"))
        assert [model.name for model in Ollama(server.url).models()] == ["new:1b"]
    assert steps[0] == PullProgress("pulling manifest")
    assert [step.completed for step in steps if step.total == 1000] == [0, 600, 1000]
    assert steps[-1].status == "success"


@pytest.mark.parametrize(
    ("name", "pull_error", "words"),
    [
        ("new:1b", "pull model manifest: file does not exist", "library has no model new:1b"),
        ("!!", None, "No model can be named '!!'"),
        (
            "new:1b",
            'pull model manifest: Get "https://models.example/v2": dial tcp: lookup models.example: no such host',
            "check the network connection; `askpapers models pull new:1b` goes on",
        ),
        ("new:1b", "write /models/blobs/sha256-1: no space left on device", "free some space; `askpapers models pull"),
        ("new:1b", "The model you are pulling requires a newer version of Ollama.", "update it, then run"),
        ("new:1b", "digest mismatch", r"could not pull new:1b \(digest mismatch\)"),
    ],
)
def test_a_pull_that_fails_says_why(name: str, pull_error: str | None, words: str) -> None:
    with OllamaServer(pull_error=pull_error) as server, pytest.raises(ChatModelError, match=words) as raised:
        list(Ollama(server.url).pull(name))
    assert "models.example" not in str(raised.value)
    assert str(raised.value).endswith(".")


def test_a_pull_that_is_closed_hangs_up() -> None:
    with OllamaServer(models=[], pull_pause=5.0) as server:
        pulling = Ollama(server.url).pull("new:1b")
        assert next(pulling) == PullProgress("pulling manifest")
        pulling.close()
        assert server.wait_closed(0.5)


def test_a_pull_whose_server_dies_can_be_resumed() -> None:
    with OllamaServer(models=[], pull_pause=5.0) as server:
        pulling = Ollama(server.url).pull("new:1b")
        next(pulling)
        server.stop()
        with pytest.raises(ChatModelError, match="askpapers"):
            list(pulling)
