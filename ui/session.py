"""From the user's options and settings to an open library or assistant."""

from collections.abc import Iterator
from contextlib import contextmanager

from assistant.chain import Assistant
from assistant.chat_model import ChatModelSettings, choose
from assistant.library import Library
from assistant.retrieval import Retriever
from assistant.settings import Settings, silence_tracing
from ui.options import Options


def settings(options: Options) -> Settings:
    """Read the settings; what the user wrote on the command line wins. Raises SettingsError."""
    loaded = Settings.load()
    chosen = {"library": options.library and options.library.expanduser(), "llm": options.llm}
    loaded = loaded.model_copy(update={name: value for name, value in chosen.items() if value})
    silence_tracing(loaded)
    return loaded


def open_library(chosen: Settings) -> Library:
    """Open the library, whose `with` closes it. Raises LibraryError."""
    return Library.open(chosen.library, device=chosen.device)


@contextmanager
def open_retriever(chosen: Settings) -> Iterator[Retriever]:
    """Open the library for searching, its encoder loaded. Raises LibraryError, EncoderError."""
    with open_library(chosen) as library:
        retriever = Retriever(library)
        retriever.search("warm")
        yield retriever


@contextmanager
def open_assistant(chosen: Settings) -> Iterator[Assistant]:
    """Open the library, its encoder loaded, with whoever is to write the answers.

    Raises LibraryError, EncoderError, ChatModelError, SettingsError.
    """
    with open_library(chosen) as library:
        Retriever(library).search("warm")
        yield Assistant(library, choose(chosen.llm, chat_model_settings(chosen)))


def chat_model_settings(chosen: Settings) -> ChatModelSettings:
    """The part of the settings that is about the chat model."""
    return ChatModelSettings(
        ollama_host=chosen.ollama_host,
        num_ctx=chosen.num_ctx,
        keep_alive=chosen.keep_alive,
        connect_timeout=chosen.connect_timeout,
        first_token_timeout=chosen.first_token_timeout,
        between_token_timeout=chosen.between_tokens_timeout,
    )
