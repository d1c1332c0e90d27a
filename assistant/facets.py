"""Questions for what papers have rather than for papers: which venues, how many authors, who has most. Rules."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from assistant.catalogue import Facet
from assistant.text import fold

Form = Literal["list", "count", "most", "fewest", "per"]

_NOUN = r"(?P<noun>venues?|conferences?|journals?|years?|authors?|researchers?|people|sessions?|keywords?)"
_FACETS: Final[Mapping[str, Facet]] = {
    **dict.fromkeys(("venue", "conference", "journal"), "venue"),
    **dict.fromkeys(("author", "researcher", "people", "who"), "author"),
    **{noun: noun for noun in ("year", "session", "keyword")},
}
_POLITE = r"^(?:please |can you |could you )*(?:tell me |show me |give me )?"
_ALL = r"(?: (?:all|of|the|different|distinct|unique|various))*"
_LISTED = re.compile(
    rf"{_POLITE}(?:(?P<many>how many|(?:what is )?the number of|count)|what are|which are|which|what|list|name"
    rf"|show|enumerate)"
    rf"{_ALL} {_NOUN}\b(?!['’])(?P<rest>.*)$",
    re.IGNORECASE,
)
_MOST = re.compile(
    rf"{_POLITE}(?:who(?P<who>)|(?:which|what) {_NOUN})\b(?P<middle>[^?]*?)\b(?P<end>most|fewest|least)"
    r"(?:\s+(?:of\s+)?(?:the\s+)?(?P<papers>papers|articles|publications|works|entries)\b|(?=\s*[?.!]*$))(?P<rest>.*)$",
    re.IGNORECASE,
)
_PROLIFIC = re.compile(
    rf"\b(?:most (?:prolific|productive|active|frequent|common)|top)(?: \d+)? {_NOUN}\b(?P<rest>.*)$", re.IGNORECASE
)
_PER = re.compile(
    r"^(?P<rest>.*\b(?:papers|articles|publications)\b.*?)\s*\b(?:per|by|for each|in each|for every|of each|from each)"
    r" (?P<noun>venue|conference|journal|year|author|session|keyword)s?\b(?!\s+(?-i:[A-Z]|[\"“«]))(?P<tail>.*)$",
    re.IGNORECASE,
)
_OF_A_PAPER = re.compile(
    r"^\s*(?:of|did|does|was|wrote|for)\s+(?:the\s+)?(?:paper|article|study|it|this|that|\"|“)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class FacetQuestion:
    """What is asked for, how, and the rest of the question: the papers that it is asked of."""

    facet: Facet
    form: Form
    rest: str


def facet_in(question: str) -> FacetQuestion | None:
    """Return what of its papers a question asks for; None when it asks for something else."""
    question = question.strip()
    if match := _MOST.search(question):
        noun = "who" if match["who"] is not None else match["noun"]
        form: Form = "most" if fold(match["end"]) == "most" else "fewest"
        return FacetQuestion(_facet(noun), form, f"{match['middle']} papers {match['rest']}")
    if match := _PROLIFIC.search(question):
        return FacetQuestion(_facet(match["noun"]), "most", f"papers {match['rest']}")
    if match := _LISTED.search(question):
        if _OF_A_PAPER.search(match["rest"]):
            return None
        return FacetQuestion(_facet(match["noun"]), "count" if match["many"] else "list", f"papers {match['rest']}")
    if match := _PER.search(question):
        return FacetQuestion(_facet(match["noun"]), "per", f"{match['rest']} {match['tail']}")
    return None


def _facet(noun: str) -> Facet:
    noun = fold(noun)
    return _FACETS.get(noun) or _FACETS[noun.removesuffix("s")]
