import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.followup import standalone
from assistant.schema import Turn

LORA = Turn("What is LoRA?", "LoRA leaves the weights frozen [1].", ("lora",))
TWO = Turn("Which papers explain predictions?", "LIME fits a line [1]. SHAP shares the credit [2].", ("lime", "shap"))
TWO_STOPPED = Turn("What are LIME and SHAP?", "We fit LIME to a line. [1] We share the credit. [2]", ("lime", "shap"))
MEG = Turn("What context length does EAR-XL read?", "It uses 4 hours [1].", ("meg",))


def asked(question: str, *history: Turn) -> str:
    return standalone(question, history).question


@pytest.mark.parametrize(
    ("question", "history", "expected"),
    [
        ("Is it fast?", (LORA,), "Is LoRA fast?"),
        ("And what are its limits?", (LORA,), "What are LoRA's limits?"),
        ("What do they conclude?", (LORA,), "What does LoRA conclude?"),
        ("Can I download the code?", (LORA,), "Can I download the code of LoRA?"),
        ("How many layers are there?", (LORA,), "How many layers are there in LoRA?"),
        ("What about Reformer?", (LORA,), "What is Reformer?"),
        ("And its speed?", (LORA,), "What about LoRA's speed?"),
        ("Compare it with adapters.", (LORA,), "Compare LoRA with adapters."),
        ("How many tokens is that?", (MEG,), "How many tokens is the context length of EAR-XL?"),
        ("How long does it take to train?", (LORA,), "How long does it take to train (LoRA)?"),
        ("What does the second one assume?", (TWO,), "What does SHAP assume?"),
        ("How does the second one identify owls?", (TWO,), "How does SHAP identify owls?"),
        ("What do the authors of the first one prove?", (TWO_STOPPED,), "What do the authors of LIME prove?"),
        ("And the second?", (LORA, TWO), "Tell me about SHAP."),
        ("Summarise both.", (TWO,), "Summarise LIME and SHAP."),
        ("How do they differ?", (TWO,), "How do LIME and SHAP differ?"),
        ("Which of them is faster?", (TWO,), "Which of LIME and SHAP is faster?"),
        ("Which one is faster?", (TWO,), "Which one of LIME and SHAP is faster?"),
        ("Is the first one public?", (LORA, Turn("And DPR?", "DPR searches [1].", ("dpr",))), "Is LoRA public?"),
        ("Go back to the first paper: is it fast?", (LORA, TWO), "Is LoRA fast?"),
        ("Tell me more", (LORA,), "Tell me more about LoRA."),
        (
            "Does the other one need labels?",
            (TWO, Turn("What is SHAP?", "SHAP [1].", ("shap",))),
            "Does LIME need labels?",
        ),
    ],
)
def test_what_is_meant_takes_the_place_of_what_refers(question: str, history: tuple[Turn, ...], expected: str) -> None:
    assert asked(question, *history) == expected


@pytest.mark.parametrize(
    ("question", "earlier", "expected"),
    [
        ("By how much?", "Does DPR beat BM25?", "By how much does DPR beat BM25?"),
        ("Why?", "Does DPR beat BM25?", "Why does DPR beat BM25?"),
        ("Why is that?", "How well does ViT do?", "How well does ViT do, and why?"),
        ("On how many GPUs?", "How was CLIP trained?", "How was CLIP trained, and on how many GPUs?"),
        ("And on MNIST?", "What error does ResNet have on CIFAR-10?", "What error does ResNet have on MNIST?"),
        ("And for images?", "How fast is ViT?", "How fast is ViT for images?"),
        ("WindNet?", "How does Aurora scale?", "How does WindNet scale?"),
        ("What about WindNet?", "How does Aurora scale?", "How does WindNet scale?"),
    ],
)
def test_a_fragment_is_completed_by_the_question_before_it(question: str, earlier: str, expected: str) -> None:
    assert asked(question, Turn(earlier, "As the paper says [1].", ("a",))) == expected


