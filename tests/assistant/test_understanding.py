"""What a question asks; and, on the built-in corpus, whether follow-ups reach their papers and facts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.chain import Assistant
from assistant.encoder import Encoder
from assistant.heartbeat import returned
from assistant.library import Library
from assistant.questions import turn
from assistant.retrieval import Retriever
from assistant.schema import Answer, Turn, Waiting
from assistant.text import fold
from assistant.understanding import Understanding, Understood
from ingest.pipeline import ingest
from ingest.readers import read
from ingest.sample import sample_path
from tests.assistant.test_rewriting import model_of
from tests.ollama_server import Body, OllamaServer, Script, Scripted, first_notes

QUESTIONS = Path(__file__).parents[1] / "questions"
WAGGLE = Turn("What is WaggleNet?", "WaggleNet reads the dance of bees [1].", ("openreview:bees0001",))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (QUESTIONS / name).read_text(encoding="utf-8").splitlines()]


def understood(library: Library, question: str, *history: Turn, script: Script | None = None) -> Understood:
    if script is None:
        return returned(Understanding(library, Retriever(library), None).of(question, history))
    with OllamaServer(script=script) as server:
        return returned(Understanding(library, Retriever(library), model_of(server)).of(question, history))


def test_without_a_model_a_foreign_question_is_understood_by_its_names(library: Library) -> None:
    found = understood(library, "Wie viele Blumenwiesen findet WaggleNet?")
    assert found.asked.question == "What is WaggleNet?"
    assert found.notice is not None
    assert "German" in found.notice
    assert "WaggleNet" in found.notice


def test_a_question_to_be_translated_waits_in_line_and_can_be_stopped(library: Library) -> None:
    with OllamaServer(script=Scripted("How many?", reading=0.8)) as server:
        model = model_of(server)
        stream = Assistant(library, model).stream("Wie viele Blumenwiesen findet WaggleNet?")
        with model.turn():
            assert next(stream) == Waiting(1, "Next in line for qwen3:4b.")
            assert server.chats == []
        while not server.chats:
            assert next(stream) == Waiting()
        stream.close()
        assert server.wait_closed(0.5)


def test_without_names_it_is_refused_and_the_reason_is_said(library: Library) -> None:
    answer = Assistant(library).ask("Wie viele Blumenwiesen findet das Netz?")
    assert answer.abstained
    assert answer.reason == "nothing_relevant"
    assert "German" in answer.text
    assert answer.papers


def test_a_model_translates_question_and_checked_answer(library: Library) -> None:
    def script(body: Body) -> str:
        said = str(body["messages"][-1]["content"])
        if "into English" in said:
            return "How many flower patches does WaggleNet find?"
        if "into German" in said:
            return "WaggleNet findet 93 % der Blumenwiesen."
        return "WaggleNet finds 93% of flower patches [1]. It finds 99% of bees [1]."

    with OllamaServer(script=script) as server:
        answer = Assistant(library, model_of(server)).ask("Wie viele Blumenwiesen findet WaggleNet?")
    assert answer.standalone_question == "How many flower patches does WaggleNet find?"
    assert answer.text == "WaggleNet findet 93 % der Blumenwiesen. [1]"
    assert answer.sentences[0].evidence[0].quote == "WaggleNet finds 93% of the flower patches."
    assert [removed.text for removed in answer.removed] == ["It finds 99% of bees."]


def test_what_a_translation_would_change_stays_english(library: Library) -> None:
    def script(body: Body) -> str:
        said = str(body["messages"][-1]["content"])
        if "into English" in said:
            return "How many flower patches does WaggleNet find?"
        return "Es sind 12 %." if "into German" in said else "WaggleNet finds 93% of flower patches [1]."

    with OllamaServer(script=script) as server:
        answer = Assistant(library, model_of(server)).ask("Wie viele Blumenwiesen findet WaggleNet?")
    assert answer.text == "WaggleNet finds 93% of flower patches. [1]"


def test_a_model_that_cannot_translate_leaves_the_names(library: Library) -> None:
    found = understood(library, "Wie viele Blumenwiesen findet WaggleNet?", script="Ich weiß es nicht.")
    assert found.asked.question == "What is WaggleNet?"


def test_no_model_is_asked_for_what_the_rules_resolve(library: Library) -> None:
    with OllamaServer() as server:
        understanding = Understanding(library, Retriever(library), model_of(server))
        assert returned(understanding.of("Is it small?", (WAGGLE,))).asked.question == "Is WaggleNet small?"
        assert returned(understanding.of("What is TIDE-BENCH?", (WAGGLE,))).asked.question == "What is TIDE-BENCH?"
        assert not server.chats


def test_a_model_resolves_what_the_rules_cannot(library: Library) -> None:
    turn_ = Turn("Why?", "Because the moon pulls the sea.")
    found = understood(library, "Is it strong?", turn_, script="Is the moon strong?")
    assert found.asked.question == "Is the moon strong?"
    assert found.asked.others
    left = understood(library, "Is it strong?", turn_, script=first_notes)
    assert left.asked.question in found.asked.others


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Library]:
    with Library.open(tmp_path_factory.mktemp("sample"), create=True) as library, sample_path() as path:
        library._encoder = encoder
        ingest(library, read([str(path)]))
        yield library


@pytest.fixture(scope="module")
def keys() -> list[tuple[str, str]]:
    return [
        (row["key"], fold(text))
        for row in json.loads((QUESTIONS / "sample_papers.json").read_text("utf-8"))
        for text in row["contains"]
    ]


def cited(answer: Answer, keys: list[tuple[str, str]]) -> set[str]:
    texts = [fold(source.paper.abstract) for source in answer.papers if source.cited]
    return {next(key for key, part in keys if part in text) for text in texts}


def holds(answer: Answer, nuggets: list[list[str]]) -> bool:
    return all(any(fold(nugget) in fold(answer.text) for nugget in alternatives) for alternatives in nuggets)


def test_follow_ups_reach_their_papers_and_facts(sample: Library, keys: list[tuple[str, str]]) -> None:
    """The facts are bound by which sentences are quoted: the same questions written out by hand reach no more."""
    asked = [row for row in rows("followups.jsonl") if row["gold"]]
    assistant = Assistant(sample)
    answers = [assistant.ask(row["question"], history=[turn(t) for t in row["history"]]) for row in asked]
    found = [set(row["gold"]) <= cited(answer, keys) for row, answer in zip(asked, answers, strict=True)]
    facts = [holds(answer, row["nuggets"]) for row, answer in zip(asked, answers, strict=True) if row["nuggets"]]
    assert sum(found) / len(found) >= 0.95
    assert sum(facts) / len(facts) >= 0.78


def test_unanswerable_questions_stay_so_after_a_turn(sample: Library) -> None:
    assistant = Assistant(sample)
    for row in rows("followups.jsonl"):
        if not row["gold"]:
            assert assistant.ask(row["question"], history=[turn(t) for t in row["history"]]).abstained


def test_names_in_foreign_questions_find_their_papers(sample: Library, keys: list[tuple[str, str]]) -> None:
    assistant = Assistant(sample)
    for row in rows("foreign.jsonl"):
        answer = assistant.ask(row["question"])
        assert cited(answer, keys) == set(row["gold"])
        assert answer.abstained == (not row["gold"])
