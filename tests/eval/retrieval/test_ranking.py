from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log2
from pathlib import Path

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, Qrel, R, ScoredDoc, nDCG

from assistant.encoder import Encoder
from assistant.library import Library
from assistant.schema import Paper
from assistant.tables import Change, Record
from eval.retrieval.collection import Collection, Query
from eval.retrieval.ranking import Documents, Search, run_names, values
from ingest.pipeline import resolved
from tests.conftest import change_of

Gains = Mapping[str, int]


def by_hand(ranking: Sequence[str], gains: Gains) -> dict[str, float]:
    """The measures by their definitions."""
    relevant = {document for document, gain in gains.items() if gain > 0}
    if not relevant:
        return dict.fromkeys(("nDCG@10", "R@10", "R@100", "RR@10", "AP@100"), 0.0)
    hits = [document in relevant for document in ranking]
    gained = [max(gains.get(document, 0), 0) / log2(place + 2) for place, document in enumerate(ranking[:10])]
    best = sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:10]
    precisions = [sum(hits[: place + 1]) / (place + 1) for place, hit in enumerate(hits[:100]) if hit]
    return {
        "nDCG@10": sum(gained) / sum(gain / log2(place + 2) for place, gain in enumerate(best)),
        "R@10": sum(hits[:10]) / len(relevant),
        "R@100": sum(hits[:100]) / len(relevant),
        "RR@10": next((1 / (place + 1) for place, hit in enumerate(hits[:10]) if hit), 0.0),
        "AP@100": sum(precisions) / len(relevant),
    }


LONG = [f"w{n}" for n in range(120)]

