import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Json
from ingest.authors import author_names

ADA_ALAN = ("Ada Lovelace", "Alan Turing")
NAMES = st.lists(
    st.from_regex(r"[A-Z][a-zé]{2,8} ([A-Z]\. )?(Mac|O')?[A-Z][a-z]{3,9}", fullmatch=True),
    min_size=1,
    max_size=6,
)


@pytest.mark.parametrize(
    "value",
    [
        ["Ada Lovelace", "Alan Turing"],
        ["Lovelace, Ada", "Turing, Alan", None, 3, ""],
        [{"name": "Ada Lovelace"}, {"display_name": "Turing, Alan"}],
        [{"first": "Ada", "last": "Lovelace"}, {"given": "Alan", "family": "Turing"}],
        [{"firstName": "Ada", "lastName": "Lovelace"}, "Alan Turing"],
        "Ada Lovelace and Alan Turing",
        "Ada Lovelace & Alan Turing",
        "Ada Lovelace; Alan Turing",
        "Ada Lovelace, Alan Turing",
        "Ada Lovelace\nAlan Turing\n",
        "Lovelace, Ada and Turing, Alan",
        "Lovelace, Ada and\n  Turing, Alan",
        "Lovelace, Ada; Turing, Alan;",
        "Lovelace, Ada, Turing, Alan",
        "Ada Lovelace, Alan Turing, et al.",
        "Ada Lovelace and Alan Turing and others",
        "{Ada} Lovelace and Alan {Turing}",
    ],
)
def test_many_spellings_of_two_authors(value: Json) -> None:
    assert author_names(value) == ADA_ALAN


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Lovelace, Ada", ("Ada Lovelace",)),
        ("Ada Lovelace", ("Ada Lovelace",)),
        ("Lovelace, A., Turing, A. M.", ("A. Lovelace", "A. M. Turing")),
        ("Ada Lovelace, Alan Turing, and Grace Hopper", (*ADA_ALAN, "Grace Hopper")),
        ("Ada Lovelace, Alan Turing and Grace Hopper", (*ADA_ALAN, "Grace Hopper")),
        ("van der Berg, Jan", ("Jan van der Berg",)),
        ("García Márquez, Gabriel and Lovelace, Ada", ("Gabriel García Márquez", "Ada Lovelace")),
        ("King, Jr., Martin", ("Martin King Jr.",)),
        (["King, Jr., Martin", "Martin King, Jr."], ("Martin King Jr.", "Martin King, Jr.")),
        (r"R{{\'e}}mi Munos", ("Rémi Munos",)),
        ("O&amp;#x27;Neill, Charles", ("Charles O'Neill",)),
        ("Anders Sandberg", ("Anders Sandberg",)),
        ({"name": "Ada Lovelace"}, ("Ada Lovelace",)),
        ([["Ada"]], ()),
        (42, ()),
        (None, ()),
        (" , ; ", ()),
    ],
)
def test_single_cases(value: Json, expected: tuple[str, ...]) -> None:
    assert author_names(value) == expected


@given(NAMES)
def test_full_names_survive_every_way_of_joining_them(names: list[str]) -> None:
    expected = tuple(names)
    assert author_names([*names]) == expected
    assert author_names(" and ".join(names)) == expected
    assert author_names("; ".join(names)) == expected
    assert author_names(", ".join(names)) == expected
    assert author_names([{"name": name} for name in names]) == expected


@given(NAMES)
def test_turned_names_are_turned_back(names: list[str]) -> None:
    turned = [f"{name.rsplit(' ', 1)[1]}, {name.rsplit(' ', 1)[0]}" for name in names]
    assert author_names(" and ".join(turned)) == tuple(names)
    assert author_names([*turned]) == tuple(names)


@given(st.text())
def test_any_text_is_taken(text: str) -> None:
    assert all(name.strip() == name and name for name in author_names(text))
