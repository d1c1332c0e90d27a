"""The options that commands share."""

from dataclasses import dataclass, field
from pathlib import Path

from assistant.schema import Filters


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose; None leaves the choice to the settings."""

    library: Path | None = None
    llm: str | None = None
    filters: Filters = field(default_factory=Filters)
    words: int | None = None
    k: int | None = None
    verbose: bool = False
