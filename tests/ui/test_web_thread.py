import threading
from collections.abc import Mapping
from typing import Any

import pytest

from assistant.errors import AskpapersError, ChatModelUnreachable, LibraryDamaged, LibraryMissing
from assistant.schema import Event, Filters, Json, Paper, Waiting
from tests.ui.scripted import PAPERS, SALT, TIDE, Scripted
from ui.web.answerer import Answerer, Desk
from ui.web.conversation import Conversation
from ui.web.evidence import evidence, links
from ui.web.holdings import Holdings, holdings
from ui.web.sidebar import filters_of, scope, sidebar, writer
from ui.web.thread import thread
from ui.web.welcome import examples, short_name
from ui.web.wire import wired

HELD = Holdings("ollama:tiny:1b", 3, {}, {2024: 1, 2025: 2}, {"Harbour": 1, "Shoreline": 1})


def after(*questions: str, events: int | None = None) -> Conversation:
    """A conversation in which these were asked, the last with only so many events so far."""
    conversation, answerer = Conversation(), Scripted(pace=0)
    for i, question in enumerate(questions):
        brought: list[Event] = list(answerer.stream(question))
        conversation.begin(question, 3)
        if i == len(questions) - 1 and events is not None:
            conversation.progress(brought[:events])
        else:
            conversation.progress(brought)
            conversation.finish(None)
    return conversation


def turn(conversation: Conversation) -> dict[str, Any]:
    turns = thread(conversation, HELD)["turns"]
    assert isinstance(turns, list)
    assert isinstance(turns[-1], dict)
    return turns[-1]


def test_the_stages_follow_the_events() -> None:
    words = [[step[1] for step in turn(after("How?", events=n)).get("stage", [])] for n in (0, 1, 2, 3)]
    assert words == [
        ["Searching", "Reading"],
        ["Searched 3 papers", "Reading"],
        ["Searched 3 papers", "Read 3", "Writing"],
        ["Searched 3 papers", "Read 3", "Writing"],
    ]


def test_who_waits_is_told_for_what() -> None:
    waiting = turn(after("queue up", events=3))
    assert waiting["stage"][-1] == ["now", "Second in line for tiny:1b"]
    assert [len(waiting["quotes"]), waiting["typing"]] == [2, ""]
    assert thread(after("queue up", events=3), HELD)["status"] == "Second in line for tiny:1b."
    for events in (7, 8):
        assert turn(after("queue up", events=events))["stage"][-1] == ["now", "Writing"]


def test_a_sign_of_life_that_says_nothing_new_changes_nothing() -> None:
    exchange = after("queue up", events=3).exchanges[-1]
    assert exchange.after(Waiting(2, exchange.waiting)) is exchange


class Loading:
    """A model that takes as long to load as a test wants."""

    def __init__(self, error: AskpapersError | None = None) -> None:
        self.loads = 0
        self.go_on = threading.Event()
        self.error = error

    def load(self) -> None:
        self.loads += 1
        assert self.go_on.wait(5)
        if self.error:
            raise self.error


def test_a_page_that_opens_has_the_model_loaded_once_at_a_time() -> None:
    model = Loading()
    desk = Desk(lambda: Scripted(model=model))
    desk.load()
    assert model.loads == 0
    desk.assistant()
    desk.load()
    desk.load()
    assert model.loads == 1
    model.go_on.set()
    assert desk._loading is not None
    desk._loading.join(5)
    desk.load()
    assert model.loads == 2


def test_a_model_that_cannot_be_loaded_breaks_no_page() -> None:
    model = Loading(ChatModelUnreachable("Nothing answers."))
    model.go_on.set()
    desk = Desk(lambda: Scripted(model=model))
    assert holdings(desk).papers == 3
    desk.load()
    assert desk._loading is not None
    desk._loading.join(5)
    assert holdings(desk).papers == 3


def test_a_new_chat_is_told_what_could_be_better() -> None:
    greeting = holdings(Desk(Scripted, lambda: "Get a model with `askpapers models pull tiny:1b`.")).greeting
    assert str(greeting["text"]).endswith("to be removed. Get a model with askpapers models pull tiny:1b.")


