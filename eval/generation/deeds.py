"""Questions about what a paper's method does, how, what for, and what its authors make of what. Patterns."""

# ruff: noqa: E501 (a pattern reads best on one line)

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assistant.polarity import inflected
from eval.generation.clauses import (
    GERUND,
    THIRD,
    head,
    is_noun_phrase,
    is_sayable,
    items,
    lowered,
    phrase,
    weight,
)
from eval.generation.statements import (
    ADVERB,
    PLURALS,
    SECOND_VERB,
    SPELLED,
    THIRDS,
    Asked,
    Pattern,
    Statement,
    facts_in,
    holds,
    spellings_of,
)

_ADVERBIAL = re.compile(
    r"(?:with|in|for|on|by|at|from|under|despite|without|during|after|given|unlike|as|to)\b", re.IGNORECASE
)


def _how(said: Statement) -> Iterator[Asked]:
    does = rf"(?P<verb>{THIRDS}) (?P<object>[^,;:]{{3,90}}?)"
    means = r" (?:by (?:(?:\w+ly )?(?P<doing>(?!to|up|at)\w+ing) )|via |through (?:the use of )?)(?P<means>[^;]+)"
    if match := re.match(rf"{said.me} {ADVERB}{does}{means}", said.main):
        yield from _by_means(match, f"How does {{it}} {THIRD[match['verb']]}")
    if match := re.match(
        rf"By (?:\w+ly )?(?P<doing>\w+ing) (?P<means>[^,]+), {said.me} {ADVERB}{does}(?:[.;:]|$|, (?:thereby|thus|which|while|leading|resulting|enabling|allowing|ensuring|making))",
        said.main,
    ):
        yield from _by_means(match, f"How does {{it}} {THIRD[match['verb']]}")
    if match := re.match(
        rf"[Ww]e {ADVERB}(?!propose|introduce|employ|use|consider|provide|perform|obtain)(?P<verb>{PLURALS}) (?P<object>[^,;:]{{3,90}}?){means}",
        said.main,
    ):
        yield from _by_means(match, f"How do the authors of {{it}} {match['verb']}")


def _by_means(match: re.Match[str], start: str) -> Iterator[Asked]:
    if match["doing"] in _AGAINST:
        return  # without its verb the answer would say the contrary
    piece = phrase(match["means"], most=25) or head(match["means"])
    parts = items(piece)
    facts = spellings_of(parts[0]) if parts and weight(parts[0]) else ()
    if facts and weight(facts[0]) >= 2 and weight(match["object"]) >= 1 and not re.search(r"\d", match["means"][:12]):
        yield Asked("how", f"{start} {match['object']}?", (facts,))


def _purpose(said: Statement) -> Iterator[Asked]:
    """What something is introduced for, either way round: "we introduce X to prevent Y"."""
    verbs = "propose|introduce|employ|use|develop|design|utilize|adopt|leverage|incorporate|derive|construct|exploit"
    someone = rf"(?:[Ww]e|[Tt]his (?:paper|work)) {ADVERB}(?P<verb>{verbs})s? (?P<tool>[^,;:]{{3,110}}?)"
    own = [
        re.match(rf"{someone} to (?:\w+ly )?(?P<purpose>(?:{PLURALS}|{'|'.join(THIRD.values())})\b [^;]+)", said.main),
        re.match(
            rf"To (?P<purpose>(?:{'|'.join(THIRD.values())})\b [^,;]{{5,90}}), (?:{someone})(?:[,.;:]|$)", said.main
        ),
    ]
    for match in own:
        purpose = phrase(match["purpose"]) if match else None
        if (
            match
            and purpose
            and weight(purpose) >= 2
            and weight(match["tool"]) >= 1
            and not SECOND_VERB.search(match["tool"])
        ):
            verb = {"utilize": "use", "leverage": "use", "exploit": "use", "employ": "use"}.get(
                match["verb"], match["verb"]
            )
            names = said.reference.name is not None and holds(match["tool"], said.reference.name.removeprefix("the "))
            who = "the authors" if names else "the authors of {it}"
            yield Asked("purpose", f"What do {who} {verb} to {purpose}?", (spellings_of(match["tool"]),), names)


