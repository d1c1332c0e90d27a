"""From a raw record to a paper: field spellings, types, and what makes a record unusable."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from assistant.schema import Json, Paper
from ingest.authors import author_names
from ingest.cleaning import clean, storable
from ingest.identity import doi, identifiers, text_key, title_key
from ingest.labels import label
from ingest.records import ParsedRecord, RawRecord, Reject

FEWEST_WORDS: Final = 5
LONGEST_ABSTRACT: Final = 20_000
LONGEST_TITLE: Final = 2_000
_DEEPEST: Final = 32

SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title", "name", "papertitle"),
    "abstract": ("abstract", "paperabstract", "text", "summary", "description"),
    "authors": ("authors", "author"),
    "year": ("year", "publicationyear", "date", "publicationdate", "published", "issued"),
    "venue": ("venue", "conference", "journal", "booktitle", "containertitle"),
    "url": ("url", "link"),
    "doi": ("doi",),
    "keywords": ("keywords", "tags", "subjects"),
}
"""The fields of a paper, and how their names are spelt once case and everything but letters is dropped."""

_IDS = ("id", "paperid", "key", "corpusid")
_ARXIV = ("arxiv", "arxivid")
_OPENREVIEW = ("openreview", "openreviewid", "forum")
_PUBMED = ("pmid", "pubmed", "pubmedid")
_LINKS = ("url", "link", "pdf", "pdfurl", "id")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)|(?<!\d)(1[5-9]\d\d|20\d\d)(?=[01]\d[0-3]\d(?!\d))")
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_NOT_LETTER = re.compile(r"[\W_]+")


def parse(raw: RawRecord) -> ParsedRecord | Reject:
    """Read a record as a paper, or say in one phrase why it is none."""
    record = _Record(raw.fields)
    if any(_too_deep(value) for value in raw.fields.values()):
        return _reject(raw, "it is nested too deeply")
    longest = max((len(text) for text in record.texts("abstract")), default=0)
    abstract = "" if longest > 10 * LONGEST_ABSTRACT else clean(record.text("abstract"))
    if longest > 10 * LONGEST_ABSTRACT or len(abstract) > LONGEST_ABSTRACT:
        return _reject(raw, f"its abstract is longer than {LONGEST_ABSTRACT:,} characters")
    title_text = record.text("title")
    title = clean(title_text) if len(title_text) <= 10 * LONGEST_TITLE else title_text
    if len(title) > LONGEST_TITLE:
        return _reject(raw, f"its title is longer than {LONGEST_TITLE:,} characters")
    if _word_count(abstract) < FEWEST_WORDS:
        if not title:
            reason = f"its abstract has fewer than {FEWEST_WORDS} words" if abstract else "it has no title and no abstract"
            return _reject(raw, reason)
        abstract = ""
    return _paper(record, title, abstract)
