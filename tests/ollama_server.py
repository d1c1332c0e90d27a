"""A server on loopback that speaks Ollama's HTTP interface as recorded, and does what a test tells it.

with OllamaServer(script=["It halves the cost.", Scripted("It", end="drop")]) as server:
    ...  # server.url, server.chats, server.loads, server.wait_closed()
"""

import contextlib
import json
import math
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

Body = dict[str, Any]
End = Literal["stop", "length", "load", "no done", "error", "drop", "stall"]

CREATED = "2026-11-30T18:11:54.940959974Z"
CRASH = "an error was encountered while running the model: unexpected EOF"
BUSY = "server busy, please try again.  maximum pending requests exceeded"
DEFAULT_NUM_CTX = 4096


@dataclass(frozen=True)
class Model:
    """A pulled model. `capabilities` None: a server too old to list them; `remote_host`: it runs there."""

    name: str = "qwen3:4b"
    size: int = 2_500_000_000
    capabilities: tuple[str, ...] | None = ("completion",)
    family: str = "qwen3"
    context_length: int = 32768
    template: str = "{{- range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}"
    remote_host: str | None = None
    parameter_size: str = "4.0B"


EMBEDDER = Model("nomic-embed-text:latest", 274_000_000, ("embedding",), "nomic-bert", 2048, "{{ .Prompt }}")


@dataclass(frozen=True)
class Scripted:
    """What one chat request gets.

    `text`: cut into words when a string, else the pieces as they stand. `reading`: seconds for which the prompt is
    read, to the end even when the client hangs up. `first_delay` and `delay`: seconds before the status line and
    before each further piece. `end`: what follows the pieces; "error" writes
    `error` as a line, "stall" nothing while the client waits. `status` other than 200 answers `error` at
    once; 0 hangs up without a word. `prompt_tokens`: the count reported, when not an estimate.
    """

    text: str | Sequence[str] = ""
    thinking: Sequence[str] = ()
    reading: float = 0.0
    first_delay: float = 0.0
    delay: float = 0.0
    end: End = "stop"
    status: int = 200
    error: str = CRASH
    prompt_tokens: int | None = None

    @property
    def pieces(self) -> list[str]:
        """The pieces of text, one a line of the stream."""
        return re.findall(r"\s*\S+\s*$|\s*\S+", self.text) if isinstance(self.text, str) else list(self.text)


Script = str | Scripted | Sequence[str | Scripted] | Callable[[Body], str | Scripted]


@dataclass
class Request:
    """A request as it arrived; `closed` tells that the client hung up before it was answered to the end."""

    method: str
    path: str
    body: Body | None
    closed: bool = False
    done: bool = False


def first_notes(body: Body) -> Scripted:
    """Answer with the text of the first two notes of the prompt: what a faithful model would say."""
    notes = re.findall(r"^\[\d+\] (.*)$", body["messages"][-1]["content"], re.MULTILINE)
    return Scripted(" ".join(notes[:2]) or "I see no notes.")


