"""`askpapers papers`: the catalogue."""

from pathlib import Path

from assistant.bibliography import Form, export
from assistant.census import Census
from assistant.library import Library
from assistant.schema import Filters, Paper
from ui.options import Options
from ui.rows import writing
from ui.session import open_library, settings
from ui.terminal import byline, link, say, show_catalogue, show_pairs, show_text


def list_papers(options: Options, which: str | None = None) -> int:
    """List the papers that pass the filters and that the words describe, if there are any, newest first."""
    with open_library(settings(options)) as library:
        papers = _selected(library, options.filters, which)
        show_catalogue(papers)
    say(f"{len(papers):,} paper{'s' * (len(papers) != 1)}.")
    return 0


def show(paper_id: str, options: Options) -> int:
    """Show one paper. Raises PaperMissing."""
    with open_library(settings(options)) as library:
        paper = library.catalogue.paper(paper_id)
    show_text(paper.name, "bold")
    for line in (byline(paper), link(paper)):
        if line:
            show_text(line, "dim")
    if paper.abstract:
        show_text("")
        show_text(paper.abstract)
    show_text("")
    show_pairs(
        (name, value)
        for name, value in (
            ("id", paper.paper_id),
            ("source ids", ", ".join(paper.source_ids)),
            ("also known as", ", ".join(paper.aliases)),
            ("keywords", ", ".join(paper.keywords)),
            *((name, str(value)) for name, value in paper.extra.items()),
        )
        if value
    )
    return 0


def export_papers(form: Form, out: Path | None, options: Options) -> int:
    """Write the papers that pass the filters as a reference list."""
    with open_library(settings(options)) as library:
        papers = _selected(library, options.filters)
    with writing(out) as file:
        file.writelines(export(papers, form))
    if out:
        say(f"{len(papers):,} paper{'s' * (len(papers) != 1)} written to {out}.")
    return 0


def remove(paper_id: str, options: Options) -> int:
    """Remove one paper. Raises PaperMissing."""
    with open_library(settings(options)) as library:
        paper = library.remove(paper_id)
    say(f"Removed {paper.name}.")
    return 0


def _selected(library: Library, filters: Filters, which: str | None = None) -> list[Paper]:
    ids = library.catalogue.matching(filters) if which is None else Census(library).select(which, filters)
    papers = library.catalogue.papers(ids)
    return sorted(papers, key=lambda paper: (-(paper.year or 0), paper.venue or "", paper.name.casefold()))
