"""Vectors for tests in which meaning plays no part: all texts look alike."""

from collections.abc import Sequence

import numpy as np

from assistant.selection import Vector

PLAIN: Vector = np.ones(1, dtype=np.float32)


def plain_vectors(texts: Sequence[object]) -> Vector:
    """Return the same unit vector for each text, (n, 1)."""
    return np.ones((len(texts), 1), dtype=np.float32)