def _object(said: Statement) -> Iterator[Asked]:
    """What it predicts, combines, disentangles: verbs whose object is telling."""
    telling = """predict combine integrate disentangle separate decompose capture optimize control initialize replace
        require outperform surpass eliminate aggregate generate reconstruct unify target address tackle process count
        mitigate maintain detect identify infer support map transform incorporate learn enable avoid prevent reveal expose
        balance suppress preserve quantify estimate match produce extract encode""".split()
    thirds = "|".join(inflected(verb)[1] for verb in telling)
    gerunds = "|".join(
        inflected(verb)[3] for verb in ("enable", "eliminate", "avoid", "prevent", "outperform", "surpass")
    )
    mine = (
        rf"{said.me} (?:(?!only|mainly)(?:\w+ly) )?(?:[^;:]*? and (?:also |significantly |\w+ly )?)?(?P<verb>{thirds})"
    )
    found = re.match(rf"{mine} (?!to\b|or\b|and\b)(?P<object>.+)", said.main) or re.match(
        rf"{said.me} [^;:]*, (?:thereby |thus |while |and )?(?P<verb>{gerunds}) (?P<object>.+)", said.main
    )
    if found:
        verb = THIRD.get(found["verb"]) or GERUND.get(found["verb"]) or _bare(found["verb"], telling)
        object_, more = found["object"], ""
        if verb in ("outperform", "surpass"):
            object_ = _BESIDES.split(object_)[0]
            if re.match(
                r"(?:both|recent|existing|prior|previous|state-of-the-art|SOTA|strong|competitive|all|other)\b", object_
            ):
                return
        if verb in ("integrate", "combine", "unify") and " with " in object_:
            return  # with what, too
        if need := re.match(r"the need (?:for|of) (?=\S)", object_):
            object_, more = object_[need.end() :], " the need for"
        piece = phrase(object_, most=16)
        least = 1 if verb in ("outperform", "surpass") else 2
        if (
            piece
            and not re.search(r"(?<![A-Za-z-])\d", piece)
            and weight(piece) >= least
            and " by " not in f" {piece} "
        ):
            yield Asked("object", f"What does {{it}} {verb}{more}?", facts_in(piece))


def _bare(form: str, verbs: Sequence[str]) -> str:
    return next((verb for verb in verbs if form in inflected(verb)), form)


def _proposes(said: Statement) -> Iterator[Asked]:
    match = re.match(
        rf"(?:[Ww]e|[Tt]his (?:paper|work)) {ADVERB}(?P<verb>propose|introduce|present|develop|design)s? (?P<object>(?:an?|the|two) [^:]+)",
        said.main,
    )
    piece = phrase(re.split(r",| that | to | which |: ", match["object"])[0], most=14) if match else None
    name = (said.reference.name or "\0").removeprefix("the ")
    if match and piece and weight(piece) >= 3 and not holds(said.raw, name) and not SECOND_VERB.search(piece):
        yield Asked("proposes", f"What do the authors of {{it}} {match['verb']}?", (spellings_of(piece),))


def _authors(said: Statement) -> Iterator[Asked]:
    """What the authors build, identify, derive; and what they take for what."""
    verbs = "construct|build|curate|release|identify|hypothesize|prove"
    if match := re.match(
        rf"[Ww]e {ADVERB}(?P<verb>{verbs}) (?!that|how|whether|why|the (?:first|second|third)\b)(?P<object>.+)",
        said.main,
    ):
        piece = phrase(re.split(r" as (?:an?|the) ", match["object"])[0], most=12)
        if piece and weight(piece) >= 2 and not re.search(r"(?<![A-Za-z-])\d", piece) and not SECOND_VERB.search(piece):
            as_what = re.match(rf"{re.escape(piece)} as (?P<role>(?:the|an?) .+)", match["object"])
            role = phrase(as_what["role"], most=9) if as_what else None
            told = f" as {role}" if role and is_sayable(role) else ""
            if match["verb"] == "identify" and not re.search(r" (?:of|for|in|behind) ", told):
                return  # the cause of what?
            yield Asked("authors", f"What do the authors of {{it}} {match['verb']}{told}?", facts_in(piece))
    casts = "formalize|formulate|frame|view|cast|interpret|treat|reformulate|model|define|characterize|recast"
    if match := re.match(rf"[Ww]e {ADVERB}(?P<verb>{casts}) (?P<what>[^,;:]{{4,60}}?) as (?P<role>an? .+)", said.main):
        role = phrase(match["role"], most=14)
        if role and is_sayable(match["what"]) and weight(match["what"]) >= 1:
            yield Asked("cast", f"How do the authors of {{it}} {match['verb']} {match['what']}?", (spellings_of(role),))


