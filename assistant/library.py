"""A library folder: catalogue, dense index and lexical index, kept consistent.

    with Library.open(folder) as library:
        library.catalogue   papers, filters, facets: the truth
        library.vectors     search(vector, n, filters) -> chunks by cosine
        library.terms       search(text, n, filters) -> papers by BM25; idf(stems)
        library.encoder     encode_query(text); loaded on first access
        library.generation  grows whenever anything changed, here or in another process

Reading is safe from any thread and never waits for a writer. Writing goes through `writing()`.
"""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

import numpy as np
from filelock import FileLock, Timeout

from assistant.calibration import Adjustment, Calibration, adjusted, shipped
from assistant.catalogue import SCHEMA_VERSION, Catalogue
from assistant.chunking import RECIPE, Context, contexts
from assistant.encoder import Encoder, Progress, encoder_name
from assistant.errors import (
    LibraryDamaged,
    LibraryError,
    LibraryIncompatible,
    LibraryLocked,
    LibraryMissing,
    StorageError,
)
from assistant.manifest import Manifest
from assistant.schema import Paper
from assistant.tables import Change
from assistant.terms import TermIndex
from assistant.vectors import VectorIndex

_CATALOGUE = "catalogue.sqlite"
_PATIENCE = 1.5
_SLICE = 1024
_HOLDER = "holder"


@dataclass(frozen=True, slots=True)
class Info:
    """The state of a library. `pending` counts what the indexes lack; `bytes` is the size of the folder.

    `calibrated`: thresholds of its own are in use.
    """

    folder: str
    papers: int
    title_only: int
    chunks: int
    encoder: str | None
    dimension: int | None
    years: dict[int, int]
    venues: dict[str, int]
    generation: int
    pending: int
    bytes: int
    calibrated: bool


