"""Libraries for evaluating: one of a few papers, and the built-in corpus with the questions on it."""

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from assistant.chain import Assistant
from assistant.encoder import Encoder
from assistant.library import Library
from assistant.schema import Answer, Turn
from eval.cases import Case, PaperKeys, read_dataset, read_keys
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path
from tests.conftest import change_of
from tests.eval.answers import HELD

QUESTIONS = Path(__file__).parents[1] / "questions"


class Remembering:
    """An assistant that is asked once only what tests ask again and again."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._ask = functools.cache(Assistant(library).ask)

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), words: int | None = None, k: int | None = None
    ) -> Answer:
        """Return the answer."""
        return self._ask(question, history=tuple(history), words=words, k=k)


@pytest.fixture(scope="session")
def held(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Library]:
    """A library of `HELD`; for reading only."""
    with Library.open(tmp_path_factory.mktemp("held"), create=True, loaded=encoder) as library:
        with library.writing():
            library.commit(change_of(HELD, encoder))
        yield library


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Library]:
    """The built-in corpus; for reading only."""
    folder = tmp_path_factory.mktemp("sample")
    with Library.open(folder, create=True, loaded=encoder) as library, sample_path() as path:
        ingest(library, read([str(path)]))
        yield library


@pytest.fixture(scope="session")
def sample_cases(sample: Library) -> tuple[Case, ...]:
    """The questions on the built-in corpus."""
    keys = read_keys((QUESTIONS / "sample_papers.json").read_text(encoding="utf-8"))
    with (QUESTIONS / "sample.jsonl").open(encoding="utf-8") as lines:
        return read_dataset(lines, PaperKeys(sample, keys)).cases


@pytest.fixture(scope="session")
def quoting(sample: Library) -> Remembering:
    """Whoever answers from the built-in corpus by quotation."""
    return Remembering(sample)
