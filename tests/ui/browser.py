"""A real Chromium, and the web app's server on a port of its own."""

import shutil
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import BrowserContext, Dialog, Page, sync_playwright

from ui.web.answerer import Answerer
from ui.web.server import address, listen, prepare

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)


@contextmanager
def serving(
    opener: Callable[[], Answerer], host: str = "127.0.0.1", auth: tuple[str, str] | None = None
) -> Generator[str]:
    """Serve the web app in a thread; the value is its address."""
    listener = listen(host, 0, auth=auth)
    where = address(listener, host)
    server = prepare(opener, host, auth)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield where
    finally:
        server.should_exit = True
        thread.join(10)


@contextmanager
def chromium(profile: Path) -> Generator[BrowserContext]:
    """Start the system's Chromium, else Playwright's own, with a profile of its own."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=binary,
            args=_FLAGS.split(),
            viewport={"width": 1440, "height": 900},
            color_scheme="light",
        )
        context.set_default_timeout(15_000)
        yield context
        context.close()


def watched(page: Page, complaints: list[str]) -> Page:
    """Collect what a page should not do: errors, warnings, dialogs, requests to other hosts."""

    def dismiss(dialog: Dialog) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: complaints.append(str(e)))
    page.on("dialog", dismiss)
    page.on("request", lambda r: None if _own(r.url) else complaints.append(f"request {r.url}"))
    return page


def _own(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "blob:"))
