"""The machine: how much memory it has to spare, and how much of it this process claims."""

import os
import sys


def available_memory() -> int:
    """Return the bytes of memory that a new process can have without others being swapped out."""
    import psutil

    return int(psutil.virtual_memory().available)


def total_memory() -> int:
    """Return the bytes of memory that the machine has."""
    import psutil

    return int(psutil.virtual_memory().total)


def resident_memory() -> int:
    """Return the bytes of memory that this process has in use."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def yield_to_others() -> None:
    """Give this process the lowest priority, so that a chat model that writes beside it is not slowed down."""
    if sys.platform == "win32":
        import psutil

        psutil.Process().nice(psutil.IDLE_PRIORITY_CLASS)
    else:
        os.nice(19)
