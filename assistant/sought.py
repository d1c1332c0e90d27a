"""What a question seeks that can be recognised where it is told: a definition, what a short name stands for, a link."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from assistant.text import fold, words

Form = Literal["definition", "expansion", "link", "release"]

DECIDED: Final = 3.0  # log odds that a form which the abstract holds, or lacks, has it stated

_X = r"[\"'“‘]?(?:the |an? )?(?P<x>[\w$^*+.{}\\-]+(?: [\w$^*+.{}\\-]+){0,5}?)[\"'”’]?"
_ACRONYM = r"(?:acronyms?|abbreviations?|initialisms?|initials|short form|letters)"
_EXPANSION = (
    re.compile(rf"\bwhat (?:does|do|did) (?:the )?(?:{_ACRONYM} )?{_X} (?:stand for|abbreviate)\b", re.I),
    re.compile(rf"\bwhat (?:does|do) the {_ACRONYM} {_X} (?:mean|denote|refer to)\b", re.I),
    re.compile(rf"\b(?:what|which words?) (?:is|are) {_X} (?:short|an? {_ACRONYM}|the {_ACRONYM}) (?:for|of)\b", re.I),
    re.compile(
        rf"\b(?:what is |what's |give (?:me )?|tell me )?(?:the )?(?:full|long) (?:form|name)"
        rf"(?: (?:of|behind|for)(?: the {_ACRONYM})?) {_X}\s*[?.!]*$",
        re.I,
    ),
    re.compile(
        rf"\b(?:expand|spell out|write out|resolve|meaning of|expansion of) (?:the )?{_ACRONYM} {_X}\s*[?.!]*$", re.I
    ),
)
_DEFINITION = re.compile(
    rf"^(?:and |so |but )?(?:(?:what|who) (?:is|are|was|were)|what's|define|explain what) {_X}(?: (?:is|are))?"
    r"\s*[?.!]*$",
    re.I,
)
_NO_TERM = frozenset("of in on by than with for to from at as it its their they that this these those".split())
_WORK = (
    r"(?:(?:source |training |official |authors'? )?code(?: ?base)?s?|implementations?|data ?sets?|repo(?:sitor(?:y"
    r"|ies))?s?|checkpoints?|(?:model |trained |pre-?trained )*weights|project (?:web)?(?:page|site))"
)
_ARTEFACT = rf"(?:{_WORK}|data|github|demos?|web ?(?:page|site)|software|library|toolkit|package|benchmark)"
_GET = r"(?:found|find|download(?:ed)?|obtain(?:ed)?(?! from)|access(?:ed)?|get|got(?! from)|hosted|available|released)"
_WHERE = r"(?:where|how (?:can|could|do|may|might) (?:i|we|you|one|it|they)|from where)"
_ITS = r"(?:the |its |their |any )?"
_LINK = re.compile(
    rf"\b{_WHERE}\b(?: \S+){{0,3}}? {_ITS}(?:\S+ ){{0,3}}?{_ARTEFACT}\b.*\b{_GET}\b"
    rf"|\b{_WHERE}\b.*\b{_GET}\b {_ITS}(?:\S+ ){{0,3}}?{_ARTEFACT}\b"
    rf"|\bwhere (?:is|are|was|were|'s) {_ITS}(?:\S+ )?{_WORK}(?= (?:of|for|from|behind)\b|\s*[?.!]*$)"
    rf"|\b(?:links?|urls?|address|addresses)\b (?:to|of|for) {_ITS}(?:\S+ ){{0,2}}?{_ARTEFACT}\b"
    rf"|\b{_ARTEFACT} (?:links?|urls?|address)\b"
    rf"|\b(?:what|which|give (?:me )?|show (?:me )?|on which|under which) (?:is |are )?(?:the )?"
    rf"(?:github(?: \w+)?|url|repo(?:sitory)?|link)\b",
    re.I,
)
_RELEASE = re.compile(
    rf"^(?:and |but |so )?(?:is|are|was|were|will|has|have|can)\b.*\b{_WORK}\b.*"
    r"\b(?:available|released?|open(?!-ended)|open-?sourced?|public(?:ly)?|published|online|accessible|downloaded)\b"
    r"|^(?:and |but |so )?(?:do|does|did|has|have|will)\b.*"
    r"\b(?:released?|open-?sourced?|publish(?:ed)?|shared?|provided?|made?)\b"
    rf" {_ITS}(?:\S+ )?{_WORK}\b",
    re.I,
)
_URL = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|io|net|science|ai|edu|dev|co|de|uk|ch)/\S+"
)
_RELEASES = re.compile(
    r"\b(?:available|releas\w+|open-?sourc\w+|publicly|public|accessible|open sourc\w+|made public|provided at)\b"
)
_JOINT = r"[^\w.;:]{0,3}"
_BRINGS = (
    r"(?:propos|introduc|present|develop|describ|design|build|construct|creat|curat|releas|provid|establish|formulat"
    r"|call|term|dub|nam|coin|denot|offer|study|studi|investigat|contribut)\w*|namely"
)
_NOT_BESIDE = r"(?!(?:using|with|on|from|by|over|than|against|via|based|to|in|of|like)\b)"


@dataclass(frozen=True, slots=True)
class Sought:
    """A form that is sought, and of what; `name` is "" for a link."""

    form: Form
    name: str = ""

    def in_text(self, text: str) -> bool:
        """Tell whether a text has it."""
        if self.form == "definition":
            return defines(self.name, text)
        if self.form == "expansion":
            return expands(self.name, text)
        return bool(_URL.search(text)) or (self.form == "release" and bool(_RELEASES.search(fold(text))))

    @property
    def decides(self) -> bool:
        """Whether only a text that has it answers."""
        return self.form != "definition"


def sought(question: str) -> Sought | None:
    """Return which form a question seeks; None when it seeks none of them."""
    text = " ".join(question.split())
    for pattern in _EXPANSION:
        if (match := pattern.search(text)) and not match["x"].lower().endswith((" paper", " authors")):
            return Sought("expansion", match["x"].rstrip(".?!"))
    if _LINK.search(text):
        return Sought("link")
    if _RELEASE.search(text):
        return Sought("release")
    match = _DEFINITION.match(text)
    plain = match is not None and not _NO_TERM & set(words(match["x"]))
    return Sought("definition", match["x"].rstrip(".?!")) if match and plain else None


def defines(name: str, text: str) -> bool:
    """Tell whether a sentence introduces what bears a name, or says what it is."""
    said = fold(text)
    term = _spelled(name)
    if term is None or re.search(rf"\b{term}", said) is None:
        return False
    return expands(name, text) or any(
        re.search(pattern, said)
        for pattern in (
            rf"\b(?:{_BRINGS})(?:\s+{_NOT_BESIDE}[^\s.;:]+){{0,9}}?\s*[\"'(]*\b{term}\b",
            rf"(?:^|[,;:]\s+|\bthe\s+)[\"'(]*{term}[\"')]*(?:\s+\([^)]*\))?,?\s+"
            r"(?:is|are|was|refers to|means|aims to)\b",
            rf"\b{term}[\"')]*\s*(?:\([^)]*\)\s*)?[,:]\s+(?:an?|the|which|our|one)\b",
            rf"\b(?:our|new|novel|proposed|resulting)\s+(?:[^\s.;:]+\s+){{0,5}}?[\"'(]*{term}\b",
        )
    )


def _spelled(name: str) -> str | None:
    """Return a pattern of a name in folded text, however its words are joined."""
    parts = [re.escape(part) for part in words(name)]
    return _JOINT.join(parts) + "s?" if parts else None


def expands(name: str, text: str) -> bool:
    """Tell whether a text says in full what a short name stands for: "Full Name (FN)", "FN (Full Name)"."""
    bare = fold(text)
    term = _spelled(name)
    if term is None:
        return False
    letters = re.sub(r"[^a-z0-9]", "", fold(name)).removesuffix("s") or fold(name)
    for match in re.finditer(
        rf"\(\s*(?:[^()]*?[,;]\s*|called |termed |i\.e\.,? |or |hereafter )?[\"']?{term}\b[^()]*\)", bare
    ):
        before = words(bare[: match.start()])[-3 * len(letters) - 4 :]
        if abbreviated(letters, before):
            return True
    for match in re.finditer(rf"\b{term}[\"']?\s*\((?!see\b|e\.g|cf\b|fig)([^()]{{4,200}})\)", bare):
        if abbreviated(letters, words(match[1]), anywhere=True):
            return True
    if re.search(rf"\b{term}[\"']?,?\s+(?:stands for|is short for|short for|standing for|abbreviates|denotes)\b", bare):
        return True
    return _runs(letters, term, bare)


def _runs(letters: str, term: str, bare: str) -> bool:
    """Tell whether "FN: Full Name" or "FN, Full Name" stands in a folded text, as titles have it."""
    for match in re.finditer(rf"\b{term}[\"']?\s*(?::|,|-)\s+([^.;:()]{{4,160}})", bare):
        following = words(match[1])[: len(letters) + 4]
        if len(letters) > 2 and abbreviated(letters, following, anywhere=True, whole=True):
            return True
    return False


def abbreviated(letters: str, full: Sequence[str], *, anywhere: bool = False, whole: bool = False) -> bool:
    """Tell whether letters abbreviate the end of `full`, or its beginning: each word's initial counts most.

    With `anywhere` they may end before it does; with `whole` every letter is a word's initial.
    """
    if not letters or not full or "".join(full) == letters:
        return False
    starts = range(1) if anywhere else range(len(full))
    return any(
        full[i][:1] == letters[:1] and _matches(letters, full[i:], whole=whole) and (anywhere or len(full) - i > 1)
        for i in starts
    )


def _matches(letters: str, full: Sequence[str], *, whole: bool) -> bool:
    """Tell whether letters are found in words one after the other, beginning with the first word's first."""
    initials = "".join(word[0] for word in full)
    if _is_within(letters, initials):
        return True
    if whole or len(letters) < 2:
        return False
    taken = sum(1 for _ in _shared(initials, letters))
    return _is_within(letters, "".join(full)) and taken >= max(2, len(letters) // 2)


def _is_within(letters: str, text: str) -> bool:
    left = iter(text)
    return all(letter in left for letter in letters)


def _shared(initials: str, letters: str) -> list[str]:
    """Return the initials that stand among the letters in this order."""
    found, start = [], 0
    for initial in initials:
        place = letters.find(initial, start)
        if place >= 0:
            found.append(initial)
            start = place + 1
    return found
