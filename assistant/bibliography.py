"""Papers as reference lists: BibTeX, RIS, CSL-JSON, CSV and JSON lines. Pure."""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from assistant.schema import Json, Paper

Form = Literal["bibtex", "ris", "csl-json", "csv", "jsonl"]
Genre = Literal["conference", "journal", "other"]

_MEETING = re.compile(r"\b(conference|proceedings|proc|symposium|workshop|meeting)\b", re.IGNORECASE)
_JOURNAL = re.compile(
    r"\b(journal|transactions|letters|reviews?|annals|nature|science|jmlr|tmlr|arxiv|corr)\b", re.IGNORECASE
)
_PARTICLE = re.compile(r"af|al|bin|da|das|del?|della|den|der|di|dos|du|el|la|le|ten|ter|van|vom|von|y|zum?")


def export(papers: Iterable[Paper], form: Form) -> Iterator[str]:
    """Yield the pieces of a file that lists the papers in order; joined they are the whole file."""
    return _WRITERS[form](papers)


def split_name(name: str) -> tuple[str, str]:
    """Split an author's name into family and given names; particles go with the family ("van der Berg")."""
    if "," in name:
        family, given = name.split(",", 1)
        return family.strip(), given.strip()
    parts = name.split()
    if not parts:
        return "", ""
    start = next((i for i, part in enumerate(parts[:-1]) if i and _PARTICLE.fullmatch(part)), len(parts) - 1)
    return " ".join(parts[start:]), " ".join(parts[:start])


def genre(paper: Paper) -> Genre:
    """Tell from its venue's name what kind of publication a paper is."""
    if not paper.venue:
        return "other"
    journal = _JOURNAL.search(paper.venue) and not _MEETING.search(paper.venue)
    return "journal" if journal else "conference"


def _line(text: str) -> str:
    return " ".join(text.split())


# BibTeX


def _bibtex(papers: Iterable[Paper]) -> Iterator[str]:
    taken: set[str] = set()
    kinds = {"conference": "inproceedings", "journal": "article", "other": "misc"}
    for paper in papers:
        fields = "".join(f"  {name} = {{{value}}},\n" for name, value in _bibtex_fields(paper) if value)
        yield f"@{kinds[genre(paper)]}{{{_bibtex_key(paper, taken)},\n{fields}}}\n\n"


def _bibtex_fields(paper: Paper) -> Iterator[tuple[str, str]]:
    venue = {"conference": "booktitle", "journal": "journal", "other": "howpublished"}[genre(paper)]
    # The second pair of braces keeps bibliography styles from lowering its capitals.
    yield "title", f"{{{latex(_line(paper.name))}}}"
    yield "author", " and ".join(_bibtex_name(_line(name)) for name in paper.authors if name.strip())
    yield "year", str(paper.year or "")
    yield venue, latex(_line(paper.venue or ""))
    yield "doi", _verbatim(paper.doi)
    yield "url", _verbatim(paper.url)
    yield "keywords", latex(", ".join(_line(word) for word in paper.keywords))
    yield "abstract", latex(_line(paper.abstract))


def _bibtex_name(name: str) -> str:
    several = re.search(r"\band\b", name, re.IGNORECASE) or name.count(",") > 1 or name.casefold() == "others"
    return f"{{{latex(name)}}}" if several else latex(name)


def _bibtex_key(paper: Paper, taken: set[str]) -> str:
    family = split_name(paper.authors[0])[0] if paper.authors else ""
    word = next((w for w in _ascii(paper.name).split() if len(w) > 3), "")
    stem = _ascii(family).replace(" ", "") + str(paper.year or "") + word or "paper"
    key, n = stem, 1
    while key in taken:
        n += 1
        key = f"{stem}-{n}"
    taken.add(key)
    return key


