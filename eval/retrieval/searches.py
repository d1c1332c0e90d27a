"""Searches the queries of a collection and keeps a row of each run's ranking, measured, as soon as it is known."""

from collections.abc import Callable, Mapping, Sequence

from assistant.library import Library
from assistant.schema import Json
from eval.retrieval.collection import Collection, Query
from eval.retrieval.ranking import Documents, Rankings, Search, values
from eval.runs import Row, Run

SHOWN = 10
AT_ONCE = 32  # queries between two writes, which is what a stopped run loses at most

Placed = tuple[int, Query]


def evaluate(
    library: Library,
    collection: Collection,
    run: Run,
    on_progress: Callable[[int, int], None],
    weights: Sequence[float] = (),
) -> dict[str, int]:
    """Search the queries that the run lacks; return how many documents the library lacks or has several times.

    Raises RunError when a row can't be kept.
    """
    documents = Documents(library, collection)
    search = Search(library, documents, weights)
    done = run.done()
    left = [placed for placed in enumerate(collection.queries) if placed[1].query_id not in done]
    total = len(collection.queries)
    for start in range(0, len(left), AT_ONCE):
        part = left[start : start + AT_ONCE]
        found = []
        for number, (_, query) in enumerate(part, 1):
            found.append(search.rankings(query))
            on_progress(total - len(left) + start + number, total)
        run.add([row for name in search.names for row in _rows(name, part, found, documents, library)])
    run.finish()
    return documents.oddities(collection)


def _rows(
    name: str, part: Sequence[Placed], found: Sequence[Rankings], documents: Documents, library: Library
) -> list[Row]:
    rankings = [by_run[name] for by_run in found]
    measured = values(rankings, [query.gains for _, query in part])
    return [
        Row(query.query_id, query.kind, numbers, name, position, detail=_detail(query, ranking, documents, library))
        for (position, query), ranking, numbers in zip(part, rankings, measured, strict=True)
    ]


def _detail(query: Query, ranking: Sequence[str], documents: Documents, library: Library) -> dict[str, Json]:
    """Return the first of a ranking with their gains, and the relevant documents that are not among them."""
    top = ranking[:SHOWN]
    missed = [document for document in query.relevant if document not in top]
    papers = {document: documents.paper(document) for document in (*top, *missed)}
    titles = {paper.paper_id: paper.name for paper in library.catalogue.papers(filter(None, papers.values()))}
    places = {document: place for place, document in enumerate(ranking, 1)}

    def entry(document: str, more: Mapping[str, Json]) -> Json:
        paper_id = papers[document]
        title = None if paper_id is None else titles.get(paper_id)
        return {"id": document, "paper_id": paper_id, "title": title, "gain": query.gains.get(document, 0), **more}

    return {
        "question": query.text,
        "top": [entry(document, {"judged": document in query.gains}) for document in top],
        "missed": [entry(document, {"place": places.get(document)}) for document in missed],
    }
