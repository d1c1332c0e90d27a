"""Rows and runs made by hand, for the tests of comparisons and reports."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from assistant.schema import Json
from eval.runs import Header, Row, Run

Values = Mapping[str, float | None]


def row(name: str, values: Values, kind: str = "fact", **more: Json) -> Row:
    """A row whose confidence is 0.5 unless told, with an answer of one quoted sentence unless told."""
    sentence: Json = {"text": f"Kelp grows, says {name}.", "citations": [1], "support": "verbatim"}
    detail: dict[str, Json] = {
        "question": f"What does {name} say?",
        "answer": f"Kelp grows, says {name}. [1]",
        "sentences": [sentence],
        "removed": [],
        "composed": "quotations",
        "papers": [{"n": 1, "paper_id": "kelp", "title": "KelpNet", "label": "KelpNet", "cited": True}],
        "gold": ["kelp"],
        "nuggets": [["kelp", "seaweed"], ["moss"]],
        "reference": None,
    }
    series, confidence = str(more.pop("series", "answers")), more.pop("confidence", 0.5)
    assert isinstance(confidence, float)
    return Row(name, kind, values, series, 0, confidence, detail | more)


def header(**more: Json) -> Header:
    """A header whose settings are those given."""
    return Header("answers", "questions0", "library0", more, {"python": "3.12.1"}, created="2026-01-02T03:04:05+00:00")


def stored_run(folder: Path, rows: Sequence[Row], made_of: Header | None = None, finished: bool = True) -> Run:
    """A stored run of rows."""
    run = Run.begin(folder, made_of or header())
    run.add(rows)
    if finished:
        run.finish()
    return run
