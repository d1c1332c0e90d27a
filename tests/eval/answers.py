"""Hand-made cases and answers, for tests that know what comes of them."""

from collections.abc import Sequence
from typing import Any

from assistant.citations import render
from assistant.questions import Question
from assistant.schema import Answer, Paper, Sentence, Source
from eval.cases import Case
from tests.conftest import PAPERS

FOUND = "WaggleNet finds 93% of the flower patches."
WINTER = "A diffusion model reconstructs the temperature of each winter."
ECHO = Paper(
    "title:echo",
    title="Echoes: Listening for Whales",
    abstract="Can a network hear whales? We place 1,860 microphones on the sea floor. "
    "A diffusion model reconstructs the temperature of each winter.",
)
HELD = (*PAPERS, ECHO)


def said(text: str, *citations: int, support: Any = "verbatim") -> Sentence:
    """Return a sentence with its citations."""
    return Sentence(text, citations, support)


def answer(*sentences: Sentence, papers: Sequence[Paper] = HELD, **more: Any) -> Answer:
    """Return an answer of sentences that cite papers by their places; without any an abstention, unless told."""
    cited = {n for sentence in sentences for n in sentence.citations}
    values: dict[str, Any] = {
        "question": "What?",
        "standalone_question": "What?",
        "kind": "content",
        "mode": "extractive",
        "text": " ".join(render(s.text, s.citations) for s in sentences) or "Nothing here says so.",
        "composed": "quotations" if sentences else None,
        "abstained": not sentences,
        "sentences": sentences,
        "papers": tuple(Source(n, paper, n in cited, 1.0) for n, paper in enumerate(papers, 1)),
    }
    return Answer(**values | more)


def case(
    gold: Sequence[Sequence[str]] | None = None,
    nuggets: Sequence[Sequence[str]] = (),
    reference: str | None = None,
    **more: Any,
) -> Case:
    """Return a case of what is known of an answer."""
    ids = None if gold is None else tuple(frozenset(paper) for paper in gold)
    question = Question(more.pop("name", "1"), more.pop("text", "What?"))
    return Case(question, "fact", ids, tuple(map(tuple, nuggets)), reference, **more)
