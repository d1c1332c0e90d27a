"""Writes the parts of docs/evaluation.md that come from code: `python -m eval.documentation docs/evaluation.md`."""

import re
import sys
from pathlib import Path

from eval.measures import MEASURES, Measure


def measures_table() -> str:
    """Return the measures as a table."""
    rows = ["| measure | what it is | over answers | better | source |", "|---|---|---|---|---|"]
    return "\n".join([*rows, *map(_row, MEASURES)])


def with_part(page: str, name: str, text: str) -> str:
    """Return a page with the text between its markers `<!-- name -->` and `<!-- /name -->` replaced.

    Raises:
        ValueError: the page has no such markers.
    """
    pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    if not pattern.search(page):
        raise ValueError(f"the page has no part {name!r}")
    return pattern.sub(lambda match: f"{match[1]}{text}\n{match[2]}", page)


def _row(measure: Measure) -> str:
    better = "" if measure.better == "neither" else measure.better
    return f"| `{measure.name}` | {measure.what} | {measure.over} | {better} | {measure.source} |"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_part(path.read_text(encoding="utf-8"), "measures", measures_table()), encoding="utf-8")
