import pytest

from assistant.schema import Paper
from assistant.several import Asked, Bearers, asked_of_each, introduces

HELD = {"WaggleNet", "TIDE-BENCH", "Quiet Owls"}
NAMES = (*HELD, "ZebraNet", "MNIST")
BEARERS = Bearers(lambda name: name in HELD, lambda name: name == "ZebraNet")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "What are WaggleNet and TIDE-BENCH?",
            [("WaggleNet", "What is WaggleNet?"), ("TIDE-BENCH", "What is TIDE-BENCH?")],
        ),
        (
            "Where can the code of WaggleNet, TIDE-BENCH and Quiet Owls be found?",
            [
                ("WaggleNet", "Where can the code of WaggleNet be found?"),
                ("TIDE-BENCH", "Where can the code of TIDE-BENCH be found?"),
                ("Quiet Owls", "Where can the code of Quiet Owls be found?"),
            ],
        ),
        (
            "What does WaggleNet read, and how old are the records of TIDE-BENCH?",
            [
                ("WaggleNet", "What does WaggleNet read"),
                ("TIDE-BENCH", "how old are the records of TIDE-BENCH?"),
            ],
        ),
        (
            "On what kind of data are both Quiet Owls and WaggleNet evaluated?",
            [
                ("Quiet Owls", "On what kind of data is Quiet Owls evaluated?"),
                ("WaggleNet", "On what kind of data is WaggleNet evaluated?"),
            ],
        ),
    ],
)
def test_what_is_asked_of_each_of_several_papers(question: str, asked: list[tuple[str, str]]) -> None:
    assert asked_of_each(question, NAMES, BEARERS) == ([Asked(*part) for part in asked], [])


@pytest.mark.parametrize(
    "question",
    [
        "What is WaggleNet and how does it work?",
        "Is WaggleNet better than TIDE-BENCH and Quiet Owls?",
        "How does WaggleNet do on MNIST and on TIDE-BENCH?",
        "How accurate is it on WaggleNet and TIDE-BENCH?",
        "What do WaggleNet and MNIST hold?",
        "What are bees and tides?",
    ],
)
def test_questions_that_do_not_ask_the_same_of_several_papers(question: str) -> None:
    assert asked_of_each(question, NAMES, BEARERS) == ([], [])


def test_a_name_that_no_paper_holds_is_told_from_the_papers_beside_it() -> None:
    asked, missing = asked_of_each("What are WaggleNet and ZebraNet?", NAMES, BEARERS)
    assert [part.name for part in asked] == ["WaggleNet"]
    assert missing == ["ZebraNet"]


@pytest.mark.parametrize(
    ("name", "is_its_own"),
    [("OwlNet", True), ("LNA", True), ("Owls by Ear", True), ("MNIST", False), ("ZebraNet", False)],
)
def test_what_a_paper_introduces(name: str, is_its_own: bool) -> None:
    abstract = "We present OwlNet, a network for forests. Its late night attention (LNA) hears more than MNIST shows."
    assert introduces(Paper("text:1", title="Counting Owls by Ear", abstract=abstract), name) is is_its_own