CASES: dict[str, tuple[list[str], Gains]] = {
    "perfect": (["a", "b", "c"], {"a": 3, "b": 2, "c": 1}),
    "reversed": (["c", "b", "a"], {"a": 3, "b": 2, "c": 1}),
    "empty": ([], {"a": 1}),
    "all wrong": (["x", "y"], {"a": 1, "b": 1}),
    "one document": (["a"], {"a": 1}),
    "one of two": (["x", "a"], {"a": 1, "b": 1}),
    "nothing relevant": (["a", "b"], {"a": 0, "b": 0}),
    "gains below nought": (["b", "a"], {"a": 1, "b": -2, "c": 0}),
    "only gains below nought": (["b", "a"], {"a": -1}),
    "at the tenth place": ([*LONG[:9], "a"], {"a": 1}),
    "at the eleventh place": ([*LONG[:10], "a"], {"a": 1}),
    "at the hundredth place": ([*LONG[:99], "a"], {"a": 2, "b": 1}),
    "beyond the hundredth": ([*LONG[:100], "a"], {"a": 1}),
    "more relevant than places": (LONG[:50], dict.fromkeys(LONG, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_measures_are_what_counting_by_hand_gives(case: str) -> None:
    ranking, gains = CASES[case]
    assert values([ranking], [gains]) == [pytest.approx(by_hand(ranking, gains), abs=1e-6)]


def test_queries_measured_together_are_measured_apart() -> None:
    rankings, gains = [ranking for ranking, _ in CASES.values()], [gains for _, gains in CASES.values()]
    assert values(rankings, gains) == [values([r], [g])[0] for r, g in zip(rankings, gains, strict=True)]


documents = st.integers(0, 30).map(str)


@given(st.lists(documents, unique=True), st.dictionaries(documents, st.integers(-1, 3), min_size=1))
def test_measures_of_any_ranking_agree_with_counting_by_hand(ranking: list[str], gains: dict[str, int]) -> None:
    assert values([ranking], [gains]) == [pytest.approx(by_hand(ranking, gains), abs=1e-6)]


@pytest.mark.skipif(not ir_measures.pytrec_eval.is_available(), reason="pytrec_eval is not installed")
@pytest.mark.parametrize("case", CASES)
def test_measures_agree_with_trec_eval(case: str) -> None:
    ranking, gains = CASES[case]
    measures = (nDCG @ 10, R @ 10, R @ 100, AP @ 100)
    qrels = [Qrel("q", document, max(gain, 0)) for document, gain in gains.items()]
    run = [ScoredDoc("q", document, 1 / (2 + place)) for place, document in enumerate(ranking)]
    theirs = {str(m): v for m, v in ir_measures.pytrec_eval.calc_aggregate(measures, qrels, run).items()}
    [ours] = values([ranking], [gains])
    assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=1e-6)


# Searching


def query(text: str = "How do bees dance?", **more: Mapping[str, str]) -> Query:
    return Query("q", text, {"17": 1}, **more)  # type: ignore[arg-type]


def collection(corpus: Path | None, *queries: Query) -> Collection:
    return Collection("bees", queries or (query(),), corpus)


@pytest.fixture
def from_corpus(library: Library) -> Callable[[Path, str], None]:
    """Notes that a paper was read from a corpus."""

    def note(corpus: Path, paper_id: str) -> None:
        record = Record(f"{corpus} {paper_id}", "digest", resolved(str(corpus)), paper_id)
        with library.writing():
            library.commit(Change(records=[record]))

    return note


def test_a_run_is_made_for_each_share_of_meaning(library: Library) -> None:
    search = Search(library, Documents(library, collection(None)), (0.0, 0.75, 1.0, 0.75))
    assert search.names == ["dense", "lexical", "fused", "fused@0", "fused@0.75", "fused@1"]
    found = search.rankings(query("forecasting storms"))
    assert list(found) == search.names == run_names((0.0, 0.75, 1.0))
    assert found["fused@0.75"] == found["fused"]
    assert found["fused@1"] == found["dense"]
    assert found["fused@0"][: len(found["lexical"])] == found["lexical"]


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_blank_query_finds_nothing(library: Library, text: str) -> None:
    found = Search(library, Documents(library, collection(None))).rankings(query(text))
    assert found == {"dense": [], "lexical": [], "fused": []}


def test_documents_go_by_the_corpus_own_ids(library: Library, from_corpus: Callable[[Path, str], None]) -> None:
    corpus = Path("corpus.jsonl")
    from_corpus(corpus, "openreview:bees0001")
    documents_ = Documents(library, collection(corpus))
    assert Search(library, documents_).rankings(query())["fused"][0] == "17"
    assert documents_.paper("17") == "openreview:bees0001"
    assert documents_.ranked(query(), {"arxiv:2501.00001": 1.0}) == ["arxiv:2501.00001"]


def test_an_equal_id_in_another_corpus_is_another_document(library: Library) -> None:
    documents_ = Documents(library, collection(Path("corpus.jsonl")))
    assert documents_.ranked(query(), {"openreview:bees0001": 1.0}) == ["openreview:bees0001"]
    assert documents_.paper("17") is None
    assert documents_.oddities(collection(Path("corpus.jsonl"))) == {"lacking": 1, "shared": 0}


def test_an_id_of_several_papers_counts_once_at_its_best_place(
    library: Library, encoder: Encoder, from_corpus: Callable[[Path, str], None]
) -> None:
    corpus = Path("corpus.jsonl")
    other = Paper("title:bees", title="Other bees", abstract="Bees sleep at night.", source_ids=("17",))
    with library.writing():
        library.commit(change_of([other], encoder))
    from_corpus(corpus, "openreview:bees0001")
    from_corpus(corpus, "title:bees")
    documents_ = Documents(library, collection(corpus))
    scores = {"arxiv:2501.00001": 2.0, "title:bees": 1.0, "openreview:bees0001": 3.0}
    assert documents_.ranked(query(), scores) == ["17", "arxiv:2501.00001"]
    assert documents_.oddities(collection(corpus)) == {"lacking": 0, "shared": 1}


def test_versions_of_one_paper_are_one_document(library: Library) -> None:
    documents_ = Documents(library, collection(None))
    asked = replace(query(), versions={"arxiv:2501.00001": "doi:10.1234/glacier"})
    scores = {"arxiv:2501.00001": 3.0, "openreview:bees0001": 2.0, "doi:10.1234/glacier": 1.0}
    assert documents_.ranked(asked, scores) == ["doi:10.1234/glacier", "openreview:bees0001"]


def test_ties_are_settled_as_trec_eval_does(library: Library) -> None:
    documents_ = Documents(library, collection(None))
    assert documents_.ranked(query(), {"b": 1.0, "a": 1.0, "c": 1.0, "d": 2.0}) == ["d", "c", "b", "a"]
