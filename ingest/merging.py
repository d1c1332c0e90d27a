"""Identity and merging: which paper a record belongs to, and what becomes of the paper."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from assistant.catalogue import Catalogue
from assistant.schema import Json, Paper
from assistant.tables import Record
from ingest.identity import text_key
from ingest.records import ParsedRecord

Outcome = Literal["new", "updated", "unchanged", "duplicate"]
_SCHEMES: Final = ("doi:", "arxiv:", "openreview:", "pubmed:")


@dataclass(slots=True)
class Entry:
    """A paper as it stands in this run: what the library held (`before`, None for a new one) and what it became."""

    paper: Paper
    keys: tuple[str, ...]
    title_key: str | None
    title_origin: str | None
    before: Paper | None
    order: tuple[int, int]
    records: list[Record] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        """Whether the paper has to be written."""
        return self.paper != self.before

    @property
    def text_changed(self) -> bool:
        """Whether the paper has to be chunked again."""
        old = self.before
        return old is None or (old.title, old.abstract) != (self.paper.title, self.paper.abstract)


class Merger:
    """Assigns the records of one run to papers, in memory; the catalogue is only read.

    `entries` are the papers that records were assigned to, `merged` maps an id that vanished to its heir, and
    `records` holds those whose paper stays as it is.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._keys: dict[str, str] = {}
        self._titled: dict[str, list[str]] = {}
        self._met: set[str] = set()
        self.entries: dict[str, Entry] = {}
        self.merged: dict[str, str] = {}
        self.counts: Counter[Outcome] = Counter()

    def known(self, record: Record) -> Outcome:
        """Count a record that was read before and has not changed."""
        paper_id = self._heir(record.paper_id)
        return self._count("duplicate" if paper_id in self._met else "unchanged", paper_id)

    def add(
        self, parsed: ParsedRecord, origin: str, digest: str, source: str, earlier: Record | None = None
    ) -> Outcome:
        """Assign a record to a paper, its own or one that is known by one of its keys, and merge it in.

        `earlier` is what stood at the same place before.
        """
        ids = self._matches(parsed) or self._edited(parsed, earlier)
        entry = self._united(ids) if ids else self._created(parsed, origin)
        paper_id = entry.paper.paper_id
        if ids:
            edits = entry.title_origin == origin
            strong = any(self._owner(key) in ids for key in parsed.keys if key.startswith(_SCHEMES))
            entry.paper = merged(entry.paper, parsed.paper, edits=edits, newer=strong)
            if parsed.title_key and (edits or entry.title_key is None):
                entry.title_key, entry.title_origin = parsed.title_key, origin
        self._claim(entry, parsed.keys)
        entry.records.append(Record(origin, digest, source, paper_id, not parsed.paper.abstract))
        if paper_id in self._met:
            return self._count("duplicate", paper_id)
        if entry.before is None:
            return self._count("new", paper_id)
        return self._count("updated" if entry.changed else "unchanged", paper_id)

    def _count(self, outcome: Outcome, paper_id: str) -> Outcome:
        self._met.add(paper_id)
        self.counts[outcome] += 1
        return outcome

    # Which paper

    def _matches(self, parsed: ParsedRecord) -> list[str]:
        """Return the ids of all papers that the record is, by its keys or else by its title."""
        keys = [key for key in parsed.keys if not key.startswith("title:")]
        owners = [owner for key in keys if (owner := self._owner(key))]
        if owners or parsed.title_key is None:
            return list(dict.fromkeys(owners))
        for paper_id in self._with_title(parsed.title_key):
            entry = self._entry(paper_id)
            lacking = not (parsed.paper.abstract and entry.paper.abstract)
            if lacking and not _contradict(parsed.keys, entry.keys):
                return [paper_id]
        own = self._owner(parsed.paper.paper_id)
        return [own] if own else []

    def _edited(self, parsed: ParsedRecord, earlier: Record | None) -> list[str]:
        """Return the paper whose record got another abstract. With another title it may be another paper altogether."""
        if earlier is None or parsed.title_key is None:
            return []
        paper_id = self._heir(earlier.paper_id)
        return [paper_id] if self._entry(paper_id).title_key == parsed.title_key else []

    def _owner(self, key: str) -> str | None:
        if key not in self._keys:
            found = self._catalogue.resolve([key]).get(key)
            if found is None:
                return None
            self._keys[key] = found
        return self._heir(self._keys[key])

    def _heir(self, paper_id: str) -> str:
        while paper_id in self.merged:
            paper_id = self.merged[paper_id]
        return paper_id

    def _with_title(self, title_key: str) -> Iterator[str]:
        found = [*self._catalogue.titled(title_key), *self._titled.get(title_key, ())]
        return iter(dict.fromkeys(self._heir(paper_id) for paper_id in found))

    # What it becomes

    def _entry(self, paper_id: str) -> Entry:
        if paper_id not in self.entries:
            paper = self._catalogue.papers([paper_id])[0]
            self.entries[paper_id] = Entry(
                paper=paper,
                keys=self._catalogue.keys_of(paper_id),
                title_key=self._catalogue.title_key(paper_id),
                title_origin=self._catalogue.title_origin(paper_id),
                before=paper,
                order=(0, self._catalogue.number(paper_id) or 0),
            )
        return self.entries[paper_id]

    def _created(self, parsed: ParsedRecord, origin: str) -> Entry:
        entry = Entry(
            paper=parsed.paper,
            keys=(),
            title_key=parsed.title_key,
            title_origin=origin if parsed.title_key else None,
            before=None,
            order=(1, len(self.entries)),
        )
        self.entries[parsed.paper.paper_id] = entry
        return entry

    def _united(self, ids: list[str]) -> Entry:
        """Return the paper that all these ids are from now on: the oldest, with what the others add to it."""
        oldest, *others = sorted(map(self._entry, ids), key=lambda entry: entry.order)
        for other in others:
            vanished = other.paper.paper_id
            oldest.paper = merged(oldest.paper, other.paper, edits=False, newer=False)
            if oldest.title_key is None:
                oldest.title_key, oldest.title_origin = other.title_key, other.title_origin
            oldest.records += [replace(record, paper_id=oldest.paper.paper_id) for record in other.records]
            self.merged[vanished] = oldest.paper.paper_id
            del self.entries[vanished]
            if vanished in self._met:
                self._met.add(oldest.paper.paper_id)
            self._claim(oldest, other.keys)
        return oldest

    def _claim(self, entry: Entry, keys: tuple[str, ...]) -> None:
        paper_id = entry.paper.paper_id
        owned = [key for key in keys if key == paper_id or not key.startswith("title:")]
        entry.keys = tuple(dict.fromkeys((paper_id, *entry.keys, *owned)))
        self._keys.update(dict.fromkeys(entry.keys, paper_id))
        entry.paper = replace(entry.paper, aliases=tuple(sorted(set(entry.keys) - {paper_id})))
        if entry.title_key and paper_id not in (titled := self._titled.setdefault(entry.title_key, [])):
            titled.append(paper_id)


