import pytest

from assistant.routing import entities, identifiers, is_about_one, kind_of, standalone, topic
from assistant.schema import Kind, Turn


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How does LoRA reduce memory?", "content"),
        ("How often is it wrong, compared with GPT-3?", "content"),
        ("How can methods be compared when labels are missing?", "content"),
        ("Summarise the papers on dropout.", "summary"),
        ("What is new in graph learning?", "summary"),
        ("Give me a short overview of diffusion models", "summary"),
        ("Compare DPR and ColBERT.", "compare"),
        ("What is the difference between VAEs and GANs?", "compare"),
        ("LoRA vs. full fine-tuning", "compare"),
        ("How do BERT and FlashAttention differ?", "compare"),
        ("Which papers are about games?", "list"),
        ("List all papers by Vaswani", "list"),
        ("How many papers are about vision?", "count"),
        ("What does arXiv:1706.03762 propose?", "lookup"),
        ("10.1038/nature14236", "lookup"),
        ("Hello!", "smalltalk"),
        ("thank you", "smalltalk"),
        ("How many papers are there?", "count"),
        ("how many papers does the library hold", "count"),
        ("How many ICML 2026 papers are here?", "count"),
        ("How many papers study graph neural networks?", "count"),
        ("How many papers did Jane Doe write in 2025 or later?", "count"),
        ("Count the papers on diffusion.", "count"),
        ("What is the number of papers from 2024?", "count"),
        ("how many have no abstract", "count"),
        ("How many of them are from 2024?", "count"),
        ("And how many of those use attention?", "count"),
        ("How many are from NeurIPS?", "count"),
        ("How many recent peer-reviewed articles deal with bees?", "count"),
        ("Please count all papers by Ann Lee", "count"),
        ("How many papers have more than five authors?", "count"),
        ("How many publications compare LoRA and adapters?", "count"),
        ("How many abstracts mention dropout?", "count"),
        ("How many studies are about sleep?", "count"),
        ("Which papers are about spiking neural networks?", "list"),
        ("Papers by Li Wei", "list"),
        ("papers from 2019", "list"),
        ("Which papers compare transformers and RNNs?", "list"),
        ("Which papers study the difference between humans and models?", "list"),
        ("What papers do you have on bees?", "list"),
        ("Show me the articles from Nature since 2020", "list"),
        ("What did Kingma write about variational inference?", "list"),
        ("What has Ann Lee published?", "list"),
        ("Find papers that use Gaussian processes", "list"),
        ("single-author papers", "list"),
        ("ICML papers without an abstract", "list"),
        ("What is the latest paper?", "list"),
        ("Are there any papers on beekeeping?", "list"),
        ("Do you have anything about tides?", "list"),
        ("Which works study attention?", "list"),
        ("Which papers give an overview of transformers?", "list"),
        ("Give me all papers of Poster Session 3", "list"),
        ("Name three papers about vision", "list"),
        ("Which papers work with EEG, MEG or LFP recordings?", "list"),
        ("Please compare BERT with GPT", "compare"),
        ("Adam vs. SGD", "compare"),
        ("How do GCN and GAT differ?", "compare"),
        ("Contrast the two papers on sleep", "compare"),
        ("Compare the papers on dropout and batch normalization", "compare"),
        ("Compare arXiv:1706.03762 and arXiv:1810.04805", "compare"),
        ("Give me a cited summary of the papers on brain graphs.", "summary"),
        ("TL;DR of the work on bees", "summary"),
        ("Give an overview of the papers on training deep networks", "summary"),
        ("Sum up what is known about tides", "summary"),
        ("Tell me about diffusion models", "summary"),
        ("What is the state of the art in parsing?", "summary"),
        ("Summarise https://arxiv.org/abs/1706.03762", "lookup"),
        ("What is openreview.net/forum?id=Sy2fzU9gl about?", "lookup"),
        ("Who wrote doi:10.1038/nature14236?", "lookup"),
        ("How many layers does ResNet have?", "content"),
        ("How many experiments over how many models were run in the study?", "content"),
        ("How many papers does the survey by Li Wei review?", "content"),
        ("How many papers did the authors annotate?", "content"),
        ("How many articles were used for pre-training?", "content"),
        ("How many case studies does WaggleNet report?", "content"),
        ("How many papers were reviewed by the survey?", "content"),
        ("Which paper proposes a method for detecting exoplanets?", "content"),
        ("Which paper introduces dropout?", "content"),
        ("Which method works best for tides?", "content"),
        ("Which optimizer works without tuning?", "content"),
        ("Which model studies its own errors?", "content"),
        ("What papers does the survey cite?", "content"),
        ("Why do storms break forecasts?", "content"),
        ("Is attention all you need?", "content"),
        ("How many participants took part?", "content"),
        ("What did the authors write about limitations?", "content"),
        ("How many works of art are in the data set?", "content"),
        ("Do the papers agree on dropout?", "content"),
        ("Thanks to which trick does Adam converge?", "content"),
        ("Help me understand dropout", "content"),
        ("Great tits: how do they sing?", "content"),
        ("hi 👋", "smalltalk"),
        ("Thanks a lot!!! 🙏", "smalltalk"),
        ("Hi there, how are you today?", "smalltalk"),
        ("What can you do?", "smalltalk"),
        ("Who are you?", "smalltalk"),
        ("Good morning, askpapers.", "smalltalk"),
        ("ok, thanks", "smalltalk"),
        ("Bonjour !", "smalltalk"),
        ("¡Hola!", "smalltalk"),
        ("Guten Tag", "smalltalk"),
        ("Danke schön!", "smalltalk"),
        ("你好", "smalltalk"),
        ("ありがとう", "smalltalk"),
        ("안녕하세요", "smalltalk"),
        ("Спасибо!", "smalltalk"),
        ("Merci beaucoup :)", "smalltalk"),
        ("help", "smalltalk"),
        ("HELLO???", "smalltalk"),
        ("bye bye", "smalltalk"),
        ("Olá", "smalltalk"),
        ("Hello world programs: who wrote them?", "content"),
    ],
)
def test_kinds(question: str, kind: Kind) -> None:
    assert kind_of(question) == kind


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