def test_without_a_model_nothing_is_said_to_be_written() -> None:
    quoting = Holdings("extractive", 3, {})
    turns = thread(after("quote it", events=2), quoting)["turns"]
    assert isinstance(turns, list)
    assert isinstance(turns[0], dict)
    assert turns[0]["stage"] == [["done", "Searched 3 papers"], ["done", "Read 3"]]


def test_a_checked_sentence_leaves_the_unchecked_text() -> None:
    assert turn(after("How?", events=5))["typing"] == "TideNet cuts six-hour errors by 18%. It also"
    assert turn(after("How?", events=6))["typing"] == "It also"
    assert turn(after("How?", events=8))["typing"] == ""


def test_a_stopped_answer_keeps_what_was_checked() -> None:
    conversation = after("How?", events=6)
    conversation.stopping = True
    conversation.finish("broke off")
    assert turn(conversation)["closing"] == ["Stopped after 1 sentence"]
    assert [t.answer for t in conversation.history()] == ["TideNet cuts six-hour errors by 18%."]
    assert not conversation.busy


def test_an_answer_that_breaks_off_fails() -> None:
    conversation = after("How?", events=1)
    conversation.finish("It broke off.")
    assert turn(conversation)["failure"]["text"] == "It broke off."
    assert conversation.history() == []


def test_a_new_chat_ignores_what_the_old_answer_still_brings() -> None:
    conversation = after("How?", events=2)
    conversation.clear()
    assert conversation.stopping
    assert conversation.progress(list(Scripted(pace=0).stream("quote")))
    assert conversation.exchanges == []


@pytest.mark.parametrize(
    ("question", "closing"),
    [
        ("quote it", ["2 sentences, word for word", "2 sources of 3 papers", "no model, 7.1 s"]),
        ("How?", ["1 of 2 sentences kept, 1 quoted", "2 sources of 3 papers", "tiny:1b, 7.1 s"]),
        ("absent it", ["No answer", "tiny:1b, 7.1 s"]),
        ("list it", ["From the catalogue", "3 sources of 3 papers", "tiny:1b, 7.1 s"]),
        ("hello", []),
    ],
)
def test_the_closing_line(question: str, closing: list[str]) -> None:
    assert turn(after(question))["closing"] == closing


def test_an_abstention_names_papers_by_marker_and_commands_as_such() -> None:
    conversation = after("absent it")
    assert turn(conversation)["abstained"]["words"] == [
        {"t": "“TideNet” is in the library"},
        {"n": 1},
        {"t": ", but its abstract does not say who paid for it."},
    ]


def card(conversation: Conversation, n: int) -> dict[str, Any]:
    turns = evidence(conversation)["turns"]
    assert isinstance(turns, list)
    assert isinstance(turns[-1], dict)
    cards = [*_cards(turns[-1], "cards"), *_cards(turns[-1], "rest")]
    return next(c for c in cards if c["n"] == n)


def _cards(turn: Mapping[str, Json], name: str) -> list[dict[str, Any]]:
    cards = turn[name]
    assert isinstance(cards, list)
    return [c for c in cards if isinstance(c, dict)]


def test_highlights_carry_the_keys_of_the_sentences_on_the_page() -> None:
    conversation = after("quote it")
    lit = "".join(run["t"] for run in card(conversation, 2)["abstract"] if run.get("k") == ["0s1"])
    assert lit == "SaltMarsh finds 94% of the marshes that surveyors find."
    keys = [s["key"] for p in turn(conversation)["paragraphs"] for s in p["sentences"]]
    assert keys == ["0s0", "0s1"]


def test_before_anything_is_cited_every_paper_found_is_shown() -> None:
    turns = evidence(after("How?", events=1))["turns"]
    assert isinstance(turns, list)
    assert isinstance(turns[0], dict)
    assert (turns[0]["note"], len(_cards(turns[0], "cards")), turns[0]["rest"]) == ("3 papers found", 3, [])


def test_cards_cut_long_lists_of_authors_and_mark_derived_names() -> None:
    conversation = after("quote it")
    assert (card(conversation, 2)["derived"], len(card(conversation, 2)["authors"]), card(conversation, 2)["more"]) == (
        True,
        6,
        3,
    )
    assert not card(conversation, 1)["derived"]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript://x/%0aalert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//evil.example",
        "http://",
        "",
        "http://[",
        "http://a b/",
        "ht\ttp://x.example",
    ],
)
def test_only_web_addresses_become_links(url: str) -> None:
    assert links(Paper("p", url=url)) == []


