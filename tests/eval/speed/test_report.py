"""Speed on small corpora: what was measured hangs together."""

import json
from pathlib import Path

import pytest

from assistant.encoder import Encoder
from assistant.errors import SourceError
from eval.speed.report import Speed, measure
from tests.ui.corpus import write_corpus

PLACES = "reef dune fjord moor delta steppe glacier marsh canyon lagoon".split()
BIRDS = "heron plover dunlin curlew avocet godwit knot".split()


@pytest.fixture(autouse=True)
def _loaded(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.library.Encoder", lambda *_: encoder)
    monkeypatch.setattr("eval.speed.startup.RUNS", 1)


def write_many(path: Path) -> Path:
    """Write a corpus that is large enough to be grown step by step."""
    records = [
        {
            "id": f"{place}-{bird}",
            "title": f"Counting the {bird} of the {place}",
            "abstract": f"Each spring the {bird} returns to the {place}. We count it from the air.",
        }
        for place in PLACES
        for bird in BIRDS
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def check(speed: Speed) -> None:
    """Hold what is true of any measurement."""
    assert speed.ingest_ratio == pytest.approx(speed.ingest_seconds / speed.encode_seconds, rel=0.05)
    assert speed.chunks >= speed.texts >= speed.papers
    assert min(speed.ingest_seconds, speed.encode_seconds, speed.reingest_seconds) > 0
    for size in speed.sizes:
        for latency in (size.search_ms, size.answer_ms):
            assert 0 < latency.p50 <= latency.p95
    assert speed.sizes[-1].papers == speed.papers
    assert (speed.search_ms, speed.answer_ms) == (speed.sizes[-1].search_ms, speed.sizes[-1].answer_ms)
    assert min(speed.memory_mb.ingest_peak, speed.memory_mb.answer_peak) > 50
    assert abs(speed.memory_mb.growth) < speed.memory_mb.answer_peak
    assert min(speed.startup.help_seconds, speed.startup.first_answer_seconds) > 0


def test_a_library_is_measured_as_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.speed.langchain_peer.available", lambda: False)
    seen: list[tuple[int, int]] = []
    speed = measure([str(write_many(tmp_path / "papers.jsonl"))], lambda done, total: seen.append((done, total)))
    check(speed)
    assert [size.papers for size in speed.sizes] == [4, 17, 70]
    assert speed.texts == 70
    assert speed.langchain is None
    assert [total for _, total in seen] == [70] * len(seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == 70
    assert speed.chat_model
    assert speed.chat_model.questions > 0
    assert 0 < speed.chat_model.request_ms.p50 <= speed.chat_model.writing_ms.p50
    assert 0 < speed.chat_model.check_ms.p50 <= speed.chat_model.check_ms.p95


def test_langchain_takes_the_same_papers(tmp_path: Path) -> None:
    pytest.importorskip("langchain_chroma")
    pytest.importorskip("langchain_huggingface")
    speed = measure([str(write_corpus(tmp_path / "papers.jsonl"))], lambda *_: None)
    check(speed)
    assert [size.papers for size in speed.sizes] == [3]
    assert speed.langchain
    assert speed.langchain.ingest_ratio == pytest.approx(
        speed.ingest_seconds / speed.langchain.ingest_seconds, rel=0.05
    )
    assert speed.langchain.search_ratio == pytest.approx(speed.search_ms.p50 / speed.langchain.search_ms.p50, rel=0.05)
    assert speed.langchain.search_ms == speed.sizes[-1].langchain_search_ms


def test_a_corpus_without_papers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    with pytest.raises(SourceError, match="No paper"):
        measure([str(tmp_path)], lambda *_: None)
