"""Token buckets of this process: for reads, and for everything while Redis is away.

They are kept as in Redis, by the generic cell rate algorithm: of each bucket nothing but the time
at which it will be full again.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec

MOST: Final = 100_000
"""Buckets that are kept, some 20 MB; over it, the ones that are asked for least recently go."""


class Level(msgspec.Struct, frozen=True):
    """What one bucket has after it was asked.

    *wait* is 0 where it gave what was asked for, or the seconds until it will. *remaining* is how
    many more may come at once, *reset* the seconds until it is full.
    """

    wait: float
    remaining: int
    reset: float


class LocalBuckets:
    """Buckets by key; each is full until it is asked for the first time."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._full_at: dict[bytes, tuple[float, float]] = {}

    def note(self, key: bytes, full_at: float, *, margin: float = 0.0) -> None:
        """Know of a bucket that it is full at *full_at* or at most *margin* seconds later.

        The margin of one that is kept elsewhere is what asking for it took: it refuses nothing,
        and is waited for by who is refused.
        """
        self._full_at.pop(key, None)
        self._full_at[key] = full_at, margin
        if len(self._full_at) > self._most:
            del self._full_at[next(iter(self._full_at))]

    def __len__(self) -> int:
        """How many buckets are remembered."""
        return len(self._full_at)

    def look(self, key: bytes, now: float, *, size: int, window: float, cost: int = 1) -> Level:
        """Return what would become of *cost*, and take nothing.

        The bucket has *size* tokens, which come back evenly within *window* seconds. *now* is in
        seconds of any clock that only goes forward.
        """
        interval = window / size
        full_at, margin = self._full_at.get(key, (now, 0.0))
        full_at = max(now, full_at)
        later = full_at + min(cost, size) * interval
        # A nanosecond for what is lost in adding: a bucket gives the last of its tokens, too.
        wait = later - now - window
        if wait > 1e-9:
            reset = full_at - now
            return Level(wait + margin, math.floor((window - reset) / interval + 1e-9), reset)
        return Level(0, math.floor((window - (later - now)) / interval + 1e-9), later - now)

    def take(self, key: bytes, now: float, *, size: int, window: float, cost: int = 1) -> Level:
        """Take *cost* from the bucket where it has as much; else nothing."""
        level = self.look(key, now, size=size, window=window, cost=cost)
        self.note(key, now + level.reset)
        return level
