"""Measure how late the event loop is: all that it does for one keeps the others waiting."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Final

from sessions.distribution import Distribution

_EVERY: Final = 0.25
"""Seconds between two looks: four small wake-ups a second."""


class LoopLag:
    """How late the loop woke a task that slept, in seconds."""

    def __init__(self) -> None:
        self.seconds = Distribution()

    async def keep_measuring(self) -> None:
        """Measure again and again, until cancelled."""
        while True:
            due = monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            self.seconds.add(max(0.0, monotonic() - due))
