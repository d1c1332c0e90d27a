"""A chat model on loopback that replies at once, so that what is left of the time is askpapers' own.

Speaks the part of Ollama's interface that askpapers asks for. It says yes when it is asked whether the notes hold the
answer, and retells the first two notes of its prompt: what is quoted would need no check.
"""

import json
import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

NAME = "loopback:latest"

_MODEL = {"name": NAME, "model": NAME, "size": 1, "capabilities": ["completion"]}
_DETAILS = {"family": "loopback", "parameter_size": "4.0B", "context_length": 32768}
_REPLIES: dict[str, dict[str, Any]] = {
    "/api/version": {"version": "0.0.0"},
    "/api/tags": {"models": [_MODEL | {"details": _DETAILS}]},
    "/api/ps": {"models": [_MODEL | {"context_length": 4096}]},
    "/api/show": {"template": "{{ .Messages }}", "details": _DETAILS, "capabilities": ["completion"]},
}
_YES = [{"token": "Yes", "logprob": -0.01}, {"token": "No", "logprob": -5.0}]


class LoopbackModel:
    """Serves while its context lasts; `asked` holds when each question for a reply came, by `perf_counter`.

    `written` holds those of them that were for text, not for a yes or no.
    """

    def __init__(self) -> None:
        self.asked: list[float] = []
        self.written: list[float] = []
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="loopback", daemon=True)

    @property
    def url(self) -> str:
        """The address that it listens on."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "LoopbackModel":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10
    model: LoopbackModel

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet."""

    def do_GET(self) -> None:
        """Answer any request; bodies are JSON."""
        arrived = time.perf_counter()
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/api/chat":
            self._send(200 if self.path in _REPLIES else 404, [_REPLIES.get(self.path, {})])
            return
        asked = json.loads(raw)
        self.model.asked.append(arrived)
        if not asked.get("logprobs"):
            self.model.written.append(arrived)
        self._send(200, _chat(asked))

    do_POST = do_GET  # noqa: N815

    def _send(self, status: int, lines: list[dict[str, Any]]) -> None:
        body = "".join(json.dumps(line) + "\n" for line in lines).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _chat(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of a reply, a piece of text each; the last has the counts."""
    frame = {"model": NAME, "created_at": "2026-01-01T00:00:00Z", "done": False}
    said = [{"content": "Yes", "logprobs": [_YES[0] | {"top_logprobs": _YES}]}] if asked.get("logprobs") else None
    pieces = list(_pieces(asked)) if said is None else said
    lines = [frame | {"message": {"role": "assistant", "content": piece.pop("content")}} | piece for piece in pieces]
    characters = sum(len(message.get("content") or "") for message in asked["messages"])
    counts = {"prompt_eval_count": 8 + characters // 4, "prompt_eval_duration": 1, "eval_count": len(pieces)}
    last = {"done": True, "done_reason": "stop", "message": {"role": "assistant", "content": ""}}
    return [*lines, frame | last | counts]


def _pieces(asked: dict[str, Any]) -> Iterator[dict[str, Any]]:
    notes = re.findall(r"^\[\d+\] (.*)$", asked["messages"][-1]["content"], re.MULTILINE)
    told = " ".join(f"The abstract says that {note[:1].lower()}{note[1:]}" for note in notes[:2])
    for piece in re.findall(r"\s*\S+", told or "There are no notes."):
        yield {"content": piece}
