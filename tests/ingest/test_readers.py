import gzip
import io
import itertools
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.errors import SourceError
from assistant.schema import Json
from ingest.readers import read
from ingest.records import RawRecord, Reject

LIST = "ICML 2026 Papers\n\nMoss grows\non stones.\n\n\nRain falls on moss.\n"
Item = RawRecord | Reject


def written(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return str(path)


def items(*paths: str, **options: str) -> list[Item]:
    return list(read(paths, format=options.get("format")))


def fields(found: Sequence[Item]) -> list[Json]:
    assert all(isinstance(item, RawRecord) for item in found), found
    return [dict(item.fields) for item in found if isinstance(item, RawRecord)]


def only_reject(found: Sequence[Item]) -> Reject:
    assert len(found) == 1
    assert isinstance(found[0], Reject)
    return found[0]


def test_text_list_with_heading(tmp_path: Path) -> None:
    path = written(tmp_path, "list.txt", LIST)
    shared: dict[str, Json] = {"venue": "ICML", "year": 2026}
    assert items(path) == [
        RawRecord(path, 1, 3, {"abstract": "Moss grows\non stones.", **shared}),
        RawRecord(path, 2, 7, {"abstract": "Rain falls on moss.", **shared}),
    ]


@pytest.mark.parametrize(
    "text", [LIST.replace("\n", "\r\n"), LIST.replace("\n", "\r"), "\ufeff" + LIST, "\n \n" + LIST]
)
def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path: Path, text: str) -> None:
    found = fields(items(written(tmp_path, "list.txt", text)))
    assert found == fields(items(written(tmp_path, "plain.txt", LIST)))


@pytest.mark.parametrize(
    ("heading", "venue", "year"),
    [
        ("ICML 2026 Papers", "ICML", 2026),
        ("# NeurIPS 2025 accepted papers:", "NeurIPS", 2025),
        ("Papers of ACL 2024", "ACL", 2024),
        (
            "2026 International Conference on Machine Learning",
            "International Conference on Machine Learning",
            2026,
        ),
        ("Papers 2023", None, 2023),
    ],
)
def test_headings(tmp_path: Path, heading: str, venue: str | None, year: int) -> None:
    for gap in ("\n\n", "\n") if "apers" in heading else ("\n\n",):
        found = fields(items(written(tmp_path, "a.txt", f"{heading}{gap}Moss grows on stones.")))
        assert found == [{"abstract": "Moss grows on stones.", "year": year} | ({"venue": venue} if venue else {})]


@pytest.mark.parametrize(
    "first", ["Moss grows on stones in the rain.", "In 2026 we measured how\nmoss grows.", "My papers"]
)
def test_without_a_heading_every_block_is_an_abstract(tmp_path: Path, first: str) -> None:
    assert fields(items(written(tmp_path, "a.txt", f"{first}\n\nRain."))) == [
        {"abstract": first},
        {"abstract": "Rain."},
    ]


def test_json_lines_go_on_after_a_broken_one(tmp_path: Path) -> None:
    lines = [
        '{"title": "A"}',
        "",
        '{"title": "B"',
        "[1]",
        '{"n": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"title": "C", "x": NaN}',
    ]
    path = written(tmp_path, "a.jsonl", "\n".join(lines))
    found = items(path)
    assert [(type(i).__name__, i.number if isinstance(i, RawRecord) else i.record, i.line) for i in found] == [
        ("RawRecord", 1, 1),
        ("Reject", 2, 3),
        ("Reject", 3, 4),
        ("Reject", 4, 5),
        ("Reject", 5, 6),
        ("RawRecord", 6, 7),
    ]
    reasons = [item.reason for item in found if isinstance(item, Reject)]
    assert [any(word in reason for word in ("JSON", "digits", "nested")) for reason in reasons] == [True] * 4


RECORDS: list[Json] = [{"title": "A"}, {"title": "B", "authors": [{"name": "Ada"}]}]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        json.dumps({"papers": RECORDS, "count": 2}),
        json.dumps({"papers": RECORDS, "count": 2}, indent=1),
        "\n".join(map(json.dumps, RECORDS)),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.txt", "a", "a.json.gz"])
