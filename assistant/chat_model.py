"""The chat model: Ollama's or another LangChain provider's, with limits, plain errors and a way to stop it.

LangChain is imported inside functions: loading it takes a second, and `--help` needs none of it.
"""

import logging
import math
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from assistant.errors import ChatModelError, ChatModelInterrupted, ChatModelTimeout, SettingsError
from assistant.heartbeat import beating
from assistant.machine import available_memory, total_memory
from assistant.model_queue import ModelQueue, Turn, queue_of
from assistant.model_server import (
    InstalledModel,
    Ollama,
    OnlyLoaded,
    PlainErrors,
    Responses,
    connection,
    explained,
    is_loopback,
    server_url,
)
from assistant.prompts import message_tokens
from assistant.schema import Tokens, Waiting
from assistant.thinking import Thinking

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessageChunk, BaseMessage

_MEMORY_PER_SIZE = 1.3  # a model in use takes more than its file
_FAR_BELOW = 3  # no recorded prompt took less than half of its estimate
_SUGGESTED = ((4, "qwen3:0.6b"), (8, "qwen3:1.7b"), (16, "qwen3:4b"))  # below so many GiB of available memory
_SUGGESTED_ABOVE = "qwen3:8b"
_SUGGESTED_ELSEWHERE = "qwen3:4b"  # for a server whose memory nobody knows


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
    """What a reply took. `cut`: it ran into its token limit; `prompt_cut`: its prompt was too long."""

    tokens: Tokens = field(default_factory=Tokens)
    done_reason: str | None = None
    cut: bool = False
    prompt_cut: bool = False


class Reply(Iterator[str]):
    """A reply, piece by piece as it is written; `usage` is known once it has ended.

    A piece is empty when nothing was written for a moment, so that whoever reads can stop at any time. `close()`,
    or leaving it as a context, stops the model.
    """

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


