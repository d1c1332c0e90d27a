"""`askpapers library`: the state of the library folder."""

from dataclasses import asdict
from typing import cast

from assistant.library import Info, Library
from assistant.schema import Json
from ui.options import Options
from ui.rows import write_row
from ui.session import open_library, settings
from ui.terminal import progress, say, show_pairs

_SHOWN_VENUES = 5


def info(options: Options, as_json: bool) -> int:
    """Say what the library holds and how it was made."""
    with open_library(settings(options)) as library:
        state = library.info()
    if as_json:
        write_row(cast(dict[str, Json], asdict(state)))
    else:
        show_pairs(_pairs(state))
    return 0


def verify(options: Options, as_json: bool) -> int:
    """Say what is wrong with the library; 1 when something is."""
    with open_library(settings(options)) as library:
        problems = library.verify()
    if as_json:
        write_row({"problems": list(problems)})
    for problem in problems:
        say(f"Problem: {problem}.")
    say("Run `askpapers library rebuild` to repair it." if problems else "Catalogue and indexes agree.")
    return 1 if problems else 0


def rebuild(options: Options, encoder: str | None, as_json: bool) -> int:
    """Make both indexes anew from the catalogue, with another encoder if one is given."""
    chosen = settings(options)
    with Library.open(chosen.library, device=chosen.device, repair=True) as library:
        with progress("Encoding") as advance:
            library.rebuild(encoder, advance)
        papers = len(library.catalogue)
    if as_json:
        write_row({"papers": papers})
    say(f"Rebuilt the indexes of {papers:,} papers.")
    return 0


def _pairs(state: Info) -> list[tuple[str, str]]:
    years = sorted(state.years)
    venues = [f"{name} ({count:,})" for name, count in list(state.venues.items())[:_SHOWN_VENUES]]
    more = len(state.venues) - len(venues)
    pairs = [
        ("folder", state.folder),
        ("papers", f"{state.papers:,}" + (f", {state.title_only:,} by title only" if state.title_only else "")),
        ("years", f"{years[0]}-{years[-1]}" if len(years) > 1 else "".join(map(str, years))),
        ("venues", ", ".join(venues) + (f" and {more:,} more" if more else "")),
        ("chunks", f"{state.chunks:,}"),
        ("encoder", f"{state.encoder}, {state.dimension} dimensions" if state.encoder else ""),
        ("size", f"{state.bytes / 1e6:.1f} MB"),
        ("to index", f"{state.pending:,} entries; the next command completes them" if state.pending else ""),
    ]
    return [(name, value) for name, value in pairs if value]
