"""The chat model: Ollama on this machine or another LangChain provider, with limits, plain errors and a way to stop.

LangChain, Ollama's client and httpx are imported inside functions: loading them takes seconds, `--help` needs none.
"""

import contextlib
import ipaddress
import math
import os
import re
import ssl
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from assistant.errors import (
    ChatModelError,
    ChatModelInterrupted,
    ChatModelMissing,
    ChatModelTimeout,
    ChatModelUnreachable,
    SettingsError,
)
from assistant.prompts import estimate
from assistant.schema import Tokens

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk, BaseMessage

_LISTING_TIMEOUT = 5.0
_SENSIBLE_MEMORY = 8 << 30  # where the size of the memory cannot be asked
_OVERESTIMATE = 3  # no recorded prompt has fewer than half of the tokens estimated


@dataclass(frozen=True, slots=True)
class ChatModelSettings:
    """Where Ollama listens, the context size in tokens, and the limits in seconds.

    `first_token_timeout` covers waiting in Ollama's queue, loading the model and reading the prompt.
    """

    ollama_host: str = ""
    num_ctx: int = 4096
    keep_alive: str | int = "5m"
    connect_timeout: float = 1.0
    first_token_timeout: float = 300.0
    between_token_timeout: float = 60.0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a reply took. `cut`: it ran into its token limit. `prompt_cut`: the model did not see the whole prompt."""

    tokens: Tokens = Tokens()
    done_reason: str | None = None
    cut: bool = False
    prompt_cut: bool = False


class Reply(Iterator[str]):
    """A reply as it is written, piece by piece. `usage` is known once it has ended; `close()` stops the model."""

    def __init__(self, pieces: Generator[str, None, Usage]) -> None:
        self._pieces = pieces
        self.usage = Usage()

    def __next__(self) -> str:
        try:
            return next(self._pieces)
        except StopIteration as end:
            self.usage = end.value or self.usage
            raise

    def close(self) -> None:
        """Hang up, so that the model stops writing at once."""
        self._pieces.close()

    def __enter__(self) -> "Reply":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def choose(llm: str, settings: ChatModelSettings = ChatModelSettings()) -> "ChatModel | None":
    """Return the chat model that `llm` asks for: `auto`, `none`, `ollama:NAME` or another `PROVIDER:MODEL`.

    `auto` is the model that Ollama has loaded, else its largest that fits this machine's memory; None without one.
    Raises SettingsError for anything else, ChatModelError when the model asked for cannot be used.
    """
    provider, colon, name = llm.strip().partition(":")
    if llm.strip() == "none":
        return None
    if llm.strip() == "auto":
        return _best_local(settings)
    if not (colon and provider.strip() and name.strip()):
        raise SettingsError(f"--llm {llm!r} is not one of auto, none or PROVIDER:MODEL, as `--llm ollama:qwen3:4b`.")
    if provider == "ollama":
        name = Ollama.of(settings).resolve(name.strip())
    model = ChatModel(provider.strip(), name.strip(), settings)
    if provider != "ollama":
        model.check()
    return model


def _best_local(settings: ChatModelSettings) -> "ChatModel | None":
    ollama = Ollama.of(settings)
    try:
        names = [model.name for model in ollama.models() if model.chats and not model.remote]
        sizes = {model.name: model.size for model in ollama.models()}
        loaded = ollama.loaded()
    except ChatModelError:
        return None
    room = _memory() if _is_loopback(ollama.url) else math.inf
    fitting = [name for name in names if name in loaded] or [name for name in names if sizes[name] * 1.3 < room]
    best = max(fitting, key=lambda name: sizes[name], default=None)
    return None if best is None else ChatModel("ollama", best, settings)


@dataclass(frozen=True, slots=True)
class ChatModel:
    """One chat model. Each reply has its own connection, so that several threads may use it and closing stops it."""

    provider: str
    name: str
    settings: ChatModelSettings = ChatModelSettings()

    @property
    def spec(self) -> str:
        """The model as `--llm` names it."""
        return f"{self.provider}:{self.name}"

    def stream(self, messages: "Sequence[BaseMessage]", num_predict: int = 256) -> Reply:
        """Ask for a reply of at most `num_predict` tokens at temperature 0, thinking off and its blocks left out.

        Iterating raises ChatModelUnreachable, ChatModelMissing, ChatModelTimeout, ChatModelInterrupted or another
        ChatModelError. The reply to a prompt that doesn't fit the context says so in `usage.prompt_cut`.
        """
        return Reply(self._pieces(messages, num_predict))

    def yes_log_odds(self, messages: "Sequence[BaseMessage]") -> float | None:
        """Return log P(yes) - log P(no) for the first token of a reply; None where the model doesn't tell.

        Raises ChatModelError as `stream` does.
        """
        if self.provider != "ollama":
            return None
        num_ctx = self._num_ctx(messages, 1)
        chunks = self._chunks(messages, num_ctx, 1, logprobs=True, top_logprobs=20)
        with contextlib.closing(chunks):
            tokens = [t for c in chunks for t in c.response_metadata.get("logprobs") or ()]
        return _log_odds(tokens[0].get("top_logprobs") or ()) if tokens else None

    def load(self) -> None:
        """Have Ollama load the model with the context size that replies will use; nothing for other providers.

        Raises ChatModelError as `stream` does.
        """
        if self.provider != "ollama":
            return
        import ollama

        settings = self.settings
        with self._translated() as translated:
            kwargs = _client_settings(translated.url, self._timeout())
            with ollama.Client(translated.url, **kwargs) as client:
                options = {"num_ctx": self._num_ctx((), settings.num_ctx)}
                client.chat(self.name, [], options=options, keep_alive=_duration(settings.keep_alive))
            self._langchain(settings.num_ctx, 1, [])

    def check(self) -> None:
        """Raise SettingsError for an unknown provider, ChatModelError when its package or its key is missing."""
        with self._translated():
            self._langchain(self.settings.num_ctx, 1, [])

    def _pieces(self, messages: "Sequence[BaseMessage]", num_predict: int) -> Generator[str, None, Usage]:
        num_ctx = self._num_ctx(messages, num_predict)
        thinking = _Thinking()
        total: AIMessageChunk | None = None
        with contextlib.closing(self._chunks(messages, num_ctx, num_predict)) as chunks:
            for chunk in chunks:
                total = chunk if total is None else total + chunk
                if text := thinking.feed(str(chunk.text)):
                    yield text
        if text := thinking.finish():
            yield text
        metadata = {} if total is None else total.response_metadata
        if self.provider == "ollama" and metadata.get("done") is not True:
            raise ChatModelInterrupted(f"{self.spec} stopped before its answer was complete; ask again.")
        return _usage(total, _estimated(messages), num_ctx if self.provider == "ollama" else None)

    def _chunks(
        self, messages: "Sequence[BaseMessage]", num_ctx: int, num_predict: int, **extra: Any
    ) -> "Generator[AIMessageChunk, None, None]":
        """Yield LangChain's chunks; a server that only loads the model at first is asked once more."""
        for attempt in (1, 2):
            responses: list[httpx.Response] = []
            try:
                with self._translated() as translated:
                    for chunk in self._langchain(num_ctx, num_predict, responses).stream(list(messages), **extra):
                        translated.started = translated.started or bool(chunk.text)
                        yield chunk
                return
            except _OnlyLoaded:
                if attempt == 2:
                    raise
            finally:
                for response in responses:
                    response.close()

    def _langchain(self, num_ctx: int, num_predict: int, responses: "list[httpx.Response]") -> "BaseChatModel":
        """Build the model for one request; what the server answers is put into `responses`, to be closed."""
        from langchain.chat_models import init_chat_model

        if self.provider != "ollama":
            limit = self.settings.first_token_timeout
            common = {"temperature": 0, "max_tokens": num_predict, "timeout": limit, "max_retries": 1}
            return init_chat_model(self.name, model_provider=self.provider, **common)
        url = server_url(self.settings.ollama_host)

        def received(response: "httpx.Response") -> None:
            # The status line comes with the first token; from here on the other limit holds.
            response.request.extensions["timeout"]["read"] = self.settings.between_token_timeout
            responses.append(response)

        return init_chat_model(
            self.name,
            model_provider="ollama",
            base_url=url,
            num_ctx=num_ctx,
            num_predict=num_predict,
            temperature=0,
            keep_alive=_duration(self.settings.keep_alive),
            reasoning=False,
            client_kwargs=_client_settings(url, self._timeout()),
            sync_client_kwargs={"event_hooks": {"response": [received]}},
        )

    def _num_ctx(self, messages: "Sequence[BaseMessage]", num_predict: int) -> int:
        """Return the context size to ask for: the one the model runs with when it suffices, for another reloads it."""
        if self.provider != "ollama":
            return self.settings.num_ctx
        try:
            running = Ollama.of(self.settings).loaded().get(self.name)
        except ChatModelTimeout:
            running = None
        return running if running and running >= _estimated(messages) + num_predict else self.settings.num_ctx

    def _timeout(self) -> "httpx.Timeout":
        import httpx

        return httpx.Timeout(self.settings.first_token_timeout, connect=self.settings.connect_timeout)

    def _translated(self) -> "_Translated":
        if self.provider != "ollama":
            return _Translated("", self.name, self.provider, limit=self.settings.first_token_timeout)
        url = server_url(self.settings.ollama_host)
        return _Translated(url, self.name, limit=self.settings.first_token_timeout)


