"""The reference of commands in the docs is what the command line says of itself."""

import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_the_reference_is_up_to_date() -> None:
    command = [sys.executable, "-m", "typer", "ui.cli", "utils", "docs", "--name", "askpapers"]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert PAGE.read_text(encoding="utf-8").strip() == run.stdout.strip(), (
        f"Write it anew: {' '.join(['python', *command[1:]])} --output docs/commands.md"
    )
