import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.library import Library
from assistant.retrieval import DENSE_WEIGHT, Retriever, fuse
from assistant.schema import Filters

SCORES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1), max_size=6)


@given(SCORES, SCORES)
def test_fused_scores_come_best_first_and_leave_nobody_out(dense: dict[str, float], lexical: dict[str, float]) -> None:
    fused = fuse(dense, lexical)
    assert fused.keys() == dense.keys() | lexical.keys()
    assert list(fused.values()) == sorted(fused.values(), reverse=True)


def test_a_paper_found_by_words_alone_gets_the_lowest_cosine() -> None:
    fused = fuse({"a": 0.8, "b": 0.2}, {"c": 4.0, "a": 2.0})
    assert fused["c"] == pytest.approx(DENSE_WEIGHT * 0.2 + (1 - DENSE_WEIGHT))
    assert fused["a"] == pytest.approx(DENSE_WEIGHT * 0.8 + (1 - DENSE_WEIGHT) * 0.5)
    assert fused["b"] == pytest.approx(DENSE_WEIGHT * 0.2)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("now2ice", "doi:10.1234/glacier"),
        ("SNOW2ICE", "doi:10.1234/glacier"),
        ("wagglenet", "openreview:bees0001"),
        ("tide-bench", "arxiv:2501.00001"),
        ("tide bench", "arxiv:2501.00001"),
        ("tidebench", "arxiv:2501.00001"),
        ("How do bees tell each other where flowers are?", "openreview:bees0001"),
        ("songs of the deep", "title:0123456789abcdef"),
        ("winter temperatures of the past", "doi:10.1234/glacier"),
    ],
)
def test_names_and_meanings_find_their_paper(library: Library, query: str, first: str) -> None:
    assert Retriever(library).search(query)[0].paper.paper_id == first


def test_each_paper_comes_once_and_best_first(library: Library) -> None:
    found = Retriever(library).search("forecasting the sea with networks", k=4)
    ids = [c.paper.paper_id for c in found]
    assert len(ids) == len(set(ids)) == 4
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(years=(2025, 2026)), {"arxiv:2501.00001", "doi:10.1234/glacier"}),
        (Filters(venues=("ICML",)), {"openreview:bees0001", "doi:10.1234/glacier"}),
        (Filters(authors=("Núñez",)), {"openreview:bees0001", "arxiv:2501.00001"}),
        (Filters(years=(2026, None), venues=("NeurIPS",)), set()),
    ],
)
def test_filters_hold_on_both_sides(library: Library, filters: Filters, ids: set[str]) -> None:
    ranking = Retriever(library).rank("a network for bees, tides and glaciers", filters)
    assert ranking.dense.keys() == ids
    assert ranking.lexical.keys() <= ids
    assert ranking.fused.keys() == ids


def test_a_blank_query_finds_nothing(library: Library) -> None:
    assert Retriever(library).search("  ") == []


def test_langchain_gets_documents(library: Library) -> None:
    documents = Retriever(library, k=2).invoke("bees")
    assert len(documents) == 2
    assert documents[0].id == "openreview:bees0001"
    assert documents[0].page_content.startswith("WaggleNet")
