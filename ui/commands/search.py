"""`askpapers search`: ranked papers only."""

import time
from pathlib import Path

from assistant.errors import QuestionError
from assistant.questions import Question, read_questions
from assistant.retrieval import Retriever
from assistant.schema import Candidate, Json
from assistant.transcript import failure_row
from ui.options import Options
from ui.outcome import Failure, attempt
from ui.rows import reading, write_row, writing
from ui.session import open_retriever, settings
from ui.terminal import say, show_papers

_DEFAULT_K = 10


def search_one(query: str, options: Options, as_json: bool) -> int:
    """Rank papers for one query. Raises QuestionError when it is blank."""
    if not query.strip():
        raise QuestionError('The query is empty; write it in quotation marks: askpapers search "…".')
    with open_retriever(settings(options)) as retriever:
        started = time.perf_counter()
        found = retriever.search(query, options.k or _DEFAULT_K, options.filters)
        row = _found(None, found, started)
    if as_json:
        write_row(row)
    elif found:
        show_papers([(candidate.score, candidate.paper) for candidate in found])
    else:
        say("No paper fits.")
    return 0


def search_many(queries: Path, out: Path | None, options: Options) -> int:
    """Rank papers for each query of a file, a row each; 1 when one of them failed."""
    failed = False
    with reading(queries) as lines, open_retriever(settings(options)) as retriever, writing(out) as rows:
        for query in read_questions(lines, key="text"):
            row = _row(retriever, query, options)
            failed = failed or "error" in row
            write_row(row, rows)
    return int(failed)


def _row(retriever: Retriever, query: Question, options: Options) -> dict[str, Json]:
    started = time.perf_counter()
    found = attempt(lambda: retriever.search(query.asked(), options.k or _DEFAULT_K, options.filters), options.verbose)
    if isinstance(found, Failure):
        say(f"{query.question_id}: {found.sentence}")
        return failure_row(query.question_id, found.sentence)
    return _found(query.question_id, found, started)


def _found(query_id: str | int | None, found: list[Candidate], started: float) -> dict[str, Json]:
    return {
        "id": query_id,
        "ms": round((time.perf_counter() - started) * 1000, 1),
        "results": [
            {
                "paper_id": candidate.paper.paper_id,
                "source_ids": list(candidate.paper.source_ids),
                "title": candidate.paper.title,
                "score": round(candidate.score, 6),
            }
            for candidate in found
        ],
    }
