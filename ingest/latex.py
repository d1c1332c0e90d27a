"""LaTeX in running text turned into plain text; mathematics is left as it is for the renderer."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from pylatexenc.latex2text import get_default_latex_context_db

from assistant.schema import Span

_SIGNS = ("\\", "~", "{", "``", "--")
_DELIMITER = re.compile(r"\\.|\$\$?", re.DOTALL)
_CLOSERS = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_PRICE = re.compile(r"\d[\d.,]*(?:[kKmMbB]?\s+[A-Za-z(]{2}|[^$]*\s$)")
_MATHS_LIKE = re.compile(r"[\\^_{}=<>]")

# A tie joins "Fig.~3" and "5~ms"; "3~5", "~50%" and "X~N(0,1)" mean the character.
_TIE = r"(?:(?<=[^\W\d]|[.,;:)\]}’])(?<!\b[B-HJ-Zb-z])~(?=[^\s~])|(?<=[\d%])~(?=[A-Za-z\\(]))"
_MARK = re.compile(r"[\\{}~`'\"-]")
_TOKEN = re.compile(
    r"\\(?P<macro>[A-Za-z]+)\*?(?P<gap>\s*)|\\(?P<escaped>.)|(?P<brace>[{}])|(?P<tie>" + _TIE + r")"
    r"|(?P<quote>(?<!`)``(?!`)|''|\")|(?P<dash>(?<!-)---(?!-)|(?<![-\s(])--(?!-)|(?<!-)--(?=\s))",
    re.DOTALL,
)
_URL = re.compile(r"https?://[^\s{}\\<>]+")
_ACCENTED = re.compile(r"\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z])")
_MARKS = "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u0306\u030c\u030b\u0327\u0328\u030a\u0323"
_ACCENTS = dict(zip("'`^\"~=.uvHckrd", _MARKS, strict=True))
_BRACED_ACCENTS = frozenset(".uvHckrd")
_ARGUMENT = re.compile(r"\s*\{([^{}]*)\}")
_VERBATIM = re.compile(r"([^\sA-Za-z*{}])([^\n]{0,200}?)\1")
_PLAIN_GROUP = re.compile(r"\{(,|[\w+-]{0,40}[A-Z][\w+-]{0,40}|)\}")
_DECLARATION = re.compile(r"\{\s*\\(?:em|bf|it|sc|tt|rm|sf|sl|bfseries|itshape|scshape|ttfamily|fontfamily|color)\b")

_STYLES = frozenset(
    str.split("b boldsymbol emph hbox mathbf mathit mathrm mathsf mathtt mbox path ul uline underline url")
)
_SWITCHES = frozenset(
    str.split("bf bfseries em it itshape noindent rm sc scshape selectfont sf sl small tt ttfamily xspace")
)
_WITHOUT_ARGUMENT = frozenset(str.split("begin color end fontfamily hspace label textcolor vspace"))
_CITES = frozenset(str.split("autocite citealp cite citep parencite"))
_REFERENCES = frozenset(str.split("Cref autoref citeauthor citet cref eqref ref textcite"))
_LOGOS = {"LaTeX": "LaTeX", "TeX": "TeX", "S": "§", "P": "¶"}
_WRAPPED = {"footnote": (" (", ")"), "enquote": ("“", "”"), "say": ("“", "”"), "textsuperscript": ("^", "")}
_SPACES = dict.fromkeys(",;: \n\\", " ") | dict.fromkeys("!-/@", "")


def maths(text: str) -> list[Span]:
    r"""Find `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, delimiters included, in order; the price $5 is none."""
    spans: list[Span] = []
    opener, start = "", 0
    last = {closer: text.rfind(closer) for closer in _CLOSERS.values()}
    for sign, at in _delimiters(text):
        if opener and sign == _CLOSERS[opener] and (opener != "$" or _is_maths(text, start + 1, at)):
            spans.append(Span(start, at + len(sign)))
            opener = ""
        elif sign in _CLOSERS and opener in ("", "$") and last[_CLOSERS[sign]] > at:
            opener, start = sign, at
    return spans


def _delimiters(text: str) -> Iterator[tuple[str, int]]:
    """Yield the delimiters and where they stand; the middle of "$a$$b$" is two of them."""
    inside = False
    for match in _DELIMITER.finditer(text):
        sign, at = match.group(), match.start()
        if sign == "$$" and inside:
            yield from (("$", at), ("$", at + 1))
        else:
            inside ^= sign == "$"
            yield sign, at


def _is_maths(text: str, start: int, end: int) -> bool:
    inner = text[start:end]
    if not inner.strip() or _PRICE.match(inner) or (inner[0].isdigit() and text[end + 1 : end + 2].isdigit()):
        return False
    return bool(_MATHS_LIKE.search(inner)) or not (inner[0].isspace() or inner[-1].isspace())


def plain(text: str) -> str:
    """Turn the LaTeX outside mathematics into the characters it stands for; no word of the text is lost."""
    return _Writer(text).run() if any(sign in text for sign in _SIGNS) else text


@dataclass(slots=True)
class _Writer:
    """One pass over a text; `groups` holds what the closing brace of each open group is replaced by."""

    text: str
    at: int = 0
    out: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    quoted: bool = False

    def run(self) -> str:
        urls = [Span(*match.span()) for match in _URL.finditer(self.text)]
        for span in sorted([*maths(self.text), *urls], key=lambda span: span.start):
            self._running(max(self.at, span.start))
            self.out.append(self.text[self.at : span.end])
            self.at = max(self.at, span.end)
        self._running(len(self.text))
        return "".join(self.out)

    def _running(self, end: int) -> None:
        while self.at < end:
            mark = _MARK.search(self.text, self.at, end)
            self.out.append(self.text[self.at : mark.start() if mark else end])
            self.at = mark.start() if mark else end
            if mark:
                self._token(_TOKEN.match(self.text, self.at))

    def _token(self, token: re.Match[str] | None) -> None:
        self.at = token.end() if token else self.at + 1
        if not token:
            self.out.append(self.text[self.at - 1])
        elif name := token["macro"]:
            self._macro(name, token["gap"])
        elif token["escaped"] is not None:
            self._escaped(token["escaped"])
        elif token["brace"]:
            self._brace(token["brace"])
        elif token["quote"]:
            self._quote(token["quote"])
        else:
            self.out.append({"~": " ", "--": "–", "---": "—"}[token.group()])

    def _macro(self, name: str, gap: str) -> None:
        opens = self.text.startswith("{", self.at)
        if name in _WRAPPED and opens:
            self._open(*_WRAPPED[name])
        elif opens and (name in _STYLES or (name.startswith("text") and name != "textcolor")):
            self._open("", "")
        elif name in _WITHOUT_ARGUMENT:
            self._argument()
            if name == "textcolor" and self.text.startswith("{", self.at):
                self._open("", "")
        elif name == "href":
            self._link()
        elif name in _CITES | _REFERENCES:
            self._cite(name, gap)
        elif name == "verb" and (match := _VERBATIM.match(self.text, self.at)):
            self.out.append(match[2])
            self.at = match.end()
        elif name not in _ACCENTS or not self._accent(name):
            self._word(name, gap)

    def _cite(self, name: str, gap: str) -> None:
        keys = self._argument()
        self.out.append(f" ({keys})" if keys and name in _CITES else keys or gap)

    def _word(self, name: str, gap: str) -> None:
        symbol = "" if name in _SWITCHES else _symbol(name) or name
        if self.text.startswith("{}", self.at):
            self.at += 2
        elif symbol and not name.startswith("text") and (symbol == name or len(name) > 2):
            symbol += gap
        self.out.append(symbol)

    def _escaped(self, char: str) -> None:
        if char in _ACCENTS and self._accent(char):
            return
        self.out.append(_SPACES.get(char, char))

    def _accent(self, name: str) -> bool:
        match = _ACCENTED.match(self.text, self.at)
        if not match or (match[2] and (name in _BRACED_ACCENTS or (name == '"' and not self._within_word()))):
            return False
        letter = unicodedata.normalize("NFC", (match[1] or match[2]) + _ACCENTS[name])
        if len(letter) == 1:
            self.out.append(letter)
            self.at = match.end()
        return len(letter) == 1

    def _within_word(self) -> bool:
        before = self.text[self.at - 3 : self.at - 2]
        return before.isalpha() or before == "{"

    def _brace(self, brace: str) -> None:
        if brace == "}":
            self.out.append(self.groups.pop() if self.groups else "}")
        elif match := _PLAIN_GROUP.match(self.text, self.at - 1):
            self.out.append(match[1])
            self.at = match.end()
        elif _DECLARATION.match(self.text, self.at - 1) or _only_accent(self.text, self.at):
            self.groups.append("")
        else:
            self.out.append("{")
            self.groups.append("}")

    def _quote(self, quote: str) -> None:
        closes = self.quoted
        self.quoted = quote == "``" and not self.quoted
        self.out.append("”" if closes else "“" if quote == "``" else quote)

    def _open(self, before: str, after: str) -> None:
        self.at += 1
        self.out.append(before)
        self.groups.append(after)

    def _argument(self) -> str:
        if not (match := _ARGUMENT.match(self.text, self.at)):
            return ""
        self.at = match.end()
        return match[1]

    def _link(self) -> None:
        target = self._argument()
        if not self.text.startswith("{", self.at):
            self.out.append(target)
        elif self.text.startswith("{" + target, self.at):
            self._open("", "")
        else:
            self._open("", f" ({target})")


def _only_accent(text: str, at: int) -> bool:
    """Tell whether the group that opens before `at` is there for an accent, as both are in R{{\\'e}}mi."""
    return text.startswith("{", at) or (text.startswith("\\", at) and text[at + 1 : at + 2] in "'`^\"~=.")


_macros = cache(get_default_latex_context_db)


@lru_cache(maxsize=4096)
def _symbol(name: str) -> str | None:
    if name in _LOGOS:
        return _LOGOS[name]
    symbol = getattr(_macros().get_macro_spec(name), "simplify_repl", None)
    return symbol if isinstance(symbol, str) and symbol.strip() and len(symbol) <= 2 else None
