from math import log2
from pathlib import Path

import pytest

from assistant.library import Library
from eval.beir import Collection
from eval.ranking import measured, runs

QRELS = {"q1": {"17": 1}, "q2": {"nowhere": 1}}
QUERIES = {"q1": "How do bees dance?", "q2": "forecasting the sea"}
COLLECTION = Collection(Path("corpus.jsonl"), QUERIES, QRELS)


def test_search_is_run_three_ways_by_source_id(library: Library) -> None:
    told: list[tuple[int, int]] = []
    found = runs(library, COLLECTION, lambda done, total: told.append((done, total)))
    assert set(found) == {"dense", "lexical", "fused"}
    assert max(found["fused"]["q1"], key=lambda d: found["fused"]["q1"][d]) == "17"
    assert told[-1] == (2, 2)


def test_measures_agree_with_counting_by_hand() -> None:
    run = {"q1": {"x": 0.9, "17": 0.8}, "q2": {"x": 0.5}}
    result = measured(run, COLLECTION)
    assert result["nDCG@10"].mean == pytest.approx((1 / log2(3) + 0) / 2, abs=1e-6)
    assert result["RR@10"].mean == pytest.approx(0.25)
    assert result["R@10"].mean == pytest.approx(0.5)


def test_a_query_without_results_counts_as_nought() -> None:
    assert measured({"q1": {"17": 1.0}}, COLLECTION)["nDCG@10"].mean == pytest.approx(0.5)
