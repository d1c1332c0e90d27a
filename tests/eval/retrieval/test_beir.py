import gzip
import json
from pathlib import Path

import pytest

from assistant.errors import QuestionError
from eval.retrieval.beir import read_collection
from eval.retrieval.collection import Collection

HEADER = "query-id\tcorpus-id\tscore"


def write_folder(folder: Path, *judgements: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    corpus = [
        {"_id": "d1", "title": "Moss", "text": "Moss grows on wet stones."},
        {"_id": "d2", "text": "Rain is wet."},
    ]
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in corpus)
    queries = [{"_id": "q1", "text": "moss"}, {"_id": "q2", "text": "rain"}, {"_id": "q3", "text": None}]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    lines = [HEADER, *(judgements or ("q1\td1\t2", "q1\td2\t0"))]
    (folder / "qrels" / "test.tsv").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return folder


def read(tmp_path: Path, *judgements: str) -> Collection:
    return read_collection(write_folder(tmp_path / "moss", *judgements), "test")


def test_a_folder_is_read(tmp_path: Path) -> None:
    collection = read(tmp_path)
    assert collection.corpus == tmp_path / "moss" / "corpus.jsonl.gz"
    [query] = collection.queries
    assert (query.query_id, query.text, query.gains) == ("q1", "moss", {"d1": 2, "d2": 0})
    assert query.relevant == ["d1"]
    assert collection.name == "moss, test"


def test_what_is_odd_about_the_judgements_is_counted(tmp_path: Path) -> None:
    collection = read(tmp_path, "q3\td1\t1", "q9\td1\t1", "q2\td1\t0", "q2\td2\t-1", "q2\td3\t0")
    assert [query.query_id for query in collection.queries] == ["q3", "q9", "q2"]
    assert collection.counts == {"queries": 3, "blank": 2, "without_relevant": 1, "not_relevant": 3, "unjudged": 1}


def test_the_digest_is_of_queries_and_judgements(tmp_path: Path) -> None:
    first = read(tmp_path / "a", "q1\td1\t1")
    assert first.digest == read(tmp_path / "b", "q1\td1\t1").digest
    assert first.digest != read(tmp_path / "c", "q1\td1\t2").digest


def test_a_split_that_is_missing_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"no split 'train'; its splits: test"):
        read_collection(write_folder(tmp_path / "moss"), "train")


@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "queries.jsonl"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    folder = write_folder(tmp_path / "moss")
    (folder / name).unlink()
    with pytest.raises(QuestionError, match=name.removesuffix(".gz")):
        read_collection(folder, "test")


@pytest.mark.parametrize("text", ["{", "[]", '"moss"'])
def test_broken_queries_are_told(tmp_path: Path, text: str) -> None:
    folder = write_folder(tmp_path / "moss")
    (folder / "queries.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(QuestionError, match="no BEIR folder"):
        read_collection(folder, "test")


@pytest.mark.parametrize("line", ["q1\td1", "q1 d1 1", "q1\td1\tmuch", "q1\td1\t0.5"])
def test_a_broken_judgement_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(QuestionError, match=r"test\.tsv, line 3"):
        read(tmp_path, "q1\td1\t1", line)


def test_a_split_that_judges_nothing_is_told(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "moss")
    (folder / "qrels" / "test.tsv").write_text(HEADER, encoding="utf-8")
    with pytest.raises(QuestionError, match="judges no document"):
        read_collection(folder, "test")
