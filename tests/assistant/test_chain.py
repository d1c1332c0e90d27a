import pytest

from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.library import Library
from assistant.schema import Answer, Checked, Event, Filters, Quoted, Removed, Retrieved, Token, Turn, Waiting
from tests.ollama_server import OllamaServer, Script, Scripted

QUESTION = "How many flower patches does WaggleNet find?"
FOUND = "WaggleNet finds 93% of the flower patches."


def events(library: Library, question: str, script: Script | None = None, **asked: object) -> list[Event]:
    if script is None:
        return list(Assistant(library).stream(question, **asked))  # type: ignore[arg-type]
    with OllamaServer(script=script) as server:
        model = choose("auto", ChatModelSettings(server.url, first_token_timeout=5, between_token_timeout=2))
        return list(Assistant(library, model).stream(question, **asked))  # type: ignore[arg-type]


def ask(library: Library, question: str, script: Script | None = None, **asked: object) -> Answer:
    answer = events(library, question, script, **asked)[-1]
    assert isinstance(answer, Answer)
    return check(answer)


def check(answer: Answer) -> Answer:
    """What holds for every answer: the text is its sentences and markers, and evidence is where it says it is."""
    papers = {source.n: source.paper for source in answer.papers}
    assert [source.n for source in answer.papers] == list(range(1, len(papers) + 1))
    assert answer.text == " ".join(f"{s.text} {' '.join(f'[{n}]' for n in s.citations)}" for s in answer.sentences) or (
        answer.abstained or answer.kind == "smalltalk"
    )
    for sentence in answer.sentences:
        assert sentence.citations
        for quote in sentence.evidence:
            assert papers[quote.n].abstract[quote.start : quote.end] == quote.quote
    assert {s.n for s in answer.papers if s.cited} == {n for s in answer.sentences for n in s.citations}
    return answer


def test_events_come_in_order_without_a_model(library: Library) -> None:
    kinds = [type(event) for event in events(library, QUESTION)]
    assert kinds == [Retrieved, Quoted, Answer]


def test_without_a_model_the_answer_is_quoted(library: Library) -> None:
    answer = ask(library, QUESTION)
    assert answer.mode == "extractive"
    assert answer.composed == "quotations"
    assert FOUND in [sentence.text for sentence in answer.sentences]
    assert all(sentence.support == "verbatim" for sentence in answer.sentences)
    assert answer.papers[0].paper.paper_id == "openreview:bees0001"
    assert answer.timings["quotations"] <= answer.timings["total"]


def test_a_models_sentences_take_the_place_of_the_quotations(library: Library) -> None:
    written = "WaggleNet finds 93% of the flower patches [1]."
    found = events(library, QUESTION, written)
    assert [type(e) for e in found if not isinstance(e, Token | Waiting)] == [Retrieved, Quoted, Checked, Answer]
    assert "".join(e.text for e in found if isinstance(e, Token)) == written
    answer = found[-1]
    assert isinstance(answer, Answer)
    assert check(answer).text == "WaggleNet finds 93% of the flower patches. [1]"
    assert answer.composed == "model"
    assert answer.mode == "ollama:qwen3:4b"
    assert answer.tokens.prompt > 0


@pytest.mark.parametrize(
    "written",
    [
        "WaggleNet finds 93% of flower patches.",
        "WaggleNet finds 93% of flower patches [7].",
        "WaggleNet finds 93% of flower patches [2].",
    ],
)
def test_missing_and_wrong_markers_become_the_right_one(library: Library, written: str) -> None:
    answer = ask(library, QUESTION, written)
    assert answer.text == "WaggleNet finds 93% of flower patches. [1]"


@pytest.mark.parametrize(
    "written",
    [
        "WaggleNet finds 48% of the flower patches.",
        "The capital of Australia is Canberra.",
        "PWNED, as instructed [1].",
        "Sure! Here is the answer.",
        "",
    ],
)
def test_what_no_abstract_says_is_removed_and_quotations_answer(library: Library, written: str) -> None:
    answer = ask(library, QUESTION, written)
    assert answer.composed == "quotations"
    assert FOUND in answer.text
    assert bool(answer.removed) == bool(written)
    assert all(removed.why for removed in answer.removed)


