import pytest

from assistant.heartbeat import returned
from assistant.translation import Translator, keeps
from tests.assistant.test_rewriting import model_of
from tests.ollama_server import OllamaServer

QUESTION = "Wie viele Stationen liest TideScope in 24 Stunden?"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "How many stations does TideScope read in 24 hours?",
            "How many stations does TideScope read in 24 hours?",
        ),
        ("How many stations does TideScope read in 42 hours?", None),
        ("How many stations does the storm insight read in 24 hours?", None),
        ("Wie viele Stationen liest TideScope in 24 Stunden?", None),
        ("", None),
    ],
)
def test_a_question_keeps_its_names_and_figures(written: str, expected: str | None) -> None:
    with OllamaServer(script=written) as server:
        assert returned(Translator(model_of(server), "German").question(QUESTION)) == expected


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("WaggleNet findet 93 % der Blumenwiesen mit 1.200 Bildern und einem Fehler von 0,5.", True),
        ("WaggleNet findet 39 % der Blumenwiesen mit 1.200 Bildern und einem Fehler von 0,5.", False),
        ("Das Netz findet 93 % der Blumenwiesen mit 1.200 Bildern und einem Fehler von 0,5.", False),
        ("WaggleNet finds 93% of the patches with 1,200 images and an error of 0.5.", False),
    ],
)
def test_a_sentence_keeps_its_names_and_figures(written: str, kept: bool) -> None:
    sentence = "WaggleNet finds 93% of the flower patches with 1,200 images and an error of 0.5."
    with OllamaServer(script=written) as server:
        assert returned(Translator(model_of(server), "German").sentence(sentence)) == (written if kept else None)


def test_no_figure_may_be_added() -> None:
    assert keeps("It finds 93%.", "Es findet 93 %.")
    assert not keeps("It finds 93%.", "Es findet 93 % von 100.")
