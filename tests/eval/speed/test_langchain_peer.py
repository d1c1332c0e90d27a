"""The process that LangChain's pipeline runs in."""

from pathlib import Path

import pytest

from assistant.encoder import find_model
from eval.speed import langchain_peer
from eval.speed.langchain_peer import Peer, Setup
from tests.conftest import run_python

ABANDONED = """
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from eval.speed.langchain_peer import _follow
pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_follow)
print(pool.submit(os.getpid).result() != os.getpid(), flush=True)
os._exit(0)
"""


def test_it_ends_with_the_one_that_started_it() -> None:
    # The pipe that this reads is open for as long as either process lives.
    assert run_python(ABANDONED).strip() == "True"


def test_documents_are_added_and_searched(tmp_path: Path) -> None:
    pytest.importorskip("langchain_chroma")
    pytest.importorskip("langchain_huggingface")
    with Peer(Setup(str(find_model(None)), "cpu", "float32", str(tmp_path / "chroma"))) as peer:
        assert peer.add(["Kelp shrinks.", "Frost kills vines."]) > 0
        assert peer.add(["Moss grows on roofs."]) > 0
        assert peer.search("roofs", 3) > 0
    assert (tmp_path / "chroma" / "chroma.sqlite3").is_file()


def test_packages_that_are_missing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.speed.langchain_peer.find_spec", lambda name: None if "huggingface" in name else name)
    assert not langchain_peer.available()
    monkeypatch.setattr("eval.speed.langchain_peer.find_spec", lambda name: name)
    assert langchain_peer.available()
