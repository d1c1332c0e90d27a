"""The built-in corpus: 35 well-known machine-learning papers.

Titles, authors, years and identifiers are those of the papers; the abstracts are retellings written for this
corpus.
"""

from contextlib import AbstractContextManager
from importlib.resources import as_file, files
from pathlib import Path


def sample_path() -> AbstractContextManager[Path]:
    """Return a context in which the corpus is a JSON Lines file on disk, even if the package is in a zip."""
    return as_file(files("ingest") / "sample.jsonl")
