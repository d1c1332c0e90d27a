import pytest

from assistant.referents import Referent, conversation, exchange, mentioned, subject
from assistant.schema import Turn

TITLES = {"gcn": "“Semi-Supervised Classification with Graph Convolutional Networks”", "sage": "GraphSAGE"}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is GlideForm?", "GlideForm"),
        ("How does Aurora scale?", "Aurora"),
        ("What BLEU does the Transformer get when translating into German?", "the Transformer"),
        ("What happens to deep networks, according to the ResNet paper?", "the ResNet"),
        ("What is AlphaFold's trunk called?", "AlphaFold"),
        ("What is the carousel in LSTM?", "LSTM"),
        ("How were the demonstrations for InstructGPT collected?", "InstructGPT"),
        ("What is cognitive fatigue in language models?", "cognitive fatigue"),
        ("What is a winning ticket?", "the winning ticket"),
        ("Tell me about dropout.", "dropout"),
        ("How does dropout prevent overfitting?", "dropout"),
        ("How accurate is the graph convolutional network on Cora?", "the graph convolutional network"),
        ("Why?", ""),
    ],
)
def test_the_subject_of_a_question(question: str, named: str) -> None:
    assert subject(question) == named


def test_a_plain_subject_is_as_long_as_the_answer_says_it() -> None:
    assert subject("Can image classifiers be learned?", "Image classifiers can.") == "image classifiers"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("GCN convolves [1]. GAT attends. [2] GAT is newer [2].", [("GCN", "a"), ("GAT", "b")]),
        ("[1] DPR trains two BERT encoders. [2] RAG adds a memory.", [("DPR", "a"), ("RAG", "b")]),
        ("1. GraphSAGE samples [1].\n2. GAT attends [2].", [("GraphSAGE", "a"), ("GAT", "b")]),
        ("Another paper studies scaling laws of weather [2].", [("the paper on scaling laws of weather", "b")]),
        ("GANs compete. DDPM removes noise.", [("GANs", None), ("DDPM", None)]),
        ("- Random forests: many trees\n- Boosting: one after another", [("Random forests", None), ("Boosting", None)]),
        ("Nothing in this library answers that.", []),
        ("", []),
    ],
)
def test_what_an_answer_mentions(answer: str, expected: list[tuple[str, str | None]]) -> None:
    found = mentioned(Turn("Which?", answer, ("a", "b")), {})
    assert [(referent.name, referent.paper) for referent in found] == expected


def test_papers_go_by_their_own_names_or_titles() -> None:
    turn = Turn("Which papers study graphs?", "Nodes get labels by BERT [1]. Nodes get vectors [2].", ("gcn", "sage"))
    assert [referent.name for referent in mentioned(turn, TITLES)] == [TITLES["gcn"], "GraphSAGE"]


def test_which_asks_for_what_the_answer_mentions() -> None:
    turn = Turn("Which optimiser combines AdaGrad with RMSProp?", "It combines AdaGrad with RMSProp [1].", ("adam",))
    assert exchange(turn.question, turn, {"adam": "Adam"}).focus == (Referent("Adam", "adam"),)


def test_a_conversation_names_each_paper_once() -> None:
    turns = [
        Turn("What is DPR?", "DPR searches [1].", ("dpr",)),
        Turn("Is it fast?", "Its search is fast [1].", ("dpr",)),
    ]
    said = conversation(exchange(turn.question, turn, {}) for turn in turns)
    assert [referent.paper for referent in said] == ["dpr"]
