"""Ollama's server: its address, what it has and runs, and its failures in plain sentences.

httpx and Ollama's client are imported inside functions: `--help` needs neither and should not wait for them.
"""

import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache, partial
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
from assistant.heartbeat import beating

if TYPE_CHECKING:
    import httpx

_LISTING_TIMEOUT = 5.0


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model that Ollama has; `size` in bytes, `context_length` in tokens. A `remote` one runs elsewhere.

    `billions`: how many parameters it has, where Ollama or its name tells. `digest` identifies its weights.
    """

    name: str
    size: int
    capabilities: tuple[str, ...]
    context_length: int | None = None
    remote: bool = False
    billions: float | None = None
    digest: str | None = None

    @property
    def chats(self) -> bool:
        """Whether it writes text; one that only embeds does not."""
        return "completion" in self.capabilities


@dataclass(frozen=True, slots=True)
class PullProgress:
    """What a pull is doing; bytes done and in all of the layer it names, where it names one."""

    status: str
    completed: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Ollama:
    """An Ollama server by its address; every method but `reachable` raises ChatModelError."""

    url: str
    connect_timeout: float = 1.0

    def reachable(self) -> bool:
        """Tell whether Ollama answers there."""
        try:
            self.version()
        except ChatModelError:
            return False
        return True

    def version(self) -> str:
        """Return its version; a development build says 0.0.0."""
        return str(self._ask("/api/version")["version"])

    def models(self) -> list[InstalledModel]:
        """Return the models pulled, the latest changed first."""
        return [self._installed(tag) for tag in self._ask("/api/tags")["models"]]

    def loaded(self) -> dict[str, int | None]:
        """Return the models in memory, each with the context size it runs with if the server says that."""
        return {model["name"]: model.get("context_length") for model in self._ask("/api/ps")["models"]}

    def lacks_template(self, name: str) -> bool:
        """Tell whether a model was imported without a chat template, so that it never sees system text."""
        shown = self._ask("/api/show", {"model": name}, name)
        return str(shown.get("template") or "").strip() == "{{ .Prompt }}"

    def resolve(self, name: str) -> str:
        """Return the full name of a pulled chat model, its tag included.

        Raises ChatModelMissing, naming the tags that are there, and ChatModelError for one that only embeds.
        """
        models = {model.name: model for model in self.models()}
        base, tagged = name.rsplit("/", 1)[-1].partition(":")[::2]
        full = name if tagged else f"{name.rstrip(':')}:latest"
        if full in models and models[full].chats:
            return full
        if full in models:
            raise ChatModelError(f"{full} only makes embeddings; choose from `askpapers models list`.")
        near = [other for other in models if other.rsplit("/", 1)[-1].partition(":")[0] == base]
        if near:
            raise ChatModelMissing(
                f"Ollama has no model {full}, but {' and '.join(near)}: use `--llm ollama:{near[0]}`, "
                f"or get it with `ollama pull {full}`."
            )
        raise ChatModelMissing(_missing(name))

    def pull(self, name: str) -> Generator[PullProgress]:
        """Pull a model and report as it goes; closing the generator stops it, and a later pull resumes it."""
        responses = Responses(None)
        pulling = beating(self._pulling(name, responses), responses.hang_up)
        status = ""
        with PlainErrors(partial(pull_explained, url=self.url, model=name)), closing(pulling):
            for step in pulling:
                if step is not None:
                    status = step.status
                    yield step
        if status != "success":
            raise ChatModelInterrupted(f"Ollama stopped pulling {name} in the middle{_RESUME.format(name)}.")

    def _pulling(self, name: str, responses: "Responses") -> Generator[PullProgress]:
        import ollama

        options = connection(self.url, self.connect_timeout, None) | {"event_hooks": responses.hooks}
        with closing(responses), ollama.Client(self.url, **options) as client:
            for step in client.pull(name, stream=True):
                yield PullProgress(step.status or "", step.completed, step.total)

    def load(self, name: str, num_ctx: int, keep_alive: str | int, limit: float) -> None:
        """Load a model with a context of `num_ctx` tokens, in at most `limit` seconds."""
        import ollama

        options = connection(self.url, self.connect_timeout, limit)
        with self._plain_errors(name, limit), ollama.Client(self.url, **options) as client:
            client.chat(name, [], options={"num_ctx": num_ctx}, keep_alive=keep_alive)

    def _installed(self, tag: dict[str, Any]) -> InstalledModel:
        details = tag.get("details") or {}
        capabilities = tag.get("capabilities")
        if capabilities is None:
            capabilities = self._ask("/api/show", {"model": tag["name"]}, tag["name"]).get("capabilities")
        if capabilities is None:
            embeds = "embed" in tag["name"] or "bert" in str(details.get("family"))
            capabilities = ["embedding" if embeds else "completion"]
        return InstalledModel(
            name=tag["name"],
            size=tag.get("size") or 0,
            capabilities=tuple(capabilities),
            context_length=details.get("context_length"),
            remote=bool(tag.get("remote_host")) or tag["name"].endswith("-cloud"),
            billions=_billions(str(details.get("parameter_size") or "")) or _billions(tag["name"]),
            digest=tag.get("digest"),
        )

    def _ask(self, path: str, body: dict[str, Any] | None = None, model: str = "") -> dict[str, Any]:
        import httpx

        options = connection(self.url, self.connect_timeout, _LISTING_TIMEOUT)
        with self._plain_errors(model), httpx.Client(**options) as client:
            response = client.request("GET" if body is None else "POST", self.url + path, json=body)
            response.raise_for_status()
            answer = response.json()
            if not isinstance(answer, dict) or (path in ("/api/tags", "/api/ps") and "models" not in answer):
                raise ValueError(path)
            return {key: value if value is not None else [] for key, value in answer.items()}

    def _plain_errors(self, model: str, limit: float = _LISTING_TIMEOUT) -> "PlainErrors":
        return PlainErrors(partial(explained, url=self.url, model=model, limit=limit))


def _billions(text: str) -> float | None:
    """Read a number of parameters, as 494.03M, 1.5B or that in the name of a model."""
    found = re.search(r"(?<![\w.])(\d+(?:\.\d+)?)\s*([MB])\b", text, re.IGNORECASE)
    return float(found[1]) * (1.0 if found[2].upper() == "B" else 1e-3) if found else None


def server_url(host: str) -> str:
    """Return the address for a value of OLLAMA_HOST; `0.0.0.0`, where servers listen, becomes loopback.

    Raises SettingsError when it isn't an address.
    """
    scheme, _, rest = host.strip().rstrip("/").rpartition("://")
    try:
        parts = urlsplit(f"{scheme or 'http'}://{rest}")
        port = parts.port or {"http": 80, "https": 443}.get(scheme, 11434)
    except ValueError:
        parts, port = urlsplit(""), 0
    if parts.scheme not in ("http", "https") or re.search(r"[\s\\]", rest):
        raise SettingsError(f"{host!r} is no address of Ollama; write it as `OLLAMA_HOST=127.0.0.1:11434`.")
    name = parts.hostname or "127.0.0.1"
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)  # noqa: S104
    login, at, _ = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{login}{at}{f'[{name}]' if ':' in name else name}:{port}", parts.path, "", ""))


def connection(url: str, connect: float, read: float | None) -> dict[str, Any]:
    """Return httpx's arguments, limits in seconds: no proxy on loopback, a connection for each response."""
    import httpx

    return {
        "timeout": httpx.Timeout(read, connect=connect),
        "trust_env": not is_loopback(url),
        "verify": _certificates(is_loopback(url)),
        "limits": httpx.Limits(max_keepalive_connections=0),
    }


