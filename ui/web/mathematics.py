"""LaTeX formulas as trees of MathML elements that the page may build."""

import re
from functools import lru_cache
from html import unescape
from xml.etree.ElementTree import Element

from latex2mathml import exceptions
from latex2mathml.converter import Converter

from assistant.schema import Json

# fmt: off
ELEMENTS = frozenset((
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle",
    "merror", "mpadded", "mphantom", "msub", "msup", "msubsup", "munder", "mover", "munderover",
    "mmultiscripts", "mprescripts", "none", "mtable", "mtr", "mtd", "menclose",
))
_ATTRIBUTES = frozenset((
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "separator", "form",
    "symmetric", "lspace", "rspace", "width", "height", "depth", "minsize", "maxsize", "largeop",
    "movablelimits", "accent", "accentunder", "linethickness", "columnalign", "rowspacing",
    "columnspacing", "notation",
))
# fmt: on
_DEFINES = re.compile(r"\\(?:re|provide)?(?:newcommand|command|def|gdef|edef|xdef|let|DeclareMathOperator)\b")
_UNCONVERTED = re.compile(r"\\[A-Za-z]")
_ROWS = frozenset({"math", "mrow", "mstyle", "msqrt", "mtd"})
_LONGEST = 600
_DEEPEST = 40
_UNREADABLE = (
    exceptions.NumeratorNotFoundError,
    exceptions.DenominatorNotFoundError,
    exceptions.ExtraLeftOrMissingRightError,
    exceptions.MissingSuperScriptOrSubscriptError,
    exceptions.DoubleSubscriptsError,
    exceptions.DoubleSuperscriptsError,
    exceptions.NoAvailableTokensError,
    exceptions.InvalidStyleForGenfracError,
    exceptions.MissingEndError,
    exceptions.InvalidAlignmentError,
    exceptions.InvalidWidthError,
    exceptions.LimitsMustFollowMathOperatorError,
    # what the converter's own parser trips over in broken input
    AttributeError,
    LookupError,
    RecursionError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


@lru_cache(maxsize=8192)
def mathml(latex: str, display: bool = False) -> Json:
    """Convert a formula to nested `[element, attributes, children]`; None where it cannot be shown.

    Children are such lists, or strings. Only elements of `ELEMENTS` occur, and no attribute that links.
    """
    if len(latex) > _LONGEST or _DEFINES.search(latex):
        return None
    try:
        root = Converter(display="block" if display else "inline").convert_to_element(latex)
        return _tree(root, 0)
    except _UNREADABLE:
        return None


def _tree(element: Element, depth: int) -> list[Json]:
    """Copy an element; ValueError for one that is unknown, too deep, or holds a command left unconverted."""
    text = unescape(element.text or "")  # the converter leaves numeric references in its text
    if element.tag not in ELEMENTS or depth > _DEEPEST or _UNCONVERTED.search(text):
        raise ValueError(element.tag)
    attributes: dict[str, Json] = {k: v for k, v in element.attrib.items() if k in _ATTRIBUTES}
    children: list[Json] = [text] if text else []
    before: Element | None = None
    for child in element:
        if before is not None and element.tag in _ROWS and _apart(before, child):
            children.append(["mspace", {"width": "0.17em"}, []])
        children.append(_tree(child, depth + 1))
        before = child
    return [element.tag, attributes, children]


def _apart(before: Element, after: Element) -> bool:
    """Whether neighbours in a row need a thin space: a function's name and what is beside it, as log n."""
    return (_names_function(before) and after.tag != "mo") or (_names_function(after) and before.tag != "mo")


def _names_function(element: Element) -> bool:
    base = element[0] if element.tag in ("msub", "msup", "msubsup") and len(element) else element
    return base.tag == "mi" and len(base.text or "") > 1 and (base.text or "").isalpha()
