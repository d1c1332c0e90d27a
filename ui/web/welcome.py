"""The page before the first question: what may be asked of this library, or how to fill it. Pure."""

import re
from collections.abc import Iterable, Sequence

from assistant.schema import Json, Paper
from ui.web.words import counted

INGEST = "askpapers ingest my-papers/"
_RELOAD = "In a terminal, then reload this page"
_NAME = re.compile(r"[A-Z][\w.+-]*(?: [A-Z0-9][\w.+-]*)?")
_LATEX = re.compile(r"[$\\{}]")
_LONGEST = 90
_PROMISE = (
    "Each sentence of an answer cites the abstract it comes from. What the abstracts do not support is removed, and"
    " said to be removed."
)


def welcome(papers: int, examples: Sequence[tuple[str, Sequence[str]]], notice: str = "") -> dict[str, Json]:
    """Return the page of a library that can be asked; `examples` are questions under labels, `notice` a sentence."""
    groups: list[Json] = [{"label": label, "questions": list[Json](questions)} for label, questions in examples]
    return {
        "title": f"Ask {counted(papers, 'paper')} a question",
        "text": f"{_PROMISE} {notice.replace('`', '')}".rstrip(),
        "prompt": "Ask about methods, results or authors",
        "examples": groups,
    }


def opening() -> dict[str, Json]:
    """Return the page while the library is being opened."""
    return {
        "title": "Opening the library",
        "text": "This takes some seconds the first time.",
        "prompt": "One moment",
    }


def unfilled(*, missing: bool) -> dict[str, Json]:
    """Return the page of a library that is missing or holds no paper yet."""
    state = "There is none yet." if missing else "It is empty so far."
    return {
        "title": "Add papers to start",
        "text": f"askpapers answers from a library of abstracts that stays on this computer. {state}",
        "prompt": "Add papers first",
        "label": _RELOAD,
        "command": INGEST,
    }


def broken(sentence: str) -> dict[str, Json]:
    """Return the page of an assistant that cannot be opened, with the sentence that says why and what to do."""
    command = re.search(r"`([^`\n]+)`", sentence)
    return {
        "title": "No question can be asked yet",
        "text": sentence.replace("`", ""),
        "prompt": "No question can be asked yet",
        "label": _RELOAD,
        "command": command[1] if command else None,
    }


def examples(papers: Iterable[Paper]) -> list[tuple[str, list[str]]]:
    """Make questions that these papers answer, a few of each kind; kinds without a question are left out."""
    pool = [p for p in papers if p.abstract and not _LATEX.search(p.name)]
    names = list(dict.fromkeys(name for p in pool if (name := short_name(p))))
    titles = [p.title for p in pool if p.title and len(p.title) <= _LONGEST and short_name(p) not in names[:3]]
    kinds = [
        ("Find out", [f"What is {name}?" for name in names[:2]] + [f"Summarise “{t}”" for t in titles[:1]]),
        ("Compare", [f"How do {names[0]} and {names[2]} differ?"] if len(names) > 2 else []),
    ]
    return [(label, questions) for label, questions in kinds if questions]


def short_name(paper: Paper) -> str | None:
    """Return what a paper calls its method: its label, or the name before the colon of its title."""
    head, colon, _ = (paper.title or "").partition(":")
    name = (head if colon else "") if paper.title else (paper.label or "")
    return name if _NAME.fullmatch(name) and re.search(r"[a-z]?[A-Z]|\d", name[1:]) else None
