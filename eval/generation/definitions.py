"""Questions for what a paper's own thing is, does, is meant for and is called, from where it is introduced. Patterns."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator
from typing import Final

from eval.generation.clauses import THIRD, head, is_noun_phrase, is_sayable, items, phrase, weight
from eval.generation.references import NOUNS
from eval.generation.statements import SPELLED, THIRDS, Asked, Nuggets, Pattern, Statement, facts_in, spellings_of

_HOLLOW: Final = frozenset(
    f"""{NOUNS.replace("|", " ")} novel new robust training free lightweight black box general unified scalable simple
    efficient flexible powerful principled effective neural deep practical plug play agnostic end two stage high fast
    accurate learning based first open source aware informed driven data inspired self comprehensive minimalist versatile
    systematic generative evolving""".split()
)
_DOES = re.compile(
    rf" (?:that|which) (?:\w+ly )?(?!outperforms|surpasses|achieves|treats|recasts|reformulates|formulates|transforms|converts)(?P<verb>{THIRDS}) (?!to\b)(?P<what>.+)"
)
_FOR = re.compile(r" (?:(?:designed|tailored|developed) )?(?P<link>for|of) (?P<what>.+)")
_INTEGRATING = re.compile(
    rf"(\b(?:{NOUNS})) (?:integrating|combining|using|leveraging|incorporating|featuring)\b.*"
)  # "an architecture integrating …"
_NO_THING = re.compile(
    rf"(?:how|what|whether|why|which|where|when|\w+ing|several|multiple|various|{'|'.join(SPELLED)})\b|\d",
    re.IGNORECASE,
)


def _introduced(said: Statement) -> tuple[str, str] | None:
    """Return what kind of thing the paper's own is, as "sediment model", and how the sentence goes on."""
    name = (said.reference.name or "").removeprefix("the ")
    if not name:
        return None
    text, bare = said.text, re.escape(name)
    match = re.search(
        rf"\b{bare}(?:, | — |—|, i\.e\.,? )(?:which is )?(?:an?|the)(?: first)? (?P<what>.+)", text
    ) or re.match(rf"{bare} is (?:an?|the) (?P<what>.+)", said.main)
    if match is None:
        match = re.search(
            rf"\b(?:an?|the) (?P<what>[^,;.]{{5,80}}?),? (?:called|named|termed|dubbed|i\.e\.,) {bare}\b", text
        )
    if match is None:
        match = re.search(rf"\({bare}\)(?:, | — |—)(?:an?|the) (?P<what>.+)", " ".join(said.raw.split()))
    piece = re.split(r"[,;:.—](?:\s|$)", match["what"])[0] if match else ""
    core = re.match(rf".*(?<![\w-])(?:{NOUNS})(?![\w-])", head(piece))
    if match is None or core is None or not 2 <= len(core.group().split()) <= 9 or weight(core.group()) < 1:
        return None
    kind = _INTEGRATING.sub(r"\1", core.group())
    return kind, match["what"][match["what"].find(kind) + len(kind) :]


def _complement(rest: str) -> Nuggets:
    """Return what a thing is for or does, from what follows its kind: "for alpine lakes", "that maps lakes"."""
    match = _FOR.match(rest) or _DOES.match(rest)
    piece = phrase(match["what"]) if match else None
    found = head(items(piece)[0]) if piece and items(piece) else ""
    if re.search(r"\b[A-Z] [a-z]", found):
        return ()  # letters of a name set apart
    said = weight(found) >= 2 or re.search(r"[A-Z]{2}", found)
    if not said or not is_noun_phrase(found) or _NO_THING.match(found) or found.endswith("ed"):
        return ()
    told = spellings_of(found)
    return (told,) if told else ()


def _definition(said: Statement) -> Iterator[Asked]:
    """What it is. A kind that many things are of, "general framework", is told from others by what it is for."""
    if found := _introduced(said):
        kind, more = found[0], _complement(found[1])
        telling = len(set(re.findall(r"[a-z]{2,}", kind.lower())) - _HOLLOW)
        if telling >= 2 or (telling and more):
            yield Asked("definition", "What is {it}?", ((kind,), *(more if telling < 2 else ())), more=more)


def _does(said: Statement) -> Iterator[Asked]:
    """What it does or is designed for: "SiltNet, a sediment model that predicts floods"."""
    found = _introduced(said)
    does = _DOES.match(found[1]) if found else None
    meant = _FOR.match(found[1]) if found else None
    match = does or meant
    piece = phrase(match["what"], most=12) if match else None
    if match is None or not piece or _NO_THING.match(piece) or re.search(r"(?<![A-Za-z-])\d| by ", piece):
        return
    if does and weight(piece) >= 2:
        yield Asked("does", f"What does {{it}} {THIRD[match['verb']]}?", facts_in(piece))
    if meant and match["link"] == "for" and weight(piece) >= 1 and is_noun_phrase(piece):
        yield Asked("meant", "What is {it} designed for?", facts_in(piece)[:1])


def _called(said: Statement) -> Iterator[Asked]:
    """How the thing with this description is called. The answer is the paper's name."""
    found = _introduced(said)
    if not found:
        return
    match = _DOES.match(found[1]) or _FOR.match(found[1])
    rest = phrase(found[1].strip(), most=12) if match else None
    told = f"{found[0]} {rest}" if rest else ""
    name = (said.reference.name or "").removeprefix("the ")
    if told and is_sayable(told) and weight(told) >= 4 and not re.search(rf"\d|\b(?:{'|'.join(SPELLED)})\b", told):
        yield Asked("called", f"What is the {told} called?", ((name,),), names=True)


PATTERNS: Final[tuple[Pattern, ...]] = (_definition, _does, _called)
