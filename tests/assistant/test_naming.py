from collections.abc import Callable

import pytest

from assistant.encoder import Encoder
from assistant.library import Library
from assistant.naming import Names, in_use, is_called, own_name
from assistant.ordinary import is_ordinary
from assistant.retrieval import Retriever
from assistant.schema import Paper
from tests.conftest import PAPERS, change_of

STAND = Paper(
    "openreview:stand001",
    title="STAND: Teaching Robots to Get Up",
    abstract="A robot that falls must rise by itself. STAND teaches it with 40 demonstrations.",
)
MIST = Paper(
    "openreview:mist0001",
    title="MIST: Seeing Ships in Bad Weather",
    abstract="Ships vanish from radar when waves are high. MIST follows them for six miles.",
)
FOG = Paper(
    "openreview:harbour1",
    title="Lighthouses in Autumn",
    abstract="In autumn a mist lies over the harbour. We count the hours in which a lamp is seen. "
    "The Northern Port Unit (NPU) keeps the lamps.",
)


@pytest.fixture
def named(open_library: Callable[[], Library], encoder: Encoder) -> Library:
    """A library in which two papers go by names that are words of the language."""
    library = open_library()
    with library.writing():
        library.commit(change_of((*PAPERS, STAND, MIST, FOG), encoder))
    return library


def test_own_names() -> None:
    assert own_name(Paper("p", title="BERT: Pre-training of Transformers")) == "BERT"
    assert own_name(Paper("p", title="A long story about the sea: part one")) == ""


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("What does STAND need?", True),
        ("STAND or fall?", True),
        ("What does NPU stand for?", False),
        ("Stand: what does NPU mean?", False),
        ("WHAT DOES NPU STAND FOR?", False),
    ],
)
def test_a_name_that_is_an_ordinary_word_is_spelled_like_the_name(text: str, called: bool) -> None:
    assert is_called(text, "STAND", is_ordinary) is called


@pytest.mark.parametrize("text", ["what is wagglenet?", "What is WaggleNet?", "Wagglenet: how big is it?"])
def test_any_other_name_may_be_spelled_anyhow(text: str) -> None:
    assert is_called(text, "WaggleNet", is_ordinary)


def test_a_word_that_other_abstracts_use_is_an_ordinary_one(named: Library) -> None:
    ordinary = in_use(named)
    assert ordinary("mist")
    assert not ordinary("wagglenet")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("What does MIST follow?", MIST.paper_id),
        ("How many hours of mist are there in autumn?", FOG.paper_id),
        ("What does NPU stand for?", FOG.paper_id),
        ("What does STAND teach?", STAND.paper_id),
    ],
)
def test_an_ordinary_word_lifts_no_paper_that_goes_by_it(named: Library, query: str, first: str) -> None:
    assert Retriever(named).search(query)[0].paper.paper_id == first


def test_names_are_found_in_a_text_in_its_order(named: Library) -> None:
    names = Names(named)
    assert names.within("Do TIDE-BENCH and wagglenet stand in the mist?") == ["TIDE-BENCH", "wagglenet"]
    assert names.within("Is MIST better than STAND?") == ["MIST", "STAND"]
    assert [paper.paper_id for paper in names.bearers("Tide Bench")] == ["arxiv:2501.00001"]
    assert names.bearers("ZebraNet") == []
