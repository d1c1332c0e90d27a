import pytest

from assistant.followup import Standalone
from assistant.gathering import Gathered, Gathering
from assistant.library import Library
from assistant.lookup import Lookup
from assistant.retrieval import Retriever
from assistant.schema import EVERYTHING, Filters, Kind, Sentence

BEES, SEA, ICE = "openreview:bees0001", "arxiv:2501.00001", "doi:10.1234/glacier"


@pytest.fixture
def gathering(library: Library) -> Gathering:
    return Gathering(library, Retriever(library))


def gathered(gathering: Gathering, question: str, kind: Kind = "content", *papers: str) -> Gathered:
    return gathering.of(Standalone(question, papers), question, kind, EVERYTHING)


def ids(found: Gathered) -> list[str]:
    return [c.paper.paper_id for c in found.task.candidates]


@pytest.mark.parametrize(
    ("question", "paper_id"),
    [
        ("How do bees tell where flowers are?", BEES),
        ("Who forecasts storms at sea?", SEA),
        ("What keeps the air of the past?", ICE),
        ("What does doi:10.1234/glacier say of bees and flowers?", ICE),
        ("What does arXiv:2501.00001 say of bees and flowers?", SEA),
    ],
)
def test_the_paper_that_a_question_is_about_comes_first(gathering: Gathering, question: str, paper_id: str) -> None:
    found = ids(gathered(gathering, question))
    assert found[0] == paper_id
    assert len(set(found)) == len(found)


def test_as_many_papers_as_asked_for(gathering: Gathering) -> None:
    found = gathering.of(Standalone("How do bees dance?"), "How do bees dance?", "content", EVERYTHING, k=2)
    assert len(ids(found)) == 2


def test_filters_hold_for_every_search(gathering: Gathering) -> None:
    question = "Compare the dances of bees and the tides of the sea."
    found = gathering.of(Standalone(question, others=("bees",)), question, "compare", Filters(years=(2025, 2025)))
    assert ids(found) == [SEA]


def test_a_question_asked_in_other_words_is_searched_by_them_too(gathering: Gathering) -> None:
    asked = Standalone("", others=("What do glaciers remember?",))
    assert ids(gathering.of(asked, "", "content", EVERYTHING, k=1)) == [ICE]


def test_the_paper_that_a_follow_up_refers_to_leads(gathering: Gathering) -> None:
    assert ids(gathered(gathering, "How do bees dance?", "content", ICE))[0] == ICE


def test_papers_that_were_looked_up_are_the_only_ones(gathering: Gathering, library: Library) -> None:
    named = Lookup(tuple(library.catalogue.papers([ICE])))
    found = gathering.of(Standalone("Songs?"), "Songs?", "lookup", EVERYTHING, named=named)
    assert ids(found) == [ICE]
    assert (found.task.groups, found.absent) == ([], ())


def test_each_thing_compared_has_its_papers(gathering: Gathering) -> None:
    found = gathered(gathering, "Compare WaggleNet and TIDE-BENCH", "compare")
    assert [ids(found)[group[0]] for group in found.task.groups] == [BEES, SEA]
    assert found.absent == ()


def test_papers_of_earlier_answers_are_compared_with_each_other(gathering: Gathering) -> None:
    found = gathered(gathering, "Compare them.", "compare", ICE, BEES)
    assert [[ids(found)[place] for place in group] for group in found.task.groups] == [[ICE], [BEES]]


def test_a_thing_compared_that_no_paper_is_about_is_said_to_be_absent(gathering: Gathering) -> None:
    found = gathered(gathering, "Compare WaggleNet and knitting patterns", "compare")
    assert found.absent == (Sentence("No paper here is about knitting patterns.", (1,), "supported", 1.0),)
    assert [ids(found)[group[0]] for group in found.task.groups] == [BEES]


def test_when_nothing_compared_is_here_nothing_is_said(gathering: Gathering) -> None:
    assert gathered(gathering, "Compare knitting patterns and tax law", "compare").absent == ()


def test_a_survey_is_about_its_topic_and_not_about_its_instructions(gathering: Gathering) -> None:
    assert set(gathered(gathering, "Summarize the papers about glaciers", "summary").task.weights) == {"glacier"}
    assert "summar" in gathered(gathering, "Summarize the papers about glaciers").task.weights


def test_a_reader_bounds_the_answer_unless_the_call_does(gathering: Gathering) -> None:
    question = "How do bees dance, in two sentences and 30 words?"
    task = gathering.of(Standalone("How do bees dance?"), question, "content", EVERYTHING).task
    assert (task.words, task.sentences) == (None, 2)
    task = gathering.of(Standalone(question), "In 30 words: how do bees dance?", "content", EVERYTHING, words=90).task
    assert (task.words, task.sentences) == (90, None)
