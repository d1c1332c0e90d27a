"""The values that flow through askpapers: papers in, answers out. Plain frozen dataclasses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

Kind = Literal["content", "summary", "compare", "list", "count", "lookup", "smalltalk"]
Composed = Literal["quotations", "model", "mixed"]
Reason = Literal["nothing_relevant", "not_stated"]
Support = Literal["verbatim", "supported"]


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as the library keeps it.

    `abstract` is the text shown to readers ("" for a title-only paper); every offset elsewhere counts characters
    of it. `label` is derived from the abstract and stands only where `title` is None. `source_ids` are the ids that
    the sources gave, verbatim; `aliases` are other paper ids by which this paper is found. `extra` is what else its
    records held.
    """

    paper_id: str
    title: str | None = None
    label: str | None = None
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    url: str | None = None
    doi: str | None = None
    keywords: tuple[str, ...] = ()
    source_ids: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What a reader calls the paper: its title, or the derived label."""
        return self.title or self.label or self.paper_id


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of characters in a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """One text that the encoder reads: the paper's title and a window of its sentences."""

    chunk_id: str
    paper_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Filters:
    """Restrictions on the papers considered; empty means all. Years are inclusive; names compare case-folded."""

    years: tuple[int | None, int | None] = (None, None)
    venues: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != EVERYTHING


EVERYTHING = Filters()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that retrieval found, with its fused score in 0..1 and the two scores it was made from."""

    paper: Paper
    score: float
    dense: float = 0.0
    lexical: float = 0.0


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim stretch of paper `n`'s abstract: `abstract[start:end] == quote`."""

    n: int
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer. `text` holds no markers; `citations` are the numbers of the papers it cites."""

    text: str
    citations: tuple[int, ...]
    support: Support | None = None
    score: float | None = None
    evidence: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence that a model wrote and that is not part of the answer, and why."""

    text: str
    citations: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """A retrieved paper under the number it has in the prompt, in the text and in the list."""

    n: int
    paper: Paper
    cited: bool
    score: float


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question and answer; `papers[i]` is the paper id that marker [i + 1] meant in it, if known."""

    question: str
    answer: str
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the chat model counted, or zeros without one."""

    prompt: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The last event of a stream: the whole answer.

    `text` is the sentences, each followed by its markers, and nothing else; for an abstention it says what is known.
    `confidence` is the probability that the abstracts state what is asked, 0.5 where the assistant begins to answer;
    None for questions that are not about a fact.
    `timings` are milliseconds since the question under retrieve, quotations, first_token, first_sentence and total.
    `notice` is a sentence for the user about something that went wrong without failing the question, as a model
    that stopped in mid-answer.
    """

    question: str
    standalone_question: str
    kind: Kind
    mode: str
    text: str
    composed: Composed | None = None
    abstained: bool = False
    reason: Reason | None = None
    confidence: float | None = None
    sentences: tuple[Sentence, ...] = ()
    removed: tuple[Removed, ...] = ()
    papers: tuple[Source, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict)
    tokens: Tokens = Tokens()
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The papers found, numbered, before the first word is written."""

    papers: tuple[Source, ...]
    standalone_question: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """The answer in the abstracts' own words; stands until the answer is complete."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text that the model has written and nobody has checked."""

    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A sentence of the model's that is complete: part of the answer, or removed."""

    sentence: Sentence | Removed


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sign that the answer still comes, given again and again while the model writes nothing.

    `position` is the question's place in the line before the model, 0 once it has been sent. `reason` says in a
    sentence what it waits for, None when it is for the model itself.
    """

    position: int = 0
    reason: str | None = None


Event = Retrieved | Quoted | Waiting | Token | Checked | Answer
