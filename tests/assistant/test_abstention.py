from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.abstention import FOLLOWS, MOST_SAID, Gate, indirect
from assistant.answering import Extractive, Task
from assistant.calibration import shipped
from assistant.chat_model import ChatModel
from assistant.followup import Standalone
from assistant.gathering import Gathering
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.schema import EVERYTHING, Kind, Sentence

ASKED = "how many which what who where model camera is are was used trained the of and price bees , ?".split()
QUESTIONS = st.one_of(st.text(), st.lists(st.sampled_from(ASKED), max_size=10).map(" ".join))


@pytest.fixture
def gate(library: Library) -> Gate:
    return Gate(library, shipped())


def task(gate: Gate, question: str, kind: Kind = "content") -> Task:
    gathering = Gathering(gate.library, Retriever(gate.library))
    return gathering.of(Standalone(question), question, kind, EVERYTHING).task


def quoted(gate: Gate, asked: Task) -> tuple[Sentence, ...]:
    return Extractive(gate.library).quote(asked)


def stated(gate: Gate, question: str, kind: Kind = "content", *, follows: bool = False) -> float | None:
    asked = task(gate, question, kind)
    return gate.stated(asked, quoted(gate, asked), follows=follows)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the capital of Peru?", "Nothing in this library answers that."),
        ("How do I knit a sweater?", "Nothing in this library answers that."),
        ("Write a poem about the dances of bees.", "Nothing in this library answers that."),
        ("What share does ZebraNet find?", "No paper in this library mentions ZebraNet."),
    ],
)
def test_nothing_relevant_is_said_to_be_so(gate: Gate, question: str, says: str) -> None:
    found = gate.irrelevant(task(gate, question))
    assert found is not None
    assert found.reason == "nothing_relevant"
    assert found.text.startswith(says)


@pytest.mark.parametrize(
    "question",
    ["How do bees tell where flowers are?", "What does WaggleNet run on?", "What reconstructs past winters?"],
)
def test_what_a_paper_is_about_is_relevant(gate: Gate, question: str) -> None:
    assert gate.irrelevant(task(gate, question)) is None


def test_without_papers_there_is_a_way_to_add_them(gate: Gate) -> None:
    found = gate.irrelevant(replace(task(gate, "How do bees dance?"), candidates=[]))
    assert found is not None
    assert "askpapers ingest" in found.text


def test_a_paper_looked_up_is_relevant(gate: Gate) -> None:
    assert gate.irrelevant(task(gate, "What is the capital of Peru?", "lookup")) is None


@pytest.mark.parametrize(
    "question",
    ["How many years of harbour records does TIDE-BENCH hold?", "What do tides follow?", "Is the camera small?"],
)
def test_what_an_abstract_states_is_beyond_the_threshold(gate: Gate, question: str) -> None:
    odds = stated(gate, question)
    assert odds is not None
    assert odds > 0


@pytest.mark.parametrize(
    "question",
    [
        "What learning rate is used to train WaggleNet?",
        "How many GPUs were used to train WaggleNet?",
        "What colour is the camera of WaggleNet?",
        "Who funded the records of TIDE-BENCH?",
    ],
)
def test_what_an_abstract_does_not_state_is_below_the_threshold(gate: Gate, question: str) -> None:
    odds = stated(gate, question)
    assert odds is not None
    assert odds < 0


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is WaggleNet?", "content"),
        ("Was ist WaggleNet?", "content"),
        ("How many GPUs were used to train WaggleNet?", "summary"),
        ("Compare WaggleNet and TIDE-BENCH", "compare"),
    ],
)
def test_only_questions_for_a_fact_are_weighed(gate: Gate, question: str, kind: Kind) -> None:
    assert stated(gate, question, kind) is None


def test_a_question_that_refers_back_is_more_likely_answered(gate: Gate) -> None:
    alone, following = (stated(gate, "What do tides follow?", follows=follows) for follows in (False, True))
    assert alone is not None
    assert following == pytest.approx(alone + FOLLOWS)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # nothing changes a gate
@given(st.floats(-9, 9), st.floats(-50, 50), st.sampled_from((None, 0.3, 1.0, 7.0)))
def test_a_chat_model_never_decides_alone(gate: Gate, odds: float, said: float, billions: float | None) -> None:
    model = ChatModel("ollama", "any", billions=billions)
    assert gate.judged(odds, None, model) == odds
    assert abs(gate.judged(odds, said, model) - odds) <= MOST_SAID + 1e-9
    assert gate.judged(odds, said + 1, model) >= gate.judged(odds, said, model)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How many GPUs were used to train WaggleNet?", "does not say how many GPUs were used to train WaggleNet."),
        ("Does WaggleNet need a GPU?", "does not state what you ask."),
    ],
)
def test_not_stated_names_the_paper_and_what_is_asked(gate: Gate, question: str, says: str) -> None:
    asked = task(gate, question)
    found = Gate.not_stated(asked, quoted(gate, asked))
    assert found.reason == "not_stated"
    assert found.text == f"WaggleNet [1] is here, but its abstract {says} The nearest papers are listed."


@pytest.mark.parametrize(
    ("question", "turned"),
    [
        ("What is the price of honey?", "what the price of honey is"),
        ("What were the limits of TIDE-BENCH?", "what the limits of TIDE-BENCH were"),
        ("Which camera is used in WaggleNet?", "which camera is used in WaggleNet"),
        ("How much honey was taken per hive??", "how much honey was taken per hive"),
        ("Who  wrote\nit?", "who wrote it"),
        ("How many bees dance?", "how many bees dance"),
        ("What colour is the camera?", "what colour the camera is"),
        ("What is the price and where is it sold?", None),
        ("Does it run on a phone?", None),
        ("Why do bees dance?", None),
        ("What does WaggleNet cost?", None),
        ("", None),
    ],
)
def test_a_question_is_turned_into_an_object(question: str, turned: str | None) -> None:
    assert indirect(question) == turned


@given(QUESTIONS)
def test_turning_a_question_round_keeps_its_words(question: str) -> None:
    turned = indirect(question)
    if turned is not None:
        assert turned == turned.strip()
        assert not turned.endswith(("?", "."))
        assert turned[:1] == turned[:1].lower()
        assert sorted(turned.lower().split()) == sorted(question.lower().rstrip(" ?.!\n\t").split())
