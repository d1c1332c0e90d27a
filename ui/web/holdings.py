"""What a page says about its library: how much there is, who answers, and what may be asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice

from assistant.errors import AskpapersError
from assistant.schema import Json
from ui.web.answerer import Desk
from ui.web.welcome import broken, examples, unfilled, welcome

_SAMPLE = 40


@dataclass(frozen=True, slots=True)
class Holdings:
    """The library as it was when a page was opened or a question asked. `mode` is None when there is none."""

    mode: str | None
    papers: int
    greeting: dict[str, Json]
    years: Mapping[int, int] = field(default_factory=dict)
    venues: Mapping[str, int] = field(default_factory=dict)


def holdings(desk: Desk) -> Holdings:
    """Read what the library holds now."""
    try:
        assistant = desk.assistant()
        if assistant is None:
            return Holdings(None, 0, unfilled(missing=True))
        catalogue = assistant.library.catalogue
        papers, facets = len(catalogue), catalogue.facets()
        if not papers:
            return Holdings(assistant.mode, 0, unfilled(missing=False))
        asked = examples(islice(catalogue, _SAMPLE))
    except AskpapersError as error:
        return Holdings(None, 0, broken(str(error)))
    greeting = welcome(papers, asked, desk.notice())
    return Holdings(assistant.mode, papers, greeting, facets.years, facets.venues)
