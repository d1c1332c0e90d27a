"""How complete and how clean topic lists are: recall and precision of `assistant.topics` at several cuts.

    python -m eval.fitting.topics LIBRARY TOPICS.jsonl

TOPICS.jsonl has lines of `{"topic": "spiking neural networks", "papers": [id, …]}`; ids are paper ids or source ids. A
paper that isn't listed counts as wrong.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from assistant.library import Library
from assistant.topics import Cut, Scores, scores
from eval.statistics import bootstrap

WORDS: Final = (0.4, 0.6, 0.8)
AT_LEAST: Final = (0.56, 0.6, 0.63, 0.66, 0.7, 0.75)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic and the ids of all papers that are about it."""

    about: str
    papers: frozenset[str]


def topics_of(lines: Iterable[str]) -> list[Topic]:
    """Read topics, one JSON object a line."""
    rows = [json.loads(line) for line in lines if line.strip()]
    return [Topic(row["topic"], frozenset(row["papers"])) for row in rows]


def measured(found: Scores, papers: frozenset[str], cut: Cut) -> tuple[float, float]:
    """Return recall and precision of the papers that a cut lets belong to a topic."""
    chosen = {found.paper_ids[i] for i in np.flatnonzero(found.under(cut) >= cut.at_least)}
    right = len(chosen & papers)
    return right / len(papers), right / len(chosen) if chosen else 0.0


def main(arguments: Sequence[str]) -> None:
    """Print recall and precision with 95% intervals for each cut."""
    folder, file = map(Path, arguments)
    with Library.open(folder) as library:
        ids = {name: p.paper_id for p in library.catalogue for name in (*p.source_ids, p.paper_id)}
        scored = [
            (scores(library, topic.about), frozenset(ids[name] for name in topic.papers if name in ids))
            for topic in topics_of(file.read_text(encoding="utf-8").splitlines())
        ]
    for cut in (Cut(words, at_least) for words in WORDS for at_least in AT_LEAST):
        pairs = [measured(found, papers, cut) for found, papers in scored if papers]
        recall, precision = map(bootstrap, zip(*pairs, strict=True))
        shown = [f"{e.mean:.3f} [{e.low:.3f}, {e.high:.3f}]" for e in (recall, precision)]
        sys.stdout.write(
            f"words {cut.words:.1f}  at least {cut.at_least:.2f}  recall {shown[0]}  precision {shown[1]}\n"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
