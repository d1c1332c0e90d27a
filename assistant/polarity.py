"""Words of opposite meaning: antonyms by axis, with their inflections, and cues of negation. Pure functions.

`AXES` are pairs of sides whose words exclude each other ("increase raise | decrease reduce"). A word may stand on
several axes. `inflected` gives a verb's forms, so that a swap keeps the grammar.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from assistant.text import STOPWORDS

Form = str
"""Which form of a verb: base, s, ed or ing; `word` for what is not inflected."""

_VERBS = """
increase raise elevate enhance augment boost amplify strengthen expand | decrease reduce lower diminish attenuate
 weaken lessen shrink cut dampen
rise grow climb | fall drop decline shrink
activate induce promote stimulate trigger facilitate enable drive accelerate | inhibit suppress prevent block impede
 impair hinder repress abolish disrupt slow obstruct
upregulate overexpress | downregulate silence deplete
improve ameliorate benefit help | worsen degrade impair harm deteriorate exacerbate aggravate damage
protect preserve maintain retain restore | damage destroy lose eliminate erode
outperform exceed surpass beat | underperform trail
gain acquire | lose lack
succeed | fail
accept | reject
allow permit enable | forbid prevent preclude
include contain | exclude omit lack
converge | diverge
overestimate | underestimate
overfit | underfit
encourage favor | discourage disfavor
stabilize | destabilize
simplify | complicate
minimize | maximize
confirm support validate | refute contradict dispute
agree | disagree
accelerate hasten | decelerate delay slow
add insert | remove delete
absorb | emit
bind attach | unbind detach
phosphorylate | dephosphorylate
methylate | demethylate
polarize | depolarize
cause produce create | prevent avoid
alleviate relieve mitigate reduce | aggravate intensify exacerbate increase
lengthen prolong extend | shorten
widen | narrow
win | lose
trust | distrust
enrich | deplete
overcome solve address | ignore
"""

_WORDS = """
high higher highest highly elevated | low lower lowest reduced
greater larger bigger | smaller lesser
large big substantial considerable major | small slight minor negligible
more | less fewer
most | least fewest
better superior | worse inferior
best optimal | worst
strong stronger strongly robust | weak weaker weakly fragile
fast faster quickly rapid rapidly | slow slower slowly gradual gradually
long longer longest | short shorter shortest
early earlier | late later delayed
positive positively | negative negatively inverse inversely
effective efficacious | ineffective
efficient efficiently | inefficient inefficiently costly
accurate accurately reliable precise | inaccurate inaccurately unreliable imprecise
sensitive susceptible vulnerable | resistant insensitive immune
present presence | absent absence
active activated | inactive inactivated
activation induction stimulation promotion | inhibition suppression repression blockade inactivation
increase increment rise elevation growth | decrease reduction decline drop fall
increased elevated enhanced | decreased reduced diminished
increasing rising growing | decreasing falling declining
improvement gain gains | degradation deterioration loss worsening
upregulation overexpression upregulated | downregulation knockdown silencing downregulated
excess surplus | deficiency deficit shortage lack
stable stability | unstable instability
sufficient adequate | insufficient inadequate
necessary essential required needed indispensable | unnecessary dispensable optional
dependent dependence | independent independence
related correlated associated linked | unrelated uncorrelated unassociated
significant significantly | insignificant insignificantly nonsignificant
similar identical same equal comparable | different distinct dissimilar unequal
safe harmless beneficial favorable protective | unsafe harmful detrimental adverse toxic
common frequent frequently often usually prevalent | rare infrequent rarely seldom uncommon
abundant plentiful rich | scarce sparse poor limited
deep deeper | shallow shallower
local locally | global globally
linear linearly | nonlinear nonlinearly
supervised | unsupervised
dense | sparse
discrete | continuous
online | offline
deterministic | stochastic random
convex | nonconvex
simple simpler easy easier | complex complicated difficult harder hard
benign | malignant
acute | chronic
male men boys males | female women girls females
young younger | old older elderly
mild | severe
healthy | diseased unhealthy sick
above over | below under
before prior preceding | after following
with | without
always | never
all every | no none
advantage advantages strength strengths | disadvantage disadvantages weakness weaknesses drawback drawbacks
success | failure
benefit benefits | harm harms
protection | damage
survival | death mortality
able capable | unable incapable
possible feasible | impossible infeasible
likely | unlikely
direct directly | indirect indirectly
symmetric | asymmetric
consistent consistently | inconsistent inconsistently
known | unknown
helpful useful | useless unhelpful harmful
upper | lower
up upward upstream | down downward downstream
first | last
minimum minimal | maximum maximal
single one | multiple several many
open | closed
public | private
internal intrinsic endogenous | external extrinsic exogenous
universal general | specific particular
in-distribution | out-of-distribution
left | right
true | false
correct correctly | incorrect incorrectly wrong
expensive | cheap inexpensive
aware | unaware
"""

NEGATIONS = frozenset(
    """not no cannot n't never neither nor without none fails fail failed failing lack lacks lacking unable unrelated
    absence absent hardly barely nothing little independent independently rarely ineffective insufficient""".split()
)

_SCOPE = 5
_DEGREES = frozenset(
    """increase rise activate upregulate high greater more most fast positive activation increased increasing
    upregulation excess cause accelerate enrich effective""".split()
)
"""The first words of the axes that share one direction besides their own: more of something, or less."""

_IRREGULAR = {
    "rise": ("rises", "rose", "rising"), "grow": ("grows", "grew", "growing"), "fall": ("falls", "fell", "falling"),
    "cut": ("cuts", "cut", "cutting"), "drive": ("drives", "drove", "driving"), "lose": ("loses", "lost", "losing"),
    "drop": ("drops", "dropped", "dropping"), "permit": ("permits", "permitted", "permitting"),
    "beat": ("beats", "beat", "beating"), "forbid": ("forbids", "forbade", "forbidding"),
    "overfit": ("overfits", "overfitted", "overfitting"), "underfit": ("underfits", "underfitted", "underfitting"),
    "bind": ("binds", "bound", "binding"), "omit": ("omits", "omitted", "omitting"),
    "emit": ("emits", "emitted", "emitting"), "win": ("wins", "won", "winning"),
    "overcome": ("overcomes", "overcame", "overcoming"), "unbind": ("unbinds", "unbound", "unbinding"),
}  # fmt: skip
_FORMS = ("base", "s", "ed", "ing")


def inflected(verb: str) -> tuple[str, str, str, str]:
    """Return a verb's base form, third person, past and -ing form."""
    if verb in _IRREGULAR:
        return (verb, *_IRREGULAR[verb])
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"
    third = f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"
    root = verb.removesuffix("e") if not verb.endswith("ee") else verb
    return verb, third, f"{root}ed", f"{root}ing"


