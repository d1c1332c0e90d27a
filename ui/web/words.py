"""Numbers and lists in words. Pure functions."""

from collections.abc import Iterable


def counted(n: int, noun: str) -> str:
    """Write a number with its noun: `1 paper`, `6,605 papers`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def listed(words: Iterable[str]) -> str:
    """Join words as prose does: `a, b and c`."""
    *head, last = list(words) or [""]
    return f"{', '.join(head)} and {last}" if head else last