@cache
def _certificates(loopback: bool) -> ssl.SSLContext:
    """Return what certificates are checked against; on loopback nothing, to save 30 ms of reading them."""
    import httpx

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if loopback else httpx.create_ssl_context()


def is_loopback(url: str) -> bool:
    """Tell whether an address is this machine's own."""
    name = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


class Responses:
    """The responses to one request, each silent for `limit` seconds at most once it has begun; None for no limit.

    `hooks` is what a client needs to be told for it.
    """

    def __init__(self, limit: float | None) -> None:
        self._limit = limit
        self._open: list[httpx.Response] = []
        self._sockets: list[socket.socket] = []
        self._hung_up = False
        self._lock = threading.Lock()

    def sent(self) -> bool:
        """Tell whether the server has the request, or will have it in a moment."""
        return bool(self._sockets)

    @property
    def hooks(self) -> "dict[str, list[Callable[..., None]]]":
        """The event hooks of httpx by which requests and responses come here."""
        return {"request": [self._asked], "response": [self._arrived]}

    def hang_up(self) -> None:
        """Break the connection, also while another thread waits for the first byte, or has yet to connect."""
        with self._lock:
            self._hung_up = True
        self._break()

    def close(self) -> None:
        """Close every response that is still open; for the thread that reads them."""
        for response in self._open:
            response.close()

    def _asked(self, request: "httpx.Request") -> None:
        request.extensions["trace"] = self._traced

    def _traced(self, event: str, about: dict[str, Any]) -> None:
        """Take the socket as soon as there is one; only httpx's trace tells it before the status line has come."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            with self._lock:
                self._sockets.append(about["return_value"].get_extra_info("socket"))
            if self._hung_up:
                self._break()

    def _arrived(self, response: "httpx.Response") -> None:
        """Take a response whose status line has come, as it does with the first token."""
        response.request.extensions["timeout"]["read"] = self._limit
        self._open.append(response)

    def _break(self) -> None:
        with self._lock:
            for each in self._sockets:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)


class PlainErrors:
    """Context in which a library's exception becomes the error that `explain` makes of it, if it makes one.

    `started`, set by whoever reads a reply, says that text has come: what fails then has been interrupted.
    """

    def __init__(self, explain: Callable[[Exception, bool], ChatModelError | SettingsError | None]) -> None:
        self._explain = explain
        self.started = False

    def __enter__(self) -> "PlainErrors":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, ChatModelError | SettingsError):
            plain = self._explain(error, self.started)
            if plain is not None:
                raise plain from error


class OnlyLoaded(ChatModelError):
    """Ollama loaded the model and wrote nothing."""


def explained(error: Exception, started: bool, *, url: str, model: str, limit: float) -> ChatModelError | None:
    """Return what an exception of httpx's or Ollama's client means to the user; None for any other."""
    import httpx
    import ollama

    where = re.sub(r"//[^@/]*@", "//", url)
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | ConnectionError):
        return ChatModelUnreachable(f"Nothing answers at {where}: start Ollama with `ollama serve`.")
    if isinstance(error, httpx.TimeoutException):
        return ChatModelTimeout(_late(started, model, limit))
    if isinstance(error, httpx.HTTPStatusError):
        error = ollama.ResponseError(error.response.text, error.response.status_code)
    if isinstance(error, ollama.ResponseError):
        said = " ".join(str(error.error).split()).strip(". ")
        return _refused(error.status_code, said, started, model, where)
    if isinstance(error, httpx.HTTPError):
        broke = f"The connection to Ollama at {where} broke"
        return ChatModelInterrupted(f"{broke}; see with `askpapers doctor` whether it runs, and ask again.")
    if isinstance(error, ValueError) and "No generation chunks" in str(error):
        return OnlyLoaded(f"Ollama loaded {model} but wrote nothing; ask again.")
    return ChatModelError(_not_ollama(where)) if isinstance(error, ValueError | KeyError) else None


def pull_explained(error: Exception, started: bool, *, url: str, model: str) -> ChatModelError | None:
    """Return what an exception means to who pulls a model; Ollama passes on what its library's server said."""
    import ollama

    if not isinstance(error, ollama.ResponseError):
        return explained(error, started, url=url, model=model, limit=_LISTING_TIMEOUT)
    said = " ".join(str(error.error).split()).strip(". ")
    for pattern, sentence in _PULL_FAILURES.items():
        if re.search(pattern, said):
            return ChatModelError(sentence.format(model, resume=_RESUME.format(model)))
    return ChatModelError(f"Ollama could not pull {model} ({said}); see `askpapers doctor`.")


