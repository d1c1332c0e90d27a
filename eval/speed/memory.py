"""How much memory this process takes while it works."""

import threading
from dataclasses import dataclass
from types import TracebackType

from assistant.machine import resident_memory

_PERIOD = 0.02  # seconds


@dataclass(frozen=True, slots=True)
class Memory:
    """Resident set of the process, in megabytes (10^6 bytes).

    The peaks hold everything that the process has loaded until then; `growth` is what the last question added to what
    the process held after the first one.
    """

    ingest_peak: float
    answer_peak: float
    growth: float


class Watch:
    """Watches the resident set while its context lasts, which may be entered again; `peak` is in megabytes."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread()

    def __enter__(self) -> "Watch":
        self._over.clear()
        self._thread = threading.Thread(target=self._run, name="memory", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        self.peak = max(self.peak, resident())

    def _run(self) -> None:
        while not self._over.wait(_PERIOD):
            self.peak = max(self.peak, resident())


def resident() -> float:
    """Return the resident set of this process in megabytes."""
    return round(resident_memory() / 1e6, 1)