def _ascii(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", " ", re.sub(r"['’]", "", bare).lower()).strip()


_MATH = re.compile(r"(?<!\\)(\$(?=\S)[^$]*(?<=[^\s\\])\$(?!\d))")
_SPECIAL = re.compile(r"(?<!\\)[&%#_$~^]")
_SPELLED = {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_BRACE = re.compile(r"\\?([{}])")


def latex(text: str) -> str:
    r"""Escape what LaTeX would trip over and keep LaTeX that is already there: `$x_1$`, `\emph{…}`, `\&`.

    The braces of what comes back are balanced as BibTeX counts them, which counts `\{` too.
    """
    if not _balanced(text):
        text = _BRACE.sub(lambda m: r"\textbraceleft " if m[1] == "{" else r"\textbraceright ", text)
    pieces = _MATH.split(text)
    pieces[::2] = [_SPECIAL.sub(lambda m: _SPELLED.get(m[0], "\\" + m[0]), piece) for piece in pieces[::2]]
    escaped = "".join(pieces)
    trailing = len(escaped) - len(escaped.rstrip("\\"))
    return escaped[:-1] + r"\textbackslash " if trailing % 2 else escaped


def _balanced(text: str) -> bool:
    depth = 0
    for brace in re.findall(r"[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _verbatim(address: str | None) -> str:
    """An address as it is: BibTeX styles print it literally, so only braces and spaces must go."""
    return re.sub(r"[{}\s\\]", lambda m: f"%{ord(m[0]):02X}", address or "")


# RIS


def _ris(papers: Iterable[Paper]) -> Iterator[str]:
    for paper in papers:
        lines = [f"{tag}  - {_line(value)}" for tag, value in _ris_fields(paper) if value.strip()]
        yield "\n".join([*lines, "ER  - ", "", ""])


def _ris_fields(paper: Paper) -> Iterator[tuple[str, str]]:
    yield "TY", {"conference": "CPAPER", "journal": "JOUR", "other": "GEN"}[genre(paper)]
    yield "ID", paper.paper_id
    yield "TI", paper.name
    for name in paper.authors:
        yield "AU", ", ".join(part for part in split_name(name) if part)
    yield "PY", str(paper.year or "")
    yield "T2", paper.venue or ""
    yield "DO", paper.doi or ""
    yield "UR", paper.url or ""
    for word in paper.keywords:
        yield "KW", word
    yield "AB", paper.abstract


# CSL-JSON


def _csl(papers: Iterable[Paper]) -> Iterator[str]:
    separator = "[\n"
    for paper in papers:
        yield separator + json.dumps(_csl_item(paper), ensure_ascii=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _csl_item(paper: Paper) -> dict[str, Json]:
    kinds = {"conference": "paper-conference", "journal": "article-journal", "other": "article"}
    item: dict[str, Json] = {
        "id": paper.paper_id,
        "type": kinds[genre(paper)],
        "title": paper.name,
        "author": [_csl_name(name) for name in paper.authors if name.strip()],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "DOI": paper.doi,
        "URL": paper.url,
        "keyword": ", ".join(paper.keywords),
        "abstract": paper.abstract,
    }
    return {name: value for name, value in item.items() if value}


def _csl_name(name: str) -> dict[str, Json]:
    family, given = split_name(name)
    return {"family": family, "given": given} if family and given else {"literal": name.strip()}


# CSV and JSON lines


def _csv(papers: Iterable[Paper]) -> Iterator[str]:
    columns = ["paper_id", "title", "authors", "year", "venue", "doi", "url", "keywords", "abstract"]
    yield _csv_row(columns)
    for paper in papers:
        yield _csv_row([_cell(getattr(paper, column)) for column in columns])


def _cell(value: str | int | tuple[str, ...] | None) -> str:
    return "; ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def _csv_row(cells: list[str]) -> str:
    row = io.StringIO()
    csv.writer(row).writerow(cells)
    return row.getvalue()


def _jsonl(papers: Iterable[Paper]) -> Iterator[str]:
    for paper in papers:
        yield json.dumps(paper_record(paper), ensure_ascii=False) + "\n"


def paper_record(paper: Paper) -> dict[str, Json]:
    """All that the library knows of a paper, as an object that can be ingested again."""
    return {
        **paper.extra,
        "paper_id": paper.paper_id,
        "source_ids": list(paper.source_ids),
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "doi": paper.doi,
        "url": paper.url,
        "keywords": list(paper.keywords),
        "abstract": paper.abstract,
    }


_WRITERS: dict[Form, Callable[[Iterable[Paper]], Iterator[str]]] = {
    "bibtex": _bibtex,
    "ris": _ris,
    "csl-json": _csl,
    "csv": _csv,
    "jsonl": _jsonl,
}
