from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.comparison import Comparison, Finding, Gate, Side, compared, compared_rows, judged, unusable, verdict
from eval.reporting.comparison_page import told_apart
from eval.runs import Row
from tests.eval.scored import header, row, stored_run

HALF = [row(f"q{i}", {"coverage": 1.0, "all_nuggets": float(i % 2), "risk": 1.0 - i % 2}) for i in range(20)]
NONE = [row(f"q{i}", {"coverage": 1.0, "all_nuggets": 0.0, "risk": 1.0}) for i in range(20)]


def comparison(before: Sequence[Row], after: Sequence[Row], finished: bool = True) -> Comparison:
    first, second = (Side(name, Path(name), header(), done) for name, done in (("A", True), ("B", finished)))
    return Comparison(first, second, (), compared_rows(before, after))


def found(gate: Gate, before: Sequence[Row], after: Sequence[Row], finished: bool = True) -> Finding:
    [finding] = judged([gate], comparison(before, after, finished))
    return finding


def test_a_run_does_not_differ_from_itself() -> None:
    rows = [row(f"q{i}", {"all_nuggets": i % 2, "total_ms": 9.0 * i, "risk": 0.0, "coverage": 1.0}) for i in range(9)]
    series = compared_rows(rows, rows)["answers"]
    assert set(series.contrasts) == {"all_nuggets", "total_ms", "risk", "coverage", "aurc"}
    for contrast in [*series.contrasts.values(), *series.by_kind["fact"].values()]:
        assert contrast.difference is not None
        assert (contrast.difference.mean, contrast.difference.p) == (0.0, 1.0)
        assert contrast.difference.low <= 0 <= contrast.difference.high
    assert series.changes == series.losers() == series.gainers() == ()


def test_a_measure_that_went_down_is_told_and_one_that_did_not_is_not() -> None:
    series = compared_rows(HALF, NONE)["answers"]
    fallen, held = series.contrasts["all_nuggets"], series.contrasts["coverage"]
    assert fallen.difference is not None
    assert fallen.difference.mean == pytest.approx(-0.5)
    assert fallen.difference.low < -0.5 < fallen.difference.high < 0
    assert verdict("all_nuggets", fallen) == "worse"
    assert verdict("risk", series.contrasts["risk"]) == "worse"
    assert verdict("coverage", held) == ""
    assert [change.after.question_id for change in series.changes] == [f"q{i}" for i in range(1, 20, 2)]
    assert {change.gain for change in series.losers()} == {-2.0}


def test_values_that_one_side_lacks_count_on_the_other_alone() -> None:
    before = [row("a", {"citation_recall": 1.0}), row("b", {"citation_recall": 0.0}), row("c", {})]
    after = [row("a", {"citation_recall": 0.5}), row("b", {}), row("c", {})]
    contrast = compared_rows(before, after)["answers"].contrasts["citation_recall"]
    assert contrast.difference is not None
    assert contrast.before is not None
    assert contrast.after is not None
    assert (contrast.before.mean, contrast.after.mean, contrast.difference.mean) == (0.5, 0.5, 0.0)
    assert (contrast.pairs, contrast.lost) == (1, ())


def test_a_hit_counts_twice_in_the_mean_of_abstention() -> None:
    before = [row("a", {"abstention_f1": 1.0}), row("b", {"abstention_f1": 0.0})]
    contrast = compared_rows(before, before)["answers"].contrasts["abstention_f1"]
    assert contrast.before is not None
    assert contrast.before.mean == pytest.approx(2 / 3)


def test_questions_of_one_run_alone_are_named_and_left_out() -> None:
    series = compared_rows([row("a", {"risk": 0.0}), row("b", {"risk": 1.0})], [row("b", {"risk": 1.0}), row("c", {})])
    assert (series["answers"].only_before, series["answers"].only_after) == (("a",), ("c",))
    assert series["answers"].questions == 1
    assert series["answers"].contrasts["risk"].pairs == 1


def test_series_are_matched_by_name() -> None:
    before = [row("a", {"nDCG@10": 0.5}, series=name) for name in ("dense", "fused")]
    after = [row("a", {"nDCG@10": 0.75}, series="fused")]
    series = compared_rows(before, after)
    assert series["dense"].only_before == ("a",)
    difference = series["fused"].contrasts["nDCG@10"].difference
    assert difference is not None
    assert difference.mean == 0.25


def test_equal_confidences_make_equal_areas() -> None:
    before = [row(f"q{i}", {"coverage": 1.0, "risk": float(i < 3)}) for i in range(9)]
    series = compared_rows(before, before[::-1])["answers"]
    assert series.contrasts["aurc"].difference is not None
    assert series.contrasts["aurc"].difference.mean == pytest.approx(0)


