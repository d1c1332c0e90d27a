import pytest

from assistant.routing import aspect, clauses, entities, identifiers, is_about_one, topic


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


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What has been done on owl counting so far?", "owl counting"),
        ("What is known about the sleep of bees?", "the sleep of bees"),
        ("Which approaches deal with wind noise, and how do they work?", "wind noise"),
        ("Summarize what the papers about tides contribute.", "tides"),
        ("What does the literature say about glaciers?", "glaciers"),
    ],
)
def test_a_question_for_all_that_is_known_is_about_its_topic(question: str, about: str) -> None:
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "respect"),
    [
        ("Compare DPR and ColBERT.", False),
        ("What is the main difference between DPR and ColBERT?", False),
        ("How do DPR and ColBERT compare?", False),
        ("Compare DPR and ColBERT in terms of memory.", True),
        ("Compare how DPR and ColBERT train on questions.", True),
    ],
)
def test_in_which_respect_a_comparison_compares(question: str, respect: bool) -> None:
    assert bool(aspect(question)) is respect


def test_a_question_may_consist_of_several() -> None:
    assert clauses("What is DPR, and on which data is ColBERT tested?") == [
        "What is DPR",
        "on which data is ColBERT tested?",
    ]
    assert clauses("How do bees and birds fly?") == ["How do bees and birds fly?"]
