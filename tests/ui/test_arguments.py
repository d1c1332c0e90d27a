"""What users write on the command line, as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Filters
from ui.arguments import Credentials, FieldValue, Limit, Years, credentials, field_value, filters, limit, share, years


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024", 2024, 2024),
        ("2024-2026", 2024, 2026),
        (" 2024 - 2026 ", 2024, 2026),
        ("2024-", 2024, None),
        ("-2026", None, 2026),
    ],
)
def test_years(text: str, first: int | None, last: int | None) -> None:
    assert years(text) == Years(first, last)


@given(st.text("0123456789- x", max_size=12))
def test_any_text_is_a_range_in_order_or_refused(text: str) -> None:
    try:
        read = years(text)
    except ValueError:
        return
    bounds = [bound for bound in (read.first, read.last) if bound is not None]
    assert bounds
    assert bounds == sorted(bounds)


@pytest.mark.parametrize("text", ["", "-", "24", "2026-2024", "2024-26", "ICML"])
def test_years_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        years(text)


def test_fields_and_credentials() -> None:
    assert field_value("Venue = ICML=2026") == FieldValue("venue", "ICML=2026")
    assert credentials("ada:se:cret") == Credentials("ada", "se:cret")
    for text in ("venue", "=ICML", "venue="):
        with pytest.raises(ValueError, match="FIELD=VALUE"):
            field_value(text)
    for text in ("ada", ":secret", "ada:"):
        with pytest.raises(ValueError, match="USER:PASSWORD"):
            credentials(text)


def test_filters() -> None:
    assert filters(None, None, None) == Filters()
    assert filters(Years(2024, None), ["ICML"], ["Ada"]) == Filters((2024, None), ("ICML",), ("Ada",))


@pytest.mark.parametrize(("text", "number"), [("0", 0.0), ("1", 1.0), ("0.75", 0.75), (".5", 0.5), ("1.0", 1.0)])
def test_a_share_is_a_number_from_0_to_1(text: str, number: float) -> None:
    assert share(text) == number


@pytest.mark.parametrize("text", ["", ".", "1.1", "-0.5", "2", "nan", "1e-3", "half"])
def test_other_shares_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a number from 0 to 1"):
        share(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("all_nuggets=0.02", Limit("all_nuggets", 0.02)),
        (" nDCG@10 = 0", Limit("nDCG@10", 0.0)),
        ("a=b=1", Limit("a=b", 1)),
    ],
)
def test_limits(text: str, read: Limit) -> None:
    assert limit(text) == read


@pytest.mark.parametrize("text", ["risk", "risk=", "=0.1", "risk=-1", "risk=nan", "risk=inf", "risk=much"])
def test_what_is_no_limit(text: str) -> None:
    with pytest.raises(ValueError, match="is not MEASURE=DROP"):
        limit(text)
