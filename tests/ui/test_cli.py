"""The command line itself: help, wrong usage, and what starting it costs."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ui.cli import app

HEAVY = (
    "chromadb",
    "gradio",
    "langchain",
    "langchain_core",
    "numpy",
    "plotly",
    "rich",
    "sentence_transformers",
    "torch",
)


def started(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the console entry point in a process of its own."""
    command = [sys.executable, "-m", "ui.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from ui.cli import app\n"
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0\n"
        f"print([name for name in {HEAVY} if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_help_names_every_command() -> None:
    run = started("--help")
    assert run.returncode == 0
    assert run.stderr == ""
    for command in ("ingest", "ask", "search", "papers", "library", "models", "doctor", "chat", "eval"):
        assert f"\n  {command} " in run.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ask", "Why?", "--questions", "q.jsonl"], "not both"),
        (["ask", "Why?", "--out", "a.jsonl"], "--out goes with --questions"),
        (["ask", "--questions", "q.jsonl", "--out", "q.jsonl"], "must not be the file of questions"),
        (["ask", "Why?", "--year", "26"], "'26' is not a year"),
        (["ask", "Why?", "-k", "0"], "-k"),
        (["search"], "a query or --queries"),
        (["search", "a", "--queries", "q.jsonl"], "a query or --queries"),
        (["ingest"], "Name files or folders"),
        (["ingest", "--sample", "--set", "venue"], "'venue' is not FIELD=VALUE"),
        (["papers", "export", "--format", "word"], "word"),
        (["papers", "frobnicate"], "frobnicate"),
        (["chat", "--auth", "ada"], "USER:PASSWORD"),
        (["chat", "--auth", "ada:secret", "--no-auth"], "not both"),
        (["eval", "compare", "a"], "RUN"),
        (["eval", "compare", "a", "b", "--gate", "risk"], "'risk' is not MEASURE=DROP"),
        (["eval", "compare", "a", "b", "--out", "c.pdf"], "--out must end in .html or .md"),
        (["frobnicate"], "frobnicate"),
    ],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str], says: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in " ".join(result.stderr.split())


def test_version() -> None:
    assert CliRunner().invoke(app, ["--version"]).stdout.startswith("askpapers 0.")


@pytest.mark.parametrize("group", ["papers", "library", "models"])
def test_groups_still_have_their_own_help(group: str) -> None:
    result = CliRunner().invoke(app, [group, "--help"])
    assert result.exit_code == 0
    assert "Commands:" in result.stdout
