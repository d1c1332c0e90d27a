"""Queries with the documents that are relevant to them, whatever file they come from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Query:
    """A query, blank when its text is missing, and the gain of each judged document.

    `versions` maps a paper's id to the document that stands for it when several versions of one paper are kept.
    """

    query_id: str
    text: str
    gains: Mapping[str, int]
    kind: str = "query"
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def relevant(self) -> list[str]:
        """The documents of a gain above 0, the greatest first."""
        return sorted((d for d, gain in self.gains.items() if gain > 0), key=lambda d: -self.gains[d])


@dataclass(frozen=True, slots=True)
class Collection:
    """The judged queries of a file. Without a `corpus`, documents are papers of the library, by their ids.

    `counts` says by name how many of what was left out or is odd; `faults` are ids with what is wrong there.
    """

    name: str
    queries: tuple[Query, ...]
    corpus: Path | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    faults: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """What identifies the queries and their judgements."""
        rows = (repr((q.query_id, q.text, q.kind, sorted(q.gains.items()))) for q in self.queries)
        return sha256("\n".join(rows).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def oddities(queries: Iterable[Query]) -> dict[str, int]:
    """Count among judged queries: all, blank ones, those without relevant document, judgements of no gain."""
    kept = list(queries)
    return {
        "queries": len(kept),
        "blank": sum(not query.text.strip() for query in kept),
        "without_relevant": sum(not query.relevant for query in kept),
        "not_relevant": sum(gain <= 0 for query in kept for gain in query.gains.values()),
    }
