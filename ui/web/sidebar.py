"""The side bar as the page draws it: who writes, what the library holds, which filters are set. Pure."""

from collections.abc import Mapping

from assistant.schema import Filters, Json
from ui.web.conversation import Conversation
from ui.web.holdings import Holdings

LIMITS = ("first", "last", "venue")


def writer(mode: str) -> str:
    """Name what writes the answers, as a reader knows it: the model, or that there is none."""
    return "no model" if mode == "extractive" else mode.partition(":")[2] or mode


def scope(filters: Filters) -> str:
    """Write the filters in words: `2024 to 2026, ICML`; "" when there are none."""
    first, last = filters.years
    if first and last:
        years = str(first) if first == last else f"{first} to {last}"
    else:
        years = f"since {first}" if first else f"until {last}" if last else ""
    return ", ".join(part for part in (years, *filters.venues, *filters.authors) if part)


def sidebar(conversation: Conversation, holdings: Holdings) -> dict[str, Json]:
    """Return the side bar of a page; `writer` is None when there is no library to ask."""
    mode = holdings.mode
    return {
        "writer": None if mode is None else {"name": _name(mode), "state": _state(conversation, mode)},
        "papers": holdings.papers,
        "span": _span(holdings.years),
        "venues": [[name, n] for name, n in sorted(holdings.venues.items(), key=lambda v: (-v[1], v[0]))],
        "years": list[Json](sorted(holdings.years, reverse=True)),
        "filters": chosen(conversation.filters),
    }


def chosen(filters: Filters) -> dict[str, Json]:
    """Return the filters as the controls hold them: `{first, last, venue}`, and their words under `scope`."""
    first, last = filters.years
    return {
        "first": first,
        "last": last,
        "venue": filters.venues[0] if filters.venues else None,
        "scope": scope(filters),
    }


def filters_of(values: Mapping[str, object], holdings: Holdings) -> Filters:
    """Read the controls' values; what the library does not hold counts as not set."""
    years = [_year(values.get(name)) for name in LIMITS[:2]]
    first, last = (year if year in holdings.years else None for year in years)
    if first and last and first > last:
        first, last = last, first
    venue = values.get("venue")
    known = isinstance(venue, str) and venue in holdings.venues
    return Filters(years=(first, last), venues=(str(venue),) if known else ())


def _year(value: object) -> int | None:
    return value if isinstance(value, int) else int(value) if isinstance(value, str) and value.isdecimal() else None


def _name(mode: str) -> str:
    return "Quotations, no model" if mode == "extractive" else writer(mode)


def _state(conversation: Conversation, mode: str) -> list[Json]:
    """Return `[none|ready|off, words]`."""
    if mode == "extractive":
        return ["none", "Answers are sentences of the abstracts"]
    if conversation.busy:
        return ["ready", "Writing"]
    answers = [e.answer for e in conversation.exchanges if e.answer]
    if answers and answers[-1].notice:
        return ["off", "Did not finish the last answer"]
    return ["ready", "Each sentence is checked"]


def _span(years: Mapping[int, int]) -> str:
    if not years:
        return ""
    first, last = min(years), max(years)
    return str(first) if first == last else f"{first} to {last}"