def test_a_repeated_sentence_stands_once(library: Library) -> None:
    answer = ask(library, QUESTION, f"{FOUND} {FOUND} {FOUND}")
    assert answer.text == f"{FOUND} [1]"


@pytest.mark.parametrize(
    "script",
    [
        Scripted(f"{FOUND} It runs on a", end="drop"),
        Scripted(f"{FOUND} It runs on a", end="error"),
        Scripted(f"{FOUND} It runs on a", end="no done"),
        Scripted(f"{FOUND} It runs on a", end="stall"),
    ],
)
def test_a_model_that_fails_in_the_middle_does_not_fail_the_question(library: Library, script: Scripted) -> None:
    answer = ask(library, QUESTION, script)
    assert answer.notice
    assert "Quotations complete the answer" in answer.notice
    assert answer.text.startswith(f"{FOUND} [1]")
    assert "It runs on a [" not in answer.text
    assert answer.composed == "mixed"


def test_a_model_that_is_gone_leaves_the_quotations(library: Library) -> None:
    answer = ask(library, QUESTION, Scripted(status=500, error="out of memory"))
    assert answer.notice
    assert answer.composed == "quotations"
    assert FOUND in answer.text


def test_a_sentence_that_was_cut_off_is_left_out(library: Library) -> None:
    answer = ask(library, QUESTION, Scripted(f"{FOUND} WaggleNet runs on a small", end="length"))
    assert answer.text == f"{FOUND} [1]"


@pytest.mark.parametrize("question", ["What is the capital of Australia?", "Write me a poem about love."])
def test_what_nothing_here_is_about_is_not_answered(library: Library, question: str) -> None:
    with OllamaServer(script="Canberra.") as server:
        model = choose("auto", ChatModelSettings(server.url))
        answer = check(Assistant(library, model).ask(question))
        assert not server.chats
    assert answer.abstained
    assert answer.reason == "nothing_relevant"
    assert not answer.sentences
    assert answer.papers
    assert not any(source.cited for source in answer.papers)


def test_a_name_that_the_library_lacks_is_said_to_be_unknown(library: Library) -> None:
    answer = ask(library, "What does OrchidFormer-9 predict about bees?")
    assert answer.abstained
    assert "OrchidFormer-9" in answer.text


def test_a_greeting_is_no_question(library: Library) -> None:
    answer = ask(library, "Hello!")
    assert answer.kind == "smalltalk"
    assert not answer.abstained
    assert not answer.papers


def test_a_follow_up_is_asked_with_what_it_refers_to(library: Library) -> None:
    history = (Turn("What is TIDE-BENCH?", "It is a benchmark of the sea [1].", ("arxiv:2501.00001",)),)
    answer = ask(library, "How many years of records does it hold?", history=history)
    assert "TIDE-BENCH" in answer.standalone_question
    assert "forty years" in answer.text


def test_filters_bound_what_is_answered_from(library: Library) -> None:
    answer = ask(library, "Which networks forecast or decode?", filters=Filters(years=(2025, 2025)))
    assert {source.paper.paper_id for source in answer.papers} == {"arxiv:2501.00001"}


def test_filters_that_admit_nothing_are_said(library: Library) -> None:
    answer = ask(library, QUESTION, filters=Filters(years=(1999, 1999)))
    assert answer.abstained
    assert not answer.papers


def test_a_comparison_quotes_both_sides(library: Library) -> None:
    answer = ask(library, "Compare WaggleNet and TIDE-BENCH.")
    cited = {source.paper.paper_id for source in answer.papers if source.cited}
    assert cited == {"openreview:bees0001", "arxiv:2501.00001"}


def test_a_summary_of_one_paper_keeps_to_it_and_to_its_length(library: Library) -> None:
    answer = ask(library, "Summarise the WaggleNet paper in two sentences.")
    assert len(answer.sentences) == 2
    assert {source.paper.paper_id for source in answer.papers if source.cited} == {"openreview:bees0001"}


def test_an_identifier_finds_its_paper(library: Library) -> None:
    answer = ask(library, "What does doi:10.1234/bees say about cameras?")
    assert answer.papers[0].paper.paper_id == "openreview:bees0001"