def test_json_in_every_form_is_told_by_its_content(tmp_path: Path, text: str, name: str) -> None:
    content = gzip.compress(text.encode(), mtime=0) if name.endswith(".gz") else text.encode()
    assert fields(items(written(tmp_path, name, content))) == RECORDS


def test_one_object_is_one_record(tmp_path: Path) -> None:
    record = {"title": "A", "authors": [{"name": "Ada"}], "references": [{"title": "B"}]}
    assert fields(items(written(tmp_path, "a.json", json.dumps(record, indent=1)))) == [record]


@pytest.mark.parametrize("text", ['{"a": 1}', '{"a": [{}], "b": [{}]}', '[{"title": ', "{]", "nothing of the kind"])
def test_json_without_records_is_rejected_as_a_whole(tmp_path: Path, text: str) -> None:
    assert only_reject(items(written(tmp_path, "a.json", text))).record is None


def test_array_items_that_are_no_objects_are_rejected_one_by_one(tmp_path: Path) -> None:
    found = items(written(tmp_path, "a.json", '[{"title": "A"}, "B", null, {"title": "C"}]'))
    assert [type(item) for item in found] == [RawRecord, Reject, Reject, RawRecord]
    assert found[1] == Reject(found[1].file, 2, None, "it is not a JSON object")


def test_format_overrides_name_and_content(tmp_path: Path) -> None:
    path = written(tmp_path, "a.json", '{"title": "A"}\n\n{"title": "B"}')
    assert fields(items(path, format="text")) == [
        {"abstract": '{"title": "A"}'},
        {"abstract": '{"title": "B"}'},
    ]
    assert fields(items(path, format="jsonl")) == [{"title": "A"}, {"title": "B"}]
    assert isinstance(items(path, format="json")[0], Reject)
    assert fields(items(written(tmp_path, "a.csv", "Moss grows."), format="text")) == [{"abstract": "Moss grows."}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "a.jsonl", '{"title": "Café – “Über”"}\n{"title": "B"}\n'.encode(encoding))
    assert fields(items(path)) == [{"title": "Café – “Über”"}, {"title": "B"}]


def test_one_line_in_another_encoding_harms_no_other(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", '{"title": "Café λ"}\n'.encode() + b'{"title": "Caf\xe9 \x81"}\n')
    assert fields(items(path)) == [{"title": "Café λ"}, {"title": "Café \x81"}]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n \n",
        b"\x00\x01\x02" * 500,
        bytes(range(256)) * 20,
        b"%PDF-1.7\n1 0 obj",
        b"\x1f\x8b",
        gzip.compress(b"", mtime=0),
        gzip.compress(b"\x00" * 999, mtime=0),
        b"PK\x03\x04" + b"\x00" * 30,
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.json", "a"])
def test_files_without_papers(tmp_path: Path, content: bytes, name: str) -> None:
    path = written(tmp_path, name, content)
    reject = only_reject(items(path))
    assert (reject.file, reject.record) == (path, None)


@pytest.mark.parametrize("name", ["a.csv", "a.bib", "a.PDF", "a.xml.gz"])
def test_foreign_files_are_named_as_such(tmp_path: Path, name: str) -> None:
    assert "files are not read" in only_reject(items(written(tmp_path, name, "title,year\nA,2026"))).reason


def test_one_null_character_does_not_make_a_file_binary(tmp_path: Path) -> None:
    assert len(fields(items(written(tmp_path, "a.txt", "Moss grows\x00 on stones in the rain.")))) == 1


def test_a_gzip_file_that_is_cut_off_gives_what_it_holds(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"title": os.urandom(40).hex()}) + "\n" for _ in range(2000))
    found = items(written(tmp_path, "a.jsonl.gz", gzip.compress(lines.encode(), mtime=0)[:-2000]))
    assert sum(isinstance(item, RawRecord) for item in found) > 100
    assert isinstance(found[-1], Reject)
    assert "gzip" in found[-1].reason
    damaged = bytearray(gzip.compress(lines.encode(), mtime=0))
    damaged[500:520] = b"\xff" * 20
    assert isinstance(items(written(tmp_path, "b.jsonl.gz", bytes(damaged)))[-1], Reject)


