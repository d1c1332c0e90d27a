"""How work ends: with its result or one sentence for the user; and how a command ends: with an exit code."""

import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from assistant.errors import AskpapersError

T = TypeVar("T")

FAULT = "askpapers hit an unexpected fault ({}: {}); run the command again with -v and report what it prints."


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, in one sentence."""

    sentence: str


def attempt(work: Callable[[], T], verbose: bool, passing: tuple[type[Exception], ...] = ()) -> T | Failure:
    """Do the work and return its result, or the failure that its exception means.

    `passing` are exceptions for the caller; a reader that hung up (BrokenPipeError) is for the caller too.
    """
    callers: tuple[type[Exception], ...] = (BrokenPipeError, *passing)
    try:
        return work()
    except callers:
        raise
    except AskpapersError as error:
        return Failure(str(error))
    # The one broad except: here a fault that nobody foresaw becomes a sentence instead of a traceback.
    except Exception as error:  # noqa: BLE001
        if verbose:
            traceback.print_exc()
        return Failure(_sentence(error))


def exit_code(work: Callable[[], int], verbose: bool, passing: tuple[type[Exception], ...] = ()) -> int:
    """Run a command, say what went wrong with it on standard error, and return its exit code."""

    def flushed() -> int:
        code = work()
        sys.stdout.flush()
        return code

    try:
        outcome = attempt(flushed, verbose, passing)
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return 130
    except BrokenPipeError:
        _abandon_output()
        return 0
    if isinstance(outcome, Failure):
        sys.stderr.write(outcome.sentence + "\n")
        return 1
    return outcome


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = f" {error.filename}" if error.filename else ""
        return f"The system refused to read or write{place}: {error.strerror}."
    return FAULT.format(type(error).__name__, " ".join(str(error).split())[:200])


def _abandon_output() -> None:
    """Whoever read our output has had enough; what is buffered must not fail again when Python ends."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