def test_a_name_that_no_paper_goes_by_takes_the_place_of_its_like() -> None:
    turn = Turn("What accuracy does ViT get on ImageNet?", "88.55% [1].", ("vit",))
    found = standalone("How about CIFAR-100?", [turn], is_paper=lambda name: name == "ViT")
    assert found.question == "What accuracy does ViT get on CIFAR-100?"
    assert found.papers == ("vit",)


@pytest.mark.parametrize(
    ("offer", "expected"),
    [
        ("Shall I compare it with DPR?", "Compare LoRA with DPR."),
        ("Would you like me to list its limits?", "List LoRA's limits."),
        ("Do you want to know which rank suffices?", "Tell me which rank suffices."),
    ],
)
def test_yes_accepts_what_was_offered(offer: str, expected: str) -> None:
    turn = Turn("What is LoRA?", f"LoRA leaves the weights frozen [1]. {offer}", ("lora",))
    assert asked("Yes, please!", turn) == expected


def test_pronouns_resolve_through_earlier_follow_ups() -> None:
    history = (
        LORA,
        Turn("How large is it?", "It is small [1].", ("lora",)),
        Turn("Why?", "It has rank 1 [1].", ("lora",)),
    )
    assert asked("Who uses it?", *history) == "Who uses LoRA?"


def test_papers_that_a_follow_up_refers_to_are_named() -> None:
    assert standalone("Is it fast?", [LORA]).papers == ("lora",)
    assert standalone("Compare them.", [LORA, TWO]).papers == ("lime", "shap")
    assert standalone("What about DPR?", [LORA]).papers == ()


def test_titles_name_what_an_answer_leaves_nameless() -> None:
    turn = Turn("Do diffusion models help?", "Noise is removed step by step [1].", ("ddpm",))
    titles = {"ddpm": "“Denoising Diffusion”"}
    assert standalone("Who wrote it?", [turn], titles).question == "Who wrote “Denoising Diffusion”?"


@pytest.mark.parametrize(
    "question",
    [
        "Something else: what augmentation does U-Net rely on?",
        "Now a different question: how does it rain?",
        "Which optimizer did the AlphaGo authors choose overall?",
        "What is the capital of Australia?",
        "How does GraphSAGE choose its neighbours?",
        "And how does GraphSAGE sample neighbours?",
        "Which papers are about graphs?",
        "How many papers are there?",
        "Which methods help graph networks when labels are missing?",
    ],
)
def test_what_needs_no_history_stays_as_it_is(question: str) -> None:
    found = standalone(question, [LORA, TWO])
    assert (found.question, found.papers, found.depends) == (question, (), False)


def test_what_nothing_can_be_found_for_is_unresolved() -> None:
    found = standalone("Is it fast?", [Turn("Why?", "Nobody knows.")])
    assert found.depends
    assert not found.resolved
    assert "fast" in found.question


_WORDS = st.sampled_from(
    "it its they them this that the second first one other method paper both why how what which and or about LoRA BERT"
    " [1] [2] . ? , : does is of compare yes more go on back to in Adam’s “x” ( ) 中文".split()
)
_TEXTS = st.one_of(st.text(max_size=60), st.lists(_WORDS, max_size=12).map(" ".join))
_PAPERS = st.lists(st.sampled_from(["a", "b", ""]), max_size=3).map(tuple)
_HISTORIES = st.lists(st.builds(Turn, _TEXTS, _TEXTS, _PAPERS), max_size=4)


@given(_TEXTS, _HISTORIES)
def test_any_question_in_any_conversation(question: str, history: list[Turn]) -> None:
    found = standalone(question, history, {"a": "LoRA", "b": "“A Long Title”"})
    assert bool(found.question.strip()) == bool(question.strip())
    assert found.depends or (found.question, found.papers) == (question, ())
    assert set(found.papers) <= {paper for turn in history for paper in turn.papers}


@given(_TEXTS)
def test_a_first_question_stays_as_it_is(question: str) -> None:
    assert standalone(question, ()).question == question
