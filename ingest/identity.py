"""Identity keys: what makes two records the same paper."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

from assistant.text import fold

_DOI = re.compile(r"(?:^|\bdoi:\s*|doi\.org/)(10\.\d{4,9}/[^\s\"<>]{1,300})", re.IGNORECASE)
_ARXIV_ID = r"(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d{1,3})?(?:\.pdf)?"
_SUBJECT_CLASS = re.compile(r"\.[a-z]{2}/")
_KINDS = ("doi", "arxiv", "openreview", "pubmed")
_FIELDS = (
    re.compile(rf"(?:arxiv:\s*)?{_ARXIV_ID}", re.IGNORECASE),
    re.compile(r"([A-Za-z0-9_-]{5,24})"),
    re.compile(r"(?:pmid:?\s*)?(\d{1,8})", re.IGNORECASE),
)
_LINKS = (
    re.compile(rf"(?:arxiv\.org/(?:abs|pdf|html)/|\b10\.48550/arxiv\.){_ARXIV_ID}(?!\d)", re.IGNORECASE),
    re.compile(r"openreview\.net/(?:forum|pdf|attachment)/?\?(?:[^#\s]{0,200}&)?id=([A-Za-z0-9_-]+)"),
    re.compile(r"(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,8})\b"),
)
_LONGEST_URL = 2000
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv", "phd", "md"))
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def doi(text: str) -> str | None:
    """Return the case-folded DOI that a field or a URL holds, without its prefix, or None."""
    match = _DOI.search(text[:_LONGEST_URL].strip())
    return match[1].rstrip(".,;)]}").casefold() if match else None


def identifiers(
    *,
    dois: Iterable[str] = (),
    arxiv: str = "",
    openreview: str = "",
    pubmed: str = "",
    urls: Iterable[str] = (),
) -> tuple[str, ...]:
    """Return the keys that are the same thing everywhere, at most one of a kind, strongest kind first.

    Each argument is what a field of that name holds, an id or a URL; `urls` are of any kind.
    """
    found: dict[str, str] = {}
    for kind, value in _candidates(dois, arxiv, openreview, pubmed, urls):
        found.setdefault(kind, f"{kind}:{value}")
    return tuple(found[kind] for kind in _KINDS if kind in found)


def text_key(abstract: str) -> str:
    """Return the key of an abstract; variants of case, LaTeX, dashes and white space have the same."""
    return f"text:{_digest(abstract)}"


def title_key(title: str, authors: Iterable[str]) -> str:
    """Return the key of a title with its authors' surnames, in any order."""
    return f"title:{_digest(title, *sorted({_surname(author) for author in authors}))}"


def _candidates(
    dois: Iterable[str], arxiv: str, openreview: str, pubmed: str, urls: Iterable[str]
) -> Iterator[tuple[str, str]]:
    for kind, pattern, value in zip(_KINDS[1:], _FIELDS, (arxiv, openreview, pubmed), strict=True):
        if match := pattern.fullmatch(value.strip()):
            yield kind, _canonical(kind, match[1])
    for link in (*dois, arxiv, openreview, pubmed, *urls):
        if found := doi(link):
            yield "doi", found
        for kind, pattern in zip(_KINDS[1:], _LINKS, strict=True):
            if match := pattern.search(link[:_LONGEST_URL]):
                yield kind, _canonical(kind, match[1])


def _canonical(kind: str, value: str) -> str:
    """Drop the subject class of an old arXiv id, which may be missing: math.GT/0309136 is math/0309136."""
    return _SUBJECT_CLASS.sub("/", value.casefold()) if kind == "arxiv" else value


def _surname(author: str) -> str:
    names = [name for name in fold(author).replace(".", "").split() if name not in _SUFFIXES]
    return names[-1] if names else ""


def _digest(*texts: str) -> str:
    digest = blake2b(digest_size=8)
    for text in texts:
        bare = "".join(map(_bare, text.split()))
        digest.update((bare or text).encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()


# White space is dropped anyway, so words are folded one by one: the common ones of all abstracts only once.
@lru_cache(maxsize=131072)
def _bare(word: str) -> str:
    return _NOT_ALPHANUMERIC.sub("", fold(word))
