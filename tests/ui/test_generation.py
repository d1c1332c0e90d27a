"""Whole transcripts of `eval generate` on a small library."""

import json
from pathlib import Path

from assistant.questions import read_questions
from tests.ui.conftest import Command


def test_a_test_set_is_written_and_told_of(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    result = command("eval", "generate", "-n", "12", "--out", out, "--seed", "5")
    assert result.exit_code == 0
    head, *rows = result.stdout.splitlines()
    assert head.split() == ["kind", "tried", "passed", "kept", "dropped"]
    assert [line.split()[0] for line in rows] == [
        "fact", "paraphrase", "multi", "compare", "followup", "list", "count", "unanswerable", "all",
    ]  # fmt: skip
    lines = out.read_text(encoding="utf-8").splitlines()
    written = [json.loads(line) for line in lines]
    assert rows[-1].split()[3] == str(len(written))
    assert [question.fault for question in read_questions(lines)] == [None] * len(lines)
    assert {row["type"] for row in written} >= {"fact", "list", "count", "unanswerable"}
    assert all(row["gold"] == [] for row in written if row["type"] == "unanswerable")


def test_json_is_one_line_and_the_seed_decides(command: Command, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    result = command("eval", "generate", "-n", "6", "--out", first, "--json")
    [line] = result.stdout.splitlines()
    told = json.loads(line)
    assert told["questions"] == len(first.read_text(encoding="utf-8").splitlines())
    assert sum(kind["kept"] for kind in told["kinds"].values()) == told["questions"]
    command("eval", "generate", "-n", "6", "--out", second)
    assert first.read_bytes() == second.read_bytes()


def test_what_is_missing_is_wrong_usage(command: Command) -> None:
    assert command("eval", "generate", "-n", "3").exit_code == 2
    assert command("eval", "generate", "--out", "x.jsonl").exit_code == 2


def test_more_than_the_library_gives_is_said(command: Command, tmp_path: Path) -> None:
    result = command("eval", "generate", "-n", "500", "--out", tmp_path / "q.jsonl")
    assert result.exit_code == 0
    assert "of 500 questions: the library's papers give no more that hold." in result.stderr
