"""Commands run in this process against a small library, and what they print."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from assistant.encoder import Encoder
from tests.ui.corpus import write_corpus
from ui.cli import app

Command = Callable[..., Result]


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Path:
    """The library of the small corpus; for reading only."""
    folder = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        quicken(patch, encoder)
        corpus = write_corpus(tmp_path_factory.mktemp("corpus") / "papers.jsonl")
        result = CliRunner().invoke(app, ["ingest", str(corpus), "--library", str(folder)])
    assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def command(library_folder: Path, encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command on the library of the small corpus, without a chat model unless told."""
    quicken(monkeypatch, encoder)
    environment = {"ASKPAPERS_LIBRARY": str(library_folder), "ASKPAPERS_LLM": "none", "COLUMNS": "100"}

    def run(*arguments: str | Path, typed: str | None = None, **more: str) -> Result:
        runner = CliRunner(env={**environment, **more})
        return runner.invoke(app, [str(argument) for argument in arguments], input=typed)

    return run


def quicken(patch: pytest.MonkeyPatch, encoder: Encoder) -> None:
    """Share one loaded encoder among commands, and let ingests keep the priority of the tests."""
    patch.setattr("assistant.library.Encoder", lambda *_: encoder)
    patch.setattr("ui.commands.ingest.yield_to_others", lambda: None)
