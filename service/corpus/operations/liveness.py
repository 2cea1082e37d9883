"""Whether the process that works at an operation could have marked it, and so is dead if not."""

from __future__ import annotations

from typing import Final

from service.corpus.operations.stored_operations import DEAD
from sessions.redis.connection import Redis

_BLIND: Final = 5.0
"""Seconds between two looks at Redis after which it counts as having been away."""


class Liveness:
    """Redis' clock as one process sees it, with the moments at which nobody could see it.

    Marks are late where Redis was away, frozen or failing over: that is no death of who works. So
    the seconds without a mark count from when this process sees Redis without a gap.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._seen_since = self._seen = 0

    async def look(self) -> int:
        """Return Redis' time in ms; to be called more often than each `_BLIND` seconds."""
        now = await self._redis.now_ms()
        # The first look begins no gap: a process that has just started takes the marks as they
        # are, or an operation of the process before it would seem alive for another `DEAD`.
        if self._seen and now - self._seen > _BLIND * 1000:
            self._seen_since = now
        self._seen = now
        return now

    def could_mark(self, now: int) -> bool:
        """Tell whether whoever is alive had the time to leave a mark until *now*, as of `look`."""
        return now - self._seen_since >= DEAD * 1000
