import http.client
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from assistant.errors import SettingsError
from tests.ui.browser import serving
from tests.ui.scripted import Scripted
from ui.web.server import address, listen

ROOT = Path(__file__).parents[2]

WATCHED = """
import json, sys
looked_up = []
def watch(event, args):
    if event == "socket.getaddrinfo":
        looked_up.append(str(args[0]))
    elif event == "socket.connect" and isinstance(args[1], tuple):
        looked_up.append(str(args[1][0]))
sys.addaudithook(watch)

import threading, urllib.request
from tests.ui.scripted import Scripted
from ui.web.server import serve

def visit(address):
    def run():
        for path in ("", "config", "theme.css", "gradio_api/info", "manifest.json"):
            try:
                urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address + path, timeout=20).read()
            except urllib.error.HTTPError:
                pass
        print(json.dumps(looked_up), flush=True)
    threading.Timer(0.5, run).start()

serve(Scripted, port=0, started=visit)
print("ended", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="no signal that only interrupts")
def test_only_this_computer_is_looked_up_and_ctrl_c_ends_quietly() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        hosts = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stdout.read() == "ended\n"
        assert process.stderr.read() == ""
    assert hosts
    assert set(hosts) <= {"127.0.0.1", "localhost"}


def test_a_taken_port_is_one_plain_sentence() -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match=rf"^Port {port} on 127.0.0.1 .* `--port {port + 1}`\.$"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_others_need_a_password_or_an_express_wish(host: str) -> None:
    with pytest.raises(SettingsError, match="--auth USER:PASSWORD"):
        listen(host, 0)


@pytest.mark.parametrize("allowed", [{"auth": ("user", "word")}, {"no_auth": True}])
def test_an_open_host_listens_when_told(allowed: dict[str, object]) -> None:
    with listen("0.0.0.0", 0, **allowed) as listener:  # type: ignore[arg-type]
        assert address(listener, "0.0.0.0") == f"http://localhost:{listener.getsockname()[1]}/"


def test_a_host_that_is_not_this_computers_is_one_plain_sentence() -> None:
    with pytest.raises(SettingsError, match=r"cannot be used|cannot listen"):
        listen("192.0.2.1", 0, no_auth=True)


def test_a_password_is_asked_for_on_every_route() -> None:
    with serving(Scripted, auth=("reader", "word")) as where:
        connection = http.client.HTTPConnection(urlsplit(where).netloc, timeout=60)
        for method, path in [("GET", "/config"), ("POST", "/gradio_api/queue/join"), ("GET", "/gradio_api/info")]:
            connection.request(method, path, body="{}", headers={"Content-Type": "application/json"})
            response = connection.getresponse()
            assert response.status == 401, path
            response.read()
        connection.close()