class _Thinking:
    """Leaves out `<think>` blocks, also when a tag comes in pieces or the block is never closed."""

    _OPEN, _CLOSE = re.compile(r"<think(?:ing)?>", re.I), re.compile(r"</think(?:ing)?>", re.I)
    _TAGS = ("<think>", "<thinking>", "</think>", "</thinking>")

    def __init__(self) -> None:
        self._held, self._inside, self._begun = "", False, False

    def feed(self, piece: str) -> str:
        """Take a piece and return the text in it that is no thinking, as far as that is certain."""
        self._held += piece
        out = ""
        while match := (self._CLOSE if self._inside else self._OPEN).search(self._held):
            out += "" if self._inside else self._held[: match.start()]
            self._held, self._inside = self._held[match.end() :], not self._inside
        kept = self._possible_tag()
        out += "" if self._inside else self._held[: len(self._held) - kept]
        self._held = self._held[len(self._held) - kept :]
        return self._text(out)

    def finish(self) -> str:
        """Return the text held back."""
        held, self._held = self._held, ""
        return "" if self._inside else self._text(held)

    def _possible_tag(self) -> int:
        start = self._held.rfind("<")
        tail = self._held[start:].lower() if start >= 0 else ""
        return len(tail) if tail and any(tag.startswith(tail) for tag in self._TAGS) else 0

    def _text(self, text: str) -> str:
        text = self._CLOSE.sub("", text)
        text = text if self._begun else text.lstrip()
        self._begun = self._begun or bool(text)
        return text


