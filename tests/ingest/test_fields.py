import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Json
from ingest.fields import filled, has_words, parse
from ingest.records import ParsedRecord, RawRecord, Reject

ABSTRACT = "We measure how moss grows on stones in the rain."

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30))
JSONS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "title",
        "name",
        "abstract",
        "text",
        "authors",
        "year",
        "date",
        "venue",
        "journal",
        "url",
        "doi",
        "_id",
        "id",
        "key",
        "keywords",
        "arxiv",
        "openreview",
        "pmid",
        "metadata",
        "externalIds",
        "session",
    ]
) | st.text(max_size=10)


def paper(**fields: Json) -> ParsedRecord:
    parsed = parse(RawRecord("a.jsonl", 3, 7, fields))
    assert isinstance(parsed, ParsedRecord), parsed
    return parsed


def reason(**fields: Json) -> str:
    parsed = parse(RawRecord("a.jsonl", 3, 7, fields))
    assert isinstance(parsed, Reject)
    assert (parsed.file, parsed.record, parsed.line) == ("a.jsonl", 3, 7)
    return parsed.reason


@pytest.mark.parametrize("key", ["title", "Title", "name", "paper_title"])
def test_spellings_of_title(key: str) -> None:
    assert paper(**{key: "Moss", "abstract": ABSTRACT}).paper.title == "Moss"


@pytest.mark.parametrize("key", ["abstract", "text", "summary", "description", "paperAbstract", "Abstract"])
def test_spellings_of_abstract(key: str) -> None:
    assert paper(**{key: ABSTRACT}).paper.abstract == ABSTRACT


@pytest.mark.parametrize("key", ["venue", "conference", "journal", "booktitle", "container-title"])
def test_spellings_of_venue(key: str) -> None:
    assert paper(title="A", **{key: "ICML"}).paper.venue == "ICML"


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2026, 2026),
        ("2026", 2026),
        (2026.0, 2026),
        ("2026-07-01", 2026),
        ("01 Jul 2026", 2026),
        ("20260701", 2026),
        ("2026-07-01T10:00:00Z", 2026),
        ({"date-parts": [[2026, 7, 1]]}, 2026),
        ([2026], 2026),
        ("(2026)", 2026),
        ("to appear", None),
        (3, None),
        (1782900000, None),
        (10**40, None),
        (float("nan"), None),
        (True, None),
        ("", None),
    ],
)
@pytest.mark.parametrize("key", ["year", "date", "published", "publication_year"])
def test_years(key: str, value: Json, year: int | None) -> None:
    found = paper(title="A", **{key: value}).paper
    assert found.year == year
    if value == "to appear":
        assert found.extra == {key: "to appear"}


def test_the_first_usable_spelling_wins_and_the_others_are_kept() -> None:
    found = paper(title="Moss", name="moss-1", abstract="", text=ABSTRACT, year="soon", date="2025-01-02").paper
    assert (found.title, found.abstract, found.year) == ("Moss", ABSTRACT, 2025)
    assert found.extra == {"name": "moss-1", "year": "soon"}


def test_what_else_a_record_holds_is_kept_verbatim() -> None:
    other: dict[str, Json] = {
        "session": " Poster  1",
        "topic": {"a": [1, None]},
        "score": 0.5,
        "openreview": "AbCdEfGhIj",
    }
    found = paper(title="A", empty="", nothing=None, **other).paper
    assert found.extra == other


def test_ids_are_kept_verbatim() -> None:
    found = paper(title="A", _id="MED-10", id=17, paperId="0xAB ", key="moss2026a", corpusid=5.0).paper
    assert found.source_ids == ("MED-10", "17", "0xAB", "moss2026a", "5")
    assert found.extra == {}


def test_a_source_id_does_not_identify() -> None:
    assert paper(title="A", _id="1").keys == paper(title="A", _id="2").keys
    assert not any(key.endswith(":1") for key in paper(title="A", _id="1").keys)


def test_keys_come_strongest_first() -> None:
    parsed = paper(
        title="Moss",
        abstract=ABSTRACT,
        doi="https://doi.org/10.1000/AbC",
        openreview="https://openreview.net/forum?id=AbCdEfGhIj",
        pmid=123,
        url="https://arxiv.org/abs/2401.01234v2",
    )
    assert parsed.keys[:-1] == ("doi:10.1000/abc", "arxiv:2401.01234", "openreview:AbCdEfGhIj", "pubmed:123")
    assert parsed.keys[-1] == paper(text=ABSTRACT.upper()).keys[0]
    assert parsed.paper.paper_id == parsed.keys[0]
    assert parsed.paper.doi == "10.1000/abc"
    assert parsed.title_key == paper(title="MOSS").keys[0]


def test_external_ids_and_metadata() -> None:
    parsed = paper(title="A", externalIds={"DOI": "10.1000/X", "ArXiv": "2401.01234", "CorpusId": 9})
    assert parsed.keys[:2] == ("doi:10.1000/x", "arxiv:2401.01234")
    assert parsed.paper.source_ids == ("9",)
    beir = paper(_id="7", title="A", text=ABSTRACT, metadata={"authors": ["Ada Lovelace"], "year": 1843}).paper
    assert (beir.authors, beir.year, beir.source_ids) == (("Ada Lovelace",), 1843, ("7",))