def test_links_are_named_after_their_site() -> None:
    paper = Paper("p", url="https://www.example.org/a.pdf", doi='10.1/<x> "y"')
    assert links(paper) == [
        {"href": "https://www.example.org/a.pdf", "text": "PDF"},
        {"href": "https://doi.org/10.1/%3Cx%3E%20%22y%22", "text": "DOI"},
    ]


def test_wired_values_change_only_where_something_changed() -> None:
    one, two = after("quote it", "How?", events=2), after("quote it", "How?", events=3)
    before, now = wired(thread(one, HELD)), wired(thread(two, HELD))
    assert {key for key in now if now[key] != before[key]} == {"turn 1"}
    assert list(now)[-2:] == ["turn 0", "turn 1"]


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        (Filters(), ""),
        (Filters((2024, 2026)), "2024 to 2026"),
        (Filters((2024, 2024), ("ICML",)), "2024, ICML"),
        (Filters((2024, None)), "since 2024"),
        (Filters((None, 2024), (), ("Ada",)), "until 2024, Ada"),
    ],
)
def test_filters_in_words(filters: Filters, words: str) -> None:
    assert scope(filters) == words


@pytest.mark.parametrize(
    ("values", "filters"),
    [
        ({"first": "2025", "last": 2024, "venue": "Harbour"}, Filters((2024, 2025), ("Harbour",))),
        ({"first": "1999", "venue": "Elsewhere"}, Filters()),
        ({"first": None, "last": "x", "venue": ["Harbour"]}, Filters()),
        ({}, Filters()),
    ],
)
def test_filters_are_what_the_library_holds(values: dict[str, object], filters: Filters) -> None:
    assert filters_of(values, HELD) == filters


def test_the_side_bar_says_who_writes_and_how_that_goes() -> None:
    assert writer("ollama:qwen3:4b") == "qwen3:4b"
    assert sidebar(Conversation(), HELD)["writer"] == {
        "name": "tiny:1b",
        "state": ["ready", "Each sentence is checked"],
    }
    assert sidebar(after("notice it"), HELD)["writer"] == {
        "name": "tiny:1b",
        "state": ["off", "Did not finish the last answer"],
    }
    assert sidebar(Conversation(), Holdings(None, 0, {}))["writer"] is None


@pytest.mark.parametrize(
    ("paper", "name"),
    [
        (TIDE, "TideNet"),
        (SALT, "SaltMarsh"),
        (Paper("p", title="Attention Is All You Need"), None),
        (Paper("p", title="Towards: a study"), None),
        (Paper("p", title="GPT-4: A Report"), "GPT-4"),
        (Paper("p", title="A long phrase before: the colon"), None),
        (Paper("p"), None),
    ],
)
def test_short_names(paper: Paper, name: str | None) -> None:
    assert short_name(paper) == name


def test_examples_are_about_papers_that_are_there() -> None:
    groups = dict(examples(PAPERS))
    assert groups["Find out"][:2] == ["What is SaltMarsh?", "What is ReefCast?"]
    assert examples([]) == []


def test_a_missing_library_is_looked_for_again() -> None:
    openers: list[Answerer | Exception] = [
        LibraryMissing("none"),
        LibraryDamaged("Broken; run `askpapers library rebuild`."),
        Scripted(),
    ]

    def opener() -> Answerer:
        found = openers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    desk = Desk(opener)
    missing, damaged, opened = holdings(desk), holdings(desk), holdings(desk)
    assert missing.greeting["command"] == "askpapers ingest my-papers/"
    assert damaged.greeting["command"] == "askpapers library rebuild"
    assert damaged.greeting["text"] == "Broken; run askpapers library rebuild."
    assert (opened.papers, opened.mode) == (3, "ollama:tiny:1b")
    assert desk.assistant() is desk.assistant()


def test_an_empty_library_shows_how_to_fill_it() -> None:
    held = holdings(Desk(lambda: Scripted(papers=())))
    assert (held.papers, held.greeting["command"]) == (0, "askpapers ingest my-papers/")
    assert thread(Conversation(), held)["open"] is False
