from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.cross_encoder import CrossEncoder
from assistant.errors import SettingsError
from assistant.library import Library
from assistant.schema import Paper, Removed, Sentence
from assistant.selection import passages
from assistant.settings import Settings
from assistant.support import Verifier
from tests.conftest import run_python
from tests.ollama_server import OllamaServer
from ui.session import open_assistant

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] soup is cold warm a the of bowls and tomato".split()
PAPER = Paper("text:1", title="Gazpacho", abstract="Gazpacho is a cold model of tomato soup. It is served in bowls.")
TOLD = "Gazpacho is a cold tomato soup model."

Build = Callable[..., Path]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Makes the folder of a tiny model with these labels; what its outputs are beside the text is `bias`."""

    def build_(labels: Sequence[str], bias: Sequence[float], weight: float = 0.0) -> Path:
        import torch
        from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

        folder = tmp_path / "judge"
        (tmp_path / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
        config = BertConfig(
            vocab_size=len(WORDS),
            hidden_size=32,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=48,
            initializer_range=1.0,
            id2label=dict(enumerate(labels)),
            label2id={label: i for i, label in enumerate(labels)},
        )
        torch.manual_seed(0)
        model = BertForSequenceClassification(config)
        with torch.no_grad():
            model.classifier.weight.mul_(weight)
            model.classifier.bias.copy_(torch.tensor(bias))
        model.save_pretrained(folder)
        BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(folder)
        return folder

    return build_


@pytest.mark.parametrize(
    ("labels", "bias", "log_odds", "contradicts"),
    [
        (("entailment", "neutral", "contradiction"), (4.0, 0.0, 0.0), 4 - np.log(2), False),
        (("CONTRADICTION", "Neutral", "ENTAILMENT"), (0.0, 0.0, 4.0), 4 - np.log(2), False),
        (("Contradiction", "entailment", "neutral"), (4.0, 0.0, 0.0), -np.log(np.exp(4) + 1), True),
        (("contradiction", "entailment", "neutral"), (0.6, 0.0, 0.5), -np.log(np.exp(0.6) + np.exp(0.5)), False),
        (("not_entailment", "entailment"), (3.0, 0.0), -3.0, False),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), (0.0, 4.0, 0.0), -np.log(np.exp(4) + 1), True),
        (("LABEL_0",), (2.5,), 2.5, False),
    ],
)
def test_what_the_outputs_mean_is_told_by_the_labels(
    build: Build, labels: Sequence[str], bias: Sequence[float], log_odds: float, contradicts: bool
) -> None:
    opinions = CrossEncoder(str(build(labels, bias)), "cpu").judge(
        "The soup is cold.", ["Cold.", "Soup is warm. " * 50]
    )
    assert [opinion.contradicts for opinion in opinions] == [contradicts] * 2
    assert [opinion.log_odds for opinion in opinions] == pytest.approx([log_odds] * 2, abs=1e-4)


def test_the_premise_comes_first_and_an_activation_is_left_out(build: Build) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = build(("supported",), (0.0,), weight=1.0)
    judge, premise, hypothesis = CrossEncoder(str(folder), "cpu"), "The soup is cold.", "Tomato and bowls"
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        logit = float(model(**tokenizer(premise, hypothesis, return_tensors="pt")).logits)
    assert judge.judge(premise, [hypothesis])[0].log_odds == pytest.approx(logit, abs=1e-2)
    assert judge.judge(hypothesis, [premise])[0].log_odds != pytest.approx(logit, abs=1e-1)
    assert judge.judge(premise, []) == []


@pytest.mark.parametrize("name", ["nobody/has-this", "has-this-not", "no such/model at/all"])
def test_a_model_that_is_not_here_is_said_at_once(name: str) -> None:
    with pytest.raises(SettingsError, match=f"^The setting ASKPAPERS_CROSS_ENCODER names {name}, .*hf download"):
        CrossEncoder(name)


def test_a_model_that_cannot_serve_is_said(build: Build, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    empty = CrossEncoder(str(tmp_path / "empty"), "cpu")
    with pytest.raises(SettingsError, match=r"ASKPAPERS_CROSS_ENCODER names empty, which cannot be loaded"):
        empty.judge("a", ["b"])
    untold = CrossEncoder(str(build(("spam", "ham"), (0.0, 0.0))), "cpu")
    with pytest.raises(SettingsError, match=r"judge, which has the labels spam, ham, of which none"):
        untold.judge("a", ["b"])


def verify(library: Library, needed: float, judge: CrossEncoder | None, text: str = TOLD) -> Sentence | Removed:
    texts = passages(1, PAPER)
    vectors = library.encoder.encode_documents([p.text for p in texts])
    return Verifier(library, {1: PAPER}, texts, vectors, needed, judge).verify(text)


def odds(library: Library) -> float:
    """What the sentence gets without a cross-encoder."""
    texts = passages(1, PAPER)
    vectors = library.encoder.encode_documents([p.text for p in texts])
    return Verifier(library, {1: PAPER}, texts, vectors, 0.0).findings(TOLD)[0].log_odds


LABELS = ("neutral", "entailment", "contradiction")


def test_a_sentence_that_would_stand_is_removed_as_contradicted(library: Library, build: Build) -> None:
    needed = odds(library) - 9
    assert isinstance(verify(library, needed, None), Sentence)
    found = verify(library, needed, CrossEncoder(str(build(LABELS, (0.0, 0.0, 5.0))), "cpu"))
    assert isinstance(found, Removed)
    assert "judge reads the contrary" in found.why


def test_entailment_saves_a_sentence_that_would_narrowly_fail_and_no_other(library: Library, build: Build) -> None:
    judge = CrossEncoder(str(build(LABELS, (0.0, 20.0, 0.0))), "cpu")
    missed = odds(library) + 2.5
    assert isinstance(verify(library, missed, None), Removed)
    found = verify(library, missed, judge)
    assert isinstance(found, Sentence)
    assert found.citations == (1,)
    assert isinstance(verify(library, odds(library) + 3.5, judge), Removed)
    assert isinstance(verify(library, missed, judge, "Gazpacho is not a cold tomato soup model."), Removed)


def test_doubt_of_it_removes_a_sentence_that_would_narrowly_stand(library: Library, build: Build) -> None:
    judge = CrossEncoder(str(build(("hallucination check",), (-20.0,))), "cpu")
    assert isinstance(verify(library, odds(library) - 2.5, judge), Removed)
    assert isinstance(verify(library, odds(library) - 3.5, judge), Sentence)


def test_it_is_loaded_once_and_not_before_it_can_change_something(library: Library, build: Build) -> None:
    judge = CrossEncoder(str(build(LABELS, (0.0, 5.0, 0.0))), "cpu")
    verify(library, odds(library) + 9, judge)
    verify(library, 0.0, judge, "It is served in bowls.")
    assert "_model" not in vars(judge)
    verify(library, odds(library), judge)
    loaded = judge._model
    verify(library, odds(library), judge)
    assert judge._model is loaded


def test_it_has_its_say_in_an_answer(library: Library, build: Build) -> None:
    question, written = "How many flower patches does WaggleNet find?", "WaggleNet finds 93% of all the flower patches."
    judge = CrossEncoder(str(build(LABELS, (0.0, 0.0, 5.0))), "cpu")
    with OllamaServer(script=written) as server:
        model = choose("auto", ChatModelSettings(server.url))
        without = Assistant(library, model).ask(question)
        answer = Assistant(library, model, judge).ask(question)
    assert written in without.text
    assert [removed.text for removed in answer.removed] == [written]
    assert answer.composed == "quotations"


def test_the_setting_opens_it_and_without_it_nothing_is_loaded(library: Library, build: Build, tmp_path: Path) -> None:
    chosen = Settings.load().model_copy(update={"library": tmp_path / "library", "llm": "none", "cross_encoder": None})
    with open_assistant(chosen) as assistant:
        assert assistant.cross_encoder is None
    named = chosen.model_copy(update={"cross_encoder": str(build(LABELS, (0.0, 0.0, 0.0)))})
    with open_assistant(named) as assistant:
        assert assistant.cross_encoder is not None
        assert assistant.cross_encoder.name == "judge"
    missing = chosen.model_copy(update={"cross_encoder": "nobody/has-this"})
    with pytest.raises(SettingsError), open_assistant(missing):
        pass


def test_importing_it_loads_nothing() -> None:
    code = "import sys, assistant.chain; print(any(m in sys.modules for m in ('torch', 'sentence_transformers')))"
    assert run_python(code).strip() == "False"
