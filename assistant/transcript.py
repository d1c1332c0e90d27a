"""An answer as JSON, as commands print it and files of answers hold it."""

from assistant.questions import QuestionId
from assistant.schema import Answer, Json, Removed, Sentence, Source, Turn

_TIMINGS = ("retrieve", "quotations", "first_token", "first_sentence", "total")


def answer_row(answer: Answer, question_id: QuestionId = None) -> dict[str, Json]:
    """One row of a file of answers; times are milliseconds, null for what did not happen."""
    return {
        "id": question_id,
        "question": answer.question,
        "standalone_question": answer.standalone_question,
        "kind": answer.kind,
        "mode": answer.mode,
        "composed": answer.composed,
        "answer": answer.text,
        "abstained": answer.abstained,
        "reason": answer.reason,
        "confidence": _rounded(answer.confidence, 4),
        "sentences": [_sentence(sentence) for sentence in answer.sentences],
        "removed": [_removed(removed) for removed in answer.removed],
        "papers": [_source(source) for source in answer.papers],
        "timings_ms": {name: _rounded(answer.timings.get(name), 1) for name in _TIMINGS},
        "tokens": {"prompt": answer.tokens.prompt, "completion": answer.tokens.completion},
    }


def failure_row(question_id: QuestionId, error: str) -> dict[str, Json]:
    """The row of a question that could not be answered."""
    return {"id": question_id, "error": error}


def as_turn(answer: Answer) -> Turn:
    """The answer as history of the next question, with what each of its markers meant."""
    by_number = {source.n: source.paper.paper_id for source in answer.papers}
    numbers = range(1, max(by_number, default=0) + 1)
    return Turn(answer.question, answer.text, tuple(by_number.get(n, "") for n in numbers))


def _sentence(sentence: Sentence) -> dict[str, Json]:
    return {
        "text": sentence.text,
        "citations": list(sentence.citations),
        "support": sentence.support,
        "score": _rounded(sentence.score, 4),
        "evidence": [
            {"n": quote.n, "quote": quote.quote, "start": quote.start, "end": quote.end} for quote in sentence.evidence
        ],
    }


def _removed(removed: Removed) -> dict[str, Json]:
    return {"text": removed.text, "citations": list(removed.citations), "why": removed.why}


def _source(source: Source) -> dict[str, Json]:
    paper = source.paper
    return {
        "n": source.n,
        "paper_id": paper.paper_id,
        "source_ids": list(paper.source_ids),
        "title": paper.title,
        "label": paper.label,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "url": paper.url,
        "doi": paper.doi,
        "abstract": paper.abstract,
        "cited": source.cited,
        "score": _rounded(source.score, 4),
    }


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
