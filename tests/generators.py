"""What generators return, for who does not care for what they yield."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


def returned(generator: Generator[object, None, T]) -> T:
    """Run a generator to its end and return what it returns."""
    said: list[T] = []

    def run() -> Generator[object]:
        said.append((yield from generator))

    for _ in run():
        pass
    return said[0]