@dataclass(frozen=True, slots=True)
class ChatModel:
    """One chat model. Each reply has a connection of its own, so that threads may share the model.

    `billions`: how many parameters it has, `digest`: what identifies its weights, where those are known.
    """

    provider: str
    name: str
    settings: ChatModelSettings = field(default_factory=ChatModelSettings)
    billions: float | None = None
    digest: str | None = None

    @property
    def spec(self) -> str:
        """The model as `--llm` names it."""
        return f"{self.provider}:{self.name}"

    def stream(self, messages: "Sequence[BaseMessage]", num_predict: int = 256) -> Reply:
        """Ask for a reply of at most `num_predict` tokens, at temperature 0 and without thinking aloud.

        Iterating over it raises ChatModelUnreachable, ChatModelMissing, ChatModelTimeout,
        ChatModelInterrupted or another ChatModelError.
        """
        return Reply(self._pieces(messages, num_predict))

    def yes_log_odds(self, messages: "Sequence[BaseMessage]") -> Generator[Waiting, None, float | None]:
        """Return log P(yes) - log P(no) for the first token of a reply; None where the model doesn't tell.

        Yields what it waits for when nothing was written for a moment. Raises ChatModelError as `stream` does.
        """
        if self.provider != "ollama":
            return None
        tokens: list[dict[str, Any]] = []
        with closing(self._chunks(messages, self._num_ctx(messages, 1), 1, logprobs=True, top_logprobs=20)) as chunks:
            for chunk in chunks:
                if chunk is None:
                    yield self.waiting()
                else:
                    tokens += chunk.response_metadata.get("logprobs") or ()
        return _log_odds(tokens[0].get("top_logprobs") or ()) if tokens else None

    def turn(self) -> Turn:
        """Return a place in the line before the model's server, for all that is asked of it in one go.

        Enter it, and iterate over it until it is one's turn: what is yielded tells the place.
        """
        return self._queue().turn(self.name)

    def waiting(self) -> Waiting:
        """Return what a reply waits for that has yielded an empty piece."""
        return Waiting(reason=self._queue().reading.reason())

    def lacks_template(self) -> bool:
        """Tell whether the model is known to have no chat template, so that it never sees the instructions."""
        try:
            return self.provider == "ollama" and _ollama(self.settings).lacks_template(self.name)
        except ChatModelError:
            return False

    def load(self) -> None:
        """Have Ollama load the model with the context size that replies will use, and LangChain with it.

        Nothing to do for other providers. Raises ChatModelError as `stream` does.
        """
        if self.provider == "ollama":
            settings, num_ctx = self.settings, self._num_ctx((), self.settings.num_ctx)
            keep_alive = _duration(settings.keep_alive)
            _ollama(settings).load(self.name, num_ctx, keep_alive, settings.first_token_timeout)
            self.check()

    def check(self) -> None:
        """Raise SettingsError for an unknown provider, ChatModelError when its package or key is missing."""
        limit = self.settings.first_token_timeout
        with self._plain_errors(limit):
            self._langchain(self.settings.num_ctx, 1, Responses(0.0), limit)

    def _pieces(self, messages: "Sequence[BaseMessage]", num_predict: int) -> Generator[str, None, Usage]:
        num_ctx = self._num_ctx(messages, num_predict)
        thinking = Thinking()
        total: AIMessageChunk | None = None
        with closing(self._chunks(messages, num_ctx, num_predict)) as chunks:
            for chunk in chunks:
                if chunk is None:
                    yield ""
                    continue
                total = chunk if total is None else total + chunk
                if text := thinking.feed(str(chunk.text)):
                    yield text
        if text := thinking.finish():
            yield text
        if self.provider != "ollama":
            return _usage(total)
        if total is None or total.response_metadata.get("done") is not True:
            raise ChatModelInterrupted(f"{self.name} stopped before its answer was complete; ask again.")
        return _usage(total, message_tokens(messages), num_ctx)

    def _chunks(
        self, messages: "Sequence[BaseMessage]", num_ctx: int, num_predict: int, **extra: Any
    ) -> "Generator[AIMessageChunk | None]":
        """Yield LangChain's chunks, None while there are none; a server that only loads the model is asked again."""
        reading = self._queue().reading
        limit = self.settings.first_token_timeout + reading.left()
        for last_attempt in (False, True):
            responses = Responses(self.settings.between_token_timeout)
            request = self._request(messages, num_ctx, num_predict, responses, limit, extra)
            prompt = reading.prompt(self.name, message_tokens(messages), responses.sent)
            try:
                chunks = beating(request, responses.hang_up)
                with prompt, self._plain_errors(limit) as errors, closing(chunks):
                    for chunk in chunks:
                        if chunk is not None:
                            errors.started = errors.started or bool(chunk.text)
                            prompt.answered(_reading_seconds(chunk))
                        yield chunk
                return
            except OnlyLoaded:
                if last_attempt:
                    raise

    def _request(
        self,
        messages: "Sequence[BaseMessage]",
        num_ctx: int,
        num_predict: int,
        responses: Responses,
        limit: float,
        extra: dict[str, Any],
    ) -> "Generator[AIMessageChunk]":
        """Yield the chunks of one request, in whichever thread waits for them."""
        with closing(responses):
            yield from self._langchain(num_ctx, num_predict, responses, limit).stream(list(messages), **extra)

    def _langchain(self, num_ctx: int, num_predict: int, responses: Responses, limit: float) -> "BaseChatModel":
        """Build the model for one request, begun within `limit` seconds; its responses are put into `responses`."""
        from langchain.chat_models import init_chat_model

        _silence_loading()
        settings = self.settings
        if self.provider != "ollama":
            return init_chat_model(
                self.name,
                model_provider=self.provider,
                temperature=0,
                max_tokens=num_predict,
                timeout=limit,
                max_retries=1,
            )
        url = server_url(settings.ollama_host)
        return init_chat_model(
            self.name,
            model_provider="ollama",
            base_url=url,
            num_ctx=num_ctx,
            num_predict=num_predict,
            temperature=0,
            keep_alive=_duration(settings.keep_alive),
            reasoning=False,
            client_kwargs=connection(url, settings.connect_timeout, limit),
            sync_client_kwargs={"event_hooks": responses.hooks},
        )

    def _num_ctx(self, messages: "Sequence[BaseMessage]", num_predict: int) -> int:
        """Return the context size the model runs with, if it suffices: to ask for another would reload it."""
        if self.provider != "ollama":
            return self.settings.num_ctx
        try:
            running = _ollama(self.settings).loaded().get(self.name)
        except ChatModelTimeout:
            running = None
        suffices = running is not None and running >= message_tokens(messages) + num_predict
        return running if running is not None and suffices else self.settings.num_ctx

    def _queue(self) -> ModelQueue:
        """Return the line before the server; other providers answer everybody at once."""
        return queue_of(server_url(self.settings.ollama_host)) if self.provider == "ollama" else ModelQueue()

    def _plain_errors(self, limit: float) -> PlainErrors:
        if self.provider != "ollama":
            return PlainErrors(partial(_explained, provider=self.provider, model=self.name))
        url = server_url(self.settings.ollama_host)
        return PlainErrors(partial(explained, url=url, model=self.name, limit=limit))


def choose(llm: str, settings: ChatModelSettings | None = None) -> ChatModel | None:
    """Return the chat model that `llm` asks for: `auto`, `none`, `ollama:NAME` or another `PROVIDER:MODEL`.

    `auto` is the model that Ollama has loaded, else its largest that fits into the memory available, else its
    smallest if the machine could hold it; None when it has none or doesn't run. Models that Ollama runs elsewhere
    have to be asked for by name. Raises SettingsError for anything else, ChatModelError when the model asked for
    cannot be used.
    """
    settings = settings or ChatModelSettings()
    if llm.strip() == "none":
        return None
    if llm.strip() == "auto":
        return _best_local(settings)
    provider, _, name = (part.strip() for part in llm.partition(":"))
    if not (provider and name):
        raise SettingsError(f"{llm!r} is no chat model: write auto, none or, say, `--llm ollama:qwen3:4b`.")
    if provider == "ollama":
        ollama = _ollama(settings)
        full = ollama.resolve(name)
        return _of(next(model for model in ollama.models() if model.name == full), settings)
    model = ChatModel(provider, name, settings)
    model.check()
    return model


