"""Who may talk to the server: requests that name it by an address of its own, from pages of its own.

A page elsewhere can point a name at this computer and read what it serves (DNS rebinding). An address in
figures cannot be pointed elsewhere, and names are allowed one by one.
"""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_POLICY = (
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",  # Gradio makes functions of its components' scripts
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "form-action 'self'",
)
HEADERS = [
    (b"content-security-policy", "; ".join(_POLICY).encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]


def loopback(host: str) -> bool:
    """Whether a host to listen on can be reached from this computer only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware: 403 to a foreign Host or Origin and to uploads; pages may load nothing from elsewhere.

    `host` is what the server listens on: on a loopback address only loopback names pass, otherwise addresses
    in figures, this computer's name, and `host` do. An Origin must be the Host.
    """

    def __init__(self, app: App, host: str) -> None:
        self._app = app
        self._local = loopback(host)
        name = socket.gethostname().lower()
        self._names = {"localhost"} if self._local else {"localhost", host.lower(), name, f"{name}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif self._welcome(scope):
            await self._app(scope, receive, _with_headers(send) if scope["type"] == "http" else send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _refuse(send)

    def _welcome(self, scope: Scope) -> bool:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if "/upload" in scope["path"]:  # the page has no files to send, and Gradio would keep any
            return False
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if len(hosts) != 1 or not self._own(hosts[0]):
            return False
        return all(origin.partition("://")[2].lower() == hosts[0].lower() for origin in origins)

    def _own(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            figures = ipaddress.ip_address(name)
        except ValueError:
            return False
        return figures.is_loopback or not self._local


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return sending


async def _refuse(send: Send) -> None:
    text = b"This server answers only under its own address.\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": text})
