"""A library's search over the queries of a collection: documents ranked several ways, and how good each ranking is."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import ir_measures
from ir_measures import AP, RR, Qrel, R, ScoredDoc, nDCG

from assistant.library import Library
from assistant.retrieval import Retriever
from eval.retrieval.collection import Collection, Query
from ingest.pipeline import resolved

MEASURES = (nDCG @ 10, R @ 10, R @ 100, RR @ 10, AP @ 100)
DEPTH = 100

Rankings = dict[str, list[str]]
"""The ids of the documents found, best first, by the name of a run."""


def run_names(weights: Iterable[float] = ()) -> list[str]:
    """Return the names of the runs that are made: three, and one for each further share of meaning."""
    return ["dense", "lexical", "fused", *(_name(weight) for weight in dict.fromkeys(weights))]


def values(rankings: Sequence[Sequence[str]], gains: Sequence[Mapping[str, int]]) -> list[dict[str, float]]:
    """Return the measures of each ranking by their names, given the gain of each judged document of its query.

    A gain below 0 counts as 0, not relevant. As in trec_eval, a query to which nothing is relevant scores 0.
    """
    qrels = [Qrel(str(q), d, max(gain, 0)) for q, judged in enumerate(gains) for d, gain in judged.items()]
    # Places as scores: ties are settled before, the same for every measure.
    run = [ScoredDoc(str(q), d, float(-place)) for q, found in enumerate(rankings) for place, d in enumerate(found)]
    measured = [{str(measure): 0.0 for measure in MEASURES} for _ in rankings]
    for metric in ir_measures.iter_calc(MEASURES, qrels, run):
        measured[int(metric.query_id)][str(metric.measure)] = cast(float, metric.value)
    return measured


class Documents:
    """The documents of a collection as papers of a library.

    A paper that was read from the collection's corpus is the documents of its source ids, any other one itself.
    """

    def __init__(self, library: Library, collection: Collection) -> None:
        self._of: dict[str, tuple[str, ...]] = {}
        self._papers: defaultdict[str, list[str]] = defaultdict(list)
        source = None if collection.corpus is None else resolved(str(collection.corpus))
        own = {record.paper_id for record in library.catalogue.records() if record.source == source}
        for paper in library.catalogue:
            self._of[paper.paper_id] = (paper.paper_id in own and paper.source_ids) or (paper.paper_id,)
            for document in self._of[paper.paper_id]:
                self._papers[document].append(paper.paper_id)

    def ranked(self, query: Query, scores: Mapping[str, float]) -> list[str]:
        """Return the best documents, given scores by paper id; ties as trec_eval breaks them, by id, descending.

        A document of several papers stands at the best one's place.
        """
        best: dict[str, float] = {}
        for paper_id, score in scores.items():
            for name in self._of.get(paper_id, (paper_id,)):
                document = query.versions.get(name, name)
                best[document] = max(score, best.get(document, score))
        return sorted(best, key=lambda document: (best[document], document), reverse=True)[:DEPTH]

    def paper(self, document: str) -> str | None:
        """Return the id of the paper that a document is; None when the library lacks it."""
        return self._papers[document][0] if document in self._papers else None

    def oddities(self, collection: Collection) -> dict[str, int]:
        """Count the relevant documents that the library lacks, and the judged ones under several papers."""
        judged = {document for query in collection.queries for document in query.gains}
        relevant = {document for query in collection.queries for document in query.relevant}
        return {
            "lacking": len(relevant - self._papers.keys()),
            "shared": sum(len(self._papers[document]) > 1 for document in judged & self._papers.keys()),
        }


class Search:
    """Searches a library dense, lexical and fused, the last also with other shares of meaning."""

    def __init__(self, library: Library, documents: Documents, weights: Sequence[float] = ()) -> None:
        self._retriever, self._documents = Retriever(library), documents
        self._weights = tuple(dict.fromkeys(weights))
        self.names = run_names(weights)

    def rankings(self, query: Query) -> Rankings:
        """Return what each run finds; a blank query finds nothing."""
        if not query.text.strip():
            return {name: [] for name in self.names}
        found = self._retriever.rank(query.text)
        scores = {"dense": found.dense, "lexical": found.lexical, "fused": found.fused}
        for weight in self._weights:
            scores[_name(weight)] = self._retriever.fused(query.text, found.dense, found.lexical, weight)
        return {name: self._documents.ranked(query, scores[name]) for name in self.names}


def _name(weight: float) -> str:
    return f"fused@{str(weight).removesuffix('.0')}"
