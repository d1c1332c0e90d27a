"""Rows of JSON to files and standard output."""

from pathlib import Path

import pytest

from assistant.errors import QuestionError, StorageError
from ui.rows import reading, write_row, writing


def test_rows_reach_the_file_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with writing(path) as rows:
        write_row({"id": "é"}, rows)
        assert path.read_bytes() == '{"id": "é"}\n'.encode()
        write_row({"text": "a\ud800"}, rows)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_without_a_file_rows_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    for path in (None, Path("-")):
        with writing(path) as rows:
            write_row({"id": 1}, rows)
        assert capsys.readouterr().out == '{"id": 1}\n'


def test_unusable_files_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be written"), writing(tmp_path / "none" / "out"):
        pass
    with pytest.raises(QuestionError, match="cannot be read"), reading(tmp_path):
        pass


def test_bytes_that_are_no_text_do_not_stop_reading(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(b"\xff\n{}\n")
    with reading(path) as lines:
        assert len(list(lines)) == 2
