"""How commands end: exit codes, and one sentence on standard error."""

import errno

import pytest

from assistant.errors import LibraryMissing
from ui.outcome import Failure, attempt, exit_code


def raising(error: BaseException) -> int:
    raise error


@pytest.mark.parametrize("code", [0, 3])
def test_what_a_command_returns_is_its_exit_code(code: int) -> None:
    assert exit_code(lambda: code, verbose=False) == code


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (LibraryMissing("There is no library; run X."), 1, "There is no library; run X.\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "out.jsonl"),
            1,
            "The system refused to read or write out.jsonl: No space left on device.\n",
        ),
        (
            ValueError("a\nb"),
            1,
            "askpapers hit an unexpected fault (ValueError: a b); run the command again with -v and report "
            "what it prints.\n",
        ),
        (KeyboardInterrupt(), 130, "\n"),
    ],
)
def test_what_it_raises_is_one_sentence(
    error: BaseException, code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(lambda: raising(error), verbose=False) == code
    assert capsys.readouterr() == ("", says)


def test_verbose_shows_where_an_unexpected_fault_was(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(lambda: raising(ValueError("a")), verbose=True) == 1
    assert "Traceback" in capsys.readouterr().err


def test_exceptions_of_the_caller_pass() -> None:
    with pytest.raises(LookupError):
        exit_code(lambda: raising(KeyError()), verbose=False, passing=(LookupError,))


def test_an_attempt_gives_the_result_or_the_failure() -> None:
    assert attempt(lambda: "done", verbose=False) == "done"
    assert attempt(lambda: raising(LibraryMissing("No.")), verbose=False) == Failure("No.")
    with pytest.raises(BrokenPipeError):
        attempt(lambda: raising(BrokenPipeError()), verbose=False)