def merged(old: Paper, new: Paper, *, edits: bool, newer: bool) -> Paper:
    """Return a paper with what another record of it adds; the id stays.

    `edits` says that the record is a new state of the one that the paper came from, so its fields win; `newer` that a
    different abstract is a later one and not only another spelling of the same.
    """
    first, second = (new, old) if edits else (old, new)
    late, early = (new, old) if edits or newer else (old, new)
    abstract = _abstract(old.abstract, new.abstract, edits=edits, newer=newer)
    title = first.title or second.title
    return Paper(
        paper_id=old.paper_id,
        title=title,
        label=None if title else (new.label if abstract == new.abstract else old.label),
        abstract=abstract,
        authors=first.authors if edits and first.authors else max(old.authors, new.authors, key=len),
        year=late.year if late.year is not None else early.year,
        venue=late.venue or early.venue,
        url=late.url or early.url,
        doi=first.doi or second.doi,
        keywords=tuple({word.casefold(): word for word in (*new.keywords, *old.keywords)}.values()),
        source_ids=tuple(dict.fromkeys((*old.source_ids, *new.source_ids))),
        aliases=old.aliases,
        extra=_extra(second.extra, first.extra),
    )


def _abstract(old: str, new: str, *, edits: bool, newer: bool) -> str:
    if not (old and new):
        return old or new
    return new if edits or (newer and text_key(old) != text_key(new)) else old


def _extra(weaker: Mapping[str, Json], stronger: Mapping[str, Json]) -> dict[str, Json]:
    return {**weaker, **stronger}


def _contradict(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Tell whether two sets of keys name different things by the same scheme, as two DOIs do."""
    for scheme in _SCHEMES:
        ours, theirs = ({key for key in keys if key.startswith(scheme)} for keys in (first, second))
        if ours and theirs and not ours & theirs:
            return True
    return False