@cache
def sides() -> dict[str, tuple[tuple[int, int, Form], ...]]:
    """Return where each word stands: (axis, side +1 or -1, form) triples."""
    found: dict[str, list[tuple[int, int, Form]]] = {}
    for axis, (verbs, pair) in enumerate(_axes()):
        for sign, words in zip((1, -1), pair, strict=True):
            for word in words:
                forms = zip(inflected(word), _FORMS, strict=True) if verbs else ((word, "word"),)
                for text, form in forms:
                    found.setdefault(text, []).append((axis, sign, form))
    return {word: tuple(places) for word, places in found.items()}


@cache
def others(word: str, *, opposite: bool) -> tuple[str, ...]:
    """Return the words that could replace a word in its form: antonyms, or those of its own side."""
    found: dict[str, None] = {}
    axes = _axes()
    for axis, sign, form in sides().get(word, ()):
        verbs, pair = axes[axis]
        own = pair[0 if sign > 0 else 1]
        other = pair[1 if sign > 0 else 0]
        for candidate in other if opposite else own:
            found[inflected(candidate)[_FORMS.index(form)] if verbs else candidate] = None
    found.pop(word, None)
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What the words of a text say about direction.

    `axes`, (pieces, axes + 1), holds the side (+1, -1) that a piece's word takes on each axis, the last column that of
    all degree axes. `cues`, (pieces, 3), flags negations, the words in their scope, and function words.
    """

    axes: NDArray[np.float32]
    cues: NDArray[np.float32]


def marks(pieces: Sequence[str]) -> Marks:
    """Return the marks of word pieces, where ## continues a word."""
    table = _table()
    axes = np.zeros((len(pieces), len(_axes()) + 1), np.float32)
    cues = np.zeros((len(pieces), 3), np.float32)
    scope, before = 0, ""
    for word, start, end in _whole_words(pieces):
        if word in table:
            axes[start:end] = table[word]
        denies = word in NEGATIONS or (word == "t" and before == "'")
        cues[start:end] = denies, scope > 0 and not denies, word in STOPWORDS or not word[0].isalnum()
        scope, before = _SCOPE if denies else max(scope - 1, 0), word
    return Marks(axes, cues)


def _whole_words(pieces: Sequence[str]) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for i, piece in enumerate(pieces):
        if piece.startswith("##") and found:
            word, start, _ = found.pop()
            found.append((word + piece[2:], start, i + 1))
        else:
            found.append((piece, i, i + 1))
    return found


@cache
def _table() -> dict[str, NDArray[np.float32]]:
    axes = _axes()
    degrees = {i for i, (_, (left, _)) in enumerate(axes) if left[0] in _DEGREES}
    rows = {}
    for word, places in sides().items():
        row = np.zeros(len(axes) + 1, np.float32)
        for axis, sign, _ in places:
            row[axis] = sign
        row[-1] = np.sign(sum(sign for axis, sign, _ in places if axis in degrees))
        rows[word] = row
    return rows


@cache
def _axes() -> tuple[tuple[bool, tuple[tuple[str, ...], tuple[str, ...]]], ...]:
    return tuple((verbs, _pair(line)) for verbs, table in ((True, _VERBS), (False, _WORDS)) for line in _lines(table))


def _pair(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    left, right = line.split("|")
    return tuple(left.split()), tuple(right.split())


def _lines(table: str) -> Sequence[str]:
    return table.strip().replace("\n ", " ").splitlines()
