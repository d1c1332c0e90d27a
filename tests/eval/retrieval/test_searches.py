from collections.abc import Callable
from pathlib import Path

import pytest

import eval.retrieval.searches
from assistant.library import Library
from eval.retrieval.collection import Collection, Query
from eval.retrieval.searches import evaluate
from eval.runs import Header, Row, Run

BEES, TIDES = "openreview:bees0001", "arxiv:2501.00001"
QUERIES = (
    Query("1", "How do bees dance?", {BEES: 1}),
    Query("2", "forecasting storms at sea", {TIDES: 2, "nowhere": 1, BEES: 0}),
    Query("3", "  ", {BEES: 1}),
    Query("4", "winters of the past", {"doi:10.1234/glacier": 1}, kind="fact"),
)
COLLECTION = Collection("small", QUERIES)


def begun(folder: Path) -> Run:
    return Run.begin(folder, Header("retrieval", COLLECTION.digest, "library", {}, {}, created="today"))


def rows_of(folder: Path, library: Library) -> list[Row]:
    with begun(folder) as run:
        evaluate(library, COLLECTION, run, lambda *_: None, (0.5,))
        assert run.finished
        return run.rows()


def test_a_row_holds_the_measures_and_what_was_found(library: Library, tmp_path: Path) -> None:
    rows = {(row.series, row.question_id): row for row in rows_of(tmp_path, library)}
    assert {series for series, _ in rows} == {"dense", "lexical", "fused", "fused@0.5"}
    row = rows["fused", "2"]
    assert row.measures["RR@10"] == 1.0
    assert row.measures["R@10"] == 0.5
    assert row.detail["question"] == "forecasting storms at sea"
    top, missed = row.detail["top"], row.detail["missed"]
    assert isinstance(top, list)
    assert top[0] == {
        "id": TIDES,
        "paper_id": TIDES,
        "title": "TIDE-BENCH: A Benchmark for Forecasting the Sea",
        "gain": 2,
        "judged": True,
    }
    assert missed == [{"id": "nowhere", "paper_id": None, "title": None, "gain": 1, "place": None}]
    assert rows["dense", "4"].kind == "fact"


def test_a_blank_query_is_a_row_that_counts_as_nought(library: Library, tmp_path: Path) -> None:
    blank = [row for row in rows_of(tmp_path, library) if row.question_id == "3"]
    assert len(blank) == 4
    assert all(set(row.measures.values()) == {0.0} and row.detail["top"] == [] for row in blank)


def test_what_the_library_lacks_is_counted(library: Library, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with begun(tmp_path) as run:
        counts = evaluate(library, COLLECTION, run, lambda done, total: told.append((done, total)))
    assert counts == {"lacking": 1, "shared": 0}
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("stop_after", [1, 2, 3])
def test_a_stopped_run_goes_on_to_the_same_rows(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_after: int
) -> None:
    monkeypatch.setattr(eval.retrieval.searches, "AT_ONCE", 1)
    with begun(tmp_path / "stopped") as run, pytest.raises(KeyboardInterrupt):
        evaluate(library, COLLECTION, run, _stopping(stop_after + 1), (0.5,))
    with begun(tmp_path / "stopped") as run:
        assert len(run.done()) == stop_after
        assert not run.finished
    told: list[int] = []
    with begun(tmp_path / "stopped") as run:
        evaluate(library, COLLECTION, run, lambda done, _: told.append(done), (0.5,))
    assert told == list(range(stop_after + 1, 5))
    assert rows_of(tmp_path / "stopped", library) == rows_of(tmp_path / "whole", library)


def _stopping(at: int) -> Callable[[int, int], None]:
    def stop(done: int, _: int) -> None:
        if done == at:
            raise KeyboardInterrupt

    return stop
