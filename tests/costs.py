"""How the cost of work grows with its size, whatever the speed of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 8
"""How much larger the larger work is."""


def growth(work: Callable[[int], object], size: int) -> float:
    """Return how many times more CPU *work* takes of `TIMES` the *size*: 64 where it is square."""

    def cost(size: int) -> float:
        started = time.thread_time()
        work(size)
        return time.thread_time() - started

    return min(cost(size * TIMES) for _ in range(3)) / max(min(cost(size) for _ in range(3)), 1e-6)
