"""From the user's options and settings to an open library or assistant."""

from collections.abc import Iterator
from contextlib import contextmanager

from assistant.chain import Assistant
from assistant.chat_model import ChatModel, ChatModelSettings, choose, suggested
from assistant.cross_encoder import CrossEncoder
from assistant.library import Library
from assistant.model_server import Ollama, server_url
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
        cross_encoder = CrossEncoder(chosen.cross_encoder, chosen.device) if chosen.cross_encoder else None
        Retriever(library).search("warm")
        yield Assistant(library, choose(chosen.llm, chat_model_settings(chosen)), cross_encoder)


def warning(model: ChatModel | None) -> str | None:
    """Return what the user should know of a model that will write badly; None when nothing is known against it."""
    if model is None or not model.lacks_template():
        return None
    other = f"`askpapers models pull {suggested(model.settings)}`"
    return f"{model.name} has no chat template and will babble: get a model from Ollama's library with {other}."


def advice(chosen: Settings, model: ChatModel | None) -> str | None:
    """Return what could be done for better answers; None when somebody writes, or nobody was to write."""
    if model is not None or chosen.llm.strip() != "auto":
        return warning(model)
    chat_model = chat_model_settings(chosen)
    if not Ollama(server_url(chosen.ollama_host), chosen.connect_timeout).reachable():
        return "Answers are quotations, because Ollama does not answer: start it with `ollama serve`."
    pull = f"`askpapers models pull {suggested(chat_model)}`"
    return f"Answers are quotations, because Ollama has no chat model that fits: get one with {pull}."


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