def _basis(said: Statement) -> Iterator[Asked]:
    """What it is based on or inspired by."""
    how = "inspired by|grounded in|built on|built upon|based on|trained on|pre-trained on|pretrained on|guided by|conditioned on"
    name = (said.reference.name or "\0").removeprefix("the ")
    found = re.match(rf"{said.me} (?:is|are) (?P<how>{how}) (?P<what>.+)", said.main) or re.search(
        rf"\b(?:propose|introduce|present|develop) {re.escape(name)}, an? [^,;.]*?(?P<how>{how}) (?P<what>.+)",
        said.text,
    )
    piece = phrase(found["what"], most=12) if found else None
    if found and piece and weight(piece) >= 2 and not re.search(r"\d", piece):
        yield Asked("basis", f"What is {{it}} {found['how']}?", (spellings_of(piece),))


def _subject(said: Statement) -> Iterator[Asked]:
    """A question for the subject of a clause: "stochastic noise can induce X" answers "what can induce X?"."""
    verbs = rf"(?P<modal>can|may) {ADVERB}(?P<base>{PLURALS})"
    match = re.match(
        rf"(?P<subject>[^,;:]{{4,80}}?) {verbs} (?P<object>(?!of\b|in\b|by\b|that\b|and\b|to\b|with\b|on\b|,).+)",
        said.main,
    )
    if match is None or said.lead:
        return
    subject, object_ = match["subject"], phrase(match["object"], most=16)
    if not object_ or not is_noun_phrase(lowered(subject)) or weight(subject) < 3 or weight(object_) < 3:
        return
    if (
        re.search(r"(?<![A-Za-z-])\d", subject + object_)
        or _PRAISED.match(f"x {object_}")
        or _ANOTHER.search(object_)
        or _ADVERBIAL.match(subject)
        or subject.split()[0].endswith("ing")
        or re.match(rf"{said.me}$", subject)
    ):
        return
    if match["base"] in _SAYING_LITTLE or " and " in object_:
        return
    yield Asked("subject", f"What {match['modal']} {match['base']} {object_}?", (spellings_of(subject),))


_AGAINST = frozenset(
    """mitigating avoiding reducing eliminating removing minimizing suppressing preventing limiting alleviating
    countering overcoming relaxing decreasing bypassing proving showing demonstrating""".split()
)
_PRAISED = re.compile(
    r"(?:matches|outperforms|surpasses|exceeds|beats|achieves|provides|requires|employs|offers|represents)\b|\w+ (?:\w+ly )?(?:superior|remarkable|strong|competitive|leading|significant"
    r"|high|better|best|consistent|substantial|impressive|excellent|robust|state-of-the-art)\b"
)  # said of many
_ANOTHER = re.compile(rf" and (?:\w+ly |even |also )?(?:{PLURALS}|{THIRDS})\b")
_SAYING_LITTLE = frozenset("achieve exhibit perform require represent offer provide employ use utilize deliver".split())
_BESIDES = re.compile(r" (?:in|on|across|over|under|for|at|with|by|while|when)\b| and (?=\w+ing\b)|,")


def _which(said: Statement) -> Iterator[Asked]:
    """Which method does this? The answer is the paper's name."""
    name = (said.reference.name or "").removeprefix("the ")
    match = re.match(rf"{said.me} {ADVERB}(?P<verb>{THIRDS}) (?P<object>.+)", said.main) if name else None
    if match and name and holds(said.raw, name):
        piece = phrase(match["object"], most=13)
        vain = _PRAISED.match(f"{match['verb']} {match['object']}") or _ANOTHER.search(piece or "")
        if piece and weight(piece) >= 5 and not re.search(rf"\d|\b(?:{'|'.join(SPELLED)})\b", piece) and not vain:
            yield Asked("which", f"Which {said.reference.noun} {match['verb']} {piece}?", ((name,),), names=True)


PATTERNS: Final[tuple[Pattern, ...]] = (_how, _purpose, _object, _proposes, _authors, _basis, _subject, _which)
