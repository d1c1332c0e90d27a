"""A test collection in BEIR's layout: corpus, queries and relevance judgements in one folder."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from assistant.errors import QuestionError
from eval.retrieval.collection import Collection, Query, oddities

Qrels = dict[str, dict[str, int]]


def read_collection(folder: Path, split: str) -> Collection:
    """Read a BEIR folder; raises QuestionError when a file of it is missing or unreadable, or judges nothing."""
    corpus = _present(folder, "corpus.jsonl")
    judgements = folder / "qrels" / f"{split}.tsv"
    if not judgements.is_file():
        splits = ", ".join(sorted(p.stem for p in (folder / "qrels").glob("*.tsv"))) or "none"
        raise QuestionError(f"{folder} has no split {split!r}; its splits: {splits}. Choose one with --split.")
    qrels: Qrels = {}
    try:
        for query_id, document_id, gain in _judgements(judgements):
            qrels.setdefault(query_id, {})[document_id] = gain
        texts = dict(_queries(_present(folder, "queries.jsonl")))
    except (ValueError, OSError, EOFError) as error:
        raise QuestionError(f"{folder} is no BEIR folder that can be read ({error}).") from error
    if not qrels:
        raise QuestionError(f"{judgements} judges no document; choose another file of qrels with --split.")
    queries = tuple(Query(query_id, texts.get(query_id, ""), gains) for query_id, gains in qrels.items())
    counts = {**oddities(queries), "unjudged": len(texts.keys() - qrels.keys())}
    return Collection(f"{folder.resolve().name}, {split}", queries, corpus, counts)


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        columns = line.split("\t")
        try:
            query_id, document_id, gain = columns[0], columns[1], int(columns[2])
        except (IndexError, ValueError):
            if number > 1 and line.strip():  # the first line may name the columns
                raise ValueError(f"{path.name}, line {number}: no query, document and whole number") from None
            continue
        yield query_id, document_id, gain


def _queries(path: Path) -> Iterator[tuple[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as lines:
        for line in lines:
            if line.strip():
                row = json.loads(line)
                if not isinstance(row, dict):
                    raise ValueError(f"{path.name}: a line is no JSON object")
                text = row.get("text")
                yield str(row.get("_id", row.get("id"))), text if isinstance(text, str) else ""


def _present(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise QuestionError(f"{folder} has no {name}; give a folder in BEIR's layout, or a file of questions.")
