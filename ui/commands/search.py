"""`askpapers search`: ranked papers only."""

import time
from pathlib import Path

from assistant.retrieval import Retriever

from assistant.errors import AskpapersError, QuestionError
from assistant.questions import Question, read_questions
from assistant.schema import Candidate, Json
from assistant.transcript import failure_row
from ui.options import Options
from ui.rows import reading, write_row, writing
from ui.session import open_library
from ui.terminal import say, show_papers

_DEFAULT_K = 10


def search_one(query: str, options: Options, as_json: bool) -> None:
    """Rank papers for one query. Raises QuestionError when it is blank."""
    if not query.strip():
        raise QuestionError('The query is empty; write it in quotation marks: askpapers search "…".')
    with open_library(options) as library:
        started = time.perf_counter()
        found = Retriever(library).search(query, options.k or _DEFAULT_K, options.filters)
        row = _found(None, found, started)
    if as_json:
        write_row(row)
    elif found:
        show_papers([(candidate.score, candidate.paper) for candidate in found])
    else:
        say("No paper fits.")


def search_many(queries: Path, out: Path | None, options: Options) -> int:
    """Rank papers for each query of a file, a row each; 1 when one of them failed."""
    failed = False
    with reading(queries) as lines, writing(out) as rows, open_library(options) as library:
        retriever = Retriever(library)
        for query in read_questions(lines, key="text"):
            row = _row(retriever, query, options)
            failed = failed or "error" in row
            write_row(row, rows)
    return int(failed)


def _row(retriever: Retriever, query: Question, options: Options) -> dict[str, Json]:
    fault = query.fault
    if not fault:
        started = time.perf_counter()
        try:
            found = retriever.search(query.text, options.k or _DEFAULT_K, options.filters)
        except AskpapersError as error:
            fault = str(error)
        else:
            return _found(query.question_id, found, started)
    say(f"{query.question_id}: {fault}")
    return failure_row(query.question_id, fault)


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
