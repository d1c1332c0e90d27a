"""Figures in a text, compared by value and unit: 1,860 is 1860, 13.7\\% is 13.7%, four is 4, 3.64× is 3.64x. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from math import isclose

from assistant.text import STOPWORDS, fold, stem

_UNITS = {
    "%": "% percent pct",
    "point": "point points pp",
    "×": "× x times time fold",
    "ms": "ms msec millisecond milliseconds",
    "µs": "μs us microsecond microseconds",
    "ns": "ns nanosecond nanoseconds",
    "s": "s sec secs second seconds",
    "min": "min mins minute minutes",
    "h": "h hr hrs hour hours",
    "day": "day days",
    "week": "week weeks",
    "month": "month months",
    "year": "year years yr yrs",
    "KB": "kb kilobyte kilobytes",
    "MB": "mb megabyte megabytes",
    "GB": "gb gigabyte gigabytes",
    "TB": "tb terabyte terabytes",
    "bit": "bit bits",
    "byte": "byte bytes",
    "Hz": "hz hertz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "nm": "nm nanometer nanometers nanometre nanometres",
    "µm": "μm um micrometer micrometers micron microns",
    "mm": "mm millimeter millimeters millimetre millimetres",
    "cm": "cm centimeter centimeters centimetre centimetres",
    "m": "meter meters metre metres",
    "km": "km kilometer kilometers kilometre kilometres",
    "mg": "mg milligram milligrams",
    "kg": "kg kilogram kilograms",
    "mJ": "mj millijoule millijoules",
    "J": "joule joules",
    "W": "watt watts",
    "dB": "db decibel decibels",
    "eV": "ev",
    "meV": "mev",
    "$": "$ dollar dollars usd",
    "€": "€ euro euros",
    "°": "° degree degrees",
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names.split()}
_SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "m": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "b": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "t": 1e12,
}
_WHOLE = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_SPELLED = {name: float(value) for value, name in enumerate(f"{_WHOLE} seventeen eighteen nineteen".split())}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SPELLED |= {name: 10.0 * value for value, name in enumerate(_TENS, 2)}
_SPELLED |= {f"{tens}-{ones}": _SPELLED[tens] + _SPELLED[ones] for tens in _TENS for ones in _WHOLE.split()[1:10]}
_FACTORS = {"twice": 2.0, "double": 2.0, "doubles": 2.0, "doubled": 2.0, "doubling": 2.0, "twofold": 2.0}
_FACTORS |= {"triple": 3.0, "triples": 3.0, "tripled": 3.0, "threefold": 3.0, "tenfold": 10.0}
_FRACTION = re.compile(r"(\d*)\s?([¼-¾⅐-⅞])")
_LOWERED = re.compile(
    r"\b(?:fall|fell|drop|decreas|reduc|lower|los[est]|below|declin|shrink|shrank|less|fewer|smaller|down|wors)\w*\W"
    r"[^.;]{0,30}$"
)
_POWER = re.compile(r"10\s*\^\s*\{?\s*(-?\d{1,3})\s*\}?")
_NAMES = "|".join(sorted((*_SPELLED, *_FACTORS), key=len, reverse=True))
_SCALE = r"(?:hundred|thousand|million|billion|trillion)\b"
_FIGURE = re.compile(
    rf"(?P<money>[$€]\s?)?(?P<minus>(?<![^\s(=,:~$\[])-|\b(?:minus|negative) )?"
    rf"(?<![\w.])(?:(?P<digits>\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)"
    rf"|(?P<name>{_NAMES}|(?<!half )(?<!of )an?(?= {_SCALE}))(?!\w))"
    rf"(?:(?:\s|-)?(?P<scale>{_SCALE})|(?P<short>(?:k|m|mn|b|bn|t)\b|\s(?:k|b|bn)\b(?!-)))?"
    r"(?:[\s-]*(?P<percentage>percentage[ -]points?\b)|[\s-]?(?P<unit>[^\W\d_]+|[%×$€°]))?"
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_REACH = 45  # characters


@dataclass(frozen=True, slots=True)
class Figure:
    """A number in a text: its value, its unit ("" when none is known), the stem of the word behind it, its place.

    `spelled` figures are written as words, and `text` is the figure as it stands, folded. `lowered` ones have a word of
    decrease before them, so that a fall by 3 is a change of -3.
    """

    value: float
    unit: str
    noun: str
    start: int
    text: str
    spelled: bool = False
    lowered: bool = False


def figures(text: str) -> list[Figure]:
    """Return the figures of a text, in order; their places count characters of its folded form."""
    return list(_figures(_folded(text)))


def _folded(text: str) -> str:
    money = _FRACTION.sub(_decimal, text.replace("\\$", " dollar-sign "))
    return fold(_POWER.sub(r"1e\1", money)).replace("dollar-sign ", "$")


def _decimal(match: re.Match[str]) -> str:
    return f"{int(match[1] or 0) + unicodedata.numeric(match[2]):.6g}"


def _figures(text: str) -> Iterable[Figure]:
    for match in _FIGURE.finditer(text):
        digits, name = match["digits"], match["name"]
        value = float(digits.replace(",", "")) if digits else _SPELLED.get(name, _FACTORS.get(name, 1.0))
        value *= _SCALES.get(match["scale"] or (match["short"] or "").strip(), 1.0) * (-1 if match["minus"] else 1)
        word = match["unit"] or ""
        unit = "point" if match["percentage"] else _UNIT_OF.get(word, "")
        unit = unit or ("×" if name in _FACTORS else "") or _UNIT_OF.get((match["money"] or "").strip(), "")
        noun = "" if unit or not word.isalpha() else stem(word)
        known = digits or (name if name in _SPELLED or name in _FACTORS else f"{name} {match['scale']}")
        shown = f"{'-' if match['minus'] else ''}{known}".rstrip(",.")
        lowered = _LOWERED.search(text[max(0, match.start() - 60) : match.start()]) is not None
        yield Figure(value, unit, noun, match.start(), shown, spelled=name is not None, lowered=lowered)


def is_figure(word: str) -> bool:
    """Tell whether a folded word is a number, in digits or spelled."""
    return word[:1].isdigit() or word in _SPELLED


def same(claimed: Figure, held: Figure) -> bool:
    """Tell whether two figures have the same value, and the same unit where both have one."""
    units = {claimed.unit, held.unit}
    lowered = (claimed.lowered or held.lowered) and min(claimed.value, held.value) < 0
    values = (abs(claimed.value), abs(held.value)) if lowered else (claimed.value, held.value)
    return isclose(*values, rel_tol=1e-9) and (len(units) == 1 or "" in units)


def foreign(claimed: Iterable[Figure], held: Iterable[Figure]) -> list[Figure]:
    """Return the claimed figures that are not among those held.

    A small number in words that counts what nobody else counted ("two methods", where two are listed) is not foreign;
    it is when the same thing is counted otherwise.
    """
    held = list(held)
    return [f for f in claimed if not any(same(f, other) for other in held) and not _merely_counts(f, held)]


def _merely_counts(figure: Figure, held: Iterable[Figure]) -> bool:
    if not figure.spelled or figure.unit or figure.value > 12:
        return False
    return not any(other.noun == figure.noun and not other.unit for other in held)


def exchanged(text: str, evidence: Iterable[str]) -> list[Figure]:
    """Return the figures of a text in whose place its evidence has another one.

    Such a figure stands in a sentence of the evidence, but the words around it stand nearer to others there.
    """
    folded = _folded(text)
    claimed = list(_figures(folded))
    words_of = _neighbours(folded, claimed)
    held = [(other, list(_figures(other))) for other in map(_folded, evidence)]
    return [f for f in claimed if any(_misplaced(f, words_of.get(f, set()), claimed, *each) for each in held)]


def _misplaced(
    figure: Figure, around: Set[str], claimed: Iterable[Figure], sentence: str, held: Sequence[Figure]
) -> bool:
    own = [g for g in held if same(figure, g)]
    others = [g for g in held if own and g.unit == own[0].unit and not any(same(f, g) for f in claimed)]
    words_of = _neighbours(sentence, held)
    met = [len(around & set[str]().union(*(words_of.get(g, set()) for g in group))) for group in (own, others)]
    return met[0] == 0 and met[1] > 0


def _neighbours(folded: str, figures: Sequence[Figure]) -> dict[Figure, set[str]]:
    """Return the stems of the words around each figure: each word belongs to the figure that it is nearest to."""
    found: dict[Figure, set[str]] = {}
    for match in _LETTERS.finditer(folded):
        word = match.group()
        if word in STOPWORDS or word in _UNIT_OF or word in _SPELLED:
            continue
        far = {f: max(match.start() - f.start - len(f.text), f.start - match.end(), 0) for f in figures}
        nearest = min(far, key=lambda f: far[f], default=None)
        if nearest is not None and far[nearest] <= _REACH:
            found.setdefault(nearest, set()).add(stem(word))
    return found
