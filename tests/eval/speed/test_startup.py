"""Processes of their own: that they failed is said."""

from pathlib import Path

import pytest

from assistant.errors import LibraryError
from eval.speed.startup import startup


def test_a_start_that_fails_is_no_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.speed.startup.RUNS", 1)
    with pytest.raises(LibraryError, match="could not be started anew"):
        startup(tmp_path / "nowhere", "What is known?")
