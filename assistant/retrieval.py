"""From a question to ranked papers: dense and lexical candidates, fused, one entry per paper."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from assistant.library import Library
from assistant.naming import in_use, is_called, own_name
from assistant.schema import EVERYTHING, Candidate, Filters, Paper
from assistant.terms import names
from assistant.text import fold, sound, words

VECTORS = 300
PAPERS = 100
DENSE_WEIGHT = 0.75
NAMED = 0.2
NAMED_AMONG = 50


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores by paper id: cosine, BM25, and both fused, the last highest first."""

    dense: Mapping[str, float]
    lexical: Mapping[str, float]
    fused: Mapping[str, float]


def fuse(dense: Mapping[str, float], lexical: Mapping[str, float], weight: float = DENSE_WEIGHT) -> dict[str, float]:
    """Fuse cosines and BM25 scores by paper id into one score, highest first, ties by id.

    It is a weighted sum (Bruch et al. 2023) of the cosine as it is and of BM25 as a share of this query's best; the
    cosine counts `weight`, in 0..1, BM25 the rest. A paper found by words alone gets the lowest cosine found, one found
    by meaning alone no share.
    """
    lowest = min(dense.values(), default=0.0)
    best = max(lexical.values(), default=0.0) or 1.0
    fused = {
        paper_id: weight * dense.get(paper_id, lowest) + (1 - weight) * lexical.get(paper_id, 0.0) / best
        for paper_id in dense.keys() | lexical.keys()
    }
    return _best_first(fused)


def _named(query: str, papers: Iterable[Paper], ordinary: Callable[[str], bool]) -> dict[str, float]:
    """Return the papers whose own name stands in a query, with its length as a share of the longest such name."""
    tokens = fold(query).split()
    asked = {*names(query, also_words=True), *tokens, *("".join(pair) for pair in pairwise(tokens))}
    lengths: dict[str, int] = {}
    for paper in papers:
        own = own_name(paper)
        found = [name for name in asked & set(names(own, also_words=True)) if _is_written(name, own, query, ordinary)]
        if found:
            lengths[paper.paper_id] = max(map(len, found))
    longest = max(lengths.values(), default=1)
    return {paper_id: length / longest for paper_id, length in lengths.items()}


def _is_written(name: str, own: str, query: str, ordinary: Callable[[str], bool]) -> bool:
    """Tell whether a query writes a word of a paper's own name as a name, should it be an ordinary word."""
    spelled = [token for token in own.split() if words(token) == [name]]
    return not spelled or name not in words(query) or any(is_called(query, token, ordinary) for token in spelled)


def _best_first(scores: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


class Retriever(BaseRetriever):
    """Searches a library; also usable wherever LangChain takes a retriever."""

    model_config = {"arbitrary_types_allowed": True}  # noqa: RUF012 (pydantic reads it)

    library: Library
    k: int = 10
    filters: Filters = EVERYTHING

    def __init__(self, library: Library, **fields: Any) -> None:
        super().__init__(**{"library": library, **fields})

    def rank(self, query: str, filters: Filters | None = None) -> Ranking:
        """Return the scores of the candidates on either side and fused, by paper id."""
        query = sound(query)
        filters = self.filters if filters is None else filters
        dense: dict[str, float] = {}
        for hit in self.library.vectors.search(self.library.encoder.encode_query(query), VECTORS, filters):
            dense[hit.paper_id] = max(hit.cosine, dense.get(hit.paper_id, -1.0))
        lexical = dict(self.library.terms.search(query, PAPERS, filters))
        return Ranking(dense, lexical, self.fused(query, dense, lexical))

    def fused(
        self, query: str, dense: Mapping[str, float], lexical: Mapping[str, float], weight: float = DENSE_WEIGHT
    ) -> dict[str, float]:
        """Return the fused scores of a query's candidates, papers that it names lifted, highest first."""
        fused = fuse(dense, lexical, weight)
        named = _named(sound(query), self.library.catalogue.papers(list(fused)[:NAMED_AMONG]), in_use(self.library))
        for paper_id, share in named.items():
            fused[paper_id] += NAMED * share
        return _best_first(fused)

    def search(self, query: str, k: int | None = None, filters: Filters | None = None) -> list[Candidate]:
        """Return at most `k` papers, best first; none for a blank query."""
        if not query.strip():
            return []
        ranking = self.rank(query, filters)
        lowest = min(ranking.dense.values(), default=0.0)
        return [
            Candidate(
                paper,
                ranking.fused[paper.paper_id],
                ranking.dense.get(paper.paper_id, lowest),
                ranking.lexical.get(paper.paper_id, 0.0),
            )
            for paper in self.library.catalogue.papers(list(ranking.fused)[: k or self.k])
        ]

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 (LangChain passes it by name)
    ) -> list[Document]:
        return [
            Document(
                page_content="\n\n".join(part for part in (found.paper.title, found.paper.abstract) if part),
                metadata={"paper_id": found.paper.paper_id, "name": found.paper.name, "score": found.score},
                id=found.paper.paper_id,
            )
            for found in self.search(query)
        ]
