"""A sentence as the patterns read it, and the questions they make of it. Pure functions; no model."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assistant.text import STOPWORDS, fold
from eval.generation.clauses import BASE, THIRD, head, is_sayable, items, main_clause, plain, weight
from eval.generation.references import NOUNS, Reference

Nuggets = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a sentence answers, and the facts of the answer. `names` tells that the answer is the paper's
    own name, so that the question can't hold it. `more` are facts that a fuller answer would hold."""

    form: str
    question: str
    nuggets: Nuggets
    names: bool = False
    more: Nuggets = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence as the patterns read it: `text` without emphasis and brackets, `main` from its main clause on.

    `lead` is the adverbial in front of it, as "on QM9". `me` matches what stands for the paper's own contribution.
    """

    raw: str
    text: str
    lead: str
    main: str
    me: str
    reference: Reference


_OWN_NOUNS = (
    "method|approach|framework|model|architecture|algorithm|system|network|pipeline|benchmark|dataset|technique|estimator"
    "|strategy|library|agent|encoder"
)
ADVERB = r"(?:(?!only\b)(?:\w+ly|also|further|thus|then|can|thereby|both) )?"
THIRDS = "|".join(sorted(THIRD, key=len, reverse=True))
PLURALS = "|".join(sorted(BASE, key=len, reverse=True))
SPELLED = "two three four five six seven eight nine ten eleven twelve".split()
_LEAD = re.compile(r"(?P<lead>(?:On|In|Across|For|Under|With|At|Given|Over|When) [^,]{3,60}), (?=\S)")
_ME_FORM = r"(?:(?P<name>{name})|(?:[Oo]ur|[Tt]he proposed|[Tt]his)(?: [\w-]+){{0,2}}? (?:{nouns})(?:, {name},)?|(?:[Tt]he )?(?:proposed )?{name})"
SECOND_VERB = re.compile(
    r" and (?:introduce|propose|use|employ|develop|show|then|demonstrate|apply|design|train|\w+ly)\b"
)


def statement(raw: str, reference: Reference) -> Statement:
    """Read a sentence of the paper that `reference` is about."""
    text = plain(raw)
    main = main_clause(text)
    told = ""
    if lead := _LEAD.match(main):
        place = lead["lead"].split()[0] in ("On", "In", "Across", "For", "Under", "At")
        told = f" {lead['lead'][0].lower()}{lead['lead'][1:]}" if place and is_sayable(lead["lead"]) else ""
        main = main_clause(main[lead.end() :])
    name = re.escape((reference.name or "\0").removeprefix("the "))
    return Statement(
        raw, text, told, main, _ME_FORM.format(name=name, nouns=_OWN_NOUNS).replace("?P<name>", "?:"), reference
    )


def holds(text: str, nugget: str) -> bool:
    """Tell whether a text holds a fact as a whole word."""
    return re.search(rf"(?<!\w){re.escape(fold(nugget))}(?!\w)", fold(text)) is not None


def spellings_of(piece: str) -> tuple[str, ...]:
    """Return ways to say a phrase, the longest first: whole, its head, the last words of that."""
    core = head(piece)
    tokens = core.split()
    found = [piece.strip(" .,;"), core]
    if (
        len(tokens) > 3
        and not STOPWORDS & {token.lower() for token in tokens[1:]}
        and not any(token.endswith(("ing", "ed")) for token in tokens[1:])
        and weight(re.sub(rf"\b(?:{NOUNS})s?\b", "", " ".join(tokens[-2:]), flags=re.IGNORECASE)) >= 2
    ):
        found.append(" ".join(tokens[-2:]))
    found = [f for f in found if len(f) > 2 and weight(f) >= 1 and not f.endswith(("ed", "-", " lie", " online", "ly"))]
    telling = [f for f in found if weight(f) >= 2 or " " in f]
    return tuple(dict.fromkeys(telling or found))


_VERBAL = re.compile(rf"(?:\w+ly |even |also |then )?(?:{'|'.join((*BASE, *THIRD))})\b|\w+ly\b")


def facts_in(piece: str) -> Nuggets:
    """Return the facts of a phrase: of a list each item, at most four, else the phrase."""
    parts = items(piece) if re.search(r"\b(?:and|as well as)\b", piece) else [piece]
    if len(parts) > 1 and any(_VERBAL.match(part) for part in parts):
        return ()
    simple = head(parts[0]) == head(f"{parts[0]} x").removesuffix(" x") and len(head(parts[0])) >= len(parts[0]) - 12
    if len(parts) > 1 and simple and all(len(part.split()) <= 4 for part in parts):
        return tuple(found for part in parts[:4] if (found := spellings_of(part)))
    found = spellings_of(piece)
    return (found,) if found else ()


Pattern = Callable[[Statement], Iterator[Asked]]
