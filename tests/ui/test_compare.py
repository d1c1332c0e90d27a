"""Transcripts of `eval compare`."""

import json
from pathlib import Path

import pytest

from eval.runs import Row
from tests.eval.scored import header, row, stored_run
from tests.ui.conftest import Command

SCORED = {"coverage": 1.0, "all_nuggets": 1.0, "risk": 0.0}
BEFORE = [row(f"q{i}", SCORED) for i in range(10)]
AFTER = [row(f"q{i}", SCORED if i < 4 else SCORED | {"all_nuggets": 0.0, "risk": 1.0}) for i in range(10)]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with the runs `before`, `after` and `stopped`."""
    stored_run(tmp_path / "before", BEFORE).close()
    stored_run(tmp_path / "after", AFTER, header(words=80)).close()
    stored_run(tmp_path / "stopped", BEFORE[:3], finished=False).close()
    return tmp_path


def test_a_comparison_is_a_table_and_the_questions_that_moved(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs / "after")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "before: before; after: after",
        "The setting words was not set, then 80.",
        "measure      before  after  difference  95% interval      p",
    ]
    told = {line.split()[0]: line.split() for line in lines}
    assert told["all_nuggets"][1:4] == ["1.000", "0.400", "−0.600"]
    assert told["all_nuggets"][-1] == "worse"
    assert told["coverage"] == ["coverage", "1.000", "1.000", "0.000", "0.000", "to", "0.000", "1.000"]
    assert "better, worse, differs: p < 0.05 by a paired randomisation test." in lines
    assert "6 of 10 questions changed." in lines
    assert "q4 lost 2.00: all nuggets 1.000 → 0.000; risk 0.000 → 1.000" in lines


def test_each_gate_that_fell_is_one_sentence_and_exit_code_1(command: Command, runs: Path) -> None:
    gates = ("--gate", "all_nuggets=0.5", "--gate", "risk=0.7", "--gate", "risk=0.1")
    result = command("eval", "compare", runs / "before", runs / "after", *gates)
    assert result.exit_code == 1
    first, second = result.stderr.splitlines()
    assert first.startswith("all_nuggets fell: 1, then 0.4, more than the 0.5 allowed")
    assert second.startswith("risk rose: 0, then 0.6, more than the 0.1 allowed")


def test_gates_that_hold_say_nothing(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs / "before", "--gate", "all_nuggets=0")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "0 of 10 questions changed." in result.stdout


def test_a_gate_on_no_measure_of_the_run_is_wrong_usage(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs / "after", "--gate", "recall=0.1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'recall' is no measure of before; a gate takes one of all_nuggets, risk, aurc." in result.stderr


def test_json_is_one_line_with_the_gates(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs / "after", "--json", "--gate", "risk=0.1")
    assert result.exit_code == 1
    [line] = result.stdout.splitlines()
    told = json.loads(line)
    assert told["after"] == {"run": "after", "created": "2026-01-02T03:04:05+00:00", "finished": True}
    series = told["series"]["answers"]
    risk = series["measures"]["risk"]
    assert {name: risk[name] for name in ("before", "after", "difference", "pairs", "better")} == {
        "before": 0.0, "after": 0.6, "difference": 0.6, "pairs": 10, "better": "lower",
    }  # fmt: skip
    assert risk["low"] < 0.6 < risk["high"]
    assert risk["p"] < 0.05
    assert series["by_kind"]["fact"]["risk"] == risk
    assert series["changed"][0]["measures"] == {"all_nuggets": [1.0, 0.0], "risk": [0.0, 1.0]}
    assert [(gate["measure"], gate["fell"]) for gate in told["gates"]] == [("risk", True)]


@pytest.mark.parametrize("name", ["report.html", "report.md"])
def test_a_report_is_written_where_it_was_wanted(command: Command, runs: Path, name: str) -> None:
    result = command("eval", "compare", runs / "before", runs / "after", "--out", runs / name)
    assert result.exit_code == 0
    assert result.stderr == f"The comparison is in {runs / name}.\n"
    assert "before → after" in (runs / name).read_text(encoding="utf-8")


def test_an_unfinished_run_is_told_and_its_gates_fall(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs / "stopped", "--gate", "risk=1")
    assert result.exit_code == 1
    assert "The run stopped is unfinished: not all of its questions have been asked." in result.stdout
    assert "Only before has 7 questions: q3, q4, q5, q6, q7, q8, q9." in result.stdout
    assert result.stderr == "risk fell away for the questions that stopped has not asked yet.\n"


def test_a_run_of_the_library_goes_by_its_name(command: Command, tmp_path: Path) -> None:
    for name, rows in (("old", BEFORE), ("new", AFTER)):
        stored_run(tmp_path / "library" / "runs" / name, rows).close()
    assert command("eval", "compare", "old", "new", "--library", tmp_path / "library").exit_code == 0
    result = command("eval", "compare", "old", "newest", "--library", tmp_path / "library")
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "There is no run newest; name a folder that `askpapers eval answers` made, or one of"
    )


def test_a_folder_without_a_run_is_one_sentence(command: Command, runs: Path) -> None:
    result = command("eval", "compare", runs / "before", runs)
    assert result.exit_code == 1
    assert "holds no run; make one with `askpapers eval answers FILE --out" in result.stderr


def test_series_are_shown_one_after_the_other(command: Command, tmp_path: Path) -> None:
    rows = [Row(f"q{i}", "query", {"nDCG@10": 0.5}, name, i) for name in ("dense", "fused") for i in range(3)]
    stored_run(tmp_path / "a", rows).close()
    result = command("eval", "compare", tmp_path / "a", tmp_path / "a", "--gate", "nDCG@10=0.01")
    assert result.exit_code == 0
    assert [line for line in result.stdout.splitlines() if line in ("dense", "fused")] == ["dense", "fused"]


def test_answers_leave_a_report_beside_their_run(command: Command, tmp_path: Path) -> None:
    question = {"id": "k", "question": "What does KelpNet count?", "gold": ["kelp"], "nuggets": ["walrus"]}
    (tmp_path / "q.jsonl").write_text(json.dumps(question), encoding="utf-8")
    result = command("eval", "answers", tmp_path / "q.jsonl", "--out", tmp_path / "run")
    assert result.exit_code == 0
    assert f"its report is {tmp_path / 'run' / 'report.html'}." in result.stderr
    assert "KelpNet" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
