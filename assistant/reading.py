"""A question being read: what is left of it, and the conditions found so far."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from assistant.conditions import Condition, Vocabulary

YEAR = r"(?:19|20)\d\d"
NOT = (
    r"(?P<no>\b(?:but |and |or )?(?:not|except(?: for)?|excluding|other than|apart from|besides|outside(?: of)?|aren't"
    r"|isn't|weren't|wasn't|non|nor)(?:[ -](?:the ones|those|papers?|articles?|published|written|presented|being|any))*"
    r"[ -]+)?"
)
PREPOSITION = (
    r"(?:(?:published|presented|accepted|appeared|appearing|written|dated)\s+)?"
    r"(?:(?:from|in|at|of|to|for|during|by|on)\s+)?(?:the\s+)?"
)


@dataclass(slots=True)
class Reading:
    """A question being read: what is left of it and the conditions found so far."""

    rest: str
    vocabulary: Vocabulary
    year: int
    found: list[Condition] = field(default_factory=list)

    def take(self, pattern: re.Pattern[str], read: Callable[[re.Match[str]], Iterable[Condition] | None]) -> None:
        """Take out of the rest what the pattern matches wherever `read` makes conditions of it."""

        def replaced(match: re.Match[str]) -> str:
            conditions = read(match)
            if conditions is None:
                return match.group()
            self.found += conditions
            return " "

        self.rest = pattern.sub(replaced, self.rest)