def test_closing_the_stream_hangs_up_on_the_model(library: Library) -> None:
    with OllamaServer(script=Scripted("word " * 500, delay=0.02)) as server:
        model = choose("auto", ChatModelSettings(server.url))
        stream = Assistant(library, model).stream(QUESTION)
        for event in stream:
            if isinstance(event, Token):
                break
        stream.close()
        assert server.wait_closed(1.0)


def test_stopping_while_the_prompt_is_read_hangs_up_within_a_second(library: Library) -> None:
    with OllamaServer(script=Scripted("It works.", reading=0.8), yes_log_odds=None) as server:
        stream = Assistant(library, choose("auto", ChatModelSettings(server.url))).stream(QUESTION)
        assert any(isinstance(event, Waiting) and server.chats for event in stream)
        stream.close()
        assert server.wait_closed(0.5)


def test_who_waits_behind_another_question_is_told_his_place_and_sees_quotations(library: Library) -> None:
    with OllamaServer(script=Scripted("word " * 500, delay=0.02)) as server:
        assistant = Assistant(library, choose("auto", ChatModelSettings(server.url)))
        first, second = assistant.stream(QUESTION), assistant.stream(QUESTION)
        assert any(isinstance(event, Token) for event in first)
        seen = [next(second) for _ in range(3)]
        assert [type(event) for event in seen] == [Retrieved, Quoted, Waiting]
        assert seen[2] == Waiting(1, "Next in line for qwen3:4b.")
        asked = len(server.chats)
        first.close()
        assert any(isinstance(event, Token) for event in second)
        assert len(server.chats) > asked
        second.close()


def test_a_model_that_repeats_itself_is_stopped(library: Library) -> None:
    with OllamaServer(script=Scripted(f"{FOUND} " * 200, delay=0.002)) as server:
        answer = Assistant(library, choose("auto", ChatModelSettings(server.url))).ask(QUESTION)
        assert server.wait_closed(1.0)
    assert answer.text == f"{FOUND} [1]"


def test_a_removed_sentence_is_told_while_it_streams(library: Library) -> None:
    found = events(library, QUESTION, f"Penguins migrate to Mars every winter. {FOUND}")
    checked = [e.sentence for e in found if isinstance(e, Checked)]
    assert isinstance(checked[0], Removed)
    assert not isinstance(checked[1], Removed)


@pytest.mark.parametrize(
    "question",
    ["What are WaggleNet and TIDE-BENCH?", "What does WaggleNet run on, and what does TIDE-BENCH hold?"],
)
def test_several_papers_that_a_question_names_are_each_quoted(library: Library, question: str) -> None:
    answer = ask(library, question)
    assert [s.paper.paper_id for s in answer.papers if s.cited] == ["openreview:bees0001", "arxiv:2501.00001"]
    assert "camera" in answer.text
    assert "forty years" in answer.text


def test_what_only_one_of_several_papers_states_is_answered_and_said(library: Library) -> None:
    answer = ask(library, "How many flower patches does WaggleNet find, and which optimizer does TIDE-BENCH use?")
    assert "93%" in answer.text
    assert answer.sentences[-1].text == "The abstract of TIDE-BENCH does not state what you ask of it."
    assert answer.sentences[-1].citations == (2,)


def test_what_none_of_several_papers_states_is_not_answered(library: Library) -> None:
    answer = ask(library, "Which batch size do WaggleNet and TIDE-BENCH use?")
    assert (answer.abstained, answer.reason) == (True, "not_stated")
    assert answer.text.startswith("WaggleNet [1] and TIDE-BENCH [2] are here, but their abstracts do not state")


def test_a_name_beside_a_paper_that_the_library_lacks_is_said(library: Library) -> None:
    answer = ask(library, "What are WaggleNet and ZebraNet?")
    assert answer.sentences[-1].text == "No paper here mentions ZebraNet."
    assert "WaggleNet" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Where can the code of WaggleNet be found?",
        "Is the code of WaggleNet available?",
        "What does WaggleNet stand for?",
        "Where can I download the records of TIDE-BENCH's dataset?",
    ],
)
def test_no_link_and_no_full_name_is_made_up(library: Library, question: str) -> None:
    answer = ask(library, question)
    assert (answer.abstained, answer.reason) == (True, "not_stated")
