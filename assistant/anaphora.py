"""Where a question refers back to what was said before it: pronouns, ordinals, "the method", "both". Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from assistant.referents import AUXILIARY
from assistant.routing import names
from assistant.text import STOPWORDS, content_stems, stem, words

Reference = Literal["one", "asked", "ordinal", "other", "several", "aside"]

_PAPER = r"(?:paper|article|study|work|abstract|publication)"
_THING = (
    rf"(?:{_PAPER}|method|model|approach|technique|algorithm|system|framework|network|architecture|benchmark"
    rf"|optimi[sz]er"
    r"|procedure|mechanism|proposal|theory|theorem|hypothesis|tool|loss|objective|estimator|classifier|agent)"
)
_HAVING = (
    r"(?:(?:source |training )?(?:code|data)|implementation|authors?|limitations?|weakness(?:es)?|results?|main \w+"
    r"|key \w+|experiments?|abstract|title|evaluation|drawbacks?|baselines?|data ?sets?)"
)
_FOLLOWS = (  # what may follow a noun phrase that ends here
    rf"(?=\s*(?:$|[?.!,;:]|'s\b|’s\b)|\s+(?:{AUXILIARY}|and|or|but|when|if|than|use[ds]?|need|say|work|cost|take"
    rf"|compare"
    r"|differ|perform|report|choose|propose|handle|train(?:ed)?|evaluate[ds]?|get|reach|achieve|assume|claim|have"
    r"|rely|show"
    r"|deal|do|beat|call|give|make|find|learn|available|public|open|tested|published|released|better|faster|in|on"
    r"|with|for"
    r"|at|from|against|about|by|perform|require|solve|give|estimate|stay|fail|suffer|help|run|say|start|change|replace"
    r"|introduce|improve|outperform)s?\b)"
)
_ASKED_OF = re.compile(  # behind it a noun phrase is the subject, and the word after that the verb
    r"\b(?:do|does|did|can|could|will|would|should|may|might|must) (?:not )?"
    r"(?:(?:the |its |their )?[\w-]+ (?:of|by|in|for) )?$",
    re.IGNORECASE,
)
_NO_VERB = re.compile(r"\s+(?:to|that|which|who|whose|where|of|ever)\b|[\w-]", re.IGNORECASE)
_ORDINALS = {"first": 0, "former": 0, "second": 1, "latter": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_ORDINAL = re.compile(
    r"\bthe (?:very )?(?P<ordinal>first|second|third|fourth|fifth|last|former|latter)(?P<noun> (?:one|\w+))?"
    r"(?: (?:of (?:these|those|them|the (?:two|three|four|list))|you (?:mentioned|cited|named|listed)))*",
    re.IGNORECASE,
)
_ORDINAL_NOUN = re.compile(rf" (?:one|{_THING}|result)", re.IGNORECASE)
_SURE_NOUN = re.compile(rf" (?:one|{_PAPER})", re.IGNORECASE)
_OTHER = re.compile(rf"\bthe other(?P<noun> (?:one|two|{_THING}))?", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"\bof (?P<a>them|these|those|the (?:two|three))\b{_FOLLOWS}"
    rf"|\b(?P<b>both(?: of them| {_THING}s)?|the two(?: {_THING}s)?|them both|these two|these {_THING}s"
    rf"|those {_THING}s)"
    rf"\b{_FOLLOWS}",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    r"^(?P<which>which(?: one)?)(?= (?:is|was|does|has|one|needs|uses|works|came|performs)\b)", re.I
)
_DEMONSTRATIVE = re.compile(rf"\b(?:this|that|said) (?:same )?(?:\w+ )?{_THING}\b(?! of\b)", re.IGNORECASE)
_VERB = re.compile(r"\b(?:do|does|did|can|could|will|would|should) (?:this|that) work\b", re.IGNORECASE)
_DEFINITE = re.compile(rf"\bthe(?: same)? {_THING}\b{_FOLLOWS}", re.IGNORECASE)
_DEFINITE_HAVING = re.compile(
    rf"\bthe {_HAVING}(?=\s*(?:$|[?.!,;])|\s+(?:{AUXILIARY}|use[ds]?|used|available|public|open|choose|report|evaluate"
    r"|train|test|compare|find|claim|conclude|show|propose|published|released|online|here|anywhere)\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|itself|they|their|theirs|them|he|she|his|her)\b(?!')", re.IGNORECASE)
_THIS = re.compile(
    r"(?<![\w-])(?P<this>this|that|these|those)(?=\s*(?:$|[?.!,;])|\s+(?:so|true|on|for|in|with|need|work|help"
    r"|happen|mean|compare"
    r"|stable|possible|important|useful|better|any|the case|different|faster|hold|require|cost|improve|reduce|change"
    r"|done|called|measured|achieved|trained|tested|evaluated|enough|much|more|less|at|from|than)\b)",
    re.IGNORECASE,
)
_BEFORE_THIS = re.compile(
    rf"(?:^|\b(?:{AUXILIARY}|about|of|by|with|for|in|on|than|to|why|how|make|makes|made|explain|and|from"
    rf"|like))\s*$",
    re.I,
)
_EXPLETIVE = re.compile(
    r"^it (?:takes?|took)\b|^it (?:is|was) [\w ]{0,30}\bthat\b|^it (?:is |was )?(?:possible|true|known|clear"
    r"|necessary|worth|time|right|safe|fair|easy|hard|said|likely|important"
    r"|useful|enough|make sense|matter|turns? out|seems?)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"(?:and |but |so |please )*(?:{AUXILIARY}|what|which|who|whose|how|why|when|where|compare|contrast"
    rf"|summari[sz]e|explain"
    r"|describe|list|name|tell|give|show|find)\b",
    re.IGNORECASE,
)
_ASKS_ONLY = re.compile(
    r"(?:(?:tell|show|give) me )?(?:which|what|how many|how|why|where)(?: \w+){0,2} ", re.IGNORECASE
)
_THAT_THING = re.compile(rf"\b{AUXILIARY} (?:this|that|these|those) \w+", re.IGNORECASE)
_TAKES = re.compile(r"\bit (?:takes?|took)\b", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:when|if|while|that|because|since|before|after|once|where|as|until|so|though|although|which|how|whether)\s+$",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\s*(?:when|if|while|as|after|before|once|since|although|given)\b", re.IGNORECASE)
_CLAUSES = re.compile(r"[,;:.?!—–]|--|\b(?:and|but)\b")
_ASIDE = re.compile(
    r"^\s*(?:compared|unlike|like|besides|apart|in|on|for|with|at|and|but|so|by|according|relative|as)\b", re.IGNORECASE
)
_NOUN_PHRASE = re.compile(r"\b(?:an?|the|each|every|any|some|all) (?:[\w-]+ ){0,2}?(?P<noun>[\w-]+)\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(r"^\s*(?:i|we|you|one|there|anyone|somebody)\b\s*\w*", re.IGNORECASE)
ATTRIBUTES = frozenset(
    stem(word)
    for word in """accuracy error score size number parameter layer head dataset data set code training train trained
    cost time speed step epoch year venue author result limitation drawback weakness advantage strength benchmark
    baseline task domain experiment evaluation evaluate test tested metric measure gpu tpu hour day length context
    sample example label loss learning rate batch optimizer improvement gain improve ablation setup main key idea
    finding conclusion conclude contribution motivation problem application used using publish published release
    download compare compared better worse best worst work paper model method approach result perform performance
    money memory compute run save saved need require detail language hyperparameter architecture available public
    open source report reported achieve reached total large small big fast slow expensive difference percent percentage
    figure value far long old average image token parameter name call called purpose effect reason happen""".split()
)


@dataclass(frozen=True, slots=True)
class Anaphor:
    """A stretch of a question that stands for something said before.

    `reference`: for "one" thing, for what the last question "asked", for the one at place `which` ("ordinal"), for
    the "other" one, or for "several".
    """

    start: int
    end: int
    reference: Reference
    which: int = 0


def find(text: str) -> Anaphor | None:
    """Return what a question refers back with, None when it has nothing of the kind or refers to its own words."""
    *said, _ = re.split(r"(?<=[.?!])\s+(?=\S)", text.strip())
    if novelty(" ".join(said)) >= 2 or (not _ASKS.match(text) and "?" not in text and novelty(text) >= 4):
        return None
    return ordinal(text) or _several(text) or _noun_phrase(text) or _pronoun(text)


def novelty(text: str, known: str = "") -> int:
    """Return how many words of a question are neither common attributes of papers nor words of `known`."""
    held = set(content_stems(known))
    return len({s for s in content_stems(text) if s not in ATTRIBUTES and s not in held and not s.isdigit()})


def has_auxiliary(text: str) -> bool:
    """Tell whether a text has an auxiliary verb, as whole questions have."""
    return re.search(rf"\b{AUXILIARY}\b", text, re.IGNORECASE) is not None


def ordinal(text: str) -> Anaphor | None:
    """Return "the second one", "the latter" or "the other" in a text."""
    for match in _ORDINAL.finditer(text):
        noun = match["noun"]
        which = match["ordinal"].lower()
        whole = noun is None or _ORDINAL_NOUN.fullmatch(noun)
        if (whole or which in ("former", "latter")) and _ends(text, match.start(), match.end(), noun):
            end = match.end() if whole else match.end("ordinal")
            return Anaphor(match.start(), end, "ordinal", _ORDINALS[which])
        bare = match.end("ordinal")
        if not whole and re.match(_FOLLOWS, text[bare:], re.IGNORECASE):
            return Anaphor(match.start(), bare, "ordinal", _ORDINALS[which])
    other = next((m for m in _OTHER.finditer(text) if _ends(text, m.start(), m.end(), m["noun"])), None)
    return Anaphor(other.start(), other.end(), "other") if other else None


def _ends(text: str, start: int, end: int, noun: str | None) -> bool:
    """Tell whether a noun phrase ends where it does: what follows is none of its words.

    Any verb may follow "the second one", and any word the subject of "does the second method …".
    """
    if re.match(_FOLLOWS, text[end:], re.IGNORECASE):
        return True
    sure = noun is not None and (_SURE_NOUN.fullmatch(noun) or _ASKED_OF.search(text[:start]))
    return bool(sure) and not _NO_VERB.match(text[end:])


def _several(text: str) -> Anaphor | None:
    match = _SEVERAL.search(text)
    if match is None or re.match(r"\s+\S+(?: \S+)? and\b", text[match.end() :]):
        return None
    group = "a" if match["a"] else "b"
    return Anaphor(match.start(group), match.end(group), "several")


def which_one(text: str) -> Anaphor | None:
    """Return the "Which" of a question such as "Which one is faster?" that chooses among things named before."""
    match = _WHICH_ONE.match(text)
    return Anaphor(match.end(), match.end(), "several") if match else None


def _noun_phrase(text: str) -> Anaphor | None:
    match = None if _VERB.search(text) else _DEMONSTRATIVE.search(text)
    if match is None and (definite := _DEFINITE.search(text)) and _opens(text[: definite.start()]):
        match = definite
    if match is not None:
        return Anaphor(match.start(), match.end(), "one")
    having = _DEFINITE_HAVING.search(text)
    return Anaphor(having.end(), having.end(), "one") if having and _opens(text[: having.start()]) else None


def _opens(before: str) -> bool:
    """Tell whether nothing that a noun phrase could be about stands before it."""
    if names(before):
        return False
    parts = re.split(rf"\b{AUXILIARY}\b", before, maxsplit=1, flags=re.IGNORECASE)
    if len(parts) == 1:
        return novelty(before) == 0 or _ASKS_ONLY.fullmatch(before) is not None
    return novelty(_NO_SUBJECT.sub("", parts[1])) == 0


def _pronoun(text: str) -> Anaphor | None:
    found = [m for m in _PRONOUN.finditer(text) if not _bound(text, m.start(), m.group().lower())]
    for match in found:
        if not _EXPLETIVE.match(text[match.start() :]):
            return Anaphor(match.start(), match.end(), "one")
    for match in _THIS.finditer(text):
        before = text[: match.start()]
        *earlier, _ = _CLAUSES.split(before)
        inverted = re.search(rf"\b{AUXILIARY} $", before, re.IGNORECASE)
        several = match["this"].lower() in ("these", "those")
        if several and re.match(r"\s+\w", text[match.end() :]):
            continue
        if novelty(_said(earlier)) == 0 and _BEFORE_THIS.search(before) and (inverted or not names(before)):
            return Anaphor(match.start(), match.end(), "several" if several else "asked")
    vague = _TAKES.search(text) or _THAT_THING.search(text)
    return Anaphor(vague.start(), vague.end(), "aside") if vague and not names(text) and novelty(text) <= 3 else None


def _bound(text: str, start: int, pronoun: str) -> bool:
    """Tell whether a pronoun's antecedent stands before it in the same question."""
    before = text[:start]
    *earlier, clause = _CLAUSES.split(before)
    said = _said(earlier)
    plural = pronoun in ("they", "their", "them", "theirs")
    if said and (_antecedent(said, plural) or (novelty(said) >= 2 and not _CONDITION.match(said))):
        return True
    after_auxiliary = re.search(rf"\b{AUXILIARY}\s+$", clause, re.IGNORECASE)
    if after_auxiliary or _ASIDE.match(clause):
        return False
    if pronoun in ("it", "them") and not _SUBORDINATE.search(clause):
        return bool(re.search(r"\ban? [\w-]+", clause))
    if re.search(r"\b(?:the|an?) [\w-]+ (?:of|in|for|to|behind|about|with) $", clause) and not names(clause):
        return False
    parts = re.split(rf"\b{AUXILIARY}\b", clause, maxsplit=1, flags=re.IGNORECASE)
    if len(parts) == 1:
        return len(content_stems(clause)) >= 2
    return _antecedent(parts[1], plural)


def _said(clauses: list[str]) -> str:
    """Return the clauses that say something of their own: no mere "compared with BERT"."""
    return " ".join(part for part in clauses if has_auxiliary(part) or not _ASIDE.match(part))


def _antecedent(text: str, plural: bool) -> bool:
    if names(text) or re.search(r"(?<=\w )[A-Z]\w{2,}", text):
        return True
    if any(stem(m["noun"].lower()) not in ATTRIBUTES for m in _NOUN_PHRASE.finditer(text)):
        return True
    first = next(iter(words(_NO_SUBJECT.sub("", text))), "")
    noun = bool(first) and first not in STOPWORDS and not first.endswith(("ed", "ing"))
    noun = noun and stem(first) not in ATTRIBUTES
    return noun if not plural else noun and bool(re.search(r"\w{3,}s\b", text))
