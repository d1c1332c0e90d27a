"""What `askpapers eval speed` says of a measurement."""

import json
from dataclasses import replace

import pytest

from eval.speed.first_token import Overhead
from eval.speed.growth import Size
from eval.speed.latency import Latency
from eval.speed.memory import Memory
from eval.speed.report import LangChain, Speed
from eval.speed.startup import Startup
from ui.commands.speed import show

FAST, SLOW = Latency(10.04, 20.5), Latency(30.0, 1234.5)
SPEED = Speed(
    ingest_ratio=1.25,
    langchain=LangChain(ingest_ratio=2.5, search_ratio=0.335, ingest_seconds=4.0, search_ms=SLOW),
    papers=1600,
    chunks=9000,
    texts=2000,
    ingest_seconds=10.0,
    encode_seconds=8.0,
    reingest_seconds=0.25,
    search_ms=FAST,
    answer_ms=SLOW,
    sizes=(Size(100, FAST, FAST, FAST), Size(1600, FAST, SLOW, SLOW)),
    memory_mb=Memory(ingest_peak=1500.4, answer_peak=900.0, growth=-0.3),
    startup=Startup(0.12, 6.5),
    chat_model=Overhead(50, 90, request_ms=FAST, writing_ms=SLOW, check_ms=Latency(15.5, 30.0)),
)
INSTALL = "pip install 'askpapers[peers]'"


def test_ratios_come_first_and_values_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    show(SPEED, as_json=False)
    written = capsys.readouterr()
    ratios, figures, sizes = (part.splitlines() for part in written.out.split("\n\n"))
    assert ratios == ["ingest / bare encode  1.25", "ingest / LangChain    2.50", "search / LangChain    0.34"]
    assert "ingest                  10.00 s, 160.0 papers/s" in figures
    assert "memory, answers         900 MB at most, -0.3 MB over the questions" in figures
    assert "check of a sentence     15.5 ms, 95% within 30.0 ms" in figures
    assert [line.split() for line in sizes[1:]] == [
        ["100", *["10.0", "20.5"] * 3],
        ["1,600", "10.0", "20.5", *["30.0", "1234.5"] * 2],
    ]
    assert not written.err


def test_what_was_not_measured_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    bare = replace(SPEED, langchain=None, chat_model=None, sizes=(Size(1600, FAST, SLOW, None),))
    show(bare, as_json=False)
    written = capsys.readouterr()
    assert INSTALL in written.err
    assert "LangChain" not in written.out
    assert "model" not in written.out
    assert written.out.splitlines()[-1].split() == ["1,600", "10.0", "20.5", "30.0", "1234.5"]


def test_json_is_one_object_with_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    show(SPEED, as_json=True)
    row = json.loads(capsys.readouterr().out)
    assert row["langchain"]["search_ms"] == {"p50": 30.0, "p95": 1234.5}
    assert row["sizes"][0]["papers"] == 100
    assert row["memory_mb"] == {"ingest_peak": 1500.4, "answer_peak": 900.0, "growth": -0.3}
    assert row["startup"] == {"help_seconds": 0.12, "first_answer_seconds": 6.5}
    assert row["chat_model"]["check_ms"]["p50"] == 15.5
    assert set(row) == set(SPEED.__dataclass_fields__)


def test_json_says_what_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show(replace(SPEED, langchain=None), as_json=True)
    written = capsys.readouterr()
    assert json.loads(written.out)["langchain"] is None
    assert INSTALL in written.err
