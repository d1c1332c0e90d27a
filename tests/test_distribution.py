"""A wheel built from the checkout runs on its own, from another folder."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CALL = "import sys; from ui.cli import main; sys.argv[0] = 'askpapers'; main()"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel, and the dependencies of this one beside it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    venv.create(folder / "env", with_pip=False, symlinks=sys.platform != "win32")
    python = folder / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    purelib = sysconfig.get_path("purelib", vars={"base": str(folder / "env"), "platbase": str(folder / "env")})
    install = ["install", "--quiet", "--no-deps", "--target", purelib, str(next(folder.glob("*.whl")))]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    # A path file's own path files are not read, so that the checkout, installed editable, stays out.
    (Path(purelib) / "dependencies.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python


def run(python: Path, folder: Path, *arguments: str) -> str:
    command = [str(python), "-c", CALL, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_stands_alone(python: Path, tmp_path: Path) -> None:
    where = [str(python), "-c", "import ui.cli; print(ui.cli.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60).stdout
    assert str(ROOT) not in found
    assert "Usage" in run(python, tmp_path, "--help")


def test_the_wheel_answers_from_the_sample(python: Path, tmp_path: Path) -> None:
    library = str(tmp_path / "library")
    assert "35 new" in run(python, tmp_path, "ingest", "--sample", "--library", library)
    answer = run(python, tmp_path, "ask", "What does LoRA train?", "--llm", "none", "--library", library)
    assert "[1]" in answer
    assert "LoRA" in answer
