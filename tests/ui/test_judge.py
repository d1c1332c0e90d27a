"""Whole transcripts of `askpapers eval judge`, its model played behind Ollama's socket."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.eval.judging import judges
from tests.ollama_server import Model, OllamaServer, Script, Scripted
from tests.ui.conftest import Command

KELP, FROST = "How many forests does KelpNet find?", "Which frost does the network forecast?"
ROWS = [
    {
        "id": 1,
        "question": KELP,
        "answer": "It finds 91% of the forests.",
        "label": 1,
        "reference": "91% of the forests",
    },
    {"id": 2, "question": KELP, "answer": "KelpNet does find none.", "label": 0, "reference": "91% of the forests"},
    {"id": 3, "question": FROST, "answer": "Late frost in May, and that in every vineyard that it knows.", "label": 1},
    {"id": 4, "question": FROST, "answer": "Nobody can say.", "label": 0},
    {"id": 5, "question": FROST, "answer": "Late frost.", "label": 1, "evidence": ["We saw late frost.", "In May."]},
    {"id": 6, "question": FROST, "answer": "Early frost.", "label": 0, "evidence": "We saw late frost."},
]


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    path = tmp_path / "labelled.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def report(command: Command, path: Path, script: Script) -> dict[str, Any]:
    with OllamaServer(script=script) as server:
        result = command("eval", "judge", path, "--judge", "ollama:qwen3:4b", "--json", OLLAMA_HOST=server.url)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "NaN" not in result.stdout
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_good_judge_agrees_with_people(command: Command, labelled: Path) -> None:
    found = report(command, labelled, judges.good)
    assert found["judge"] == "ollama:qwen3:4b"
    assert set(found["agreement"]) == {"correct", "supported", "helpful"}
    for each in found["agreement"].values():
        assert (each["scored"], each["unscored"], each["kappa"]["none"]["value"]) == (2, 0, 1.0)
        assert each["counts"] == [[1, 0], [0, 1]]
    assert found["length"]["rise"]["value"] == 0
    assert found["unscored"] == {}


def test_garbage_is_counted_and_never_a_number(command: Command, labelled: Path) -> None:
    found = report(command, labelled, judges.garbage)
    for each in found["agreement"].values():
        assert (each["scored"], each["unscored"], each["accuracy"]["value"]) == (0, 2, None)
        assert each["kappa"]["none"]["reason"] == "nothing was scored"
    assert (found["position"]["pairs"], found["position"]["unscored"]) == (0, 6)
    assert found["unscored"] == {
        "neither reply holds a grade from 1 to 5": 8,
        "neither reply holds a yes or no": 4,
    }
    with OllamaServer(script=judges.garbage) as server:
        shown = command("eval", "judge", labelled, "--judge", "ollama:qwen3:4b", OLLAMA_HOST=server.url)
    assert "0 answers judged, 2 unscored" in shown.stdout
    assert "8 times: neither reply holds a grade from 1 to 5" in shown.stdout
    assert "nan" not in shown.stdout.lower()


def test_a_judge_that_always_gives_the_best_shows_both_biases(command: Command, labelled: Path) -> None:
    found = report(command, labelled, judges.always_five)
    assert found["position"]["first"] == {"value": 1.0, "low": 1.0, "high": 1.0, "reason": None}
    assert found["position"]["consistent"]["value"] == 0.0
    assert found["agreement"]["correct"]["kappa"]["none"]["value"] == 0
    assert found["length"]["words"] == {
        "value": None,
        "low": None,
        "high": None,
        "reason": "every answer has the same value",
    }


def test_a_judge_that_likes_length_is_seen_through(command: Command, tmp_path: Path) -> None:
    rows = [{**ROWS[0], "answer": " ".join(["kelp"] * n) + ".", "label": 3, "reference": None} for n in (2, 5, 9)]
    path = tmp_path / "lengths.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    found = report(command, path, judges.likes_length)
    assert found["length"]["rising"]["value"] == 1.0
    assert found["length"]["rise"]["value"] > 0.2
    assert found["length"]["words"]["value"] == pytest.approx(1.0)
    assert found["position"]["consistent"]["value"] == 1.0
    assert found["agreement"]["helpful"]["scale"] == [1, 2, 3, 4, 5]


def test_the_report_for_people(command: Command, labelled: Path) -> None:
    with OllamaServer(script=judges.good) as server:
        result = command("eval", "judge", labelled, "--judge", "ollama:qwen3:4b", OLLAMA_HOST=server.url)
    assert result.exit_code == 0
    assert result.stdout.startswith(
        "correct        2 answers judged, 0 unscored\n"
        "accuracy       1.000 [1.000, 1.000]\n"
        "Cohen's kappa  1.000 [1.000, 1.000]\n"
        "label  judged 0  judged 1\n"
        "0      1         0\n"
        "1      0         1\n"
    )
    assert "the first one preferred" in result.stdout
    assert "unscored  " not in result.stdout


def test_a_judge_that_fails_in_the_middle_loses_only_those(command: Command, labelled: Path) -> None:
    found = report(command, labelled, ["5", Scripted("Gra", end="drop"), "5", "5", "Yes"])
    assert sum(found["unscored"].values()) >= 1
    assert any("broke" in reason for reason in found["unscored"])
    assert found["agreement"]["correct"]["scored"] == 2
    assert found["length"]["unscored"] >= 1


def test_what_cannot_be_judged_is_one_sentence(command: Command, labelled: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with OllamaServer(models=[Model("qwen3:8b")]) as server:
        cases = [
            (labelled, "ollama:qwen3:8b", "127.0.0.1:9", "ollama serve"),
            (labelled, "ollama:qwen3:4b", server.url, "--judge ollama:qwen3:8b"),
            (labelled, "auto", server.url, "--judge ollama:"),
            (empty, "ollama:qwen3:8b", server.url, "no labelled answer"),
            (tmp_path / "none.jsonl", "ollama:qwen3:8b", server.url, "cannot be read"),
        ]
        for path, spec, host, says in cases:
            result = command("eval", "judge", path, "--judge", spec, OLLAMA_HOST=host)
            assert (result.exit_code, result.stdout) == (1, ""), spec
            assert says in result.stderr
            assert result.stderr.count("\n") == 1
    assert command("eval", "judge", labelled).exit_code == 2


def test_a_model_without_a_template_is_warned_of(command: Command, labelled: Path) -> None:
    with OllamaServer(models=[Model(template="{{ .Prompt }}")], script="5") as server:
        result = command("eval", "judge", labelled, "--judge", "ollama:qwen3:4b", OLLAMA_HOST=server.url)
    assert "has no chat template" in result.stderr