def _usage(total: "AIMessageChunk | None", estimated: int, num_ctx: int | None) -> Usage:
    if total is None:
        return Usage()
    counts = total.usage_metadata
    tokens = Tokens(counts["input_tokens"], counts["output_tokens"]) if counts else Tokens()
    metadata = total.response_metadata
    reason = next((str(metadata[k]) for k in ("done_reason", "finish_reason", "stop_reason") if metadata.get(k)), None)
    short = num_ctx is not None and 0 < tokens.prompt < estimated / _OVERESTIMATE
    return Usage(
        tokens=tokens,
        done_reason=reason,
        cut=(reason or "").lower() in ("length", "max_tokens"),
        prompt_cut=short or (num_ctx is not None and tokens.prompt >= num_ctx),
    )


def _estimated(messages: "Sequence[BaseMessage]") -> int:
    return sum(estimate(str(message.text)) + 16 for message in messages)


def _log_odds(alternatives: Sequence[dict[str, Any]]) -> float | None:
    """Return the log odds of yes against no; one that isn't among the alternatives is as likely as the last of them."""
    chances = {"yes": 0.0, "no": 0.0}
    for alternative in alternatives:
        word = str(alternative["token"]).strip().casefold()
        if word in chances:
            chances[word] += math.exp(alternative["logprob"])
    if not any(chances.values()):
        return None
    least = max(min(math.exp(a["logprob"]) for a in alternatives), 1e-12)
    return math.log(chances["yes"] or least) - math.log(chances["no"] or least)


def _duration(keep_alive: str | int) -> str | int:
    """Return a `keep_alive` as Ollama reads it: seconds must be a number, not a string of one."""
    return int(keep_alive) if re.fullmatch(r"-?\d+", str(keep_alive)) else keep_alive


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return _SENSIBLE_MEMORY
