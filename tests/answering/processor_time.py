"""How much of a processor a test takes, and texts to take it."""

from __future__ import annotations

import time
from collections.abc import Callable


def cpu(work: Callable[[], object]) -> float:
    """Return the processor seconds of this thread that *work* takes."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def plain(count: int) -> str:
    return " ".join(f"Word{n} costs {n} euros." for n in range(count))
