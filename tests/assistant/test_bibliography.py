"""Reference lists: whole files for known papers, and properties for any paper."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.bibliography import Form, export, genre, latex, split_name
from assistant.schema import Paper

TIDES = Paper(
    paper_id="doi:10.1/tides_1",
    title="Tides & {BERT}: 50% of $x_1$",
    abstract="We study tides.\nThey cost $5 and $10.",
    authors=("Ada van der Berg", "Núñez, Inés", "Sons and Daughters Ltd"),
    year=2026,
    venue="ICML",
    url="https://example.org/a_b?c=1&d=%20",
    doi="10.1/tides_1",
    keywords=("tides", "moons"),
    source_ids=("t1",),
)
BARE = Paper(paper_id="sha:1", label="A study of rocks")

words = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=40)
papers = st.builds(
    Paper,
    paper_id=st.text("abc:/.1", min_size=1),
    title=st.none() | words,
    abstract=words,
    authors=st.lists(words, max_size=3).map(tuple),
    year=st.none() | st.integers(1900, 2100),
    venue=st.none() | st.sampled_from(["ICML", "Journal of Rocks", "a}b"]),
    url=st.none() | words,
    doi=st.none() | words,
    keywords=st.lists(words, max_size=2).map(tuple),
)


def written(form: Form, *listed: Paper) -> str:
    return "".join(export(listed, form))


def test_bibtex() -> None:
    assert written("bibtex", TIDES, BARE) == (
        "@inproceedings{vanderberg2026tides,\n"
        "  title = {{Tides \\& {BERT}: 50\\% of $x_1$}},\n"
        "  author = {Ada van der Berg and Núñez, Inés and {Sons and Daughters Ltd}},\n"
        "  year = {2026},\n"
        "  booktitle = {ICML},\n"
        "  doi = {10.1/tides_1},\n"
        "  url = {https://example.org/a_b?c=1&d=%20},\n"
        "  keywords = {tides, moons},\n"
        "  abstract = {We study tides. They cost \\$5 and \\$10.},\n"
        "}\n\n"
        "@misc{study,\n"
        "  title = {{A study of rocks}},\n"
        "}\n\n"
    )


def test_ris() -> None:
    assert written("ris", TIDES) == (
        "TY  - CPAPER\n"
        "ID  - doi:10.1/tides_1\n"
        "TI  - Tides & {BERT}: 50% of $x_1$\n"
        "AU  - van der Berg, Ada\n"
        "AU  - Núñez, Inés\n"
        "AU  - Ltd, Sons and Daughters\n"
        "PY  - 2026\n"
        "T2  - ICML\n"
        "DO  - 10.1/tides_1\n"
        "UR  - https://example.org/a_b?c=1&d=%20\n"
        "KW  - tides\n"
        "KW  - moons\n"
        "AB  - We study tides. They cost $5 and $10.\n"
        "ER  - \n\n"
    )


def test_csl_json() -> None:
    item, bare = json.loads(written("csl-json", TIDES, BARE))
    assert item["type"] == "paper-conference"
    assert item["issued"] == {"date-parts": [[2026]]}
    assert item["author"][0] == {"family": "van der Berg", "given": "Ada"}
    assert bare == {"id": "sha:1", "type": "article", "title": "A study of rocks"}
    assert json.loads(written("csl-json")) == []


def test_csv() -> None:
    header, row = csv.reader(io.StringIO(written("csv", TIDES), newline=""))
    cells = dict(zip(header, row, strict=True))
    assert cells["authors"] == "Ada van der Berg; Núñez, Inés; Sons and Daughters Ltd"
    assert cells["abstract"] == TIDES.abstract


def test_jsonl_holds_everything_the_library_knows() -> None:
    record = json.loads(written("jsonl", replace(TIDES, extra={"track": ["oral"]})))
    assert record.pop("track") == ["oral"]
    assert {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()} == {
        name: getattr(TIDES, name) for name in record
    }


@pytest.mark.parametrize(
    ("name", "family", "given"),
    [
        ("Plato", "Plato", ""),
        ("", "", ""),
        ("Ada Lovelace", "Lovelace", "Ada"),
        ("Lovelace, Ada", "Lovelace", "Ada"),
        ("Johannes Diderik van der Waals", "van der Waals", "Johannes Diderik"),
        ("Van Nguyen", "Nguyen", "Van"),
    ],
)
def test_names_are_split_with_their_particles(name: str, family: str, given: str) -> None:
    assert split_name(name) == (family, given)


@pytest.mark.parametrize(
    ("venue", "expected"),
    [
        (None, "other"),
        ("ICML", "conference"),
        ("Journal of Rocks", "journal"),
        ("Proceedings of the Conference on Cognitive Science", "conference"),
    ],
)
def test_genre_comes_from_the_venue(venue: str | None, expected: str) -> None:
    assert genre(Paper("p", venue=venue)) == expected


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        (r"a \& b_c", r"a \& b\_c"),
        (r"$x_1^2$ and x_1^2", r"$x_1^2$ and x\_1\textasciicircum{}2"),
        (r"\emph{kept} ~5", r"\emph{kept} \textasciitilde{}5"),
        ("open {", r"open \textbraceleft "),
        ("ends in \\", r"ends in \textbackslash "),
    ],
)
def test_latex_escapes_what_is_not_latex_yet(text: str, escaped: str) -> None:
    assert latex(text) == escaped


@given(words)
def test_latex_is_balanced_and_stable(text: str) -> None:
    escaped = latex(text)
    depths = [escaped[:i].count("{") - escaped[:i].count("}") for i in range(len(escaped) + 1)]
    assert min(depths) == 0
    assert depths[-1] == 0
    assert latex(escaped) == escaped


@given(st.lists(papers, max_size=6))
def test_bibtex_has_one_balanced_entry_a_paper_with_its_own_key(listed: list[Paper]) -> None:
    entries = written("bibtex", *listed).split("}\n\n")[:-1]
    keys = [re.match(r"@\w+\{([a-z0-9-]+),\n", entry) for entry in entries]
    assert len(entries) == len(listed)
    assert len({key[1] for key in keys if key}) == len(listed)
    assert all(entry.count("{") == entry.count("}") + 1 for entry in entries)


@given(st.lists(papers, max_size=6))
def test_ris_lines_are_tagged_and_records_closed(listed: list[Paper]) -> None:
    lines = [line for line in written("ris", *listed).split("\n") if line]
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines)
    assert [line[:2] for line in lines].count("TY") == [line[:2] for line in lines].count("ER") == len(listed)


@given(st.lists(papers, max_size=6))
def test_csv_and_json_read_back_as_written(listed: list[Paper]) -> None:
    rows = list(csv.DictReader(io.StringIO(written("csv", *listed), newline="")))
    assert [row["abstract"] for row in rows] == [paper.abstract for paper in listed]
    items = json.loads(written("csl-json", *listed))
    assert [item["id"] for item in items] == [paper.paper_id for paper in listed]
    records = [json.loads(line) for line in written("jsonl", *listed).split("\n")[:-1]]
    assert [record["authors"] for record in records] == [list(paper.authors) for paper in listed]
