import pytest

from assistant.routing import entities, identifiers, is_about_one, standalone, topic
from assistant.schema import Turn


def test_identifiers_become_paper_ids() -> None:
    text = "See https://doi.org/10.1038/NATURE14236, arXiv:1706.03762 and openreview.net/forum?id=Sy2fzU9gl."
    assert identifiers(text) == ["doi:10.1038/nature14236", "arxiv:1706.03762", "openreview:Sy2fzU9gl"]


@pytest.mark.parametrize(
    ("question", "two"),
    [
        ("Compare DPR and ColBERT: how do they match?", ("DPR", "ColBERT")),
        (
            "What is the difference between dropout and batch normalization?",
            ("dropout", "batch normalization"),
        ),
        ("How does Adam differ from plain SGD?", ("Adam", "plain SGD")),
        ("LoRA vs. full fine-tuning", ("LoRA", "full fine-tuning")),
        ("How do BERT and FlashAttention differ?", ("BERT", "FlashAttention")),
        ("Compare how LoRA and adapters use memory.", ("LoRA", "adapters")),
        ("What is dropout?", ()),
    ],
)
def test_entities_of_a_comparison(question: str, two: tuple[str, ...]) -> None:
    assert entities(question) == two


def test_topic_is_the_question_without_its_instructions() -> None:
    assert "dropout" in topic("Give me a short summary of the papers on dropout.")
    assert "summary" not in topic("Give me a short summary of the papers on dropout.")
    assert "weather" in topic("What weather-related papers are there and what does each find?")


def test_one_paper_or_several() -> None:
    assert is_about_one("Summarise the AlphaFold paper in two sentences.")
    assert not is_about_one("Summarise the papers on dropout.")


HISTORY = (
    Turn("What is Reformer?", "Reformer makes attention cheaper [1].", ("arxiv:1",)),
    Turn(
        "Which papers study graphs?",
        "GCN convolves on graphs [1]. GAT adds attention. [2]",
        ("arxiv:2", "arxiv:3"),
    ),
)


def test_a_pronoun_gets_the_name_that_was_asked_about() -> None:
    turn = Turn("What is FlashAttention?", "It tiles the computation [1].", ("arxiv:9",))
    found = standalone("How fast is it?", (turn,))
    assert found.question == "How fast is it (FlashAttention)?"
    assert found.papers == ("arxiv:9",)


def test_an_ordinal_points_into_the_last_answer() -> None:
    found = standalone("How well does the second one do?", HISTORY)
    assert "GAT" in found.question
    assert found.papers == ("arxiv:3",)


def test_an_ordinal_looks_further_back_when_the_last_answer_has_one_paper() -> None:
    turns = (HISTORY[0], Turn("And what about GCN?", "GCN convolves on graphs [1].", ("arxiv:2",)))
    assert standalone("Is the code of the first one public?", turns).papers == ("arxiv:1",)


@pytest.mark.parametrize(
    "question",
    [
        "Something else: what augmentation does U-Net rely on?",
        "Which optimizer did the AlphaGo authors choose overall?",
    ],
)
def test_a_new_topic_stays_as_it_is(question: str) -> None:
    assert standalone(question, HISTORY).question == question


def test_a_first_question_stays_as_it_is() -> None:
    assert standalone("How fast is it?", ()).question == "How fast is it?"
