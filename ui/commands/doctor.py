"""`askpapers doctor`: what is in order, and what fixes what is not."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from assistant.chat_model import choose, suggested
from assistant.encoder import Encoder
from assistant.errors import AskpapersError, ChatModelError
from assistant.model_server import Ollama
from assistant.settings import Settings, config_file
from ui.options import Options
from ui.session import chat_model_settings, open_library, settings, warning
from ui.terminal import show_finding

_STYLES = {"ok": "green", "note": "yellow", "problem": "red"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one part; only a problem prevents asking."""

    state: Literal["ok", "note", "problem"]
    sentence: str


def doctor(options: Options) -> int:
    """Say what is in order and what is not; 1 when something prevents asking."""
    chosen = settings(options)
    worst = 0
    for finding in _findings(chosen):
        show_finding(finding.state, finding.sentence, _STYLES[finding.state])
        worst = max(worst, int(finding.state == "problem"))
    return worst


def _findings(chosen: Settings) -> Iterator[Finding]:
    yield Finding("ok", f"askpapers {version('askpapers')} on Python {platform.python_version()}")
    yield _configuration(config_file())
    yield from _library(chosen)
    yield _server(chosen)
    yield from _writer(chosen)


def _configuration(file: Path) -> Finding:
    return Finding(
        "ok", f"Settings stand in {file}." if file.is_file() else f"There is no {file}; all settings have defaults."
    )


def _library(chosen: Settings) -> Iterator[Finding]:
    try:
        with open_library(chosen) as library:
            state = library.info()
            if not state.papers:
                yield Finding("problem", f"The library {state.folder} is empty: fill it with `askpapers ingest PATH`.")
            else:
                yield Finding("ok", f"The library {state.folder} holds {state.papers:,} papers.")
            if state.pending:
                yield Finding("note", f"{state.pending:,} entries wait to be indexed by the process that writes.")
            if state.calibrated:
                yield Finding(
                    "ok", "It uses thresholds fitted on your questions; `askpapers eval calibrate --reset` drops them."
                )
            yield _encoder(library.encoder if state.encoder else Encoder(chosen.encoder, chosen.device))
    except AskpapersError as error:
        yield Finding("problem", str(error))


def _encoder(encoder: Encoder) -> Finding:
    encoder.encode_query("test")
    return Finding("ok", f"The encoder {encoder.name} works ({encoder.dimension} dimensions).")


def _server(chosen: Settings) -> Finding:
    try:
        return Finding("ok", f"Ollama {Ollama(chosen.ollama_host).version()} answers at {chosen.ollama_host}.")
    except ChatModelError as error:
        needed = chosen.llm.startswith("ollama:")
        return Finding("problem" if needed else "note", f"{error} {'' if needed else _WITHOUT}".rstrip())


def _writer(chosen: Settings) -> Iterator[Finding]:
    try:
        chat_model = chat_model_settings(chosen)
        model = choose(chosen.llm, chat_model)
        if model is None:
            pull = f" Get a chat model with `askpapers models pull {suggested(chat_model)}`."
            remedy = pull if chosen.llm == "auto" else ""
            yield Finding("note", f"Nobody writes: {_WITHOUT[0].lower()}{_WITHOUT[1:]}{remedy}")
            return
        yield Finding("ok", f"{model.spec} writes the answers.")
        if warned := warning(model):
            yield Finding("note", warned)
    except AskpapersError as error:
        yield Finding("problem", str(error))


_WITHOUT = "Answers are quotations."