def test_the_surest_answers_going_wrong_enlarges_the_area() -> None:
    def rows(wrong: set[int]) -> list[Row]:
        values = [{"coverage": 1.0, "risk": float(i in wrong)} for i in range(30)]
        return [row(f"q{i}", each, confidence=1 - i / 30) for i, each in enumerate(values)]

    difference = compared_rows(rows(set(range(20, 30))), rows(set(range(10))))["answers"].contrasts["aurc"].difference
    assert difference is not None
    assert difference.mean > 0.3
    assert 0 < difference.low < difference.mean < difference.high
    assert difference.p < 0.05


def test_what_the_runs_were_made_of_is_told_apart(tmp_path: Path) -> None:
    with (
        stored_run(tmp_path / "a", HALF, header(words=None)) as first,
        stored_run(tmp_path / "b", NONE, header(words=80), finished=False) as second,
    ):
        told = compared(first, second).differing
        assert told == (
            "The setting words was not set, then 80.",
            "The run b is unfinished: not all of its questions have been asked.",
        )
        assert compared(first, first).differing == ()


def test_gates_know_the_good_end_of_a_measure() -> None:
    assert found(Gate("all_nuggets", 0.4), HALF, NONE).fell
    assert not found(Gate("all_nuggets", 0.5), HALF, NONE).fell
    assert not found(Gate("all_nuggets", 0.0), NONE, HALF).fell
    assert found(Gate("risk", 0.4), HALF, NONE).fell
    assert not found(Gate("risk", 0.0), NONE, HALF).fell
    sentence = found(Gate("risk", 0.4), HALF, NONE).sentence
    assert sentence.startswith("risk rose: 0.5, then 1, more than the 0.4 allowed (p = ")


def test_what_could_not_be_scored_has_fallen() -> None:
    unscored = [row("q0", {"all_nuggets": None}, error="It stopped."), *NONE[1:]]
    assert found(Gate("all_nuggets", 1.0), NONE, unscored).sentence == (
        "all_nuggets fell away for 1 question that B did not score."
    )
    assert found(Gate("all_nuggets", 1.0), NONE, [row(r.question_id, {"coverage": 1.0}) for r in NONE]).fell
    assert found(Gate("all_nuggets", 1.0), NONE, []).fell
    assert found(Gate("all_nuggets", 1.0), NONE, NONE[:5], finished=False).fell
    assert not found(Gate("all_nuggets", 1.0), NONE, NONE[:5]).fell
    assert found(Gate("aurc", 1.0), NONE, unscored).fell


def test_a_question_that_failed_after_lost_more_than_any_other() -> None:
    after = [row("q0", {"all_nuggets": None, "risk": None}, error="It stopped."), *HALF[1:4], *NONE[4:]]
    series = compared_rows([row("q0", {"all_nuggets": 1.0, "risk": 0.0, "false_refusal": 0.0}), *HALF[1:]], after)
    assert series["answers"].losers()[0].after.question_id == "q0"


def test_a_gate_on_what_cannot_fall_is_refused() -> None:
    both = comparison(HALF, NONE)
    assert unusable([Gate("risk", 0.1), Gate("aurc", 0.1)], both) is None
    assert unusable([Gate("recall", 0.1)], both) == (
        "'recall' is no measure of A; a gate takes one of all_nuggets, risk, aurc."
    )
    assert "'coverage' has no good end" in str(unusable([Gate("coverage", 0.1)], both))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8), st.floats(0, 1), st.floats(0, 1))
def test_a_stricter_gate_falls_whenever_a_laxer_one_does(
    values: list[tuple[float, float]], drop: float, more: float
) -> None:
    before, after = ([row(f"q{i}", {"risk": v[side]}) for i, v in enumerate(values)] for side in (0, 1))
    strict, lax = (found(Gate("risk", limit), before, after).fell for limit in (drop, drop + more))
    assert strict or not lax
    rise = sum(b - a for a, b in values) / len(values)
    assert strict == (rise > drop + 1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_no_gate_falls_between_equal_runs(values: list[float]) -> None:
    rows = [row(f"q{i}", {"nugget_recall": value}) for i, value in enumerate(values)]
    assert not found(Gate("nugget_recall", 0.0), rows, rows).fell


@given(st.text("ab ", max_size=30), st.text("ab ", max_size=30))
def test_texts_told_apart_keep_every_word(before: str, after: str) -> None:
    for text, pieces in zip((before, after), told_apart(before, after), strict=True):
        assert " ".join(piece for piece, _ in pieces if piece) == " ".join(text.split())