def test_folders_are_read_in_order_without_hidden_and_other_files(tmp_path: Path) -> None:
    for name in (
        "b.jsonl",
        "a/z.jsonl",
        "a/c.ndjson",
        "c.txt.gz",
        ".hidden.jsonl",
        ".git/x.jsonl",
        "notes.md",
        "t.csv",
    ):
        text = "Moss grows." if ".txt" in name else '{"title": "A"}'
        written(tmp_path, name, gzip.compress(text.encode(), mtime=0) if name.endswith(".gz") else text)
    found = items(str(tmp_path))
    assert [os.path.relpath(item.file, tmp_path).replace(os.sep, "/") for item in found] == [
        "b.jsonl",
        "c.txt.gz",
        "a/c.ndjson",
        "a/z.jsonl",
    ]


def test_the_queries_beside_a_beir_corpus_are_no_papers(tmp_path: Path) -> None:
    written(tmp_path, "corpus.jsonl", '{"_id": "1", "title": "A", "text": "", "metadata": {}}')
    written(tmp_path, "queries.jsonl", '{"_id": "1", "text": "What is moss and where does it grow?"}')
    written(tmp_path, "qrels/test.tsv", "1\t1\t1")
    assert [Path(item.file).name for item in items(str(tmp_path))] == ["corpus.jsonl"]


def test_a_folder_without_papers(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "x")
    assert only_reject(items(str(tmp_path))) == Reject(
        str(tmp_path), None, None, "the folder holds no .txt, .json, .jsonl or .ndjson file"
    )


def test_a_missing_path_stops_before_anything_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", LIST)
    with pytest.raises(SourceError, match="nowhere"):
        read([path, str(tmp_path / "nowhere")])


@pytest.mark.skipif(
    sys.platform == "win32" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="needs file modes"
)
def test_an_unreadable_file_is_rejected_and_the_others_go_on(tmp_path: Path) -> None:
    closed, other = written(tmp_path, "a.txt", LIST), written(tmp_path, "b.txt", LIST)
    os.chmod(closed, 0)
    found = items(closed, other)
    assert isinstance(found[0], Reject)
    assert len(found) == 3


def test_a_path_given_twice_is_read_twice(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", LIST)
    assert len(items(path, path)) == 4


@pytest.mark.parametrize("content", [LIST.encode(), gzip.compress(LIST.encode(), mtime=0)])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert [(item.file, item.line) for item in items("-")] == [("-", 3), ("-", 7)]
    assert sys.stdin.buffer.read() == b""


def test_defaults_fill_what_a_record_lacks(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", '{"title": "A"}\n{"title": "B", "date": "2020", "journal": "Moss"}')
    found = list(read([path], defaults={"year": "2026", "venue": "ICML"}))
    assert fields(found) == [
        {"title": "A", "year": "2026", "venue": "ICML"},
        {"title": "B", "date": "2020", "journal": "Moss"},
    ]


def test_a_long_file_is_read_as_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "pipe.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f'{{"title": "{n}"}}\n' for n in range(20_000))
        file.write("\x00" * 100)
    stream: Iterator[Item] = read([str(path)])
    assert len(list(itertools.islice(stream, 5))) == 5
    with open(path, "ab") as file:
        file.write(b'\n{"title": "added while reading"}\n')
    assert fields(list(stream)[-1:]) == [{"title": "added while reading"}]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=300) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    name=st.sampled_from(["a.txt", "a.json", "a.jsonl", "a.gz"]),
)
def test_any_content_gives_records_or_rejects(tmp_path: Path, content: bytes, name: str) -> None:
    for bytes_ in (content, gzip.compress(content, mtime=0), b'{"title": ' + content):
        path = written(tmp_path, name, bytes_)
        found = items(path)
        assert found
        assert all(item.file == path for item in found)
