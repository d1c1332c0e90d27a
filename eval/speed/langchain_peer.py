"""LangChain's plain pipeline, to be measured beside: HuggingFaceEmbeddings, Chroma and `similarity_search`.

It runs in a process of its own, so that neither its memory nor its imports count as askpapers'. Its packages are the
extra `peers`; `available` tells whether they are there.
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from io import StringIO
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from eval.speed.latency import duration

if TYPE_CHECKING:
    from langchain_chroma import Chroma
    from langchain_huggingface import HuggingFaceEmbeddings

INSTALL = (
    "The ratios to LangChain's plain pipeline are left out: get its packages with `pip install 'askpapers[peers]'`."
)


@dataclass(frozen=True, slots=True)
class Setup:
    """The folder of the encoder's files, its device and number format as torch names them, and where Chroma writes."""

    encoder: str
    device: str
    dtype: str
    folder: str


def available() -> bool:
    """Tell whether the packages are installed."""
    return all(find_spec(package) is not None for package in ("langchain_chroma", "langchain_huggingface"))


class Peer:
    """LangChain's pipeline on one folder. Use as a context manager; on entering, its model is loaded."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=_follow)

    def __enter__(self) -> "Peer":
        self._pool.submit(_embed, self._setup).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown()

    def add(self, texts: Sequence[str]) -> float:
        """Add one document a text and return the seconds that it took."""
        return self._pool.submit(_add, self._setup, list(texts)).result()

    def search(self, query: str, k: int) -> float:
        """Search for the `k` nearest documents and return the seconds that it took."""
        return self._pool.submit(_search, self._setup, query, k).result()


def _follow() -> None:
    """End this process when the one that started it has ended, however it did."""
    threading.Thread(target=_end_after, args=(parent_process(),), name="parent", daemon=True).start()


def _end_after(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)


def _embed(setup: Setup) -> None:
    _embeddings(setup).embed_query("Load the model.")


def _add(setup: Setup, texts: Sequence[str]) -> float:
    from langchain_chroma import Chroma

    documents, embeddings = [Document(text) for text in texts], _embeddings(setup)
    return duration(lambda: Chroma.from_documents(documents, embeddings, persist_directory=setup.folder))


def _search(setup: Setup, query: str, k: int) -> float:
    store = _store(setup)
    return duration(lambda: store.similarity_search(query, k))


@cache
def _store(setup: Setup) -> "Chroma":
    from langchain_chroma import Chroma

    return Chroma(embedding_function=_embeddings(setup), persist_directory=setup.folder)


@cache
def _embeddings(setup: Setup) -> "HuggingFaceEmbeddings":
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["ANONYMIZED_TELEMETRY"] = "False"
    with redirect_stderr(StringIO()):  # a progress bar
        from langchain_huggingface import HuggingFaceEmbeddings

        options = {"local_files_only": True, "model_kwargs": {"dtype": setup.dtype}}
        return HuggingFaceEmbeddings(model_name=setup.encoder, model_kwargs={"device": setup.device, **options})
