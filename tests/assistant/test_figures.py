import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.figures import exchanged, figures, foreign, is_figure, same

WRITTEN = "two twice 1,860 3.64x 10^{5} 13.7\\% \\$5 thousand percent 8-bit ms bees 2024. GPT-4 - ½".split()
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(WRITTEN), max_size=12).map(" ".join))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("The hive holds 1,860 cells.", 1860, ""),
        ("a loss of 13.7\\%", 13.7, "%"),
        ("a loss of 13.7 percent", 13.7, "%"),
        ("3.64× the honey", 3.64, "×"),
        ("3.64x the honey", 3.64, "×"),
        ("twice as warm", 2, "×"),
        ("a threefold rise", 3, "×"),
        ("twenty-one hives", 21, ""),
        ("five hundred hives", 500, ""),
        ("a 7B model", 7e9, ""),
        ("2 million bees", 2e6, ""),
        ("10^{5} steps", 1e5, ""),
        ("a rate of $10^{-4}$", 1e-4, ""),
        ("\\$3 million a year", 3e6, "$"),
        ("8 percentage points", 8, "point"),
        ("a 16-bit counter", 16, "bit"),
        ("within 5 milliseconds", 5, "ms"),
        ("a hundred hives", 100, ""),
        ("over a million bees", 1e6, ""),
        ("a 7 B model", 7e9, ""),
        ("5 k-means steps", 5, ""),
        ("½ of the honey", 0.5, ""),
        ("2½ hours", 2.5, "h"),
        ("a change of −3.2", -3.2, ""),
        ("minus 4 degrees", -4, "°"),
        ("FROG -4 ponds", -4, ""),
    ],
)
def test_a_figure_has_its_value_and_unit(text: str, value: float, unit: str) -> None:
    (figure,) = figures(text)
    assert figure.value == pytest.approx(value)
    assert figure.unit == unit


def test_figures_come_in_order_with_what_they_count() -> None:
    found = figures("Four ponds held 12 frogs.")
    assert [(f.value, f.noun, f.start, f.spelled) for f in found] == [(4, "pond", 0, True), (12, "frog", 16, False)]


@pytest.mark.parametrize(
    "text", ["ResNet50 sleeps.", "Someone weighs the stone.", "", "Of bees.", "half a million", "a hive"]
)
def test_digits_within_a_word_and_letters_within_a_word_are_no_figure(text: str) -> None:
    assert figures(text) == []


@pytest.mark.parametrize(
    ("claimed", "held", "expected"),
    [
        ("1860 cells", "1,860 cells", []),
        ("4 ponds", "four ponds", []),
        ("13.7%", "13.7 percent", []),
        ("5 hours", "5", []),
        ("5 hours", "5 days", ["5"]),
        ("5 points", "5%", ["5"]),
        ("39% of 12 frogs", "93% of 12 frogs", ["39"]),
        ("two ponds", "the ponds", []),
        ("two ponds", "three ponds", ["two"]),
        ("thirty ponds", "the ponds", ["thirty"]),
        ("2 ponds", "the ponds", ["2"]),
        ("100 ponds", "a hundred ponds", []),
        ("a hundred ponds", "200 ponds", ["a hundred"]),
        ("7 B ponds", "7B ponds", []),
        ("0.5 ponds", "½ ponds", []),
        ("a score of 3.2", "a score of −3.2", ["3.2"]),
        ("a score of -3.2", "a score of 3.2", ["-3.2"]),
        ("a fall by 5%", "a change of −5%", []),
        ("a change of −5%", "reduces it by 5%", []),
        ("GPT-4", "4", []),
    ],
)
def test_foreign_figures(claimed: str, held: str, expected: list[str]) -> None:
    assert [f.text for f in foreign(figures(claimed), figures(held))] == expected


def test_words_for_numbers_are_figures() -> None:
    assert all(map(is_figure, ["3", "14.5%", "seven", "ninety"]))
    assert not any(map(is_figure, ["", "frog", "hundredth", "often"]))


@given(TEXTS)
def test_a_texts_own_figures_are_never_foreign_to_it(text: str) -> None:
    found = figures(text)
    assert foreign(found, found) == []
    assert [f.start for f in found] == sorted({f.start for f in found})
    assert all((f.value < 0) <= f.text.startswith("-") for f in found)


@given(st.integers(0, 10**12))
def test_separators_make_no_difference(number: int) -> None:
    assert same(*figures(f"{number} and {number:,}"))


@given(TEXTS, TEXTS)
def test_sameness_is_mutual(one: str, other: str) -> None:
    assert all(same(a, b) == same(b, a) for a in figures(one) for b in figures(other))


SOURCE = "The kiln fails in 21% of firings and the oven in 41%, after 3 hours."


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The kiln fails in 41% of firings.", ["41"]),
        ("The kiln fails in 21% of firings.", []),
        ("The oven fails in 41% of firings.", []),
        ("It takes 3 hours.", []),
        ("The kiln fails in 21% and the oven in 41% of firings.", []),
    ],
)
def test_figures_that_changed_places_are_found(text: str, wrong: list[str]) -> None:
    assert [figure.text for figure in exchanged(text, [SOURCE])] == wrong


@given(st.text(max_size=200))
def test_nothing_is_exchanged_with_itself(text: str) -> None:
    assert exchanged(text, [text]) == []
