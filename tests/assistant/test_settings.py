import os
from pathlib import Path

import pytest

from assistant import settings
from assistant.errors import SettingsError
from assistant.settings import Settings, silence_tracing


@pytest.fixture(autouse=True)
def toml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in list(os.environ):
        if name.startswith(("ASKPAPERS_", "OLLAMA_", "LANGSMITH_", "LANGCHAIN_")):
            monkeypatch.delenv(name)
    path = tmp_path / "config.toml"
    monkeypatch.setattr(settings, "config_file", lambda: path)
    return path


def test_defaults_without_environment_and_file() -> None:
    loaded = Settings.load()
    assert loaded.llm == "auto"
    assert loaded.ollama_host == "http://127.0.0.1:11434"
    assert loaded.num_ctx == 4096
    assert loaded.encoder is None
    assert loaded.library.is_absolute()
    assert not loaded.tracing


def test_the_environment_wins_over_the_file(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml.write_text('llm = "ollama:tiny"\nnum_ctx = 8192\nollama_host = "box:1"', encoding="utf-8")
    monkeypatch.setenv("ASKPAPERS_LLM", "none")
    loaded = Settings.load()
    assert (loaded.llm, loaded.num_ctx, loaded.ollama_host) == ("none", 8192, "http://box:1")


def test_the_own_host_wins_over_ollamas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "one")
    assert Settings.load().ollama_host == "http://one:11434"
    monkeypatch.setenv("ASKPAPERS_OLLAMA_HOST", "two")
    assert Settings.load().ollama_host == "http://two:11434"


def test_a_home_folder_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKPAPERS_LIBRARY", "~/papers")
    assert Settings.load().library == Path.home() / "papers"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        (":9999", "http://127.0.0.1:9999"),
        ("[::]:11434", "http://[::1]:11434"),
        ("box.lan", "http://box.lan:11434"),
        ("http://box.lan", "http://box.lan:80"),
        ("https://box.lan/ollama/", "https://box.lan:443/ollama"),
    ],
)
def test_addresses_are_completed(host: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert Settings.load().ollama_host == address


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ASKPAPERS_NUM_CTX", "many"),
        ("ASKPAPERS_NUM_CTX", "1"),
        ("ASKPAPERS_DEVICE", "abacus"),
        ("ASKPAPERS_CONNECT_TIMEOUT", "-1"),
        ("ASKPAPERS_TRACING", "perhaps"),
        ("ASKPAPERS_OLLAMA_HOST", "ftp://box"),
        ("OLLAMA_HOST", "box:port"),
    ],
)
def test_a_bad_value_is_one_sentence(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        Settings.load()
    sentence = str(caught.value)
    assert sentence.startswith(f"The setting {name} cannot be ")
    assert value in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_the_setting_blamed_is_the_one_that_won(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toml.write_text('ollama_host = "ftp://file"\nnum_ctx = 1', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"^The setting (ollama_host|num_ctx) in .*config\.toml cannot be "):
        Settings.load()
    monkeypatch.setenv("ASKPAPERS_NUM_CTX", "4096")
    monkeypatch.setenv("OLLAMA_HOST", "ftp://theirs")
    with pytest.raises(SettingsError, match=r"^The setting OLLAMA_HOST cannot be .*: it is no http address"):
        Settings.load()
    monkeypatch.setenv("ASKPAPERS_OLLAMA_HOST", "ftp://ours")
    with pytest.raises(SettingsError, match=r"^The setting ASKPAPERS_OLLAMA_HOST cannot be .*ours"):
        Settings.load()


def test_a_broken_file_is_one_sentence(toml: Path) -> None:
    toml.write_text("llm = ", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"config\.toml cannot be read"):
        Settings.load()


def test_tracing_is_off_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGCHAIN_TRACING_V2", "true")
    silence_tracing(Settings.load().model_copy(update={"tracing": True}))
    assert os.environ["LANGSMITH_TRACING"] == "true"
    silence_tracing(Settings.load())
    assert os.environ["LANGSMITH_TRACING"] == os.environ["LANGCHAIN_TRACING_V2"] == "false"
