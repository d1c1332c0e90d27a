"""How well a library's search ranks the judged papers of a test collection."""

from collections.abc import Callable, Iterator, Mapping
from typing import cast

import ir_measures
from ir_measures import AP, RR, Qrel, R, ScoredDoc, nDCG

from assistant.library import Library
from assistant.retrieval import Retriever
from eval.beir import Collection
from eval.statistics import Estimate, bootstrap

MEASURES = (nDCG @ 10, R @ 10, R @ 100, RR @ 10, AP @ 100)

Run = dict[str, dict[str, float]]


def runs(library: Library, collection: Collection, on_query: Callable[[int, int], None]) -> dict[str, Run]:
    """Search every query three ways: dense, lexical and fused; scores by document id, by query id, by name."""
    retriever = Retriever(library)
    found: dict[str, Run] = {"dense": {}, "lexical": {}, "fused": {}}
    for query_id, text in collection.queries.items():
        ranking = retriever.rank(text)
        lists = {"dense": ranking.dense, "lexical": ranking.lexical, "fused": ranking.fused}
        for name, scores in lists.items():
            found[name][query_id] = _by_document(library, scores)
        on_query(len(found["fused"]), len(collection.queries))
    return found


def _by_document(library: Library, scores: Mapping[str, float]) -> dict[str, float]:
    papers = library.catalogue.papers(scores)
    return {source_id: scores[paper.paper_id] for paper in papers for source_id in paper.source_ids}


def measured(run: Run, collection: Collection) -> dict[str, Estimate]:
    """Return each measure's mean over the queries with its 95% interval."""
    qrels = [Qrel(q, d, gain) for q, gains in collection.qrels.items() for d, gain in gains.items()]
    values: dict[str, list[float]] = {str(measure): [] for measure in MEASURES}
    for metric in ir_measures.iter_calc(MEASURES, qrels, _scored(run)):
        values[str(metric.measure)].append(cast(float, metric.value))
    return {name: bootstrap(numbers) for name, numbers in values.items()}


def _scored(run: Run) -> Iterator[ScoredDoc]:
    return (ScoredDoc(q, d, score) for q, scores in run.items() for d, score in scores.items())
