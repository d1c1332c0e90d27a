"""What people read: whole transcripts, in a pipe and in a terminal."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from time import sleep

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.schema import Answer, Checked, Paper, Quoted, Removed, Retrieved, Sentence, Source, Token, Waiting
from ui.terminal import (
    byline,
    clean,
    download,
    link,
    progress,
    say,
    show_answer,
    show_catalogue,
    show_pairs,
    show_papers,
    watching,
)

TIDES = Paper(
    "doi:10.1/tides",
    "Tides and their moons",
    None,
    "",
    ("A. Moon", "B. Sun", "C. Star", "D. Sky"),
    2026,
    "ICML",
)
ROCKS = Paper("sha:2", None, "Rocks fall", url="javascript:alert(1)", doi="10.1/rocks")
QUOTED = Sentence("Tides rise.", (1,), "verbatim")
WRITTEN = Sentence("They fall in [0,1].", (1, 2), "supported")
SOURCES = (Source(1, TIDES, True, 0.8), Source(2, ROCKS, True, 0.5), Source(3, TIDES, False, 0.1))
ANSWER = Answer(
    "Why?",
    "Why?",
    "content",
    "extractive",
    "Tides rise. [1] They fall in [0,1]. [1] [2]",
    sentences=(QUOTED, WRITTEN),
    removed=(Removed("Fish rise.", (1,), "not in any abstract"),),
    papers=SOURCES,
)


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@contextmanager
def terminal() -> Iterator[Screen]:
    """Standard output and error as one terminal, 60 columns wide."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(Screen()) as shown, redirect_stderr(shown):
        patch.setenv("COLUMNS", "60")
        patch.setenv("TERM", "xterm")
        patch.delenv("NO_COLOR", raising=False)
        yield shown


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_an_answer_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    show_answer(ANSWER, verbose=True)
    assert capsys.readouterr().out == (
        "“Tides rise.” [1] They fall in [0,1]. [1] [2]\n"
        "\n"
        "Sources\n"
        "[1] Tides and their moons\n"
        "    A. Moon, B. Sun, C. Star et al., ICML 2026\n"
        "[2] Rocks fall\n"
        "    https://doi.org/10.1/rocks\n"
        "\n"
        "1 sentence was removed: the abstracts do not support what the model wrote.\n"
        "- Fish rise. (not in any abstract)\n"
    )


def test_an_abstention_names_the_nearest_papers(capsys: pytest.CaptureFixture[str]) -> None:
    sources = (Source(1, ROCKS, False, 0.2),)
    show_answer(Answer("q", "q", "content", "extractive", "Nothing here; [1] is near.", abstained=True, papers=sources))
    assert capsys.readouterr().out == (
        "Nothing here; [1] is near.\n\nNearest papers\n[1] Rocks fall\n    https://doi.org/10.1/rocks\n"
    )


def test_a_list_has_an_item_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    items = (Sentence("2 papers:", (), "supported"), Sentence("Tides", (1,), "supported"))
    show_answer(Answer("q", "q", "list", "extractive", "2 papers:\n- Tides [1]", sentences=items))
    assert capsys.readouterr().out == "2 papers:\nTides [1]\n"


def test_in_a_terminal_lines_are_wrapped_and_hang_under_their_names() -> None:
    long = Source(1, Paper("p", "A study of the tides " * 4), True, 1.0)
    with terminal() as screen:
        show_answer(Answer("q", "q", "content", "extractive", "", sentences=(QUOTED,), papers=(long,)))
    lines = [line.rstrip() for line in plain(screen.getvalue()).splitlines()]
    assert lines == [
        "“Tides rise.” [1]",
        "",
        "Sources",
        "[1] A study of the tides A study of the tides A study of the",
        "    tides A study of the tides",
    ]
    assert "\x1b[" in screen.getvalue()


def test_ranked_papers_and_pairs_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    show_papers([(0.8125, TIDES)])
    show_pairs([("papers", "2"), ("encoder", "tiny")])
    assert capsys.readouterr().out == (
        "1. Tides and their moons\n"
        "   A. Moon, B. Sun, C. Star et al., ICML 2026\n"
        "   0.81  doi:10.1/tides\n"
        "papers   2\n"
        "encoder  tiny\n"
    )


def test_a_catalogue_in_a_pipe_is_lines_with_tabs(capsys: pytest.CaptureFixture[str]) -> None:
    show_catalogue([TIDES, ROCKS])
    assert capsys.readouterr().out == (
        "doi:10.1/tides\t2026\tICML\tTides and their moons\tA. Moon, B. Sun et al.\nsha:2\t\t\tRocks fall\t\n"
    )


def test_a_catalogue_in_a_terminal_is_a_table() -> None:
    with terminal() as screen:
        show_catalogue([TIDES])
    assert "Tides and" in screen.getvalue()
    assert "Authors" in screen.getvalue()


def test_the_answer_is_seen_growing_and_tokens_are_not() -> None:
    with terminal() as screen, watching(written=True) as see:
        see(Retrieved(SOURCES, "Why?"))
        see(Quoted((QUOTED,)))
        sleep(0.3)
        see(Token("unchecked words"))
        see(Checked(Removed("Fish rise.", (), "no")))
        see(Checked(WRITTEN))
        sleep(0.3)
    shown = plain(screen.getvalue())
    assert "Tides rise." in shown
    assert "the model is reading them" in shown
    assert "They fall in" in shown
    assert "unchecked" not in shown
    assert "Fish" not in shown


def test_who_waits_is_told_for_what() -> None:
    with terminal() as screen, watching(written=True) as see:
        see(Quoted((QUOTED,)))
        see(Waiting(2, "Second in line for tiny:1b."))
        sleep(0.3)
        see(Waiting())
        sleep(0.3)
    shown = plain(screen.getvalue())
    assert "Second in line for tiny:1b …" in shown
    assert shown.index("Second in line") < shown.rindex("the model is reading them")


def test_a_download_in_a_terminal_counts_bytes() -> None:
    with terminal() as screen, download("tiny:1b") as advance:
        advance("pulling manifest", None, None)
        advance("pulling 8fc2203018e8", 500_000, 1_000_000)
        sleep(0.15)
    assert "0.5/1.0 MB" in plain(screen.getvalue())


def test_in_a_pipe_work_in_progress_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with watching(written=False) as see, progress("Encoding") as advance:
        see(Quoted((QUOTED,)))
        advance(1, 2)
    say("Done [1].")
    assert capsys.readouterr() == ("", "Done [1].\n")


def test_progress_in_a_terminal_counts() -> None:
    with terminal() as screen, progress("Encoding") as advance:
        advance(1, 2)
    assert "1/2" in screen.getvalue()


def test_byline_and_link() -> None:
    assert byline(Paper("p", authors=("Ada",))) == "Ada"
    assert byline(Paper("p", year=2026)) == "2026"
    assert link(Paper("p", url="https://e.org/a")) == "https://e.org/a"
    assert link(Paper("p", url="javascript:alert(1)")) is None


@given(st.text())
def test_clean_text_cannot_steer_a_terminal(text: str) -> None:
    shown = clean(text + "\x1b[2J\x9b1m\r\n\u202e" + text)
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c == "\u202e" for c in shown)
