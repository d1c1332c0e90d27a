"""How much of the answers the writing prompt holds, by how much of the abstracts is put into it.

    python -m eval.fitting.evidence LIBRARY QUESTIONS.jsonl PAPERS.json

QUESTIONS.jsonl has lines of `{"question", "history", "gold", "nuggets"}`: the keys of the papers that answer and, for
each fact of the answer, the texts of which one says it. PAPERS.json says by what text of its abstract a paper is known,
`[{"key", "contains": [text]}]`. A fact counts when the prompt holds it in a sentence of one of those papers. Questions
that the catalogue answers, or none at all, have no prompt and are left out.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from assistant import prompts
from assistant.answering import Extractive, Task, evidence, scored_passages
from assistant.gathering import Gathering
from assistant.heartbeat import returned
from assistant.kinds import kind_of
from assistant.library import Library
from assistant.lookup import Finder
from assistant.questions import turn
from assistant.retrieval import Retriever
from assistant.schema import EVERYTHING, Sentence
from assistant.text import fold
from assistant.understanding import Understanding
from eval.statistics import bootstrap

SENTENCES = range(1, 13)
ABSTRACTS = (1, 3, 5)
TOKENS_A_SECOND = 40

Notes = Sequence[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one question's prompt costs in tokens, estimated, and the share of the answer's facts that it holds."""

    tokens: int
    held: float


@dataclass(frozen=True, slots=True)
class Case:
    """An answerable question that a chat model would be asked, its quotations, and what answers it."""

    task: Task
    quoted: tuple[Sentence, ...]
    gold: frozenset[int]
    nuggets: tuple[tuple[str, ...], ...]

    def prompt(self, notes: Notes) -> Prompt:
        """Return what a prompt with these notes, (number of the paper, text), costs and holds."""
        last_line = prompts.instruction(self.task.kind, self.task.words)
        tokens = prompts.message_tokens(prompts.messages(notes, self.task.question, last_line))
        text = fold("\n".join(note for n, note in notes if n in self.gold))
        return Prompt(tokens, mean(any(says(text, one) for one in nugget) for nugget in self.nuggets))


def says(folded: str, nugget: str) -> bool:
    """Tell whether a folded text holds a nugget from a word's beginning on; one that ends in a digit, whole."""
    wanted = fold(nugget)
    end = r"(?![\d.,]*\d)" if wanted[-1:].isdigit() else ""
    return re.search(rf"(?<![\w.])(?<!\d,){re.escape(wanted)}{end}", folded) is not None


def cases(library: Library, lines: Sequence[str], known_by: Mapping[str, Sequence[str]]) -> Iterator[Case]:
    """Yield the answerable questions that a chat model would write on; `known_by` are texts of abstracts by key."""
    retriever = Retriever(library)
    understanding, gathering = Understanding(library, retriever, None), Gathering(library, retriever)
    extractive, finder = Extractive(library), Finder(library)
    for row in map(json.loads, filter(str.strip, lines)):
        if not (row["gold"] and row["nuggets"]):
            continue
        understood = returned(understanding.of(row["question"], [turn(item) for item in row.get("history") or ()]))
        kind = kind_of(understood.asked.question)
        if understood.refusal or kind not in ("content", "summary", "compare"):
            continue
        named = None if kind == "compare" else finder.find(understood.asked.question)
        task = gathering.of(
            understood.asked, row["question"], kind, EVERYTHING, named=named if named and named.papers else None
        ).task
        texts = [fold(text) for key in row["gold"] for text in known_by[key]]
        abstracts = [fold(candidate.paper.abstract) for candidate in task.candidates]
        gold = frozenset(n for n, abstract in enumerate(abstracts, 1) if any(text in abstract for text in texts))
        if quoted := extractive.quote(task):
            yield Case(task, quoted, gold, tuple(map(tuple, row["nuggets"])))


def budgets(library: Library, found: Sequence[Case]) -> dict[str, list[Prompt]]:
    """Return each case's prompt, by what is put into it."""
    scored = [scored_passages(library, case.task, case.quoted) for case in found]
    rows: dict[str, list[Prompt]] = {}
    for most in SENTENCES:
        chosen = [evidence(scores, case.quoted, most) for case, scores in zip(found, scored, strict=True)]
        notes = [[(p.n, p.text) for p in passages] for passages in chosen]
        rows[f"{most} sentences"] = [case.prompt(some) for case, some in zip(found, notes, strict=True)]
    for most in ABSTRACTS:
        rows[f"{most} abstracts"] = [
            case.prompt([(n, c.paper.abstract) for n, c in enumerate(case.task.candidates[:most], 1)]) for case in found
        ]
    return rows


def table(rows: Mapping[str, Sequence[Prompt]], most: str = f"{SENTENCES[-1]} sentences") -> Iterator[str]:
    """Yield lines: a budget, its tokens, the seconds to read them, the facts held, and how many fewer than `most`."""
    yield "| in the prompt | tokens | seconds | facts held | short of the most |"
    yield "|---|---|---|---|---|"
    for name, found in rows.items():
        tokens = mean(prompt.tokens for prompt in found)
        held = bootstrap([prompt.held for prompt in found])
        short = bootstrap([every.held - prompt.held for every, prompt in zip(rows[most], found, strict=True)])
        yield (
            f"| {name} | {tokens:.0f} | {tokens / TOKENS_A_SECOND:.1f} | {held.mean:.3f} [{held.low:.3f},"
            f" {held.high:.3f}] | {short.mean:.3f} [{short.low:.3f}, {short.high:.3f}] |"
        )


def main(arguments: Sequence[str], write: Callable[[str], object] = sys.stdout.write) -> None:
    """Print a table for questions about a fact, and one for summaries and comparisons."""
    folder, questions, papers = map(Path, arguments)
    known_by = {paper["key"]: paper["contains"] for paper in json.loads(papers.read_text(encoding="utf-8"))}
    with Library.open(folder) as library:
        found = list(cases(library, questions.read_text(encoding="utf-8").splitlines(), known_by))
        for title, surveys in (("about a fact", False), ("summaries and comparisons", True)):
            some = [case for case in found if (case.task.kind != "content") is surveys]
            if some:
                write(f"{len(some)} questions, {title}\n\n" + "\n".join(table(budgets(library, some))) + "\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
