import gzip
import json
from pathlib import Path

import pytest

from assistant.errors import QuestionError
from eval.beir import read_collection


def write_folder(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    corpus = [
        {"_id": "d1", "title": "Moss", "text": "Moss grows on wet stones."},
        {"_id": "d2", "text": "Rain is wet."},
    ]
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in corpus)
    queries = [{"_id": "q1", "text": "moss"}, {"_id": "q2", "text": "rain"}]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    lines = ["query-id\tcorpus-id\tscore", "q1\td1\t2", "q1\td2\t0"]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_a_folder_is_read(tmp_path: Path) -> None:
    collection = read_collection(write_folder(tmp_path / "moss"), "test")
    assert collection.corpus.name == "corpus.jsonl.gz"
    assert collection.queries == {"q1": "moss"}
    assert collection.qrels == {"q1": {"d1": 2, "d2": 0}}


def test_a_split_that_is_missing_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"no split 'train'; its splits: test"):
        read_collection(write_folder(tmp_path / "moss"), "train")


@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "queries.jsonl"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path / "moss")
    (folder / name).unlink()
    with pytest.raises(QuestionError, match=name.removesuffix(".gz")):
        read_collection(folder, "test")


def test_broken_files_are_told(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "moss")
    (folder / "queries.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(QuestionError, match="no BEIR folder"):
        read_collection(folder, "test")
