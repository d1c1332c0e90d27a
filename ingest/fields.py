"""From a raw record to a paper: field spellings, types, and what makes a record unusable."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeVar

from assistant.schema import Json, Paper
from ingest.authors import author_names
from ingest.cleaning import clean, storable
from ingest.identity import doi, identifiers, text_key, title_key
from ingest.labels import label
from ingest.records import ParsedRecord, RawRecord, Reject
from ingest.values import as_keywords, as_links, as_text, as_year, is_too_deep, storable_value

FEWEST_WORDS: Final = 5
LONGEST_ABSTRACT: Final = 20_000
LONGEST_TITLE: Final = 2_000

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title", "name", "papertitle"),
    "abstract": ("abstract", "paperabstract", "text", "summary", "description"),
    "authors": ("authors", "author"),
    "year": ("year", "publicationyear", "date", "publicationdate", "published", "issued"),
    "venue": ("venue", "conference", "journal", "booktitle", "containertitle"),
    "url": ("url", "link"),
    "doi": ("doi",),
    "keywords": ("keywords", "tags", "subjects"),
    "arxiv": ("arxiv", "arxivid"),
    "openreview": ("openreview", "openreviewid", "forum"),
    "pubmed": ("pmid", "pubmed", "pubmedid"),
    "id": ("id", "paperid", "key", "corpusid"),
}
"""The known fields and how sources spell them, only letters kept, in lower case; the first usable wins."""

_NESTED = ("metadata", "externalids")
_LINKS = ("url", "link", "pdf", "pdfurl", "id")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_NOT_LETTER = re.compile(r"[\W_]+")
_T = TypeVar("_T")


def parse(raw: RawRecord) -> ParsedRecord | Reject:
    """Read a record as a paper, or say in one phrase why it is none."""
    if any(is_too_deep(value) for value in raw.fields.values()):
        return Reject(raw.file, raw.number, raw.line, "it is nested too deeply")
    record = _Record(raw.fields)
    title, abstract = record.text("title", LONGEST_TITLE), record.text("abstract", LONGEST_ABSTRACT)
    if reason := _unusable(title, abstract):
        return Reject(raw.file, raw.number, raw.line, reason)
    return _paper(record, title, abstract if _word_count(abstract) >= FEWEST_WORDS else "")


def filled(fields: Mapping[str, Json], defaults: Mapping[str, str]) -> dict[str, Json]:
    """Return the fields with the defaults for what the record lacks under every spelling."""
    record = _Record(fields)
    return {**fields, **{name: value for name, value in defaults.items() if not record.has(name)}}


def has_words(fields: Mapping[str, Json]) -> bool:
    """Tell whether a record holds a title or an abstract of its own."""
    record = _Record(fields)
    return record.has("title") or record.has("abstract")


def _unusable(title: str, abstract: str) -> str | None:
    if len(abstract) > LONGEST_ABSTRACT:
        return f"its abstract is longer than {LONGEST_ABSTRACT:,} characters"
    if len(title) > LONGEST_TITLE:
        return f"its title is longer than {LONGEST_TITLE:,} characters"
    if title or _word_count(abstract) >= FEWEST_WORDS:
        return None
    return f"its abstract has fewer than {FEWEST_WORDS} words" if abstract else "it has neither title nor abstract"


def _paper(record: "_Record", title: str, abstract: str) -> ParsedRecord:
    authors = record.take("authors", author_names) or ()
    same = title_key(title, authors) if title else None
    known = identifiers(
        dois=[found for value in record.all("doi") if (found := as_text(value))],
        arxiv=record.take("arxiv", as_text) or "",
        openreview=record.take("openreview", as_text) or "",
        pubmed=record.take("pubmed", as_text) or "",
        urls=[link for spelling in _LINKS for value in record.spelt(spelling) for link in as_links(value)],
    )
    own = text_key(abstract) if abstract else same
    keys = (*known, *([own] if own else []))
    paper = Paper(
        paper_id=keys[0],
        title=title or None,
        label=None if title else label(abstract),
        abstract=abstract,
        authors=authors,
        year=record.take("year", as_year),
        venue=clean(record.take("venue", as_text) or "") or None,
        url=record.take("url", lambda value: next(as_links(value), None)),
        doi=record.take("doi", lambda value: doi(as_text(value))) or _doi_among(known),
        keywords=record.take("keywords", as_keywords) or (),
        source_ids=record.source_ids(),
        extra=record.rest(),
    )
    return ParsedRecord(paper, keys, same)


class _Record:
    """A record's fields found by any of their spellings; remembers which became part of the paper."""

    def __init__(self, fields: Mapping[str, Json]) -> None:
        self._fields = fields
        self._used: set[str] = set()
        self._spelt: dict[str, list[tuple[str, Json]]] = {}
        for key, value in fields.items():
            self._spelt.setdefault(_spelling(key), []).append((key, value))
        for nested in _NESTED:
            for _, inner in self._spelt.get(nested, [])[:1]:
                for key, value in inner.items() if isinstance(inner, dict) else ():
                    self._spelt.setdefault(_spelling(key), []).append(("", value))

    def spelt(self, spelling: str) -> Iterator[Json]:
        return (value for _, value in self._spelt.get(spelling, ()))

    def all(self, field: str) -> Iterator[Json]:
        return (value for spelling in SPELLINGS[field] for value in self.spelt(spelling))

    def take(self, field: str, read: Callable[[Json], _T | None]) -> _T | None:
        """Return the first value of a field that `read` can use; ids stay among the rest as well."""
        for spelling in SPELLINGS[field]:
            for key, value in self._spelt.get(spelling, ()):
                if result := read(value):
                    self._used.add(key)
                    return result
        return None

    def text(self, field: str, limit: int) -> str:
        """Return a cleaned text; one far beyond the limit is not worth cleaning and comes as it is."""
        text = self.take(field, as_text) or ""
        return clean(text) if len(text) <= 10 * limit else text

    def has(self, name: str) -> bool:
        field = _FIELD_OF.get(_spelling(name))
        if field is None:
            return any(value not in (None, "") for value in self.spelt(_spelling(name)))
        return _Record(self._fields).take(field, _READERS.get(field, as_text)) is not None

    def source_ids(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for spelling in SPELLINGS["id"]:
            for key, value in self._spelt.get(spelling, ()):
                if isinstance(value, str | int | float) and (text := as_text(value).strip()) and len(text) <= 500:
                    found[storable(text)] = None
                    self._used.add(key)
        return tuple(found)

    def rest(self) -> dict[str, Json]:
        """Return what is no part of the paper, and the ids that identify it, verbatim."""
        kept = {"arxiv", "openreview", "pubmed"}
        return {
            storable(key): storable_value(value)
            for key, value in self._fields.items()
            if value not in (None, "", [], {}) and (key not in self._used or _FIELD_OF.get(_spelling(key)) in kept)
        }


_FIELD_OF = {spelling: field for field, spellings in SPELLINGS.items() for spelling in spellings}


@lru_cache(maxsize=4096)
def _spelling(key: str) -> str:
    return _NOT_LETTER.sub("", key).casefold()


def _doi_among(keys: tuple[str, ...]) -> str | None:
    return next((key.removeprefix("doi:") for key in keys if key.startswith("doi:")), None)


_READERS: Final[Mapping[str, Callable[[Json], object]]] = {
    "authors": author_names,
    "year": as_year,
    "keywords": as_keywords,
    "url": lambda value: next(as_links(value), None),
    "doi": lambda value: doi(as_text(value)),
}


def _word_count(text: str) -> int:
    return len(text.split()) + len(_UNSPACED.findall(text)) // 2
