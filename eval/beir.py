"""A test collection in BEIR's layout: corpus, queries and relevance judgements in one folder."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import QuestionError
from assistant.schema import Json


@dataclass(frozen=True, slots=True)
class Collection:
    """Queries by id, and qrels: the gain of each judged document of each query of one split."""

    corpus: Path
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]


def read_collection(folder: Path, split: str) -> Collection:
    """Read a BEIR folder; raises QuestionError when a file of it is missing or unreadable."""
    corpus = _present(folder, "corpus.jsonl")
    judgements = folder / "qrels" / f"{split}.tsv"
    if not judgements.is_file():
        splits = ", ".join(sorted(p.stem for p in (folder / "qrels").glob("*.tsv"))) or "none"
        raise QuestionError(f"{folder} has no split {split!r}; its splits: {splits}. Choose one with --split.")
    qrels: dict[str, dict[str, int]] = {}
    try:
        for query_id, document_id, gain in _judgements(judgements):
            qrels.setdefault(query_id, {})[document_id] = gain
        texts = {str(row.get("_id", row.get("id"))): str(row.get("text", "")) for row in _rows(folder)}
    except (ValueError, OSError) as error:
        raise QuestionError(f"{folder} is no BEIR folder that can be read ({error}).") from error
    return Collection(corpus, {q: texts[q] for q in qrels if texts.get(q)}, qrels)


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines:
        query_id, document_id, gain = line.split("\t")[:3]
        if gain.strip().lstrip("-").isdigit():  # the first line names the columns
            yield query_id, document_id, int(gain)


def _rows(folder: Path) -> Iterator[dict[str, Json]]:
    path = _present(folder, "queries.jsonl")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def _present(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise QuestionError(f"{folder} has no {name}; give a folder in BEIR's layout.")
