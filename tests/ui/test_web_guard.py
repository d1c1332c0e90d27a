import asyncio
import socket

import pytest

from ui.web.guard import Guard, Message, Receive, Scope, Send, loopback


def reply(host: str, headers: list[tuple[str, str]], kind: str = "http", path: str = "/") -> list[Message]:
    """What a guarded app sends to a request with these headers."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-app", b"1")]})

    async def receive() -> Message:
        raise AssertionError

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    raw = [(name.encode(), value.encode()) for name, value in headers]
    asyncio.run(Guard(app, host)({"type": kind, "headers": raw, "path": path}, receive, send))
    return sent


@pytest.mark.parametrize(
    "name", ["127.0.0.1", "127.0.0.1:7860", "localhost:7860", "LOCALHOST", "[::1]:7860", "127.8.8.8"]
)
def test_loopback_names_pass(name: str) -> None:
    start = reply("127.0.0.1", [("host", name)])[0]
    assert start["status"] == 200
    names = [key for key, _ in start["headers"]]
    assert names[0] == b"x-app"
    assert b"content-security-policy" in names


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("host", "")],
        [("host", "evil.example")],
        [("host", "evil.example:7860")],
        [("host", "localhost.evil.example")],
        [("host", "evil.example@localhost@x")],
        [("host", "192.168.0.7:7860")],
        [("host", "[::1")],
        [("host", "localhost"), ("host", "evil.example")],
        [("host", "localhost:7860"), ("origin", "http://evil.example")],
        [("host", "localhost:7860"), ("origin", "http://localhost:8000")],
        [("host", "localhost:7860"), ("origin", "null")],
    ],
)
def test_foreign_names_are_refused(headers: list[tuple[str, str]]) -> None:
    start, body = reply("127.0.0.1", headers)
    assert start["status"] == 403
    assert b"own address" in body["body"]


def test_the_pages_own_origin_passes() -> None:
    assert reply("127.0.0.1", [("host", "localhost:7860"), ("origin", "http://localhost:7860")])[0]["status"] == 200


def test_a_socket_of_a_foreign_name_is_closed() -> None:
    assert reply("127.0.0.1", [("host", "evil.example")], "websocket") == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    "name", ["192.168.0.7:7860", "[fe80::1]:7860", "lab.example:7860", socket.gethostname(), "localhost"]
)
def test_an_open_server_answers_to_figures_and_its_names(name: str) -> None:
    assert reply("lab.example", [("host", name)])[0]["status"] == 200


def test_an_open_server_refuses_other_names() -> None:
    assert reply("0.0.0.0", [("host", "evil.example")])[0]["status"] == 403


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("lab.example", False),
    ],
)
def test_loopback_hosts(host: str, expected: bool) -> None:
    assert loopback(host) is expected


def test_nobody_can_leave_files_here() -> None:
    assert reply("127.0.0.1", [("host", "localhost")], path="/gradio_api/upload")[0]["status"] == 403
