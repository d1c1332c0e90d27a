import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.errors import RunError
from assistant.library import Library
from eval.cases import Case
from eval.evaluation import evaluate
from eval.runs import Header, Row, Run, header_of, stored
from tests.eval.conftest import QUESTIONS, Remembering
from tests.eval.outcomes import untimed

HEADER = Header("answers", "q1", "l1", {"answerer": "extractive", "words": None}, {"askpapers": "1"}, 3, None)
ROWS = [
    Row("b", "fact", {"risk": None, "coverage": 1.0}, "answers", 1, 0.25, {"question": "Wer, José?", "n": [1, None]}),
    Row("a", "multi", {}, "answers", 0),
    Row("a", "multi", {"ndcg": 0.5}, "dense", 0),
]
SENTENCE = r"[^\n]+[.!]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs" / "first"


def fails(work: Callable[[], object], says: str) -> None:
    """See that something fails with one sentence."""
    with pytest.raises(RunError, match=says) as caught:
        work()
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_what_is_kept_comes_back(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add(ROWS)
        assert (run.name, run.finished, run.header()) == ("first", False, HEADER)
        run.finish()
    with Run.open(folder) as run:
        assert run.rows() == [ROWS[1], ROWS[0], ROWS[2]]
        assert run.finished
        assert run.done() == {"a", "b"}
    assert header_of(folder) == (HEADER, True)


TEXTS = st.text(st.characters(exclude_categories=()))


@given(TEXTS, st.dictionaries(st.text(), st.floats(-1e9, 1e9) | st.none(), max_size=3), st.floats(0, 1) | st.none())
@settings(max_examples=30)
def test_any_row_can_be_kept(
    tmp_path_factory: pytest.TempPathFactory, text: str, measures: dict[str, float | None], confidence: float | None
) -> None:
    row = Row("1", "fact", measures, confidence=confidence, detail={"question": text})
    with Run.begin(tmp_path_factory.mktemp("run"), HEADER) as run:
        run.add([row])
        assert run.rows() == [row]


def test_a_row_of_the_same_question_takes_its_place(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add(ROWS)
        run.add([replace(ROWS[0], kind="new")])
        assert [row.kind for row in run.rows()] == ["multi", "new", "multi"]


def test_a_question_that_failed_is_not_done(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add([ROWS[0], Row("c", "fact", {"coverage": None}, detail={"error": "It failed."})])
        assert run.done() == {"b"}


def test_a_run_goes_on_with_what_it_has(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add(ROWS)
    with Run.begin(folder, replace(HEADER, created="later")) as run:
        assert run.done() == {"a", "b"}
        assert run.header() == HEADER


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"questions": "q2"}, "of other questions; name another folder with --out"),
        ({"library": "l2", "seed": 4}, "of other library and seed;"),
        ({"settings": {}, "versions": {}, "model": "m"}, "of other settings, versions and model;"),
        ({"command": "retrieval"}, "of other command;"),
    ],
)
def test_a_run_of_something_else_is_left_alone(folder: Path, change: dict[str, object], says: str) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add(ROWS)
    fails(lambda: Run.begin(folder, replace(HEADER, **change)), says)  # type: ignore[arg-type]
    with Run.open(folder) as run:
        assert len(run.rows()) == 3


@pytest.mark.parametrize("content", [b"", b"no database at all, but text", b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_file_that_is_no_run(folder: Path, content: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "run.sqlite").write_bytes(content)
    fails(lambda: Run.open(folder), "cannot be read")
    if content:
        fails(lambda: Run.begin(folder, HEADER), "cannot hold a run")


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE run (other TEXT)", "INSERT INTO run VALUES ('x')"],
        ["CREATE TABLE run (header TEXT, finished TEXT)", "INSERT INTO run VALUES ('{', NULL)"],
        ["CREATE TABLE run (header TEXT, finished TEXT)", "INSERT INTO run VALUES ('[1]', NULL)"],
        ["CREATE TABLE run (header TEXT, finished TEXT)", "INSERT INTO run VALUES ('{\"odd\": 1}', NULL)"],
    ],
)
def test_a_database_of_somebody_else(folder: Path, statements: list[str]) -> None:
    folder.mkdir(parents=True)
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    fails(lambda: Run.begin(folder, HEADER), "cannot be read")
    fails(lambda: Run.open(folder), "cannot be read")


