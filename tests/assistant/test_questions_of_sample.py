"""Lists, counts, comparisons, look-ups and summaries of the sample, asked as people ask, answered in quotations.

The rows are in tests/questions. What is `known` to go wrong has its reason there, and fails here once it goes right.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.chain import Assistant
from assistant.encoder import Encoder
from assistant.library import Library
from assistant.schema import Answer
from assistant.text import fold
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path

QUESTIONS = Path(__file__).parents[1] / "questions"

Row = dict[str, Any]
Fault = Callable[[Row, Answer, set[str]], str]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("sample"), create=True) as library, sample_path() as path:
        library._encoder = encoder
        ingest(library, read([str(path)]))
        yield library


def wrong_papers(row: Row, cited: set[str]) -> str:
    gold, allowed = set(row["gold"]), {*row["gold"], *row.get("may", ())}
    faults = [f"lacks {name}" for name in sorted(gold - cited)] + [f"adds {name}" for name in sorted(cited - allowed)]
    return ", ".join(faults)


def wrong_set(row: Row, answer: Answer, cited: set[str]) -> str:
    """Exactly the papers, and for a count their number."""
    if not row["gold"]:
        return "" if answer.abstained and not cited else "answers"
    if row["kind"] == "count" and f"holds {len(cited)} paper" not in answer.text:
        return f"does not count {len(cited)}: {answer.text[:80]}"
    return wrong_papers(row, cited)


def wrong_comparison(row: Row, answer: Answer, cited: set[str]) -> str:
    """Both sides, neither with much more than twice the other's words; a missing one is said to be missing."""
    if fault := wrong_papers(row, cited):
        return fault
    if absent := row.get("absent"):
        said = [s.text for s in answer.sentences if fold(absent) in fold(s.text) and not s.evidence]
        return "" if any("no paper" in fold(text) for text in said) else f"does not say that {absent} is not here"
    words = [
        sum(len(s.text.split()) for s in answer.sentences if s.citations == (source.n,))
        for source in answer.papers
        if source.cited
    ]
    return "" if max(words) <= 2 * min(words) + 15 else f"is unbalanced: {words} words"


def wrong_record(row: Row, answer: Answer, cited: set[str]) -> str:
    """What the record says, of the paper asked for alone."""
    if not row["gold"] and not answer.abstained:
        return "answers"
    unsaid = [text for text in row["says"] if fold(text) not in fold(answer.text)]
    return wrong_papers(row, cited) or (f"does not say {unsaid}" if unsaid else "")


def wrong_summary(row: Row, answer: Answer, cited: set[str]) -> str:
    """Every paper that belongs to it, in the length asked for."""
    if fault := wrong_papers(row, cited):
        return fault
    words, most = sum(len(s.text.split()) for s in answer.sentences), row.get("words") or row.get("option")
    if most and words > most:
        return f"has {words} words"
    wanted = row.get("sentences")
    return f"has {len(answer.sentences)} sentences" if wanted and len(answer.sentences) != wanted else ""


@pytest.mark.parametrize(
    ("file", "fault"),
    [
        ("sample_sets", wrong_set),
        ("sample_comparisons", wrong_comparison),
        ("sample_lookups", wrong_record),
        ("sample_summaries", wrong_summary),
    ],
)
def test_the_sample_is_answered(sample: Library, file: str, fault: Fault) -> None:
    rows = [json.loads(line) for line in (QUESTIONS / f"{file}.jsonl").read_text("utf-8").splitlines()]
    known_by = json.loads((QUESTIONS / "sample_papers.json").read_text("utf-8"))
    keys = {
        paper.paper_id: entry["key"]
        for paper in sample.catalogue
        for entry in known_by
        if any(text in paper.abstract for text in entry["contains"])
    }
    assistant = Assistant(sample)
    faults: list[str] = []
    for row in rows:
        answer = assistant.ask(row["question"], words=row.get("option"))
        found = fault(row, answer, {keys[source.paper.paper_id] for source in answer.papers if source.cited})
        if found and "known" not in row:
            faults.append(f"{row['id']} {row['question']!r} ({answer.kind}) {found}")
        if not found and "known" in row:
            faults.append(f"{row['id']} {row['question']!r} is answered now: it is no longer known to fail")
    assert not faults, "\n".join(faults)