class Library:
    """An open library folder; see the module's description. Use as a context manager, or call `close`."""

    def __init__(self, folder: Path, catalogue: Catalogue, encoder: str | None, device: str | None) -> None:
        self.folder, self.catalogue = folder, catalogue
        self.vectors = VectorIndex(folder / "vectors", catalogue)
        self.terms = TermIndex(folder / "terms", catalogue)
        self._requested, self._device = encoder, device
        self._manifest: Manifest | None = None
        self._encoder: Encoder | None = None
        self._guard = RLock()

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        create: bool = False,
        encoder_name: str | None = None,
        loaded: Encoder | None = None,
        device: str | None = None,
        repair: bool = False,
    ) -> Self:
        """Open the library in a folder, or with `create` make one there when there is none.

        `encoder_name` is needed only to create a library with another encoder than the bundled one; `loaded` is an
        encoder in memory that can be shared. Index work that a crash left undone is completed, unless another process
        writes. `repair` opens what `rebuild` is to repair.

        Raises:
            LibraryMissing: there is none, and `create` is not given.
            LibraryIncompatible: it was made with another encoder, chunking recipe, schema or chromadb.
            LibraryError, StorageError: the folder cannot be used; the sentence says why.
        """
        _check_folder(folder, create=create)
        path = folder / _CATALOGUE
        if create and not path.is_file():
            with _locked(folder, None):
                catalogue = Catalogue(path, create=True)
        else:
            catalogue = Catalogue(path)
        library = cls(folder, catalogue, encoder_name, device)
        library._encoder = loaded
        try:
            if not repair:
                library._check()
                library._complete()
        except BaseException:
            library.close()
            raise
        return library

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files."""
        self.vectors.close()
        self.terms.close()
        self.catalogue.close()

    @property
    def generation(self) -> int:
        """A number that grows with every change, of whichever process."""
        return self.catalogue.generation

    @property
    def encoder(self) -> Encoder:
        """The encoder of this library's vectors; the model is loaded on first access, which takes seconds.

        Raises:
            EncoderError: its files are not on this machine or cannot be loaded.
            LibraryIncompatible: they are not the files that the library was made with.
        """
        digest = self.catalogue.encoder
        with self._guard:
            if self._encoder is None or digest not in (None, self._encoder.fingerprint.digest()):
                self._check()
                self._encoder = Encoder(self._source, self._device)
                if digest not in (None, self._encoder.fingerprint.digest()):
                    raise LibraryIncompatible(
                        f"The files of the encoder {self._encoder.name} are not those that this library was made "
                        "with: run `askpapers library rebuild`."
                    )
            return self._encoder

    @property
    def _source(self) -> str | None:
        return self._manifest.source if self._manifest else self._requested

    def _check(self) -> None:
        self._manifest = Manifest.read(self.folder)
        if self._manifest:
            self._manifest.check(None if self._requested is None else encoder_name(self._requested), self._requested)

    @property
    def calibration(self) -> Calibration:
        """What was fitted: what is shipped, with what `eval calibrate` found on this library in its place."""
        return adjusted(shipped(), self.adjustment)

    @property
    def adjustment(self) -> Adjustment | None:
        """What `eval calibrate` found on this library; None where nothing was fitted."""
        return self._manifest.calibration if self._manifest else None

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the writer's lock; `commit` inside. The indexes are published when the block ends.

        Raises:
            LibraryLocked: another process writes; found out within 2 s, and it is named.
            StorageError: the disk is full or read-only.
        """
        with _locked(self.folder, self.catalogue):
            self._check()
            self._finish()
            try:
                yield
                self.vectors.publish()
            finally:
                self.vectors.discard()

    def commit(self, change: Change) -> None:
        """Write a change within `writing()`. When this returns, no crash can lose it, and searches see it.

        Raises:
            StorageError: the disk is full or read-only.
        """
        if self._manifest is None:
            self._manifest = Manifest.of(self.encoder.fingerprint, self._requested)
            self._manifest.write(self.folder)
        self.catalogue.commit(change, self._manifest.encoder.digest())
        self.terms.update(self.catalogue.pending("terms"))
        self.vectors.stage(_new(self.catalogue.pending("vectors"), self.vectors.staged_ids))

    def calibrate(self, adjustment: Adjustment | None) -> None:
        """Keep what was fitted on this library's own questions; None goes back to what is shipped.

        Raises LibraryLocked, StorageError.
        """
        with self.writing():
            if self._manifest is not None:
                self._manifest = replace(self._manifest, calibration=adjustment)
                self._manifest.write(self.folder)

    def remove(self, paper_id: str) -> Paper:
        """Remove a paper, named by any of its ids, and return it.

        Raises:
            PaperMissing: there is none.
        """
        with self.writing():
            paper = self.catalogue.paper(paper_id)
            self.commit(Change(removed=[paper.paper_id]))
        return paper

    def _complete(self) -> None:
        """Do what a crash left undone, if nobody else is writing."""
        if any(self.catalogue.state().pending.values()):
            try:
                with _locked(self.folder, self.catalogue, patience=0):
                    self._finish()
            except (LibraryLocked, StorageError):
                return

    def _finish(self) -> None:
        if paper_ids := self.catalogue.pending("terms"):
            self.terms.update(paper_ids)
        if chunk_ids := self.catalogue.pending("vectors"):
            self.vectors.stage(chunk_ids)
            self.vectors.publish()

    def rebuild(self, encoder_name: str | None = None, on_progress: Progress | None = None) -> None:
        """Build both indexes anew from the catalogue; encode only where the encoder or the chunking changed.

        Raises:
            LibraryLocked: another process writes.
            EncoderError: the encoder asked for cannot be loaded.
        """
        with _locked(self.folder, self.catalogue):
            try:
                self._manifest = Manifest.read(self.folder)
            except LibraryDamaged:
                self._manifest = None
            if self._manifest is not None and self._manifest.schema > SCHEMA_VERSION:
                self._manifest.check(None, None)
            if self.catalogue.encoder is not None:
                self._renew(encoder_name or self._requested, on_progress)
            self.terms.rebuild()
            self.vectors.rebuild()
            self.catalogue.forget_vectors()

    def _renew(self, requested: str | None, on_progress: Progress | None) -> None:
        """Chunk and encode again where what the library was made with has changed."""
        old = self._manifest
        source = requested if requested is not None or old is None else old.source
        same_name = old is not None and encoder_name(source) == old.encoder.name
        if old and same_name and old.recipe == RECIPE and old.encoder.digest() == self.catalogue.encoder:
            manifest = replace(Manifest.of(old.encoder, source), calibration=old.calibration)
        else:
            encoder = self._encoder = Encoder(source, self._device)
            manifest = Manifest.of(encoder.fingerprint, source)
            self._rechunk(encoder, on_progress)
        manifest.write(self.folder)
        self._manifest = manifest

    def _rechunk(self, encoder: Encoder, on_progress: Progress | None) -> None:
        digest = encoder.fingerprint.digest()
        cut = {p.paper_id: contexts(p, encoder.token_counts, encoder.max_tokens) for p in self.catalogue}
        missing = self.unencoded(cut.values(), digest)
        for start in range(0, len(missing), _SLICE):
            part = missing[start : start + _SLICE]
            vectors = encoder.encode_contexts(part, _shifted(on_progress, start, len(missing)))
            self.catalogue.add_vectors(digest, vectors)
        self.catalogue.rechunk(digest, {p: [c for context in some for c in context.chunks] for p, some in cut.items()})

    def unencoded(self, cut: Iterable[Sequence[Context]], encoder: str) -> list[Context]:
        """Return those contexts that have a chunk without a vector of the encoder with this digest, each once."""
        by_text = {context.text: context for some in cut for context in some}
        known = self.catalogue.encoded(encoder, [c.chunk_id for context in by_text.values() for c in context.chunks])
        return [x for x in by_text.values() if any(chunk.chunk_id not in known for chunk in x.chunks)]

    # State

    def info(self) -> Info:
        """Return what the library holds."""
        facets, state = self.catalogue.facets(), self.catalogue.state()
        return Info(
            folder=str(self.folder),
            papers=len(self.catalogue),
            title_only=self.catalogue.title_only(),
            chunks=len(self.catalogue.chunk_ids()),
            encoder=self._manifest.encoder.name if self._manifest else None,
            dimension=self._manifest.encoder.dimension if self._manifest else None,
            years=dict(facets.years),
            venues=dict(facets.venues),
            generation=state.generation,
            pending=sum(state.pending.values()),
            bytes=sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file()),
            calibrated=bool(self._manifest and self._manifest.calibration),
        )

    def verify(self) -> list[str]:
        """Compare catalogue, vectors and indexes, and return what is wrong, one phrase each; empty when all is well."""
        found = [f"the catalogue: {problem}" for problem in self.catalogue.problems()]
        chunk_ids = self.catalogue.chunk_ids()
        paper_ids, _, matrix = self.catalogue.matrix()
        everyone = {paper.paper_id for paper in self.catalogue}
        if lacking := len(chunk_ids - set(self.catalogue.vectors(chunk_ids))):
            found.append(f"{lacking} chunks have no vector")
        if matrix.size and not np.allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-2):
            found.append("some vectors are not of length 1")
        if empty := len(everyone - set(paper_ids)):
            found.append(f"{empty} papers have no chunk")
        found += _compare("vector", chunk_ids, self.vectors.ids)
        found += _compare("term", everyone, self.terms.ids)
        if pending := sum(self.catalogue.state().pending.values()):
            found.append(f"{pending} entries wait to be indexed")
        return found


