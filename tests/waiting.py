"""Wait in tests for a condition, never for a time."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Final

import anyio

_PAUSES: Final = 0.002, 0.05
"""The shortest and the longest pause between two looks, in seconds."""
LONG: Final = 30.0
"""Seconds within which what is to come comes, on a machine that has much else to do.

Who waits no longer than it takes loses nothing by it; a promise of less is proven by its constants.
"""


async def eventually(claim: Callable[[], bool | Awaitable[bool]], *, within: float = LONG) -> None:
    """Return as soon as *claim*, a plain or an async function, is true.

    Raises:
        TimeoutError: it was not *within* so many seconds.
    """
    began = time.monotonic()
    with anyio.fail_after(within):
        while True:
            truth = claim()
            if truth if isinstance(truth, bool) else await truth:
                return
            await anyio.sleep(_pause(began))


def until(claim: Callable[[], bool], *, within: float = LONG) -> None:
    """Return as soon as *claim* is true, where there is no event loop yet.

    Raises:
        TimeoutError: it was not *within* so many seconds.
    """
    began = time.monotonic()
    while not claim():
        if time.monotonic() > began + within:
            raise TimeoutError(f"still untrue after {within} s: {claim}")
        time.sleep(_pause(began))


def _pause(began: float) -> float:
    """Return how long to wait before another look: some of what was waited, to look less often.

    Who looks all the time takes the processor from what is to come.
    """
    shortest, longest = _PAUSES
    return min(max(shortest, (time.monotonic() - began) / 20), longest)
