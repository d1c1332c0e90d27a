"""The values that flow through reading: raw records in, parsed papers or rejects out."""

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.schema import Json, Paper


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record as its file holds it; `number` counts from 1 within the file, `line` is where it starts."""

    file: str
    number: int
    line: int | None
    fields: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that cannot become a paper, and why; `record` is None when the whole file is meant."""

    file: str
    record: int | None
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class ParsedRecord:
    """A paper read from one record, with what identifies it.

    `keys` are its identity keys, strongest first; `paper.paper_id` is the first. `title_key` stands for
    its folded title and surnames and is given whenever there is a title.
    """

    paper: Paper
    keys: tuple[str, ...]
    title_key: str | None
