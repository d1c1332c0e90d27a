"""Whole transcripts of `askpapers eval retrieval`."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from eval.runs import Run
from tests.ui.conftest import Command
from tests.ui.corpus import RECORDS

QUERIES = {"q1": "counting kelp", "q2": "frost in vineyards", "q3": "air of a city", "q4": "", "q5": "not judged"}
JUDGEMENTS = ("q1\tkelp\t1", "q1\tmoss\t0", "q2\tfrost\t1", "q3\tmoss\t2", "q3\tgone\t1", "q4\tkelp\t1")


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "coast"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": r["id"], "title": r.get("title", ""), "text": r["abstract"]} for r in RECORDS]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, [*corpus, {"_id": "void"}])), encoding="utf-8")
    queries = [{"_id": name, "text": text} for name, text in QUERIES.items()]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    lines = ["query-id\tcorpus-id\tscore", *JUDGEMENTS]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {"id": "a", "question": "What counts kelp in satellite images?", "gold": ["kelp"]},
        {"id": "b", "question": "How early is frost forecast?", "gold": ["FROST"]},
        {"id": "c", "question": "And moss?", "gold": ["moss"], "history": [["Kelp?", "Yes."]]},
        {"id": "d", "question": "Who won?", "gold": []},
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def measured(result: Any) -> dict[str, Any]:
    [line] = result.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_a_folder_is_measured_in_a_library_that_is_thrown_away(command: Command, beir: Path, tmp_path: Path) -> None:
    result = command("eval", "retrieval", beir, "--weight", "0.5", "--weight", "1", "--json")
    assert result.exit_code == 0
    found = measured(result)
    assert list(found) == ["runs", "baseline", "differences", "queries", "counts", "faults"]
    assert list(found["runs"]) == ["dense", "lexical", "fused", "fused@0.5", "fused@1"]
    assert list(found["runs"]["fused"]) == ["nDCG@10", "R@10", "R@100", "RR@10", "AP@100"]
    assert found["runs"]["fused"]["RR@10"] == {"mean": 0.75, "low": 0.25, "high": 1.0}
    assert found["baseline"] == "lexical"
    assert list(found["differences"]) == ["dense", "fused", "fused@0.5", "fused@1"]
    assert set(found["differences"]["fused"]["nDCG@10"]) == {"mean", "low", "high", "p"}
    assert found["counts"] == {
        "queries": 4,
        "blank": 1,
        "without_relevant": 0,
        "not_relevant": 1,
        "unjudged": 1,
        "lacking": 1,
        "shared": 0,
        "rejected": 1,
    }
    assert result.stderr.splitlines() == [
        "Queries without a judgement in this split, left out: 1.",
        "Judged queries without text, which find nothing and count as 0: 1.",
        "Judgements of gain 0 or below, not relevant: 1.",
        "Relevant documents that the library lacks, missed by every run: 1.",
        "Records of the corpus that could not be read: 1.",
    ]
    assert not list(tmp_path.rglob("run.sqlite"))


def test_a_library_that_is_named_keeps_the_corpus_and_the_run(command: Command, beir: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    result = command("eval", "retrieval", beir, "--library", library)
    assert result.exit_code == 0
    [folder] = (library / "runs").iterdir()
    assert folder.name.startswith("coast-")
    assert result.stderr.endswith(f"The run is in {folder}; its report is {folder / 'report.html'}.\n")
    with Run.open(folder) as run:
        assert run.finished
        assert run.header().command == "retrieval"
        assert run.header().settings == {"collection": "coast, test", "weights": []}
        assert len(run.rows()) == 3 * 4
    assert "Forecasting Frost" in command("search", "frost", "--library", library).stdout


def test_the_figures_stand_in_a_table_a_measure(command: Command, beir: Path) -> None:
    result = command("eval", "retrieval", beir, "--baseline", "dense")
    first = result.stdout.split("\n\n")[0].splitlines()
    assert first[0].split("  ")[0] == "nDCG@10"
    assert "against dense" in first[0]
    assert [line.split()[0] for line in first[1:]] == ["dense", "lexical", "fused"]
    assert len(first[1].split()) == 5
    assert len(first[2].split()) == 10


def test_queries_that_changed_are_told(command: Command, beir: Path) -> None:
    (beir / "qrels" / "test.tsv").write_text("q5\tfrost\t1\nq1\tkelp\t1\n", encoding="utf-8")
    found = measured(command("eval", "retrieval", beir, "--json"))
    [change] = found["queries"]["gained"]
    assert (change["id"], change["question"], change["run"]) == ("q5", "not judged", "fused")
    assert change["difference"] == round(change["value"] - change["baseline"], 4) > 0
    shown = command("eval", "retrieval", beir).stdout
    assert "fused gained most against lexical, nDCG@10:" in shown
    assert f"0.000 to {change['value']:.3f}, q5: not judged" in shown


def test_a_run_that_was_stopped_goes_on(command: Command, beir: Path, tmp_path: Path) -> None:
    arguments = ("eval", "retrieval", beir, "--json", "--out", tmp_path / "run")
    whole = command(*arguments)
    with sqlite3.connect(tmp_path / "run" / "run.sqlite") as connection:
        connection.execute("DELETE FROM rows WHERE question_id IN ('q1', 'q3')")
    connection.close()
    again = command(*arguments)
    assert f"{tmp_path / 'run'} holds 2 of 4 queries; going on from there.\n" in again.stderr
    assert again.stdout == whole.stdout
    other = command(*arguments, "--weight", "0.5")
    assert (other.exit_code, other.stdout) == (1, "")
    assert "holds a run of other settings" in other.stderr


def test_questions_are_searched_in_the_library(command: Command, questions: Path, tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text(json.dumps([{"key": "FROST", "contains": ["Late frost ruins vineyards."]}]), encoding="utf-8")
    arguments = ("eval", "retrieval", questions, "--out", tmp_path / "run", "--json")
    result = command(*arguments, "--papers", keys)
    assert result.exit_code == 0
    found = measured(result)
    assert found["runs"]["fused"]["RR@10"]["mean"] == 1.0
    assert (found["counts"]["queries"], found["counts"]["follow_ups"], found["counts"]["unanswerable"]) == (2, 1, 1)
    assert result.stderr.splitlines()[:2] == [
        "Questions with a history, left out: 1.",
        "Questions that no paper answers, left out: 1.",
    ]
    with Run.open(tmp_path / "run") as run:
        assert {row.question_id for row in run.rows()} == {"a", "b"}


def test_a_question_that_cannot_be_used_is_told_and_fails(command: Command, questions: Path, tmp_path: Path) -> None:
    result = command("eval", "retrieval", questions, "--out", tmp_path / "run", "--json")
    assert result.exit_code == 1
    [fault] = measured(result)["faults"]
    assert fault["id"] == "b"
    assert "b was not searched: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--baseline", "best"], "--baseline is one of dense, lexical, fused."),
        (["--weight", "1.5"], "'1.5' is not a number from 0 to 1"),
        (["--weight", "nan"], "'nan' is not a number from 0 to 1"),
        (["--papers", "keys.json"], "--papers goes with a file of questions."),
    ],
)
def test_wrong_usage_is_told(command: Command, beir: Path, arguments: list[str], sentence: str) -> None:
    result = command("eval", "retrieval", beir, *arguments)
    assert result.exit_code == 2
    assert sentence in " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize("option", ["--split", "--encoder"])
def test_options_of_a_folder_do_not_go_with_questions(command: Command, questions: Path, option: str) -> None:
    assert command("eval", "retrieval", questions, option, "test").exit_code == 2


@pytest.mark.parametrize("library", ["--library", None])
def test_an_encoder_is_loaded_from_where_it_is_told(
    command: Command, beir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str | None
) -> None:
    monkeypatch.undo()  # the encoder is not the shared one here
    named = [library, str(tmp_path / "library")] if library else []
    result = command("eval", "retrieval", beir, "--encoder", str(tmp_path / "nowhere"), *named)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nowhere is not on this machine" in result.stderr


def test_a_corpus_without_papers_is_told(command: Command, beir: Path) -> None:
    (beir / "corpus.jsonl").write_text("", encoding="utf-8")
    result = command("eval", "retrieval", beir)
    assert result.exit_code == 1
    assert "holds no paper" in result.stderr


def test_a_folder_that_is_not_there_is_told(command: Command, tmp_path: Path) -> None:
    result = command("eval", "retrieval", tmp_path / "nothing")
    assert result.exit_code == 1
    assert "give a folder in BEIR's layout, or a file of questions" in result.stderr
