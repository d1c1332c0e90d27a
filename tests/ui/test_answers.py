"""Whole transcripts of `askpapers eval answers` and `askpapers eval calibrate`."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.calibration import Adjustment
from assistant.library import Library
from eval.runs import Run, stored
from tests.ollama_server import OllamaServer
from tests.ui.conftest import Command

KELP = "How many of the forests does KelpNet find?"
ROWS: list[dict[str, Any]] = [
    {"id": "k", "type": "fact", "question": KELP, "gold": ["kelp"], "nuggets": ["91%"]},
    {"id": "f", "type": "fact", "question": "What forecasts frost?", "gold": ["frost-key"], "nuggets": [["recurrent"]]},
    {"id": "u", "type": "none", "question": "Who won the chess olympiad?", "gold": []},
]
KEYS = [{"key": "frost-key", "contains": ["six hours ahead"]}]
MEAN = {"low", "mean", "high", "scored", "unscored"}


def written(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(tmp_path / "questions.jsonl", ROWS)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "keys.json"
    path.write_text("\ufeff" + json.dumps(KEYS), encoding="utf-8")
    return path


def test_the_report_for_people(command: Command, questions: Path, keys: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = command("eval", "answers", questions, "--papers", keys, "--out", out)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "measure               mean   95% interval    scored  unscored"
    assert lines[1] == "paper_recall          1.000  1.000 to 1.000  2"
    assert "nugget_recall         1.000  1.000 to 1.000  2" in lines
    assert "abstention_recall     1.000  1.000 to 1.000  1" in lines
    assert any(re.fullmatch(r"total_ms: p50 [\d.]+, p95 [\d.]+, p99 [\d.]+", line) for line in lines)
    assert result.stderr == f"The run is in {out}; its report is {out / 'report.html'}.\n"
    again = command("eval", "answers", questions, "--papers", keys, "--out", out)
    assert again.stdout == result.stdout
    assert "holds 3 of 3 answers; going on from there." in again.stderr


def test_the_report_as_json(command: Command, questions: Path, keys: Path, tmp_path: Path) -> None:
    arguments = ("eval", "answers", questions, "--papers", keys, "--json", "--faithfulness", "2")
    result = command(*arguments, "--out", tmp_path / "run")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "NaN" not in result.stdout
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert set(found) == {"measures", "by_kind", "latency", "faults"}
    assert set(found["by_kind"]) == {"fact", "none"}
    for measures in (found["measures"], *found["by_kind"].values()):
        for value in measures.values():
            assert set(value) == MEAN
            assert value["low"] <= value["mean"] <= value["high"]
    assert found["measures"]["claims_gone"]["scored"] == 2
    assert found["measures"]["claims_gone"]["mean"] == 1
    assert found["by_kind"]["none"]["coverage"] == {"mean": 0.0, "low": 0.0, "high": 0.0, "scored": 1, "unscored": 0}
    assert found["faults"] == []


def test_what_could_not_be_asked_is_said_and_fails_the_command(command: Command, tmp_path: Path) -> None:
    odd = [*ROWS, {"id": "odd", "type": "fact", "question": "\ud800", "gold": ["\ud800"]}, "no object"]
    path = written(tmp_path / "questions.jsonl", odd)
    result = command("eval", "answers", path, "--json", "--out", tmp_path / "run")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [fault["id"] for fault in found["faults"]] == ["f", "odd", "5"]
    assert "--papers" in found["faults"][0]["error"]
    assert found["measures"]["coverage"]["unscored"] == 3
    assert set(found["by_kind"]) == {"fact", "none", "question"}
    shown = command("eval", "answers", path, "--out", tmp_path / "run")
    assert shown.exit_code == 1
    assert "\n5 was not scored: Line 5: this is not a JSON object." in shown.stdout
    assert "holds 2 of 5 answers" in shown.stderr


def test_a_file_from_standard_input(command: Command, tmp_path: Path) -> None:
    result = command("eval", "answers", "-", "--json", "--out", tmp_path / "run", typed=json.dumps(ROWS[0]))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["measures"]["nugget_recall"]["mean"] == 1


def test_runs_without_a_name_are_kept_beside_the_library(command: Command, questions: Path, keys: Path) -> None:
    for _ in range(2):
        assert command("eval", "answers", questions, "--papers", keys).exit_code == 0
    folders = stored(Path(_library(command)) / "runs")
    assert len(folders) == 2
    for folder in folders:
        assert re.fullmatch(r"questions-\d{8}-\d{6}(-2)?", folder.name)
        with Run.open(folder) as run:
            assert len(run.rows()) == 3


def _library(command: Command) -> str:
    folder = json.loads(command("library", "info", "--json").stdout)["folder"]
    assert isinstance(folder, str)
    return folder


def refused(command: Command, says: str, *arguments: str | Path) -> None:
    result = command("eval", *arguments)
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    assert says in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr
    assert "unexpected fault" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_what_cannot_be_evaluated_is_one_sentence(
    command: Command, questions: Path, keys: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    assert command("eval", "answers", questions, "--papers", keys, "--out", out).exit_code == 0
    other = written(tmp_path / "other.jsonl", ROWS[:1])
    empty = written(tmp_path / "empty.jsonl", [])
    twice = written(tmp_path / "twice.jsonl", [ROWS[0], ROWS[0]])
    refused(command, "of other questions; name another folder", "answers", other, "--out", out)
    refused(command, "of other settings;", "answers", questions, "--papers", keys, "--out", out, "-k", "3")
    refused(command, "cannot hold a run", "answers", other, "--out", other)
    refused(command, "no question", "answers", empty, "--out", tmp_path / "new")
    refused(command, "stands twice", "answers", twice, "--out", tmp_path / "new")
    refused(command, "cannot be read", "answers", tmp_path / "none.jsonl")
    refused(command, "cannot be read", "answers", questions, "--papers", tmp_path / "none.json")
    refused(command, "contains", "answers", questions, "--papers", questions)
    (out / "run.sqlite").write_bytes(b"no database")
    refused(command, "cannot hold a run", "answers", questions, "--papers", keys, "--out", out)
    refused(command, "10 examples that should pass", "calibrate", other)


@pytest.mark.parametrize(
    "arguments",
    [
        ("answers",),
        ("answers", "q", "--judge-itself"),
        ("answers", "q", "--faithfulness", "-1"),
        ("calibrate",),
        ("calibrate", "q", "--reset"),
    ],
)
def test_wrong_usage(command: Command, arguments: tuple[str, ...]) -> None:
    result = command("eval", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.fixture
def enough(tmp_path: Path) -> Path:
    """Questions of which half have an answer, on the small corpus."""
    asked = [{"question": f"How many of the forests does KelpNet find{' ' * i}?", "gold": ["kelp"]} for i in range(12)]
    open_ = [{"question": f"Which learning rate does KelpNet use{' ' * i}?", "gold": []} for i in range(12)]
    return written(tmp_path / "enough.jsonl", asked + open_)


def test_thresholds_are_fitted_kept_and_given_back(command: Command, enough: Path) -> None:
    manifest = Path(_library(command)) / "manifest.json"
    before = manifest.read_text(encoding="utf-8")
    assert command("eval", "calibrate", "--reset").stderr == "The library uses the thresholds that askpapers ships.\n"
    shown = command("eval", "calibrate", enough, "--json")
    assert (shown.exit_code, shown.stderr) == (0, "")
    found = json.loads(shown.stdout)
    assert (found["support"], found["written"]) == (None, False)
    fit = found["abstention"]
    assert (fit["right"], fit["wrong"]) == (12, 12)
    assert {"threshold", "kept", "let_through"} == fit["before"].keys() == fit["after"].keys()
    assert manifest.read_text(encoding="utf-8") == before
    table = command("eval", "calibrate", enough, "--write")
    assert table.exit_code == 0
    assert table.stdout.splitlines()[0].split("  ")[-1].strip() == "should not and does"
    assert "abstention, now" in table.stdout
    assert "abstention: 12 that should pass, 12 that should not" in table.stderr
    kept = "calibration" in json.loads(manifest.read_text(encoding="utf-8"))
    assert kept is fit["better"]
    assert command("eval", "calibrate", "--reset").exit_code == 0
    assert manifest.read_text(encoding="utf-8") == before


def test_a_fit_without_a_model_leaves_support_as_it_was(command: Command, enough: Path) -> None:
    """What was fitted with a model is not lost when abstention is fitted without one."""
    folder = Path(_library(command))
    with Library.open(folder) as library:
        library.calibrate(Adjustment(0.999999, 1.25, "earlier"))
    result = command("eval", "calibrate", enough, "--write", "--json")
    assert json.loads(result.stdout)["written"]
    with Library.open(folder) as library:
        assert library.adjustment is not None
        assert library.adjustment.needed == 1.25
        assert library.adjustment.stated is not None
        assert library.adjustment.stated < 0.999
        library.calibrate(None)


def test_answers_of_a_model_are_measured_as_its_own(
    command: Command, questions: Path, keys: Path, tmp_path: Path
) -> None:
    arguments = ("eval", "answers", questions, "--papers", keys, "--json", "--out", tmp_path / "run")
    with OllamaServer() as server:
        result = command(*arguments, "--llm", "ollama:qwen3:4b", OLLAMA_HOST=server.url)
    assert result.exit_code == 0
    found = json.loads(result.stdout)["measures"]
    assert found["prompt_tokens"]["mean"] > 0
    assert found["nugget_recall"]["mean"] == 1
    refused(command, "of other settings", *arguments[1:])
