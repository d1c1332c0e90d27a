"""Source text made fit to be shown: encoding, HTML, LaTeX and white space put right, every word kept."""

import html
import re
import unicodedata

import ftfy

from ingest import latex

_SURROGATE = re.compile("[\ud800-\udfff]")
# Mojibake always leaves two non-ASCII characters side by side; ftfy costs a millisecond a text, this nothing.
_SUSPICIOUS = re.compile(r"[^\x00-\x7f][^\x00-\x7f]|Ã ")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]"
)

_BLOCKS = frozenset(
    str.split("p br hr div li ul ol dl dt dd tr td th table h1 h2 h3 h4 h5 h6 blockquote pre sec title")
)
_INLINE = frozenset(
    str.split(
        """a abbr b big bold cite code em font i inline-formula italic mark monospace named-content q s sc
        small span strike strong sub sup tex-math tt u underline"""
    )
)
_TAG = re.compile(
    r"<(?P<slash>/?)(?:jats:)?(?P<name>[A-Za-z][A-Za-z0-9-]{0,20})"
    r"(?P<attributes>(?:\s++[A-Za-z_:][\w:.-]*+\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>]++))*+)\s*+/?>"
)
_ORDINAL = re.compile(r"\s*(?:st|nd|rd|th)\b", re.IGNORECASE)


def clean(text: str) -> str:
    """Return a text as a reader should see it: NFC, one line, no markup; mathematics stays LaTeX."""
    text = _INVISIBLE.sub("", _unescape(_decode(text)))
    return " ".join(unicodedata.normalize("NFC", latex.plain(text)).split())


def storable(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates, which no file or database takes."""
    if text.isascii() or not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _decode(text: str) -> str:
    text = storable(text)
    return text if text.isascii() or not _SUSPICIOUS.search(text) else ftfy.fix_encoding(text)


def _unescape(text: str) -> str:
    """Remove HTML tags and decode entities; in a text without tags, escaped ones count as tags too."""
    bare = _strip_tags(text)
    if "&" not in bare:
        return bare
    decoded = _ENTITY.sub(_entity, _ENTITY.sub(_entity, bare))
    return _strip_tags(decoded) if bare == text else decoded


def _entity(match: re.Match[str]) -> str:
    return storable(html.unescape(match.group()))


def _strip_tags(text: str) -> str:
    if "<" not in text or ">" not in text:
        return text
    closed = {match["name"].lower() for match in _TAG.finditer(text) if match["slash"]}

    def replacement(match: re.Match[str]) -> str:
        name = match["name"].lower()
        if name in _BLOCKS and (len(name) > 1 or name in closed or not _in_word(match)):
            return " "
        if name not in _INLINE or name not in closed:
            return match.group()
        raises = name == "sup" and not match["slash"] and not _ORDINAL.match(text, match.end())
        return "^" if raises else ""

    return _TAG.sub(replacement, text)


def _in_word(match: re.Match[str]) -> bool:
    return match.string[match.start() - 1 : match.start()].isalnum()
