from hypothesis import given
from hypothesis import strategies as st

from eval.reporting.shortfall import failed, ordered, shortfall, total
from tests.eval.scored import row


def test_what_is_wanted_and_what_is_not_fall_short_at_opposite_ends() -> None:
    assert (shortfall("paper_recall", 0.75), shortfall("false_refusal", 0.75)) == (0.25, 0.75)
    assert (shortfall("nDCG@10", 0.0), shortfall("nDCG@10", None)) == (1.0, 1.0)
    assert (shortfall("coverage", 0.0), shortfall("total_ms", 9.0)) == (None, None)


@given(st.floats(allow_nan=False))
def test_a_shortfall_is_a_share(value: float) -> None:
    found = shortfall("risk", value)
    assert found is not None
    assert 0 <= found <= 1


def test_what_failed_is_named_worst_first_and_what_only_repeats_it_is_not() -> None:
    wrong = row(
        "a", {"nugget_recall": 0.5, "all_nuggets": 0.0, "nugget_f3": 0.2, "citation_recall": 0.9, "coverage": 1.0}
    )
    assert list(failed(wrong).items()) == [("all_nuggets", 0.0), ("nugget_recall", 0.5)]
    assert round(total(wrong), 6) == 1.6


def test_measures_stand_in_their_order_and_unknown_ones_last() -> None:
    assert ordered({"nDCG@10", "risk", "R@10", "paper_recall"}) == ["paper_recall", "risk", "R@10", "nDCG@10"]
