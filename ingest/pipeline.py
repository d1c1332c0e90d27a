"""From records to the library: known records are passed over, changed papers are chunked, encoded and written.

Everything is read and merged before the first text is encoded. Papers are then written in slices, each of which a
crash cannot lose any more.
"""

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Final

from assistant.chunking import Context, contexts
from assistant.encoder import Progress
from assistant.library import Library
from assistant.schema import Json
from assistant.tables import Change
from ingest.fields import parse
from ingest.merging import Entry, Merger
from ingest.records import RawRecord, Reject

CLEANING: Final = 1
"""Counts the ways of cleaning; records cleaned in another way are not passed over as known."""

_SLICE = 512
_ID_FIELDS = ("id", "_id", "paper_id", "paperId", "key", "ID")


@dataclass(frozen=True, slots=True)
class Report:
    """What an ingest did. Each accepted record counts in one of new, updated, unchanged and duplicate.

    `title_only` counts those of them without abstract; `papers` is what the library holds afterwards. `seconds` has
    total, read (reading, cleaning, merging, chunking), encode and write.
    """

    new: int
    updated: int
    unchanged: int
    duplicate: int
    removed: int
    title_only: int
    encoded_chunks: int
    papers: int
    rejected: tuple[Reject, ...]
    seconds: Mapping[str, float]


def ingest(
    library: Library,
    records: Iterable[RawRecord | Reject],
    on_progress: Progress | None = None,
    *,
    sync: Sequence[str] = (),
    dry_run: bool = False,
) -> Report:
    """Read records into a library.

    `sync` names files and folders among the sources whose records are all in `records`: papers that only stood in
    records that are gone from them are removed. With `dry_run` nothing is written, and `papers` is what there would be.

    Raises:
        LibraryLocked: another process writes to the library.
        StorageError: the disk is full or read-only; what was written before is kept.
        EncoderError: the encoder cannot be loaded.
    """
    clock = _Clock()
    if dry_run:
        run = _Run(library, clock)
        run.read(records)
        removed = len(run.gone(sync).removed)
        return run.report(removed, run.expected() - removed)
    with library.writing():
        run = _Run(library, clock)
        run.read(records)
        run.write(on_progress)
        gone = run.gone(sync)
        if gone.dropped:
            with clock.measure("write"):
                library.commit(gone)
        with clock.measure("write"):
            library.vectors.publish()
    return run.report(len(gone.removed), len(library.catalogue))