@pytest.mark.parametrize("value", ["not a doi", "11.5/x", 3, ["x"]])
def test_an_invalid_doi_is_only_kept(value: Json) -> None:
    parsed = paper(title="A", doi=value)
    assert parsed.paper.doi is None
    assert parsed.paper.extra == {"doi": value}


@pytest.mark.parametrize("value", ["javascript:alert(1)", "ftp://x.org", "see below", 'http://x.org/"><script>', 5])
def test_only_web_links_are_links(value: Json) -> None:
    parsed = paper(title="A", url=value)
    assert parsed.paper.url is None
    assert parsed.paper.extra == {"url": value}


@pytest.mark.parametrize(
    "value",
    ["moss; rain; Moss", "moss, rain", ["moss", "rain", "", None], [{"name": "moss"}, {"name": "rain"}]],
)
def test_keywords(value: Json) -> None:
    assert [word.casefold() for word in paper(title="A", keywords=value).paper.keywords] == ["moss", "rain"]


def test_wrong_types_are_read_as_far_as_they_make_sense() -> None:
    assert paper(title=42).paper.title == "42"
    assert paper(title=["A", "tale"]).paper.title == "A tale"
    assert (
        paper(abstract=["We measure how moss", "grows on stones."]).paper.abstract
        == "We measure how moss grows on stones."
    )
    assert paper(title="A", journal={"name": "Moss Letters", "pages": "1"}).paper.venue == "Moss Letters"
    assert paper(title="A", authors=7).paper.extra == {"authors": 7}


def test_an_untitled_paper_gets_a_label() -> None:
    found = paper(abstract="We present MossNet, a model of moss.").paper
    assert (found.title, found.label, found.name) == (None, "MossNet", "MossNet")
    assert paper(title="A", abstract=ABSTRACT).paper.label is None


@pytest.mark.parametrize("abstract", ["aaaa", "N/A", "", None, "one two three four"])
def test_too_short_an_abstract_leaves_a_title(abstract: Json) -> None:
    parsed = paper(title="Test", abstract=abstract, authors=["Ada Lovelace"])
    assert parsed.paper.abstract == ""
    assert parsed.keys == (parsed.title_key,)


def test_five_words_are_an_abstract() -> None:
    assert paper(abstract="one two three four five").paper.abstract
    assert paper(abstract="我们研究苔藓在雨中的生长并测量其速度。").paper.abstract


def test_rejects() -> None:
    assert "fewer than 5 words" in reason(abstract="one two three four")
    assert "neither title nor abstract" in reason(year=2026)
    assert "neither title nor abstract" in reason(title="  ", abstract="<p></p>")
    assert "20,000 characters" in reason(title="A", abstract="moss " * 4_001)
    assert "20,000 characters" in reason(title="A", abstract="m" * 10_000_000)
    assert "2,000 characters" in reason(title="moss " * 500)
    deep: Json = "x"
    for _ in range(500):
        deep = [deep]
    assert "nested" in reason(title="A", other=deep)


def test_the_longest_abstract_is_taken() -> None:
    assert len(paper(abstract=("moss " * 4_000).strip() + ".").paper.abstract) == 20_000


@given(st.dictionaries(KEYS, JSONS, max_size=8))
def test_any_record_is_a_paper_or_a_reject(fields: dict[str, Json]) -> None:
    parsed = parse(RawRecord("a", 1, None, fields))
    if isinstance(parsed, Reject):
        assert parsed.reason
        return
    found = parsed.paper
    assert found.title or found.abstract
    assert found.paper_id == parsed.keys[0]
    assert (parsed.title_key is not None) == (found.title is not None)
    assert found.label is None if found.title else found.label
    everything = [
        found.title,
        found.abstract,
        *found.authors,
        *found.keywords,
        *found.source_ids,
        found.url,
        dict(found.extra),
    ]
    json.dumps(everything, allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_defaults_fill_what_is_missing_only() -> None:
    defaults = {"venue": "ICML", "year": "2026", "session": "Oral"}
    assert filled({"title": "A"}, defaults) == {"title": "A", **defaults}
    kept: dict[str, Json] = {"title": "A", "Date": "2024-01-01", "booktitle": "ACL", "session": "Poster"}
    assert filled(kept, defaults) == kept
    assert filled({"year": "to appear", "venue": ""}, defaults)["year"] == "2026"
    assert paper(**filled({"title": "A", "date": "n.d."}, defaults)).paper.year == 2026


def test_has_words() -> None:
    assert has_words({"summary": "x"})
    assert has_words({"Title": "x"})
    assert not has_words({"papers": [{"title": "x"}], "title": ""})


def test_hostile_records_take_little_time() -> None:
    start = time.process_time()
    paper(
        title="A",
        authors="a and " * 50_000,
        keywords="k," * 50_000,
        url="http://" * 50_000,
        doi="10.1000/" * 50_000,
    )
    reason(title="$" * 300_000, abstract="<" * 300_000)
    assert time.process_time() - start < 2