def _compare(index: str, expected: set[str], ids: Callable[[], set[str]]) -> Iterator[str]:
    try:
        held = ids()
    except LibraryDamaged as error:
        yield f"the {index} index: {error}"
        return
    if missing := len(expected - held):
        yield f"the {index} index lacks {missing} entries"
    if extra := len(held - expected):
        yield f"the {index} index holds {extra} entries too many"


def _new(ids: Iterable[str], done: set[str]) -> list[str]:
    return [id_ for id_ in ids if id_ not in done]


def _shifted(on_progress: Progress | None, start: int, total: int) -> Progress | None:
    return None if on_progress is None else lambda done, _: on_progress(start + done, total)


def _check_folder(folder: Path, *, create: bool) -> None:
    try:
        if folder.exists() and not folder.is_dir():
            raise LibraryError(f"{folder} is a file, not a library folder: choose another `--library`.")
        if create:
            folder.mkdir(parents=True, exist_ok=True)
        elif not (folder / _CATALOGUE).is_file():
            raise LibraryMissing(f"There is no library in {folder} yet: make one with `askpapers ingest PATH`.")
    except OSError as error:
        raise StorageError(f"The library folder {folder} cannot be used: {error.strerror}.") from error


@contextmanager
def _locked(folder: Path, catalogue: Catalogue | None, patience: float = _PATIENCE) -> Iterator[None]:
    """Hold the writer's lock and leave a note about who holds it."""
    lock = FileLock(str(folder / "lock"))
    try:
        lock.acquire(timeout=patience, poll_interval=0.05)
    except Timeout as error:
        raise LibraryLocked(_held_by(folder, catalogue)) from error
    except (OSError, NotImplementedError) as error:
        raise StorageError(f"The library {folder} cannot be locked for writing: {error}.") from error
    try:
        if catalogue is not None:
            catalogue.set_meta(_HOLDER, json.dumps(_me()))
        yield
    finally:
        try:
            if catalogue is not None:
                catalogue.set_meta(_HOLDER, None)
        finally:
            lock.release()


def _me() -> dict[str, str]:
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M:%S")
    return {"pid": str(os.getpid()), "host": platform.node(), "since": since, "command": command[:120]}


def _held_by(folder: Path, catalogue: Catalogue | None) -> str:
    note = catalogue.meta(_HOLDER) if catalogue else None
    if note is None:
        return f"Another process is writing to the library {folder}: try again when it is done."
    holder = json.loads(note)
    return (
        f"Another process is writing to the library {folder}: `{holder['command']}` (process {holder['pid']} on "
        f"{holder['host']}, since {holder['since']}); try again when it is done."
    )
