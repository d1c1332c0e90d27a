import numpy as np
import pytest

from assistant.library import Library
from assistant.schema import EVERYTHING
from assistant.topics import Cut, asks_what_each_says, is_relevant, papers_about, scores, topic


@pytest.mark.parametrize(
    ("rest", "about"),
    [
        ("Which papers are about spiking neural networks?", "spiking neural networks"),
        ("How many papers study graph neural networks?", "graph neural networks"),
        ("List all papers on diffusion models", "diffusion models"),
        ("What weather-related papers are there and what does each find?", "weather"),
        ("Which papers work with EEG, MEG or LFP recordings?", "EEG MEG or LFP recordings"),
        ("Which papers use E(3) or SO(3) equivariant networks?", "E(3) or SO(3) equivariant networks"),
        ("How many diffusion papers are there", "diffusion"),
        ("What did write about variational inference?", "variational inference"),
        ("Do you have anything on 'tides'?", "tides"),
        ("How many papers are there in the library?", ""),
        ("Which papers were published ?", ""),
        ("", ""),
    ],
)
def test_a_topic_is_what_a_question_leaves(rest: str, about: str) -> None:
    assert topic(rest) == about


def test_asking_what_each_says() -> None:
    assert asks_what_each_says("Which papers are about bees, and what does each find?")
    assert not asks_what_each_says("Which papers are about bees?")


def test_every_paper_is_scored_and_those_of_the_topic_belong(library: Library) -> None:
    found = scores(library, "glaciers and temperature")
    assert sorted(found.paper_ids) == sorted(library.catalogue.matching(EVERYTHING))
    assert float(found.nearness.max()) == pytest.approx(1.0)
    assert np.all((found.words >= 0) & (found.words <= 1))
    about = papers_about(library, "glaciers and temperature")
    assert [c.paper.paper_id for c in about] == ["doi:10.1234/glacier"]
    assert about[0].score == pytest.approx(1.0)


def test_a_lower_cut_lets_more_papers_belong(library: Library) -> None:
    everyone = papers_about(library, "forecasting the sea", Cut(at_least=-9.0))
    assert len(everyone) == len(library.catalogue)
    assert [c.score for c in everyone] == sorted((c.score for c in everyone), reverse=True)
    assert everyone[0].paper.paper_id == "arxiv:2501.00001"


@pytest.mark.parametrize(
    ("about", "relevant"),
    [
        ("the dances of honey bees", True),
        ("WaggleNet", True),
        ("knitting patterns", False),
        ("FALCON-9000", False),
        ("quantum error correction", False),
    ],
)
def test_what_nothing_is_about_is_told_apart(library: Library, about: str, relevant: bool) -> None:
    assert is_relevant(library, about, papers_about(library, about)) is relevant


def test_an_empty_library_has_no_topic(tmp_path_factory: pytest.TempPathFactory, library: Library) -> None:
    with Library.open(tmp_path_factory.mktemp("empty"), create=True) as empty:
        empty._encoder = library.encoder
        assert papers_about(empty, "bees") == []
