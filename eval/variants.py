"""Small libraries of a few papers, for asking what an answer would be if an abstract were gone or said otherwise."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.chunking import contexts
from assistant.library import Library
from assistant.schema import Paper
from assistant.tables import Change


@contextmanager
def variant(library: Library, papers: Sequence[Paper]) -> Iterator[Library]:
    """Open a library of some papers that shares another's encoder; it is thrown away at the end.

    Raises StorageError when there is no room for it.
    """
    encoder = library.encoder
    change = Change(papers=list(papers))
    cut = {paper.paper_id: contexts(paper, encoder.token_counts, encoder.max_tokens) for paper in papers}
    for paper in papers:
        change.keys[paper.paper_id] = (paper.paper_id, *paper.aliases)
        change.chunks[paper.paper_id] = [chunk for context in cut[paper.paper_id] for chunk in context.chunks]
    change.vectors = encoder.encode_contexts([context for some in cut.values() for context in some])
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Library.open(Path(folder) / "library", create=True, encoder_name=encoder.name, loaded=encoder) as small,
    ):
        with small.writing():
            small.commit(change)
        if library.adjustment is not None:
            small.calibrate(library.adjustment)
        yield small
