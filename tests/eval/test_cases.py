import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import QuestionError
from assistant.library import Library
from eval.cases import Case, Dataset, PaperKeys, case_id, plain, read_dataset, read_keys

BEES, TIDE, GLACIER = "openreview:bees0001", "arxiv:2501.00001", "doi:10.1234/glacier"
KEYS = {"bee": ["read the dance from video"], "winter": ["temperature of each winter"], "none": ["of no abstract"]}


@pytest.fixture(scope="module")
def keys(held: Library) -> PaperKeys:
    return PaperKeys(held, KEYS)


def dataset(keys: PaperKeys, *rows: Any) -> Dataset:
    return read_dataset([row if isinstance(row, str) else json.dumps(row) for row in rows], keys)


def case_of(keys: PaperKeys, **fields: Any) -> Case:
    return dataset(keys, {"question": "Which?", **fields}).cases[0]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        (BEES, {BEES}),
        ("17", {BEES}),
        (17, {BEES}),
        ("10.1234/bees", {BEES}),
        ("2501.00001", {TIDE}),
        ("bee", {BEES}),
        ("winter", {GLACIER, "title:echo"}),
    ],
)
def test_gold_papers_go_by_id_source_id_or_key(keys: PaperKeys, name: str | int, ids: set[str]) -> None:
    case = case_of(keys, gold=[name])
    assert case.gold == (frozenset(ids),)
    assert (case.answerable, case.fault) == (True, None)


def test_a_paper_named_twice_is_one(keys: PaperKeys) -> None:
    assert case_of(keys, gold=["17", BEES, "bee", TIDE]).gold == (frozenset({BEES}), frozenset({TIDE}))


@pytest.mark.parametrize("name", ["18", "none", "", None, ["17"], {"a": 1}, "\ud800", "%", "17 "])
def test_gold_that_is_no_paper_is_a_fault_that_keeps_the_kind(keys: PaperKeys, name: Any) -> None:
    case = case_of(keys, id="q7", type="multi", gold=["17", name])
    assert case.fault is not None
    assert case.fault.startswith("q7: ")
    assert (case.kind, case.gold, case_id(case)) == ("multi", None, "q7")


def test_a_missing_key_says_what_to_do(keys: PaperKeys) -> None:
    assert "contains a text of the key 'none'" in str(case_of(keys, gold=["none"]).fault)
    assert "--papers" in str(case_of(keys, gold=["nobody"]).fault)


def test_what_is_known_tells_whether_there_is_an_answer(keys: PaperKeys) -> None:
    assert case_of(keys).answerable is None
    assert case_of(keys, gold=[]).answerable is False
    assert case_of(keys, nuggets=["93%"]).answerable is True
    assert case_of(keys, reference="Bees dance.").answerable is True
    assert case_of(keys, reference="").answerable is None


def test_nuggets_are_texts_or_lists_of_spellings(keys: PaperKeys) -> None:
    assert case_of(keys, nuggets=["93%", ["eight", "8"]]).nuggets == (("93%",), ("eight", "8"))


@pytest.mark.parametrize(
    "fields",
    [
        {"nuggets": "93%"},
        {"nuggets": [[]]},
        {"nuggets": [""]},
        {"nuggets": [["a", " "]]},
        {"nuggets": [93]},
        {"nuggets": {"a": 1}},
        {"gold": "17"},
        {"gold": {"17": 1}},
        {"reference": ["Bees dance."]},
    ],
)
def test_wrong_shapes_are_faults(keys: PaperKeys, fields: dict[str, Any]) -> None:
    fault = case_of(keys, id="odd", type="fact", **fields)
    assert str(fault.fault).startswith("odd: ")
    assert next(iter(fields)) in str(fault.fault)
    assert fault.kind == "fact"


def test_the_kind_is_the_type(keys: PaperKeys) -> None:
    assert [case_of(keys, **f).kind for f in ({"type": "multi"}, {"kind": "fact"}, {}, {"type": None})] == [
        "multi", "fact", "question", "question",
    ]  # fmt: skip


def test_bad_lines_stand_beside_good_ones_and_are_counted_as_in_the_file(keys: PaperKeys) -> None:
    found = dataset(keys, "", '{"question": "Which?"}', "  ", "no JSON", "[1]", '{"question": 5}', "[" * 100_000)
    assert [case_id(case) for case in found.cases] == ["2", "4", "5", "6", "7"]
    assert [bool(case.fault) for case in found.cases] == [False, True, True, True, True]
    assert all(f"Line {case_id(case)}:" in str(case.fault) for case in found.cases[1:])


