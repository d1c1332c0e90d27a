"""Reports of runs and of comparisons: pages that open anywhere without a network, and the same in Markdown."""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from assistant.errors import RunError
from eval.comparison import Comparison, Finding
from eval.reporting import markdown, plots
from eval.reporting.comparison_page import comparison_page
from eval.reporting.pages import Page
from eval.reporting.run_page import run_page
from eval.runs import Run
from eval.summary import Summary, summarised

_TEMPLATES = Path(__file__).parent / "templates"


def write_reports(run: Run, summary: Summary | None = None) -> Path:
    """Write report.html and report.md into a run's folder and return the page's path.

    `summary` is that of the run's only series where it was made already; each of several series gets its own.

    Raises:
        RunError: they can't be written.
    """
    rows = run.rows()
    names = list(dict.fromkeys(row.series for row in rows))
    if summary is not None and len(names) == 1:
        summaries = {names[0]: summary}
    else:
        summaries = {name: summarised([row for row in rows if row.series == name]) for name in names}
    page = run_page(run, summaries)
    _write(run.folder / "report.md", markdown.text(page))
    return _write(run.folder / "report.html", html(page))


def write_comparison(path: Path, comparison: Comparison, findings: Sequence[Finding] = ()) -> Path:
    """Write a comparison as a page, or as Markdown where the file's name ends in `.md`. Raises RunError."""
    page = comparison_page(comparison, findings)
    return _write(path, markdown.text(page) if path.suffix.lower() == ".md" else html(page))


def html(page: Page) -> str:
    """Return a page as HTML: one file, which asks for nothing, runs no script but its own and escapes all text."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    drawn = page.plots()
    scripts = [plots.script(), _static("report.js")] if drawn else []
    return environment.get_template("page.html").render(
        page=page,
        style=_static("report.css"),
        scripts=scripts,
        digests=" ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'",
        figures=plots.embedded(drawn),
    )


def _static(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


def _write(path: Path, text: str) -> Path:
    try:
        path.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        reason = error.strerror or str(error)
        raise RunError(f"{path} cannot be written ({reason}); name another folder or file with --out.") from error
    return path
