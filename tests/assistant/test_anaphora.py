import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.anaphora import find, novelty, which_one


@pytest.mark.parametrize(
    ("question", "words", "reference"),
    [
        ("Which data sources does it integrate?", "it", "one"),
        ("What are its limits?", "its", "one"),
        ("What is the size of its vocabulary?", "its", "one"),
        ("Which classes of models were tested for it?", "it", "one"),
        ("Compared with BERT, is it faster?", "it", "one"),
        ("What do they conclude?", "they", "one"),
        ("How many tokens is that?", "that", "asked"),
        ("Why does this work?", "this", "asked"),
        ("What tricks make this stable?", "this", "asked"),
        ("What does the second one assume?", "the second one", "ordinal"),
        ("Is the code of the first paper public?", "the first paper", "ordinal"),
        ("How does the latter choose negatives?", "the latter", "ordinal"),
        ("What do the authors of the first one prove?", "the first one", "ordinal"),
        ("How many lines does the second paper comprise?", "the second paper", "ordinal"),
        ("Does the first method identify owls?", "the first method", "ordinal"),
        ("And the other?", "the other", "other"),
        ("What does the other one integrate?", "the other one", "other"),
        ("Summarise both.", "both", "several"),
        ("Which of them uses attention?", "them", "several"),
        ("What does the method cost?", "the method", "one"),
        ("What does this model beat?", "this model", "one"),
        ("Is the code public?", "", "one"),
        ("How many steps does it take to generate an image?", "it take", "aside"),
    ],
)
def test_what_refers_back(question: str, words: str, reference: str) -> None:
    found = find(question)
    assert found is not None
    assert (question[found.start : found.end], found.reference) == (words, reference)


@pytest.mark.parametrize(
    "question",
    [
        "Who was the first one to hear owls?",
        "What is the first one-step sampler?",
        "What does the second stage of training do?",
        "How does LoRA keep its inference fast?",
        "When DPR ranks passages, what does it compare them with?",
        "What is LoRA and how does it work?",
        "How does a node choose its neighbours?",
        "How does dropout affect the network?",
        "Which optimiser keeps averages of the gradient and of its square?",
        "What is the first-order condition?",
        "Which layer is the second hidden layer?",
        "Do BERT and GPT share both of the objectives and the data?",
        "Is it possible to learn without labels?",
        "Knee strength and balance: are they related in Parkinson's disease?",
        "Traditional reviews are biased in their interpretations.",
        "Which papers report that transformers overfit?",
        "What do the authors of AlphaGo claim?",
    ],
)
def test_what_stands_by_itself(question: str) -> None:
    assert find(question) is None


def test_which_one_chooses() -> None:
    assert which_one("Which one is faster?") is not None
    assert which_one("Which optimiser is faster?") is None


def test_novelty_counts_what_is_neither_an_attribute_nor_known() -> None:
    assert novelty("How many layers are there?") == 0
    assert novelty("What is the capital of Australia?") == 2
    assert novelty("Which graphs?", "graphs and nodes") == 0


@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    found = find(text)
    assert found is None or 0 <= found.start <= found.end <= len(text)
