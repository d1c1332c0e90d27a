"""Speed on a small corpus: what was measured hangs together."""

from pathlib import Path

import pytest

from assistant.encoder import Encoder
from assistant.errors import SourceError
from eval.speed import measure
from tests.ui.corpus import write_corpus


@pytest.fixture(autouse=True)
def _loaded(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.library.Encoder", lambda *_: encoder)


def test_a_corpus_is_measured(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    speed = measure([str(write_corpus(tmp_path / "papers.jsonl"))], lambda done, total: seen.append((done, total)))
    assert speed.papers == 3
    assert speed.chunks >= 3
    assert speed.ingest_ratio == pytest.approx(speed.ingest_seconds / speed.encode_seconds, rel=0.05)
    assert min(speed.ingest_seconds, speed.reingest_seconds) > 0
    assert 0 < speed.search_ms.p50 <= speed.search_ms.p95
    assert 0 < speed.answer_ms.p50 <= speed.answer_ms.p95
    assert seen
    assert seen[-1][0] == seen[-1][1] > 0


def test_a_corpus_without_papers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(SourceError, match="No paper"):
        measure([str(tmp_path)], lambda *_: None)
