"""How long askpapers takes from nothing: each time in a process of its own."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from assistant.errors import LibraryError
from eval.speed.latency import duration

RUNS = 3


@dataclass(frozen=True, slots=True)
class Startup:
    """Seconds, the median of RUNS: for `askpapers --help`, and to import, open the library and answer by quotations."""

    help_seconds: float
    first_answer_seconds: float


def startup(folder: Path, question: str) -> Startup:
    """Start askpapers on a library. Raises LibraryError when that fails."""
    ask = ("ask", question, "--llm", "none", "--library", str(folder))
    return Startup(_seconds("--help"), _seconds(*ask))


def _seconds(*arguments: str) -> float:
    return round(median(duration(lambda: _run(arguments)) for _ in range(RUNS)), 3)


def _run(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "ui.cli", *arguments]
    done = subprocess.run(  # noqa: S603 (this program itself)
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8", errors="replace"
    )
    if done.returncode:
        said = done.stderr.strip().split("\n")[-1]
        raise LibraryError(f"askpapers could not be started anew ({said}); see with `askpapers doctor` what is amiss.")