def test_a_byte_order_mark_changes_nothing(keys: PaperKeys) -> None:
    line = '{"id": "a", "question": "Which?", "gold": ["17"]}'
    marked = dataset(keys, "\ufeff" + line)
    assert marked == dataset(keys, line)
    assert marked.cases[0].gold == (frozenset({BEES}),)


@pytest.mark.parametrize("lines", [[], [""], ["\n", "  \n"], ["\ufeff"], ["\ufeff\n", "\n"]])
def test_a_blank_file_holds_no_question(keys: PaperKeys, lines: list[str]) -> None:
    with pytest.raises(QuestionError, match="no question"):
        read_dataset(lines, keys)


@pytest.mark.parametrize("ids", [("a", "a"), (1, "1"), (2, None)])
def test_ids_stand_once(keys: PaperKeys, ids: tuple[Any, Any]) -> None:
    with pytest.raises(QuestionError, match="stands twice"):
        dataset(keys, *({"id": name, "question": "Which?"} for name in ids))


def test_the_digest_is_of_the_questions(keys: PaperKeys) -> None:
    first, other = '{"id": 1, "question": "Which?"}', '{"id": 1, "question": "Who?"}'
    assert dataset(keys, first).digest == dataset(keys, f"{first}\r\n", " ").digest
    assert dataset(keys, first).digest != dataset(keys, other).digest


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(("id", "_id", "question", "gold", "nuggets", "reference", "type", "kind", "history"))
GOLD = st.lists(st.sampled_from(("17", "bee", "none", BEES)) | JSON, max_size=3)
ROWS = st.one_of(
    st.dictionaries(NAMES, JSON, max_size=9),
    st.fixed_dictionaries({"question": st.text(min_size=1), "gold": GOLD, "nuggets": JSON, "type": JSON}),
    JSON,
)


@given(st.lists(ROWS.map(json.dumps) | st.text(), min_size=1, max_size=4))
def test_any_line_is_a_case_or_a_fault(keys: PaperKeys, lines: list[str]) -> None:
    lines = [" ".join(line.splitlines()) for line in lines]
    refusal = ""
    try:
        found = read_dataset(lines, keys)
    except QuestionError as error:
        refusal = str(error)
    if refusal:
        assert "stands twice" in refusal or "no question" in refusal
        return
    assert len(found.cases) == sum(bool(line.lstrip("\ufeff").strip()) for line in lines)
    for case in found.cases:
        assert bool(case.fault) or bool(case.question.text.strip())
        assert not (case.fault and case.gold)
        case_id(case).encode()
        case.kind.encode()


def test_keys_are_read_and_joined() -> None:
    text = '\ufeff[{"key": "a", "contains": ["x"]}, {"key": "a", "contains": ["y"]}, {"key": 3, "contains": []}]'
    assert read_keys(text) == {"a": ["x", "y"], "3": []}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "3",
        "[3]",
        '{"a": ["x"]}',
        '[{"key": "a"}]',
        '[{"key": "a", "contains": "a text"}]',
        '[{"key": "a", "contains": [""]}]',
        '[{"key": "a", "contains": [" $ "]}]',
        '[{"key": "a", "contains": [3]}]',
        "[" * 100_000,
    ],
)
def test_a_file_of_keys_that_could_mean_any_paper_is_refused(text: str) -> None:
    with pytest.raises(QuestionError, match="--papers"):
        read_keys(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,860 pairs", "1860 pairs"),
        ("1{,}860,000", "1860000"),
        ("3.64$\\times$", "3.64×"),
        ("3.64 x", "3.64×"),
        ("16 x 16", "16×16"),
        ("16x16", "16×16"),
        ("93\\,\\%", "93 %"),
        ("1\\,860", "1,860"),
        ("\\textbf{93}%", "93%"),
        ("twenty–five", "twenty-five"),
        ("\N{MINUS SIGN}5", "-5"),
        ("Fréchet  \n distance", "frechet distance"),
        ("$O(n \\log n)$", "O(n log n)"),
    ],
)
def test_spellings_that_readers_see_as_one(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize("text", ["[0,100]", "0,001", "1,2,3", "12,34", "1,8600", "3.1,415", "x,100"])
def test_commas_of_other_meaning_stay(text: str) -> None:
    assert plain(text) == text


@given(st.text())
def test_plain_text_is_plain(text: str) -> None:
    assert plain(plain(text)) == plain(text)
