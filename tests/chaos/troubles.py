"""What was harmed from when to when: what happened near a stall, and how long a replica is well."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Generator
from typing import Final

from tests.chaos.checking import Stall

REDIS: Final = -1
"""Whom a fault of Redis harms: everybody."""


class Troubles:
    """The faults of one experiment; a replica goes by its number."""

    def __init__(self) -> None:
        self.began = _now()
        self._history: list[tuple[float, str]] = []
        self._away: list[tuple[float, float]] = []
        self._present: Counter[int] = Counter()
        self._over: dict[int, float] = {}

    @contextlib.contextmanager
    def of(self, whom: int, name: str) -> Generator[None]:
        """Note that *whom* is harmed as long as this is entered."""
        self._note(name)
        self._present[whom] += 1
        try:
            yield
        finally:
            self._present[whom] -= 1
            self._over[whom] = _now()
            self._note(f"{name} over")

    def excuse(self, since: float, until: float) -> None:
        """Hold no stall from *since* to *until* to the bound of a take-over: Redis was away."""
        self._away.append((since, until))

    def is_excused(self, stall: Stall) -> bool:
        """Tell whether Redis was away during *stall*."""
        ended = stall.since + stall.seconds
        return any(since <= ended and stall.since <= until for since, until in self._away)

    def well_since(self, replica: int) -> float | None:
        """Return when the last fault of *replica* or of Redis was over, None while one is on."""
        if self._present[replica] or self._present[REDIS]:
            return None
        return max(self._over.get(one, self.began) for one in (replica, REDIS))

    def around(self, stall: Stall, before: float) -> str:
        """Say what happened from so many seconds *before* a stall to its end."""
        since, until = stall.since - before, stall.since + stall.seconds
        near = [
            f"{at - stall.since:+.2f} {what}" for at, what in self._history if since < at < until
        ]
        return f"{stall.seconds:.2f} s from {stall.since - self.began:.1f} s on: {', '.join(near)}"

    def _note(self, what: str) -> None:
        self._history.append((_now(), what))


def _now() -> float:
    return asyncio.get_running_loop().time()
