"""The levels reached on hard questions and perturbed sentences about the sample corpus; see docs/LOG.md."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.calibration import shipped
from assistant.chain import Assistant
from assistant.encoder import Encoder
from assistant.library import Library
from assistant.schema import Paper, Removed
from assistant.selection import passages
from assistant.support import Verifier
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path

QUESTIONS = Path(__file__).parents[1] / "questions"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("levels"), create=True) as library, sample_path() as path:
        library._encoder = encoder
        ingest(library, read([str(path)]))
        yield library


def test_hard_questions(sample: Library) -> None:
    rows = [json.loads(line) for line in (QUESTIONS / "sample_hard.jsonl").read_text("utf-8").splitlines()]
    assistant = Assistant(sample)
    refused = [(bool(row["gold"]), assistant.ask(row["question"]).abstained) for row in rows]
    unanswerable = [abstained for answerable, abstained in refused if not answerable]
    answerable = [abstained for answerable, abstained in refused if answerable]
    assert sum(unanswerable) / len(unanswerable) >= 0.5
    assert sum(answerable) / len(answerable) <= 0.22


def test_perturbed_sentences(sample: Library) -> None:
    """Held against the abstract as the sentences of a 1.5B model would be."""
    rows = [json.loads(line) for line in (QUESTIONS / "perturbations.jsonl").read_text("utf-8").splitlines()]
    papers = {source: paper for paper in sample.catalogue for source in paper.source_ids}
    verifiers = {source: _verifier(sample, papers[source]) for source in {row["paper"] for row in rows}}
    caught = [
        isinstance(verifiers[row["paper"]].verify(row["sentence"]), Removed)
        for row in rows
        if row["label"] == "unsupported"
    ]
    assert len(caught) == 200
    assert sum(caught) / len(caught) >= 0.75


def _verifier(library: Library, paper: Paper) -> Verifier:
    texts = passages(1, paper)
    vectors = library.encoder.encode_documents([p.text for p in texts])
    return Verifier(library, {1: paper}, texts, vectors, shipped().needed_by(1.5))
