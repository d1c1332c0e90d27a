"""The page on evaluation says what the code measures."""

from pathlib import Path

import pytest

from eval.documentation import measures_table, with_part
from eval.measures import MEASURES

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"


def test_every_measure_is_defined_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_part(page, "measures", measures_table()), (
        "Write: python -m eval.documentation docs/evaluation.md"
    )


def test_each_measure_stands_once_and_says_which_end_is_good() -> None:
    table = measures_table()
    assert all(table.count(f"`{measure.name}`") == 1 for measure in MEASURES)
    assert "| lower |" in next(line for line in table.splitlines() if "`foreign_figures`" in line)


def test_a_part_is_replaced_between_its_markers_only() -> None:
    page = "a\n<!-- x -->\nold \\1\n<!-- /x -->\nb\n"
    assert with_part(page, "x", r"new \1") == "a\n<!-- x -->\nnew \\1\n<!-- /x -->\nb\n"
    with pytest.raises(ValueError, match="no part 'y'"):
        with_part(page, "y", "")
