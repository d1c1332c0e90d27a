"""Questions about what a sentence says of anything: what limits it, what it relies on, why. Patterns."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator
from typing import Final

from eval.generation.clauses import head, is_noun_phrase, is_plural, lowered, phrase, weight
from eval.generation.statements import Asked, Pattern, Statement, facts_in, spellings_of


def _than(said: Statement) -> Iterator[Asked]:
    match = re.match(
        r"(?P<subject>[^,;:]{6,70}?) (?P<is>is|are) (?P<how>(?:\w+ly )?(?:more|less) [\w-]+(?: [\w-]+)?) than (?P<other>.+)",
        said.main,
    )
    other = phrase(match["other"], most=8) if match else None
    if (
        match
        and other
        and is_noun_phrase(lowered(match["subject"]))
        and weight(match["subject"]) >= 2
        and weight(other) >= 1
    ):
        yield Asked(
            "than", f"What {match['is']} {lowered(match['subject'])} {match['how']} than?", (spellings_of(other),)
        )


def _passive(said: Statement) -> Iterator[Asked]:
    match = re.match(
        r"(?P<subject>[^,;:]{6,80}?) (?P<is>is|are|was|were|remains?) (?P<verb>(?:often |severely |typically |still |largely "
        r"|primarily |fundamentally |mainly )?(?!by)\w+(?:ed|en|own)) by (?P<agent>(?!\d).+)",
        said.main,
    )
    piece = phrase(match["agent"], most=18) if match else None
    if match and piece and is_noun_phrase(lowered(match["subject"]), 10) and weight(match["subject"]) >= 2:
        be = {"remain": "are", "remains": "is"}.get(match["is"], match["is"])
        if not re.match(r"\w+ing\b", piece):
            yield Asked("passive", f"What {be} {lowered(match['subject'])} {match['verb']} by?", facts_in(piece))


def _trouble(said: Statement) -> Iterator[Asked]:
    verbs = "suffer from|struggle with|lack|rely on|depend on|overlook|neglect|fall back on|focus on|assume|emulate|"
    verbs += "favor|avoid|ignore|seek|employ|lag behind|benefit from|fail to capture|fail to account for"
    match = re.search(
        rf"(?:^|, (?:while|whereas|yet|but|and) |^(?:While|Although|Though) )(?P<subject>[^,;:]{{4,70}}?) "
        rf"(?P<adverb>(?:often|typically|primarily|predominantly|still|usually|frequently|mainly|generally) )?(?P<verb>{verbs})"
        rf" (?P<object>[^;]+)",
        said.main,
    )
    piece = phrase(match["object"], most=16) if match else None
    if not match or not piece:
        return
    subject = lowered(match["subject"])
    if (
        not is_noun_phrase(subject)
        or is_plural(subject) is not True
        or re.match(r"(?:some|many|most|few|all)\b", subject)
    ):
        subject = re.sub(r"^(?:some|many|most|all) (?:of the )?", "", subject)
        if not is_noun_phrase(subject) or is_plural(subject) is not True:
            return
    vague = weight(subject) < 3 or len(subject.split()) < 3
    told = ", according to the authors of {it}" if vague else ""
    adverb = match["adverb"] or ""
    facts = ((piece.removeprefix("that "),),) if piece.startswith("that ") else facts_in(piece)
    if not re.match(r"to\b|an? (?:\w+ )?(?:promising|powerful|potential|alternative|solution|approach)", piece):
        yield Asked("trouble", f"What do {subject} {adverb}{match['verb']}{told}?", facts)


def _because(said: Statement) -> Iterator[Asked]:
    match = re.match(
        r"(?P<subject>[^,;:]{6,70}?) (?P<is>is|are) (?P<rest>[^,;:]{4,60}?) (?:because|due to|owing to) (?:of )?(?P<why>.+)",
        said.main,
    )
    if match and is_noun_phrase(lowered(match["subject"])) and weight(match["subject"]) >= 2:
        why = phrase(match["why"], most=20)
        facts = spellings_of(head(why)) if why and " and " not in why else ()
        if facts:
            yield Asked("because", f"Why {match['is']} {lowered(match['subject'])} {match['rest']}?", (facts,))


PATTERNS: Final[tuple[Pattern, ...]] = (_than, _passive, _trouble, _because)