def test_rows_that_are_damaged(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add(ROWS)
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection, connection:
        connection.execute("UPDATE rows SET measures = '{'")
    with Run.open(folder) as run:
        fails(run.rows, "cannot be read")
        fails(run.done, "cannot be read")


def test_a_file_cut_in_the_middle(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run.add([Row(str(i), "fact", {}, detail={"text": "x" * 3000}) for i in range(40)])
    path = folder / "run.sqlite"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    def read() -> None:
        with Run.open(folder) as run:
            run.rows()

    fails(read, "cannot be read")


def test_no_run_and_no_folder(tmp_path: Path) -> None:
    fails(lambda: Run.open(tmp_path), "holds no run; make one with `askpapers eval answers FILE --out")
    (tmp_path / "file").touch()
    fails(lambda: Run.begin(tmp_path / "file", HEADER), "cannot hold a run")
    fails(lambda: Run.begin(tmp_path / "file" / "below", HEADER), "cannot hold a run")
    (tmp_path / "odd" / "run.sqlite").mkdir(parents=True)
    fails(lambda: Run.begin(tmp_path / "odd", HEADER), "cannot hold a run")
    fails(lambda: Run.open(tmp_path / "odd"), "holds no run")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.runs._PATIENCE", 0.05)


@pytest.mark.usefixtures("impatient")
def test_a_run_that_another_process_writes(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run, closing(sqlite3.connect(folder / "run.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        fails(lambda: run.add(ROWS), "another process writes it")
        fails(run.finish, "another process writes it")
        fails(run.rows, "locked")
        fails(lambda: Run.begin(folder, HEADER), "locked")
        other.rollback()
        run.add(ROWS)
        assert len(run.rows()) == 3


def test_a_run_that_cannot_be_written(folder: Path) -> None:
    with Run.begin(folder, HEADER) as run:
        run._connection.execute("PRAGMA query_only = ON")
        fails(lambda: run.add(ROWS), "cannot be written")
        assert run.rows() == []


def test_a_folder_with_other_files_can_hold_a_run(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with Run.begin(folder, HEADER):
        pass
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_runs_are_listed_the_newest_first(tmp_path: Path) -> None:
    assert stored(tmp_path / "none") == []
    for name in ("old", "new"):
        Run.begin(tmp_path / name, HEADER).close()
        time.sleep(0.02)
    (tmp_path / "empty").mkdir()
    assert [path.name for path in stored(tmp_path)] == ["new", "old"]


_CHILD = """
import sys
from pathlib import Path
from assistant.chain import Assistant
from assistant.library import Library
from eval.cases import PaperKeys, read_dataset, read_keys
from eval.evaluation import evaluate
from eval.runs import Run
from tests.eval.test_runs import HEADER

def main(folder, questions, out):
    with Library.open(Path(folder)) as library:
        keys = read_keys(Path(questions, "sample_papers.json").read_text(encoding="utf-8"))
        with open(Path(questions, "sample.jsonl"), encoding="utf-8") as lines:
            cases = read_dataset(lines, PaperKeys(library, keys)).cases
        with Run.begin(Path(out), HEADER) as run:
            evaluate(Assistant(library), cases, run, lambda done, total: print(done, flush=True))

main(*sys.argv[1:])
"""


@pytest.fixture
def killed(sample: Library, folder: Path) -> Path:
    """A run whose process was killed after some rows, in the middle of whatever it did."""
    command = [sys.executable, "-c", _CHILD, str(sample.folder), str(QUESTIONS), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as child:
        assert child.stdout is not None
        for line in child.stdout:
            if int(line) >= 5:
                child.kill()
                break
    assert child.returncode not in (0, 1)
    return folder


def test_a_run_killed_in_the_middle_ends_as_one_that_was_not(
    killed: Path, tmp_path: Path, sample_cases: tuple[Case, ...], quoting: Remembering
) -> None:
    with Run.begin(tmp_path / "whole", HEADER) as run:
        evaluate(quoting, sample_cases, run, lambda *_: None)
        whole = run.rows()
    asked: list[int] = []
    with Run.begin(killed, HEADER) as run:
        before = len(run.done())
        unfinished = not run.finished
        evaluate(quoting, sample_cases, run, lambda done, _: asked.append(done))
        finished, resumed = run.finished, run.rows()
    assert (unfinished, finished) == (True, True)
    assert 5 <= before < len(sample_cases)
    assert asked == list(range(before + 1, len(sample_cases) + 1))
    assert list(map(untimed, resumed)) == list(map(untimed, whole))
