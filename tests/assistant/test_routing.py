import pytest

from assistant.routing import entities, identifiers, is_about_one, topic


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
