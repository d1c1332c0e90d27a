"""What a sentence says otherwise than its evidence: figures, names, negation, direction, order, scope, cause. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.figures import exchanged, figures, foreign
from assistant.text import STOPWORDS, fold, stem, words

_NAME = re.compile(r"[A-Za-z0-9](?:[\w$^*{}+-]|['’](?=[A-Z]))*[\w+*]|[A-Z]\b")
_NEGATIONS = frozenset("not no never without cannot nor neither none unable hardly rarely nothing".split())
_AVOIDING = ("avoid", "eliminat", "remov", "circumvent", "bypass", "lack", "free", "omit", "fail", "instead")
_DENIED = 0.75
_TURNED = 0.5
_BREAKS = frozenset("but while whereas although though however which who that".split())
_OPPOSITES = """
increase increases increased increasing raise raises raised rise rises grow grows growing growth boost boosts boosting
higher high highest larger large largest greater greatest gain gains upward enlarge amplify amplifies amplified
| decrease decreases decreased decreasing reduce reduces reduced reducing reduction reductions lower lowers lowered low
lowest smaller small smallest drop drops dropped dropping decline declines declined fall falls fell shrink shrinks less
least loss diminish diminishes diminished cut cuts halve halves lowering fewer minimal suppress suppresses suppressed
/ improve improves improved improving improvement improvements better best enhance enhances enhanced superior benefit
benefits strengthen strengthens outperform outperforms outperformed outperforming surpass surpasses exceed exceeds
beat beats helps help
| worsen worsens worsened worse worst degrade degrades degraded degrading degradation inferior harm harms harmed hurt
hurts weaken weakens underperform underperforms underperformed impair impairs impaired hinder hinders deteriorate
deteriorates trails
/ faster fast fastest accelerate accelerates accelerated speedup speed quicker quickly rapid rapidly efficient cheaper
cheap
| slower slow slowest slows slowed slowdown inefficient expensive costly costlier
/ more most majority many | less least fewer minority few
/ longer long longest | shorter short shortest
/ deeper deep | shallow shallower
/ wider width wide broader broad | narrower narrow depth
/ stronger strong strongest strongly | weaker weak weakest weakly
/ stable stability stably stabilize stabilizes stabilise stabilises | unstable instability destabilize destabilizes
/ possible enable enables enabled allow allows allowed permits permit able
| impossible prevent prevents prevented preventing prohibit prohibits forbid forbids block blocks blocked unable
/ positive positively | negative negatively
/ upper | lower
/ maximize maximizes maximizing maximise maximises maximum maximal | minimize minimizes minimizing minimise minimises
minimum minimal
/ above over exceeding beyond | below under within
/ before prior | after post
/ with | without
/ first | last
/ early earlier | late later
/ present presence | absent absence
/ include includes including included | exclude excludes excluding excluded omit omits
/ same identical similar equal | different distinct dissimilar
/ convex | concave nonconvex
/ linear linearly | nonlinear quadratic exponential exponentially quadratically
/ supervised | unsupervised
/ online | offline
/ global globally | local locally
/ dense | sparse
/ discrete | continuous
/ static fixed | dynamic adaptive
/ symmetric | asymmetric
/ deterministic | stochastic random
/ simple simpler easy easier | complex complicated hard harder difficult
/ success succeed succeeds successful successfully | failure fail fails failed unsuccessful
/ necessary required require requires needed need needs | unnecessary optional
/ sufficient suffices suffice enough adequate | insufficient inadequate
/ known | unknown
/ consistent consistently | inconsistent inconsistently
/ support supports supported confirm confirms confirmed | contradict contradicts contradicted refute refutes
/ activate activates activated activation promote promotes promoted induce induces induced stimulate stimulates
upregulate upregulates upregulated
| inhibit inhibits inhibited inhibition suppress suppresses suppressed block blocks downregulate downregulates
downregulated repress represses
/ sensitive sensitivity | insensitive resistant resistance robust
/ all every always | some few sometimes none rarely never
/ rich abundant | scarce poor limited
/ optimal | suboptimal
/ seen | unseen
/ labeled | unlabeled
/ accurate accurately | inaccurate inaccurately
/ complete | incomplete partial partially
/ easier | harder
"""
_BETTER = frozenset("improv better enhanc superior outperform surpass exceed beat ahead faster higher stronger".split())
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


@lru_cache(maxsize=1)
def _opposites() -> dict[str, set[tuple[int, bool]]]:
    """Return for each stem the scales it stands on, and at which of their ends."""
    sides: dict[str, set[tuple[int, bool]]] = {}
    for number, scale in enumerate(_OPPOSITES.split("/")):
        for end, names in zip((False, True), scale.split("|"), strict=True):
            for name in names.split():
                sides.setdefault(stem(name), set()).add((number, end))
    return sides


def contradictions(text: str, evidence: Sequence[str], source: str) -> list[str]:
    """Return what speaks against a sentence, in words for a reader; empty when nothing does.

    `evidence` are the sentences that say the most of it, `source` all that is known of their paper.
    """
    claim, held = read(text), [read(sentence) for sentence in evidence]
    found = [f"the figure {f.text} is not in it" for f in foreign(figures(text), figures(source))]
    found += [f"the figure {f.text} belongs to something else in it" for f in exchanged(text, evidence)]
    found += [f"it does not name {name}" for name in foreign_names(text, source)]
    found += [f"it says the opposite of “{word}”" for word in direction(claim, held)]
    if negation(claim, held) >= _DENIED:
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


def names(text: str) -> list[str]:
    """Return what is written like a name in a text, its first word only when its capitals are odd."""
    found: dict[str, None] = {}
    text = _FORMULA.sub(" ", text)
    for match in _NAME.finditer(text):
        name = match.group().strip("$*{}-^")
        odd = any(c.isupper() for c in name[1:]) or (any(c.isdigit() for c in name) and any(c.isalpha() for c in name))
        inside = name[:1].isupper() and len(name) > 1 and _inside(text, match.start())
        if (odd and any(c.isupper() for c in name)) or (inside and fold(name) not in STOPWORDS):
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


def negation(claim: Reading, evidence: Sequence[Reading]) -> float:
    """Return how much a claim denies what its evidence says, or says what that denies, in 0..1."""
    claimed = negated(claim)
    denied = [negated(e) for e in evidence]
    held = frozenset[str]().union(*(e.content for e in evidence))
    ever_denied = set[str]().union(*denied)
    ever_said = set[str]().union(*(e.content - d for e, d in zip(evidence, denied, strict=True)))
    new = [s for s in claimed if s in held and s not in ever_denied]
    unsaid = negated(claim, also_avoided=True)
    lost = [s for s in claim.content - unsaid if s in ever_denied and s not in ever_said]
    new_stems, left_out = claim.content - held, held - claim.content
    prefixed = any(_prefixed(s, left_out) for s in new_stems) or any(_prefixed(s, new_stems) for s in left_out)
    has = any(w in _NEGATIONS for w in claim.words) != any(w in _NEGATIONS for e in evidence for w in e.words)
    return min(1.0, 0.5 * bool(new) * has + 0.5 * bool(lost) * has + 0.25 * bool(new or lost) + 1.0 * prefixed)


def _prefixed(word: str, others: Iterable[str]) -> bool:
    """Tell whether a stem is another one denied, as unstable is stable."""
    return any(word == p + other for other in others for p in ("un", "in", "non", "ir") if len(other) > 3)


def direction(claim: Reading, evidence: Sequence[Reading]) -> list[str]:
    """Return the direction words of a claim in whose place its evidence has the opposite."""
    scales = _opposites()
    held = {s for e in evidence for s in e.stems}
    found = []
    for word, stem_ in zip(claim.words, claim.stems, strict=True):
        if stem_ in held or stem_ not in scales:
            continue
        ends = scales[stem_]
        opposite = {s for s in held - set(claim.stems) if any((n, not e) in ends for n, e in scales.get(s, ()))}
        agrees = any(ends & scales[s] for s in held if s in scales)
        if opposite and not agrees:
            found.append(word)
    return found


def order(claim: Reading, evidence: Sequence[Reading]) -> float:
    """Return how far what stands on either side of a relation has changed places, in 0..1."""
    worst = 0.0
    for i, word in enumerate(claim.words):
        if word not in _RELATIONS:
            continue
        left, right = set(claim.stems[max(0, i - 9) : i]), set(claim.stems[i + 1 : i + 10])
        left, right = left - right - _stop_stems(), right - left - _stop_stems()
        for other in evidence:
            for j, stem_ in enumerate(other.stems):
                if stem_ != claim.stems[i]:
                    continue
                l2, r2 = set(other.stems[max(0, j - 12) : j]), set(other.stems[j + 1 : j + 13])
                kept, turned = len(left & l2) + len(right & r2), len(left & r2 - l2) + len(right & l2 - r2)
                if _passive(claim.words, i) != _passive(other.words, j):
                    kept, turned = turned, kept
                if left & (l2 | r2) and right & (l2 | r2) and turned > kept:
                    worst = max(worst, (turned - kept) / (turned + kept))
                elif kept > turned:
                    return 0.0
    return worst


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