_RESUME = "; `askpapers models pull {}` goes on where it stopped"
_PULL_FAILURES = {
    r"file does not exist|not found": "Ollama's library has no model {}; try `askpapers models pull qwen3:4b`.",
    r"invalid model name": "No model can be named {!r}; try `askpapers models pull qwen3:4b`.",
    r"newer version": "{0} needs a newer Ollama: update it, then run `askpapers models pull {0}` again.",
    r"no space left": "The disk with Ollama's models is full: free some space{resume}.",
    r"no such host|dial tcp|timeout|EOF|max retries|connection re": (
        "Ollama could not reach its library of models to pull {}: check the network connection{resume}."
    ),
}


def _late(started: bool, model: str, limit: float) -> str:
    if started:
        return f"{model} fell silent in the middle of its answer; ask again."
    smaller = "ask again, or use a smaller model from `askpapers models list`"
    return f"{model or 'Ollama'} sent nothing for {limit:g} seconds; {smaller}."


def _refused(status: int, said: str, started: bool, model: str, where: str) -> ChatModelError:
    if status == 404:
        missing = "model" in said and "not found" in said
        return ChatModelMissing(_missing(model)) if missing else ChatModelError(_not_ollama(where))
    if status == 403:
        return ChatModelError(f"Ollama refuses to be called {where}; set `OLLAMA_HOST=127.0.0.1:11434`.")
    if status == 503:
        return ChatModelError("Ollama has too many requests waiting; ask again in a minute.")
    if "context length" in said:
        return ChatModelError("Question and evidence are too long for the model; ask with a smaller `-k`.")
    if status == -1 and (started or "running the model" in said):
        return ChatModelInterrupted(f"{model} stopped in the middle of its answer ({said}); ask again.")
    return ChatModelError(f"Ollama could not use {model} ({said or status}); see `askpapers doctor`.")


def _missing(model: str) -> str:
    return f"Ollama has no model {model}: get it with `ollama pull {model}`."


def _not_ollama(where: str) -> str:
    return f"What answers at {where} is not Ollama; set `OLLAMA_HOST` to the address it listens on."
