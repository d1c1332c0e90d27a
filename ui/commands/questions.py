"""A file of questions with what is known of their answers, as commands of `eval` take it."""

from pathlib import Path

from assistant.errors import QuestionError
from assistant.library import Library
from eval.cases import Dataset, PaperKeys, read_dataset, read_keys
from ui.rows import reading


def read(questions: Path, keys: Path | None, library: Library) -> Dataset:
    """Read a file of questions and, if given, the file that says what its keys mean. Raises QuestionError."""
    texts = {} if keys is None else read_keys(_text(keys))
    with reading(questions) as lines:
        return read_dataset(lines, PaperKeys(library, texts))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise QuestionError(f"{path} cannot be read ({error}); name a file of keys with --papers.") from error