class _Run:
    """One ingest: what was read, and what is to be written."""

    def __init__(self, library: Library, clock: "_Clock") -> None:
        self.library, self.clock = library, clock
        self.merger = Merger(library.catalogue)
        self.rejected: list[Reject] = []
        self.title_only = self.encoded = 0
        self.origins: set[str] = set()
        self._occurrences: Counter[str] = Counter()
        self._sources: dict[str, str] = {}

    def read(self, records: Iterable[RawRecord | Reject]) -> None:
        with self.clock.measure("read"):
            for item in records:
                if isinstance(item, Reject):
                    self.rejected.append(item)
                else:
                    self._read(item)

    def _read(self, raw: RawRecord) -> None:
        digest = _digest(raw.fields)
        source = self._sources.setdefault(raw.file, resolved(raw.file))
        origin = self._origin(raw, source, digest)
        known = self.library.catalogue.record(origin)
        if known is not None and known.digest == digest:
            self.merger.known(known)
            self.title_only += known.title_only
        else:
            parsed = parse(raw)
            if isinstance(parsed, Reject):
                self.rejected.append(parsed)
                return
            self.merger.add(parsed, origin, digest, source, known)
            self.title_only += not parsed.paper.abstract
        self.origins.add(origin)

    def _origin(self, raw: RawRecord, source: str, digest: str) -> str:
        """Identify the place that a record has: its file and its id there, or its content when it has no id."""
        name = next((raw.fields[f] for f in _ID_FIELDS if isinstance(raw.fields.get(f), str | int)), digest)
        place = _hash(source, str(name))
        self._occurrences[place] += 1
        return _hash(place, str(self._occurrences[place]))

    def write(self, on_progress: Progress | None) -> None:
        entries = list(self.merger.entries.values())
        with self.clock.measure("read"):
            cut = self._cut([entry for entry in entries if entry.text_changed])
            missing = self._missing(cut)
        done, total = 0, len(missing)
        for part in _slices(entries, cut):
            texts = dict.fromkeys(context.text for entry in part for context in cut.get(entry.paper.paper_id, ()))
            fresh = [missing.pop(text) for text in texts if text in missing]
            change = _change(part, cut, self.merger.merged)
            if fresh:
                with self.clock.measure("encode"):
                    change.vectors = self.library.encoder.encode_contexts(fresh, _shifted(on_progress, done, total))
                done += len(fresh)
                self.encoded += len(change.vectors)
            with self.clock.measure("write"):
                self.library.commit(change)

    def _cut(self, entries: Sequence[Entry]) -> dict[str, list[Context]]:
        if not entries:
            return {}
        count, limit = self.library.encoder.token_counts, self.library.encoder.max_tokens
        return {entry.paper.paper_id: contexts(entry.paper, count, limit) for entry in entries}

    def _missing(self, cut: Mapping[str, Sequence[Context]]) -> dict[str, Context]:
        """Return what has to be encoded, by its text."""
        if not cut:
            return {}
        digest = self.library.encoder.fingerprint.digest()
        return {context.text: context for context in self.library.unencoded(cut.values(), digest)}

    def gone(self, sync: Sequence[str]) -> Change:
        """Return the change that removes what has gone from synchronised sources; a source that failed keeps all."""
        failed = {resolved(reject.file) for reject in self.rejected if reject.record is None}
        roots = [resolved(path) for path in sync]
        change = Change()
        left: Counter[str] = Counter()
        for record in self.library.catalogue.records() if roots else ():
            within = any(record.source == root or record.source.startswith(root + os.sep) for root in roots)
            if within and record.origin not in self.origins and record.source not in failed:
                change.dropped.append(record.origin)
                left[record.paper_id] += 0
            else:
                left[record.paper_id] += 1
        change.removed = [paper_id for paper_id, count in left.items() if not count]
        return change

    def expected(self) -> int:
        """Return how many papers there would be if what was read were written."""
        fresh = sum(entry.before is None for entry in self.merger.entries.values())
        return len(self.library.catalogue) + fresh - len(self.library.catalogue.existing(self.merger.merged))

    def report(self, removed: int, papers: int) -> Report:
        counts = self.merger.counts
        return Report(
            new=counts["new"],
            updated=counts["updated"],
            unchanged=counts["unchanged"],
            duplicate=counts["duplicate"],
            removed=removed,
            title_only=self.title_only,
            encoded_chunks=self.encoded,
            papers=papers,
            rejected=tuple(self.rejected),
            seconds=self.clock.seconds(),
        )


class _Clock:
    """Adds up where the time of a run goes."""

    def __init__(self) -> None:
        self._start = perf_counter()
        self._spent = {"read": 0.0, "encode": 0.0, "write": 0.0}

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            self._spent[name] += perf_counter() - start

    def seconds(self) -> dict[str, float]:
        return {"total": perf_counter() - self._start, **self._spent}


def _slices(entries: Sequence[Entry], cut: Mapping[str, Sequence[Context]]) -> Iterator[list[Entry]]:
    """Group papers so that each group has about as many contexts as a crash may cost."""
    part: list[Entry] = []
    size = 0
    for entry in entries:
        part.append(entry)
        size += len(cut.get(entry.paper.paper_id, ())) or 1
        if size >= _SLICE:
            yield part
            part, size = [], 0
    if part:
        yield part


def _change(entries: Sequence[Entry], cut: Mapping[str, list[Context]], merged: Mapping[str, str]) -> Change:
    change = Change()
    ids = {entry.paper.paper_id for entry in entries}
    change.merged = {old: heir for old in merged if (heir := _heir(old, merged)) in ids}
    for entry in entries:
        paper_id = entry.paper.paper_id
        change.records += entry.records
        if entry.changed:
            change.papers.append(entry.paper)
            change.keys[paper_id] = entry.keys
            change.titles[paper_id], change.origins[paper_id] = entry.title_key, entry.title_origin
        if paper_id in cut:
            change.chunks[paper_id] = [chunk for context in cut[paper_id] for chunk in context.chunks]
    return change


def _heir(paper_id: str, merged: Mapping[str, str]) -> str:
    while paper_id in merged:
        paper_id = merged[paper_id]
    return paper_id


def _shifted(on_progress: Progress | None, start: int, total: int) -> Progress | None:
    return None if on_progress is None else lambda done, _: on_progress(start + done, total)


def resolved(file: str) -> str:
    """Return the name under which the catalogue remembers what was read from a file."""
    return file if file == "-" else os.path.normcase(Path(file).resolve())


def _digest(fields: Mapping[str, Json]) -> str:
    try:
        return _hash(str(CLEANING), json.dumps(fields, sort_keys=True))
    except RecursionError:
        return _hash(str(CLEANING), "nested too deeply to be read")


def _hash(*texts: str) -> str:
    digest = blake2b(digest_size=16)
    for text in texts:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
