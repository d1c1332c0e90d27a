"""What a result was made of: digests of the library and of the model, versions of what takes part."""

from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from platform import python_version

from assistant.chat_model import ChatModel
from assistant.library import Library

_PACKAGES: Sequence[str] = (
    "askpapers", "chromadb", "langchain", "numpy", "sentence-transformers", "tantivy", "torch", "transformers",
)  # fmt: skip


def fingerprint(library: Library) -> str:
    """Return a digest of all that an answer can come from: the papers' records and the encoder that reads them."""
    digest = sha256((library.catalogue.encoder or "").encode())
    for paper in sorted(library.catalogue, key=lambda paper: paper.paper_id):
        record = (paper.paper_id, paper.name, paper.abstract, paper.authors, paper.year, paper.venue, paper.keywords)
        digest.update(repr(record).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def versions(*more: str) -> dict[str, str]:
    """Return the versions of Python, of the packages that make answers and of `more` packages."""
    return {"python": python_version()} | {name: version(name) for name in (*_PACKAGES, *more)}


def model_digest(model: ChatModel | None) -> str | None:
    """Return what identifies the weights that write, as far as their server tells; None without a model."""
    return None if model is None else f"{model.spec} {model.digest or 'of unknown weights'}"
