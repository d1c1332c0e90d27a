"""The console entry point in processes of its own: streams, encodings, quietness."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.corpus import write_corpus

ASKPAPERS = [sys.executable, "-m", "ui.cli"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "ASKPAPERS_LIBRARY": str(folder), "ASKPAPERS_LLM": "none", **more}


def test_from_a_file_to_an_answer_with_nothing_else_said(tmp_path: Path) -> None:
    """Streams are UTF-8 even where Python would choose ASCII, and no library says anything."""
    corpus, folder = write_corpus(tmp_path / "papers.jsonl"), tmp_path / "library"
    plain = environment(folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    ingested = subprocess.run([*ASKPAPERS, "ingest", corpus, "--json"], capture_output=True, env=plain, check=True)
    assert json.loads(ingested.stdout)["new"] == 3
    assert ingested.stderr == b""
    asked = subprocess.run([*ASKPAPERS, "ask", "What does KelpNet count?"], capture_output=True, env=plain, check=True)
    assert asked.stdout.decode("utf-8").startswith("“")
    assert asked.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_a_reader_that_hangs_up_is_no_fault(library_folder: Path) -> None:
    papers = subprocess.Popen(
        [*ASKPAPERS, "papers", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(library_folder),
    )
    assert papers.stdout is not None
    papers.stdout.close()
    assert papers.stderr is not None
    said = papers.stderr.read()
    papers.stderr.close()
    assert papers.wait() == 0
    assert said in (b"", b"3 papers.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_an_interrupt_ends_with_130_and_no_traceback(library_folder: Path) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from ui import cli\n"
        # A test run that was started in the background has interrupts ignored, and its children too.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "sys.argv[1:] = ['ask']\n"
        "cli.main()\n"
    )
    talk = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(library_folder),
    )
    with talk:
        assert talk.wait(120) == 130
        assert talk.stderr is not None
        assert talk.stderr.read() == b"\n"
