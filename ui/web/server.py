"""The web app's server: a socket of its own, the guard before it, and an end on Ctrl-C."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable

import uvicorn

from assistant.errors import SettingsError
from ui.web.answerer import Answerer, Desk
from ui.web.guard import Guard, loopback
from ui.web.holdings import holdings


def serve(
    opener: Callable[[], Answerer],
    *,
    host: str = "127.0.0.1",
    port: int = 7860,
    auth: tuple[str, str] | None = None,
    no_auth: bool = False,
    notice: Callable[[], str] = str,
    started: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve the chat until Ctrl-C; `started` is called with its address once the port is taken.

    `opener` opens the assistant; it raises LibraryMissing while there is no library. `notice` is what a new chat is to
    be told of the assistant opened, "" for nothing. Raises SettingsError
    when the host needs a password, or cannot be listened on.
    """
    listener = listen(host, port, auth=auth, no_auth=no_auth)
    server = prepare(opener, host, auth, notice)
    started(address(listener, host))
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listener])


def prepare(
    opener: Callable[[], Answerer],
    host: str,
    auth: tuple[str, str] | None = None,
    notice: Callable[[], str] = str,
) -> uvicorn.Server:
    """Return the server of the app; run it with `run(sockets=[…])`."""

    def app() -> Guard:
        # here, in the server's event loop, because outside of one Gradio opens loops of its own and leaves them
        os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # Gradio reads it while it is imported
        from ui.web.app import asgi, build

        desk = Desk(opener, notice)
        threading.Thread(target=holdings, args=(desk,), name="opening", daemon=True).start()
        return Guard(asgi(build(desk), auth), host)

    return uvicorn.Server(
        uvicorn.Config(
            app,
            factory=True,
            log_level="critical",
            timeout_graceful_shutdown=1,
            proxy_headers=False,
            server_header=False,
        )
    )


def listen(host: str, port: int, *, auth: tuple[str, str] | None = None, no_auth: bool = False) -> socket.socket:
    """Take the port. Raises SettingsError when it cannot, or when others could get in without a password."""
    if not loopback(host) and not auth and not no_auth:
        raise SettingsError(
            f"Anyone on your network could open the chat on {host}; add `--auth USER:PASSWORD`, or"
            " `--no-auth` if that is what you want."
        )
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, where = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, OverflowError) as error:
        raise SettingsError(f"The chat cannot listen on {host} ({error}); choose another with `--host`.") from error
    try:
        if os.name == "posix":  # elsewhere this option would let two servers share the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise SettingsError(
            f"Port {port} on {host} cannot be used ({error.strerror or error}); choose another with"
            f" `--port {port + 1}`."
        ) from error
    return listener


def address(listener: socket.socket, host: str) -> str:
    """Return the address at which a browser on this computer finds the chat."""
    port = listener.getsockname()[1]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not listened on
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