def _best_local(settings: ChatModelSettings) -> ChatModel | None:
    ollama = _ollama(settings)
    try:
        models = [model for model in ollama.models() if model.chats and not model.remote]
        loaded = ollama.loaded()
    except ChatModelError:
        return None
    here = is_loopback(ollama.url)
    room, most = (available_memory(), total_memory()) if here else (math.inf, math.inf)
    models = sorted((m for m in models if m.name in loaded or m.size * _MEMORY_PER_SIZE <= most), key=lambda m: m.size)
    running = [model for model in models if model.name in loaded]
    fitting = [model for model in models if model.size * _MEMORY_PER_SIZE <= room]
    choice = running or fitting or models[:1]
    return _of(choice[-1], settings) if choice else None


def _of(model: InstalledModel, settings: ChatModelSettings) -> ChatModel:
    return ChatModel("ollama", model.name, settings, model.billions, model.digest)


def suggested(settings: ChatModelSettings | None = None) -> str:
    """Return the name of a model that is worth pulling, by the memory available where Ollama runs."""
    here = is_loopback(server_url((settings or ChatModelSettings()).ollama_host))
    return suggested_for(available_memory()) if here else _SUGGESTED_ELSEWHERE


def suggested_for(available: int) -> str:
    """Return the name of a model for so many bytes of available memory."""
    return next((name for limit, name in _SUGGESTED if available < limit << 30), _SUGGESTED_ABOVE)


def _ollama(settings: ChatModelSettings) -> Ollama:
    return Ollama(server_url(settings.ollama_host), settings.connect_timeout)


def _usage(total: "AIMessageChunk | None", estimate: int = 0, num_ctx: int | None = None) -> Usage:
    """Read the counts off the sum of the chunks; only the last but one has them."""
    if total is None:
        return Usage()
    counts, metadata = total.usage_metadata, total.response_metadata
    tokens = Tokens(counts["input_tokens"], counts["output_tokens"]) if counts else Tokens()
    names = ("done_reason", "finish_reason", "stop_reason")
    reason = next((str(metadata[name]) for name in names if metadata.get(name)), None)
    return Usage(
        tokens=tokens,
        done_reason=reason,
        cut=(reason or "").lower() in ("length", "max_tokens"),
        prompt_cut=num_ctx is not None and (tokens.prompt >= num_ctx or 0 < tokens.prompt < estimate / _FAR_BELOW),
    )


def _log_odds(alternatives: Sequence[dict[str, Any]]) -> float | None:
    """Return the log odds of yes against no; one that isn't listed is taken to be as likely as the last."""
    chances = {"yes": 0.0, "no": 0.0}
    for alternative in alternatives:
        word = str(alternative["token"]).strip().casefold()
        if word in chances:
            chances[word] += math.exp(alternative["logprob"])
    if not any(chances.values()):
        return None
    least = max(min(math.exp(alternative["logprob"]) for alternative in alternatives), 1e-12)
    return math.log(chances["yes"] or least) - math.log(chances["no"] or least)


def _reading_seconds(chunk: "AIMessageChunk") -> float | None:
    """Return what Ollama's last line says of how long it read the prompt."""
    nanoseconds = chunk.response_metadata.get("prompt_eval_duration")
    return None if nanoseconds is None else float(nanoseconds) / 1e9


@cache
def _silence_loading() -> None:
    """Drop LangChain's warning about a reply that only loads the model: such a request is simply made again."""
    log = logging.getLogger("langchain_ollama.chat_models")
    log.addFilter(lambda record: "done_reason='load'" not in str(record.msg))


def _duration(keep_alive: str | int) -> str | int:
    """Return a `keep_alive` as Ollama reads it: seconds without a unit must be a number."""
    return int(keep_alive) if re.fullmatch(r"-?\d+", str(keep_alive)) else keep_alive


def _explained(error: Exception, started: bool, *, provider: str, model: str) -> ChatModelError | SettingsError | None:
    """Return what another provider's exception means; one of Python's own is a mistake here and stays."""
    said = str(error).strip().split("\n")[0].strip(". ") or type(error).__name__
    if isinstance(error, ImportError):
        command = re.search(r"pip install [\w-]+", said)
        install = command.group() if command else f"pip install langchain-{provider}"
        return ChatModelError(f"The package for {provider} is not installed: get it with `{install}`.")
    if isinstance(error, ValueError) and said.startswith("Unsupported provider"):
        guess = f"`--llm ollama:{provider}:{model}`"
        return SettingsError(f"LangChain knows no provider {provider}; for a model of Ollama write {guess}.")
    of_python = type(error).__module__ == "builtins"
    if of_python and not isinstance(error, ValueError | OSError):
        return None
    kind = ChatModelInterrupted if started else ChatModelError
    check = "check its key and the model's name, or use `--llm none`"
    return kind(f"{provider} could not use {model} ({said}); {check}.")
