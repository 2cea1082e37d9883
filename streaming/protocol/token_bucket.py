"""Bound how often something may happen: at a rate in the long run, a burst at once."""

from __future__ import annotations


class TokenBucket:
    """Tokens that come back at *rate* a second, up to *burst*."""

    __slots__ = ("_at", "_burst", "_level", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def take(self, now: float, count: int = 1) -> bool:
        """Take *count* tokens; False where there are not so many."""
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if self._level < count:
            return False
        self._level -= count
        return True
