"""The built-in corpus holds what it promises, and the questions on it can be answered from it."""

import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assistant.text import fold, sentences
from ingest.sample import sample_path

QUESTIONS = Path(__file__).parents[1] / "questions"
Row = dict[str, Any]


def rows(path: Path) -> list[Row]:
    """Parse a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def records() -> list[Row]:
    with sample_path() as path:
        return rows(path)


@pytest.fixture(scope="module")
def abstracts(records: list[Row]) -> list[str]:
    return [record["abstract"] for record in records]


@pytest.fixture(scope="module")
def questions() -> list[Row]:
    return rows(QUESTIONS / "sample.jsonl")


@pytest.fixture(scope="module")
def records_of(records: list[Row]) -> dict[str, list[Row]]:
    """The records that each paper key matches."""
    papers: list[Row] = json.loads((QUESTIONS / "sample_papers.json").read_text(encoding="utf-8"))
    assert len({paper["key"] for paper in papers}) == len(papers)
    return {p["key"]: [r for r in records if any(t in r["abstract"] for t in p["contains"])] for p in papers}


def holds(text: str, nugget: str) -> bool:
    """The folded nugget starts a word of the text; one that ends in a digit is a whole number there."""
    nugget = fold(nugget)
    right = r"(?![\d,]*\d)(?!\.\d)" if nugget[-1].isdigit() else ""
    return re.search(r"(?<![\w.])" + re.escape(nugget) + right, fold(text)) is not None


def test_size(records: list[Row]) -> None:
    assert 28 <= len(records) <= 40


@pytest.mark.parametrize("field", ["id", "title", "arxiv_id", "doi", "url"])
def test_identifiers_are_unique(records: list[Row], field: str) -> None:
    values = [record[field] for record in records if field in record]
    assert values
    assert len(set(values)) == len(values)


def test_fields(records: list[Row]) -> None:
    for record in records:
        authors = record["authors"]
        assert authors
        assert isinstance(authors, str) or all(name.strip() == name != "" for name in authors)
        assert 1990 < record["year"] < 2030
        assert record["title"].strip()
        assert record["venue"].strip()
        assert "doi" in record or "url" in record


def test_identifiers_are_well_formed(records: list[Row]) -> None:
    for record in records:
        if "arxiv_id" in record:
            assert re.fullmatch(r"\d{4}\.\d{4,5}", record["arxiv_id"])
            assert record["url"] == f"https://arxiv.org/abs/{record['arxiv_id']}"
        assert re.fullmatch(r"10\.\d{4,}/\S+", record.get("doi", "10.1000/x"))
        assert record.get("url", "https://").startswith("https://")


def test_lengths(abstracts: list[str]) -> None:
    lengths = [len(abstract.split()) for abstract in abstracts]
    assert sum(110 <= length <= 180 for length in lengths) >= len(abstracts) - 2
    assert max(lengths) > 400
    assert min(lengths) > 50


def test_no_abstract_repeats_a_sentence(abstracts: list[str]) -> None:
    for abstract in abstracts:
        texts = [fold(abstract[span.start : span.end]) for span in sentences(abstract)]
        assert len(set(texts)) == len(texts) > 1


def test_one_abstract_has_two_sentences(abstracts: list[str]) -> None:
    assert [len(sentences(abstract)) for abstract in abstracts].count(2) == 1


@pytest.mark.parametrize(
    "oddity",
    [
        r"\$\\mathcal\{O\}\(n \\log n\)\$",
        r"\$\\ell_2\$",
        r"\\emph\{\w",
        r"\d\.\d+\\%",
        r"``[^']+''",
        r"β-VAE",
        r"Fréchet",
        r"\d Å",
        r"\b[a-z]+ (?:[a-z]+ )+\([A-Z]{3,}\)",
        r"3\.5 days",
        r"65 hours",
        r"1\.4 trillion tokens",
        r"224×224 pixels",
        r"\[0, 1\]",
        r"&amp;",
        r"<sub>\d</sub>",
        r"https://github\.com/\w+",
        r"Keywords: \w",
        r"WMT'14",
        r"\w–\w",
        r"\n\n",
    ],
)
def test_oddities_of_real_abstracts(abstracts: list[str], oddity: str) -> None:
    assert any(re.search(oddity, abstract) for abstract in abstracts)


def test_oddities_of_real_records(records: list[Row]) -> None:
    assert [record["authors"] for record in records if isinstance(record["authors"], str)]
    assert any("keywords" in record for record in records)
    assert any("doi" in record and "url" not in record for record in records)
    assert any("doi" not in record and "arxiv_id" not in record for record in records)
    names = {name for record in records if isinstance(record["authors"], list) for name in record["authors"]}
    assert names >= {"Jürgen Schmidhuber", "Łukasz Kaiser", "Petar Veličković", "Augustin Žídek"}


def test_works_from_a_zip(tmp_path: Path) -> None:
    archive = tmp_path / "package.zip"
    with sample_path() as path, zipfile.ZipFile(archive, "w") as package:
        expected = path.read_bytes()
        for name in ("__init__.py", "sample.py", "sample.jsonl"):
            package.write(path.with_name(name), f"ingest/{name}")
    script = (
        f"import sys; sys.path.insert(0, {str(archive)!r})\n"
        "from ingest.sample import __file__ as origin, sample_path\n"
        f"assert origin.startswith({str(archive)!r})\n"
        "with sample_path() as path: sys.stdout.buffer.write(path.read_bytes())\n"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, check=False)
    assert done.stderr.decode() == ""
    assert done.stdout == expected


def test_questions_by_type(questions: list[Row]) -> None:
    assert len({question["id"] for question in questions}) == len(questions) == 60
    assert len({fold(question["question"]) for question in questions}) == len(questions)
    types = Counter(question["type"] for question in questions)
    expected = {"fact": 25, "paraphrase": 10, "multi": 5, "summary": 6, "followup": 6, "unanswerable": 8}
    assert types == expected


def test_only_followups_have_a_history(questions: list[Row]) -> None:
    for question in questions:
        history = question.get("history", [])
        assert bool(history) == (question["type"] == "followup")
        assert all(len(turn) == 2 and all(map(str.strip, turn)) for turn in history)


def test_only_the_unanswerable_have_no_gold_paper(questions: list[Row]) -> None:
    for question in questions:
        assert (question["gold"] == []) == (question["type"] == "unanswerable")
        assert bool(question["nuggets"]) <= bool(question["gold"])
        assert len(question["gold"]) > 1 or question["type"] != "multi"


def test_each_paper_key_matches_one_record(records: list[Row], records_of: dict[str, list[Row]]) -> None:
    assert {key: len(found) for key, found in records_of.items()} == dict.fromkeys(records_of, 1)
    assert {found[0]["id"] for found in records_of.values()} == {record["id"] for record in records}


def test_every_nugget_stands_in_a_gold_paper(questions: list[Row], records_of: dict[str, list[Row]]) -> None:
    for question in [*questions, *rows(QUESTIONS / "followups.jsonl")]:
        gold = [record for key in question["gold"] for record in records_of[key]]
        texts = [f"{record['title']}\n{record['abstract']}" for record in gold]
        for alternatives in question["nuggets"]:
            assert any(holds(text, nugget) for text in texts for nugget in alternatives), question["id"]


def test_questions_are_not_copied_from_abstracts(questions: list[Row], abstracts: list[str]) -> None:
    corpus = " ".join(fold(abstract) for abstract in abstracts)
    for question in questions:
        words = fold(question["question"]).split()
        runs = [" ".join(words[i : i + 6]) for i in range(len(words) - 5)]
        assert not [run for run in runs if run in corpus]
