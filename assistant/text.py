"""Reading text: folding for search, words, and sentences with their offsets. Pure functions."""

import re
import unicodedata
from functools import lru_cache
from threading import Lock

import snowballstemmer

from assistant.schema import Span

_LATEX_STYLE = re.compile(
    r"\\(?:mathcal|mathrm|mathbf|mathbb|mathit|mathsf|mathtt|boldsymbol|operatorname|textbf|textit|textsc|texttt"
    r"|textrm|textsf|text|emph|underline|rm|bf|it|em|sc|tt)\b\s*"
)
_LATEX_DRESSING = re.compile(r"[$\\{}*_^`~]")
_ZERO_WIDTH = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣－", "-") | dict.fromkeys("‘’ʼ′", "'") | dict.fromkeys("“”„″", '"'))
_WORD = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W\d_]+(?:'[^\W\d_]+)?\d*|\w+")

STOPWORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing down during each few for from further give given gives had has have having he her here
    hers him his how i if in into is it its itself just let like many may me might more most much must my no nor not
    now of off on once one only or other our out over own per please same she should so some such tell than that the
    their them then there these they this those through to too under until up upon us very was we were what when where
    which while who whom whose why will with would you your""".split()
)


def fold(text: str) -> str:
    """Fold what readers don't see as a difference: case, accents, ligatures, dashes, LaTeX dressing, white space."""
    text = _LATEX_STYLE.sub("", _ZERO_WIDTH.sub("", text))
    text = _LATEX_DRESSING.sub("", text)
    if text.isascii():
        return " ".join(text.lower().split())
    text = unicodedata.normalize("NFKC", text.translate(_DASHES))
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())


def sound(text: str) -> str:
    """Replace lone surrogates, which neither an encoder nor a file can take, by question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def words(text: str) -> list[str]:
    """Return the folded words and figures of a text, in order; compounds come apart at their hyphens."""
    return [w.replace(",", "") if w[0].isdigit() else w for w in _WORD.findall(fold(text))]


_BRITISH = re.compile(r"(?<=\w{3})(?:(is)(?=(?:e|ed|es|er|ers|ing|ation|ations)$)|(our)(?=(?:s|al|ed|ing|able)?$))")
_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = Lock()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the Porter2 stem of a folded word; British spellings meet American ones."""
    american = _BRITISH.sub(lambda m: "iz" if m.group(1) else "or", word)
    with _STEMMING:  # the stemmer keeps the word it works on in itself
        return str(_STEMMER.stemWord(american))


def content_stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in order, repeats kept."""
    return [stem(w) for w in words(text) if w not in STOPWORDS and (len(w) > 1 or w.isdigit())]


_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|etc|al|approx|resp|fig|figs|eq|eqs|sec|ref|refs|no|nos|vol|dr|prof|mr|mrs|ms|st|inc|ltd"
    r"|w\.r\.t|a\.k\.a|i\.i\.d|ca|dept|univ)|\b[A-Z])\.$",
    re.IGNORECASE,
)
_LONGEST_ABBREVIATION = 16
_BOUNDARY = re.compile(r"""[.!?]+["'”’)\]}]*(?=\s)|\n\s*\n""")
_OPENS = re.compile(r"""\s*["'“‘(\[{$\\*]*[A-Z0-9À-ÞΑ-Ωα-ω\u4e00-\u9fff]""")
_OPENS_UNCAPITALISED = re.compile(r"\s*\S")


def sentences(text: str, *, capitalised: bool | None = None) -> list[Span]:
    """Split a text into sentences; the spans are in order, hold no outer white space, and cover every word.

    `capitalised` says whether sentences begin with a capital letter; by default they do unless the text holds none.
    """
    spans, start, read, dollars = [], 0, 0, 0
    capitalised = text != text.lower() if capitalised is None else capitalised
    opens = _OPENS if capitalised else _OPENS_UNCAPITALISED
    for boundary in _BOUNDARY.finditer(text):
        end = boundary.end()
        dollars += text.count("$", read, end)
        read = end
        if "\n" not in boundary.group() and not _ends(text, start, end, opens, within_formula=dollars % 2 == 1):
            continue
        spans.append((start, end))
        start, dollars = end, 0
    spans.append((start, len(text)))
    return [span for s, e in spans if (span := trimmed(text, s, e)).end > span.start]


def _ends(text: str, start: int, end: int, opens: re.Pattern[str], *, within_formula: bool) -> bool:
    before = text[max(start, end - _LONGEST_ABBREVIATION) : end].rstrip("\"'”’)]}")
    if before.endswith(".") and _ABBREVIATION.search(before):
        return False
    if within_formula and "$" in text[end : end + 80]:
        return False
    return bool(opens.match(text, end)) or before.endswith(("!", "?"))


def trimmed(text: str, start: int, end: int) -> Span:
    """Return a stretch of a text without the white space at its ends."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return Span(start + left, end - (len(piece) - len(piece.rstrip()))) if piece.strip() else Span(start, start)