@dataclass
class OllamaServer:
    """Serves `models` on a free port of 127.0.0.1 while the context lasts.

    `script`: one reply for every chat request, a list of them in turn (the last again and again), or a
    function of the request's body. Requests for log-probabilities get "Yes" or "No" by `yes_log_odds` and
    leave the script alone, unless that is None. One chat request is served at a time, as by Ollama. `loaded`:
    context sizes by model. `pull_error`: the line that ends a pull; `pull_pause`: seconds before each of its steps.
    """

    models: Sequence[Model] = (Model(),)
    script: Script = first_notes
    yes_log_odds: float | None = 3.0
    loaded: dict[str, int] = field(default_factory=dict)
    ps_has_context: bool = True
    version: str = "0.0.0"
    pull_error: str | None = None
    pull_pause: float = 0.0
    requests: list[Request] = field(default_factory=list, init=False)
    loads: list[tuple[str, int]] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.stopping = threading.Event()
        self.turn = threading.Lock()
        self.connections: set[socket.socket] = set()
        self._scripted = 0
        self._server: ThreadingHTTPServer | None = None

    def __enter__(self) -> "OllamaServer":
        handler = type("Handler", (_Handler,), {"ollama": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Hang up on everybody and give the port back; for a server that dies in mid-answer."""
        if self._server is not None:
            self.stopping.set()
            self._server.shutdown()
            for connection in list(self.connections):
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._server.server_close()
            self._thread.join()
            self._server = None

    @property
    def url(self) -> str:
        """The address, with its scheme and port."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def chats(self) -> list[Body]:
        """The bodies of the chat requests that hold messages, in their order."""
        bodies = [r.body for r in list(self.requests) if r.path == "/api/chat" and r.body]
        return [body for body in bodies if body.get("messages")]

    def wait_unconnected(self, timeout: float = 1.0) -> bool:
        """Tell whether all connections are closed within `timeout` seconds."""
        return self._wait(lambda: not self.connections, timeout)

    def wait_closed(self, timeout: float = 1.0) -> bool:
        """Tell whether a client hangs up early within `timeout` seconds."""
        return self._wait(lambda: any(r.closed for r in list(self.requests)), timeout)

    def wait_chats(self, count: int, timeout: float = 5.0) -> bool:
        """Tell whether `count` chat requests arrive within `timeout` seconds."""
        return self._wait(lambda: len(self.chats) >= count, timeout)

    def wait_loaded(self, timeout: float = 5.0) -> bool:
        """Tell whether a model is loaded within `timeout` seconds."""
        return self._wait(lambda: bool(self.loads), timeout)

    def _wait(self, come: Callable[[], bool], timeout: float) -> bool:
        end = time.monotonic() + timeout
        while not come():
            if time.monotonic() > end:
                return False
            time.sleep(0.005)
        return True

    def next_reply(self, body: Body) -> Scripted:
        """Take the script's next reply."""
        if callable(self.script):
            reply = self.script(body)
        elif isinstance(self.script, str | Scripted):
            reply = self.script
        else:
            reply = self.script[min(self._scripted, len(self.script) - 1)]
            self._scripted += 1
        return Scripted(reply) if isinstance(reply, str) else reply

    def load(self, name: str, options: Mapping[str, Any]) -> int:
        """Load a model, again when the context size asked for differs, and return its context size."""
        num_ctx = int(options.get("num_ctx") or self.loaded.get(name) or DEFAULT_NUM_CTX)
        if self.loaded.get(name) != num_ctx:
            self.loads.append((name, num_ctx))
            self.loaded[name] = num_ctx
        return num_ctx


class _GoneError(Exception):
    """The client hung up, or the server is being stopped."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10
    ollama: OllamaServer
    request_seen: Request

    def setup(self) -> None:
        """Count the connection."""
        super().setup()
        self.ollama.connections.add(self.connection)

    def finish(self) -> None:
        """Count it off."""
        self.ollama.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet."""

    def do_GET(self) -> None:
        self._serve()

    do_HEAD = do_POST = do_DELETE = do_GET  # noqa: N815

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self._is_local():
            self._send(403, None, b"")
            return
        error, body = _parsed(raw) if self.command in ("POST", "DELETE") else (None, None)
        self.request_seen = Request(self.command, self.path, body)
        self.ollama.requests.append(self.request_seen)
        try:
            if error is not None:
                self._json({"error": error}, 400)
            else:
                self._route(body or {})
        except (_GoneError, ConnectionError):
            self.request_seen.closed = not self.ollama.stopping.is_set()
            self.close_connection = True
        self.request_seen.done = True

    def _is_local(self) -> bool:
        origin = self.headers.get("Origin") or ""
        hosts = [self.headers.get("Host") or "", origin.partition("://")[2]]
        return all(host.rsplit(":", 1)[0] in ("", "127.0.0.1", "localhost", "[::1]") for host in hosts)

    def _route(self, body: Body) -> None:
        routes: dict[str, Callable[[Body], None]] = {
            "/": lambda _: self._send(200, "text/plain; charset=utf-8", b"Ollama is running"),
            "/api/version": lambda _: self._json({"version": self.ollama.version}),
            "/api/tags": lambda _: self._json({"models": [_tag(m) for m in self.ollama.models]}),
            "/api/ps": lambda _: self._json({"models": list(self._running())}),
            "/api/show": self._show,
            "/api/chat": self._chat,
            "/api/pull": self._pull,
        }
        if self.path in routes:
            routes[self.path](body)
        else:
            self._send(404, "text/plain", b"404 page not found")

    def _running(self) -> Iterator[Body]:
        for model in self.ollama.models:
            if model.name in self.ollama.loaded:
                running = {k: v for k, v in _tag(model).items() if k not in ("modified_at", "capabilities")}
                running["details"] = _details(model, listed=False)
                running |= {"expires_at": CREATED, "size_vram": 0}
                if self.ollama.ps_has_context:
                    running["context_length"] = self.ollama.loaded[model.name]
                yield running

    def _named(self, body: Body) -> Model | None:
        name = str(body.get("model") or "")
        full = name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"
        found = next((m for m in self.ollama.models if m.name == full), None)
        if not name:
            self._json({"error": "model is required"}, 400)
        elif found is None:
            self._json({"error": f"model '{name}' not found"}, 404)
        return found

    def _show(self, body: Body) -> None:
        if model := self._named(body):
            shown: Body = {"modelfile": "", "parameters": "", "template": model.template}
            shown |= {"tensors": [], "license": "", "modified_at": CREATED}
            shown["details"] = _details(model, listed=False)
            shown["model_info"] = {"general.architecture": model.family}
            if model.capabilities is not None:
                shown["capabilities"] = list(model.capabilities)
            self._json(shown)

    def _pull(self, body: Body) -> None:
        name = str(body.get("model") or "")
        if not re.fullmatch(r"[\w.:/-]+", name):
            self._json({"error": "invalid model name"}, 400)
            return
        self._begin_lines()
        self._line({"status": "pulling manifest"})
        if self.ollama.pull_error is not None:
            self._line({"error": self.ollama.pull_error})
        else:
            for completed in (0, 600, 1000):
                self._pause(self.ollama.pull_pause)
                layer = {"digest": "sha256:8fc2203018e8", "total": 1000, "completed": completed}
                self._line({"status": "pulling 8fc2203018e8", **layer})
            self._line({"status": "success"})
            self.ollama.models = [*self.ollama.models, Model(name if ":" in name else f"{name}:latest")]
        self._end_lines()

    def _chat(self, body: Body) -> None:
        model = self._named(body)
        if model is None:
            return
        options = body.get("options") or {}
        if not isinstance(options.get("num_ctx", 0), int):
            self._json({"error": 'option "num_ctx" must be of type integer'}, 500)
        elif body.get("think") and "thinking" not in (model.capabilities or ()):
            self._json({"error": f'"{model.name}" does not support thinking'}, 400)
        elif not body.get("messages"):
            self.ollama.load(model.name, options)
            self._json(_message(model.name, "") | {"done": True, "done_reason": "load"})
        else:
            with self.ollama.turn:
                num_ctx = self.ollama.load(model.name, options)
                self._reply(model.name, body, num_ctx)

    def _reply(self, name: str, body: Body, num_ctx: int) -> None:
        if body.get("logprobs") and self.ollama.yes_log_odds is not None:
            self._judge(name, body, self.ollama.yes_log_odds, num_ctx)
            return
        reply = self.ollama.next_reply(body)
        self._read_prompt(reply.reading)
        self._pause(reply.first_delay)
        if reply.status == 0:
            self.close_connection = True
            return
        if reply.status != 200:
            self._json({"error": reply.error}, reply.status)
        elif body.get("stream", True):
            self._stream(name, body, reply, num_ctx)
        else:
            last = _message(name, "".join(reply.pieces)) | _counts(body, reply, num_ctx)
            self._json(last | {"done_reason": "length" if reply.end == "length" else "stop"})

    def _stream(self, name: str, body: Body, reply: Scripted, num_ctx: int) -> None:
        if reply.pieces or reply.thinking or reply.end != "stall":
            self._begin_lines()
        lines = [_message(name, "", thinking) for thinking in reply.thinking]
        lines += [_message(name, piece) for piece in reply.pieces]
        for index, line in enumerate(lines):
            self._pause(reply.delay if index else 0.0)
            self._line(line)
        if reply.end == "stall":
            self._pause(math.inf)
        if reply.end == "drop":
            self.close_connection = True
            return
        if reply.end == "error":
            self._line({"error": reply.error})
        elif reply.end == "load":
            self._line(_message(name, "") | {"done": True, "done_reason": "load"})
        elif reply.end != "no done":
            self._line(_message(name, "") | _counts(body, reply, num_ctx) | {"done_reason": reply.end})
        self._end_lines()

    def _judge(self, name: str, body: Body, log_odds: float, num_ctx: int) -> None:
        yes = -math.log1p(math.exp(-log_odds))
        words = sorted([("Yes", yes), ("No", yes - log_odds)], key=lambda pair: -pair[1])
        top = [{"token": w, "logprob": p, "bytes": list(w.encode())} for w, p in words]
        said = _message(name, words[0][0]) | {"logprobs": [top[0] | {"top_logprobs": top}]}
        counts = _counts(body, Scripted(words[0][0]), num_ctx) | {"done_reason": "length"}
        if body.get("stream", True):
            self._begin_lines()
            self._line(said)
            self._line(_message(name, "") | counts)
            self._end_lines()
        else:
            self._json(said | counts)

    def _read_prompt(self, seconds: float) -> None:
        """Read on until the time is over, though a client that hangs up meanwhile is noticed at once."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.ollama.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0 if self.request_seen.closed else 0.02)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                self.request_seen.closed = True
                time.sleep(0.01)

    def _pause(self, seconds: float) -> None:
        """Wait, and notice when the client hangs up: then its socket can be read and holds nothing."""
        end = time.monotonic() + seconds
        while True:
            left = min(0.02, max(0.0, end - time.monotonic()))
            readable, _, _ = select.select([self.connection], [], [], left)
            if (readable and not self.connection.recv(1, socket.MSG_PEEK)) or self.ollama.stopping.is_set():
                raise _GoneError
            if time.monotonic() >= end:
                return

    def _begin_lines(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _line(self, line: Body) -> None:
        self._pause(0.0)
        text = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        self.wfile.write(f"{len(text):x}\r\n".encode() + text + b"\r\n")

    def _end_lines(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def _json(self, value: Body, status: int = 200) -> None:
        self._send(status, "application/json; charset=utf-8", json.dumps(value).encode())

    def _send(self, status: int, content_type: str | None, body: bytes) -> None:
        self.send_response(status)
        if content_type:
            self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _parsed(raw: bytes) -> tuple[str | None, Body | None]:
    if not raw:
        return "missing request body", None
    try:
        return None, json.loads(raw)
    except json.JSONDecodeError:
        return "unexpected EOF", None


def _details(model: Model, *, listed: bool) -> Body:
    details: Body = {"parent_model": "", "format": "gguf", "family": model.family, "families": [model.family]}
    details |= {"parameter_size": model.parameter_size, "quantization_level": "Q4_K_M"}
    return details | ({"context_length": model.context_length, "embedding_length": 896} if listed else {})


def _tag(model: Model) -> Body:
    tag: Body = {"name": model.name, "model": model.name, "modified_at": CREATED, "size": model.size}
    tag["digest"] = "79b51660fec7ca0efa3a5a8f3fee4e3838eced693ca378f175b416e0fe7aafe7"
    tag["details"] = _details(model, listed=model.capabilities is not None)
    if model.capabilities is not None:
        tag["capabilities"] = list(model.capabilities)
    if model.remote_host:
        tag |= {"remote_host": model.remote_host, "remote_model": model.name}
    return tag


def _message(name: str, content: str, thinking: str | None = None) -> Body:
    message = {"role": "assistant", "content": content}
    if thinking is not None:
        message["thinking"] = thinking
    return {"model": name, "created_at": CREATED, "message": message, "done": False}


def _counts(body: Body, reply: Scripted, num_ctx: int) -> Body:
    """Return the counts of a last line; like Ollama, a prompt beyond the context counts as the context."""
    characters = sum(len(message.get("content") or "") for message in body["messages"])
    estimate = min(num_ctx, 8 + round(characters / 4.5))
    prompt = estimate if reply.prompt_tokens is None else reply.prompt_tokens
    counts: Body = {"done": True, "total_duration": 396829491, "load_duration": 175291145}
    counts |= {"prompt_eval_count": prompt, "prompt_eval_duration": 135410759 + round(reply.reading * 1e9)}
    return counts | {"eval_count": len(reply.pieces) + len(reply.thinking), "eval_duration": 72347815}
