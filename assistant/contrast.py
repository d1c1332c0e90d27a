"""What a sentence says otherwise than its evidence: figures, names, negation, direction, order, scope, cause. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from assistant.figures import exchanged, figures, foreign
from assistant.polarity import sides
from assistant.text import STOPWORDS, fold, stem, words

_NAME = re.compile(r"[A-Za-z0-9](?:[\w$^*{}+-]|['’](?=[A-Z]))*[\w+*]|[A-Z]\b")
_NEGATIONS = frozenset("not no never without cannot nor neither none unable hardly rarely nothing".split())
_AVOIDING = ("avoid", "eliminat", "remov", "circumvent", "bypass", "lack", "free", "omit", "fail", "instead")
_DENIAL = re.compile(
    r"\bit is (?:not|un)\s?true\b|\bis (?:false|wrong|incorrect|untrue) that\b|\bnot the case\b"
    r"|\bnot (?:hardly|never|no|without)\b"
)
_TURNED = 0.5
_BREAKS = frozenset("but while whereas although though however which who that".split())
_SEVERAL = re.compile(
    r"^(?:each|all|both|several|these|many|the|those)(?: of)?(?: the| these| them)? (?:papers|studies|works|articles)\b"
    r"|\b(?:several|both|multiple|various|many|these|other) (?:\w+ )?(?:studies|papers|works)\b|^each (?:finds?|of)\b"
    r"|\banother (?:paper|study|work)\b|^they (?:all|both)\b"
)
_CAUSE = re.compile(r"\b(?:because|due to|owing to|caused by|as a result of|thanks to)\b")
_CAUSAL = re.compile(
    r"\b(?:because|due to|owing to|caus\w+|since|result\w*|thanks to|lead\w*|stem\w*|aris\w+|driv\w+|attribut\w+|root"
    r"|thus|hence|therefore|thereby|identif\w+|by|from|as)\b"
)
_LINK = re.compile(r"https?://\S+")
_ABBREVIATED = re.compile(r"(\w+)\s+\(([A-Z][\w-]*)\)")
_FORMULA = re.compile(r"\$[^$]*\$|\\\w+")
_RELATIONS = frozenset(
    "outperform outperforms outperformed outperforming surpass surpasses surpassed exceed exceeds exceeded beat beats"
    " cause causes caused causing lead leads predict predicts predicted precede precedes induce induces induced"
    " improve improves improved better faster slower larger smaller higher lower more less generalizes generalize"
    " replace replaces replaced replacing dominate dominates contain contains require requires imply implies trained"
    " drives drive distill distills distilled transfer transfers convert converts converted converting matches"
    " underperform underperforms underperformed than over against into from worse stronger cheaper tested evaluated"
    " reduces reduce depends depend subsumes inherits teaches translates maps mapped approximates encodes decodes"
    " becomes follows bounds guides controls".split()
)

_COMPARES = frozenset(
    "outperform outperforms outperformed outperforming surpass surpasses surpassed exceed exceeds exceeded beat beats"
    " dominate dominates underperform underperforms underperformed than".split()
)
_TAILS = frozenset("on in for at across when while during".split())


End = tuple[int, int]
"""An axis of opposite meanings, and which of its ends: 1 or -1."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence as the rules read it: its folded words, and the stem of each."""

    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]

    @property
    def content(self) -> frozenset[str]:
        """The stems that carry meaning."""
        return frozenset(s for w, s in zip(self.words, self.stems, strict=True) if w not in STOPWORDS)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Read a sentence."""
    found = tuple(words(text))
    return Reading(text, found, tuple(stem(word) for word in found))


def contradictions(text: str, evidence: Sequence[str], source: str) -> list[str]:
    """Return what speaks against a sentence, in words for a reader; empty when nothing does.

    `evidence` are the sentences that say the most of it, `source` all that is known of their paper.
    """
    claim, held = read(text), [read(sentence) for sentence in evidence]
    found = [f"the figure {f.text} is not in it" for f in foreign(figures(text), figures(source))]
    found += [f"the figure {f.text} belongs to something else in it" for f in exchanged(text, evidence)]
    found += [f"it does not name {name}" for name in foreign_names(text, source)]
    found += [f"it gives no link {link}" for link in _LINK.findall(text) if link.rstrip(".,;)") not in source]
    found += [f"it calls something else {name}" for name in renamed(text, source)]
    found += [f"it says the opposite of “{word}”" for word in direction(claim, held)]
    if negation(claim, held):
        found.append("one of the two denies it")
    if order(claim, held) >= _TURNED:
        found.append("it says it the other way round")
    if cause(text, evidence):
        found.append("it gives no such reason")
    if scope(text):
        found.append("it is one paper and not several")
    return found


def foreign_names(text: str, source: str) -> list[str]:
    """Return the names in a text (odd capitals, acronyms, capitalised words inside it) that a source does not hold."""
    both = words(source) + words(_FORMULA.sub(" ", source))
    held = [word.removesuffix("'s").replace("'", "") for word in both]
    joined = {*held, *("".join(held[i : i + n]) for n in (2, 3, 4) for i in range(len(held) - n + 1))}
    initials = "".join(word[0] for word in held)
    return [name for name in names(text) if not _holds(name, joined, initials)]


def renamed(text: str, source: str) -> list[str]:
    """Return the short names in brackets that a text gives to what its source gives another one."""
    held = {(stem(fold(word)), name) for word, name in _ABBREVIATED.findall(source)}
    given = [(stem(fold(word)), name) for word, name in _ABBREVIATED.findall(text)]
    return [name for word, name in given if (word, name) not in held and any(word == other for other, _ in held)]


def names(text: str) -> list[str]:
    """Return what is written like a name in a text, its first word only when its capitals are odd."""
    found: dict[str, None] = {}
    text = _FORMULA.sub(" ", text)
    for match in _NAME.finditer(text):
        name = match.group().strip("$*{}-^")
        odd = any(c.isupper() for c in name[1:]) or (any(c.isdigit() for c in name) and any(c.isalpha() for c in name))
        inside = name[:1].isupper() and len(name) > 1 and _inside(text, match.start())
        if (odd and any(c.isupper() for c in name)) or (inside and (fold(name) not in STOPWORDS or name == "May")):
            found[name] = None
    return list(found)


def _inside(text: str, start: int) -> bool:
    before = text[:start].rstrip("\"'“”‘’( *")
    return bool(before) and before[-1] not in ".!?:;-"


def _holds(name: str, joined: set[str], initials: str) -> bool:
    bare = "".join(words(name)).replace("'", "")
    forms = {bare, bare.removesuffix("s"), bare + "s", bare.removesuffix("es")}
    if forms & joined:
        return True
    parts = [word for word in words(name) if not word.isdigit()]
    if "-" in name and len(parts) > 1 and all(part in joined or part.removesuffix("s") in joined for part in parts):
        return not any(c.isupper() for c in name[1:])
    acronym = name.rstrip("s")
    return acronym.isupper() and 3 <= len(acronym) <= 6 and acronym.lower() in initials


def negated(reading: Reading, *, also_avoided: bool = False) -> set[str]:
    """Return the content stems that stand within the reach of a negation; or of "avoids", "eliminates" and the like."""
    found: set[str] = set()
    for i, word in enumerate(reading.words):
        if word in _NEGATIONS or word.endswith("n't") or (also_avoided and word.startswith(_AVOIDING)):
            found.update(_following(reading, i + 1, 5 if also_avoided else 3))
    return found


def _following(reading: Reading, start: int, most: int) -> Iterator[str]:
    """Yield the next content stems of the same clause."""
    for word, stem_ in zip(reading.words[start : start + 7], reading.stems[start : start + 7], strict=True):
        if word in _BREAKS or most == 0:
            return
        if word not in STOPWORDS and word not in _NEGATIONS:
            most -= 1
            yield stem_


def negation(claim: Reading, evidence: Sequence[Reading]) -> bool:
    """Tell whether a claim denies what its evidence says, or says what that denies."""
    if _DENIAL.search(fold(claim.text)) and not any(_DENIAL.search(fold(e.text)) for e in evidence):
        return True
    denied = set[str]().union(*map(negated, evidence))
    held = frozenset[str]().union(*(e.content for e in evidence))
    new = {s for s in negated(claim) & held - denied if not any(_denies(e) for e in evidence if s in e.content)}
    said = set[str]().union(*(e.content - negated(e) for e in evidence))
    lost = (claim.content & denied) - negated(claim, also_avoided=True) - said
    foreign_stems, left_out = claim.content - held, held - claim.content
    prefixed = any(_prefixed(s, left_out) for s in foreign_stems) or any(_prefixed(s, foreign_stems) for s in left_out)
    return bool(new) or (bool(lost) and not _denies(claim)) or prefixed


def _denies(reading: Reading) -> bool:
    return any(word in _NEGATIONS or word.endswith("n't") for word in reading.words)


def _prefixed(word: str, others: Iterable[str]) -> bool:
    """Tell whether a stem is another one denied, as unstable is stable."""
    return any(word == p + other for other in others for p in ("un", "in", "non", "ir") if len(other) > 3)


def direction(claim: Reading, evidence: Sequence[Reading]) -> list[str]:
    """Return the direction words of a claim in whose place its evidence has the opposite."""
    held = {word for e in evidence for word in e.words}
    stems = {s for e in evidence for s in e.stems}
    said = frozenset[End]().union(*map(_ends, held))
    instead = frozenset[End]().union(*map(_ends, held - set(claim.words)))
    return [
        word
        for word, stem_ in zip(claim.words, claim.stems, strict=True)
        if stem_ not in stems and not _ends(word) & said and {(axis, -side) for axis, side in _ends(word)} & instead
    ]


@lru_cache(maxsize=8192)
def _ends(word: str) -> frozenset[End]:
    """Return the axes that a word stands on, and at which of their ends."""
    return frozenset((axis, side) for axis, side, _ in sides().get(word, ()))


def order(claim: Reading, evidence: Sequence[Reading]) -> float:
    """Return how far what stands on either side of a relation has changed places, in 0..1."""
    return max(_turned(claim, evidence, _RELATIONS), _turned(claim, evidence, _COMPARES, tails=False))


def _turned(claim: Reading, evidence: Sequence[Reading], relations: Set[str], *, tails: bool = True) -> float:
    """Return `order` for some relations, with or without what is said behind them of where they hold."""
    worst = 0.0
    for i, word in enumerate(claim.words):
        if word not in relations:
            continue
        left, right = set(claim.stems[max(0, i - 9) : i]), _object(claim, i + 1, 9, tails=tails)
        left, right = left - right - _stop_stems(), right - left - _stop_stems()
        for other in evidence:
            for j, stem_ in enumerate(other.stems):
                if stem_ != claim.stems[i]:
                    continue
                l2, r2 = set(other.stems[max(0, j - 12) : j]), _object(other, j + 1, 12, tails=tails)
                kept, turned = len(left & l2) + len(right & r2), len(left & r2 - l2) + len(right & l2 - r2)
                if _passive(claim.words, i) != _passive(other.words, j):
                    kept, turned = turned, kept
                if left & (l2 | r2) and right & (l2 | r2) and turned > kept:
                    worst = max(worst, (turned - kept) / (turned + kept))
                elif kept > turned:
                    return 0.0
    return worst


def _object(reading: Reading, start: int, most: int, *, tails: bool) -> set[str]:
    """Return the stems behind a relation; without tails up to where it says on what, which stays when sides change."""
    found = reading.words[start : start + most]
    ends = (i for i, word in enumerate(found) if word in _TAILS and set(found[:i]) - STOPWORDS)
    return set(reading.stems[start : start + (len(found) if tails else next(ends, len(found)))])


def _passive(found: Sequence[str], place: int) -> bool:
    return "by" in found[place + 1 : place + 4]


@lru_cache(maxsize=1)
def _stop_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in STOPWORDS)


def scope(text: str) -> bool:
    """Tell whether a sentence speaks of several papers."""
    return bool(_SEVERAL.search(fold(text)))


def cause(text: str, evidence: Iterable[str]) -> bool:
    """Tell whether a sentence names a cause where its evidence has no word for one."""
    return bool(_CAUSE.search(fold(text))) and not any(_CAUSAL.search(fold(e)) for e in evidence)
