"""What a generated test set is made of: drafts of questions, and what became of them. Plain frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from assistant.schema import Json, Turn

Kind = Literal["fact", "paraphrase", "multi", "compare", "followup", "list", "count", "unanswerable"]
KINDS: Final[tuple[Kind, ...]] = (
    "fact", "paraphrase", "multi", "compare", "followup", "list", "count", "unanswerable",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """The sentence that an answer stands in: `abstract[start:end]` of a paper."""

    paper_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with what is known of its answer, before or after it was checked.

    `form` names the pattern it was made by. `gold` is every paper that answers it, () when the assistant has to
    abstain. `nuggets` are the facts an answer must hold, each in any of several spellings. `standalone` is what the
    question asks when it is not understood without its `history`.
    """

    kind: Kind
    form: str
    question: str
    gold: tuple[str, ...] = ()
    nuggets: tuple[tuple[str, ...], ...] = ()
    reference: str | None = None
    source: Passage | None = None
    history: tuple[Turn, ...] = ()
    standalone: str | None = None

    @property
    def asked(self) -> str:
        """The question as it is searched for."""
        return self.standalone or self.question


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the drafts of one kind; `dropped` counts them by reason."""

    tried: int = 0
    passed: int = 0
    kept: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """The questions kept, in order, and what became of the drafts of each kind."""

    kept: tuple[Draft, ...]
    tallies: Mapping[Kind, Tally]
    written_by_model: int = 0


def row(draft: Draft, number: int) -> dict[str, Json]:
    """Return the line of a questions file for a draft."""
    told: dict[str, Json] = {"id": f"g{number:04d}", "type": draft.kind, "question": draft.question}
    if draft.history:
        told["history"] = [
            {"question": turn.question, "answer": turn.answer, "papers": list(turn.papers)} for turn in draft.history
        ]
    told |= {"gold": list(draft.gold), "nuggets": [list(spellings) for spellings in draft.nuggets]}
    if draft.reference:
        told["reference"] = draft.reference
    if draft.source:
        source = draft.source
        told["source"] = {"paper_id": source.paper_id, "start": source.start, "end": source.end}
    return told
