import json
from collections.abc import Mapping

import pytest

from assistant.errors import QuestionError
from assistant.library import Library
from eval.cases import PaperKeys, read_dataset
from eval.retrieval.collection import Collection
from eval.retrieval.gold import judged
from tests.conftest import PAPERS

BEES, TIDES, GLACIER = (paper.paper_id for paper in PAPERS[:3])


def collection(library: Library, *rows: Mapping[str, object], keys: dict[str, list[str]] | None = None) -> Collection:
    dataset = read_dataset([json.dumps(row) for row in rows], PaperKeys(library, keys or {}))
    return judged(dataset, "questions")


ASKED = {"id": "a", "question": "How do bees dance?", "type": "fact", "gold": ["17"]}


def test_gold_papers_are_the_relevant_ones(library: Library) -> None:
    found = collection(library, ASKED, {"id": "b", "question": "Both?", "gold": [BEES, TIDES]})
    first, second = found.queries
    assert (first.query_id, first.kind, first.gains) == ("a", "fact", {BEES: 1})
    assert second.gains == {BEES: 1, TIDES: 1}
    assert found.corpus is None


def test_what_is_left_out_is_counted(library: Library) -> None:
    found = collection(
        library,
        ASKED,
        {"id": "h", "question": "And it?", "gold": [BEES], "history": [["How?", "So."]]},
        {"id": "u", "question": "Who won?", "gold": []},
        {"id": "n", "question": "What?", "reference": "Bees."},
        {"id": "f", "question": "Where?", "gold": ["no such paper"]},
    )
    assert [query.query_id for query in found.queries] == ["a"]
    assert found.counts == {
        "queries": 1,
        "blank": 0,
        "without_relevant": 0,
        "not_relevant": 0,
        "follow_ups": 1,
        "unanswerable": 1,
        "without_gold": 1,
    }
    [(question_id, error)] = found.faults
    assert question_id == "f"
    assert "no such paper" in error


def test_versions_of_one_paper_are_one_document(library: Library) -> None:
    keys = {"sea": ["Tides follow", "keep the air of the past"], "bees": ["Honey bees"]}
    [query] = collection(library, {"id": "v", "question": "Sea?", "gold": ["sea", "bees"]}, keys=keys).queries
    stands = min(TIDES, GLACIER)
    assert query.gains == {stands: 1, BEES: 1}
    assert query.versions == {TIDES: stands, GLACIER: stands, BEES: BEES}


def test_versions_that_overlap_are_one(library: Library) -> None:
    keys = {"a": ["Honey bees", "Tides follow"], "b": ["keep the air"], "c": ["Tides follow", "keep the air"]}
    [query] = collection(library, {"id": "v", "question": "All?", "gold": ["a", "b", "c"]}, keys=keys).queries
    assert query.gains == {min(BEES, TIDES, GLACIER): 1}
    assert set(query.versions) == {BEES, TIDES, GLACIER}


def test_a_file_without_a_question_to_search_is_told(library: Library) -> None:
    with pytest.raises(QuestionError, match="no question with"):
        collection(library, {"id": "u", "question": "Who won?", "gold": []})
