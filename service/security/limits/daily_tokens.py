"""Stop the model of the operator where the tokens of a project for a day are used up.

What a completion may cost at most is reserved before the model is asked, and what it did cost is
settled afterwards: however many are asked at once, the bound holds. While Redis is away the model
is not asked: nobody could tell what it costs.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from sessions.errors import ResourceExhausted, Unavailable
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

PROJECT: Final = ContextVar("project", default="")
"""The project for which the present task asks the model."""
_DAY: Final = 86_400
"""Days are those of UTC."""
EXCEEDED: Final = "DAILY_TOKENS_EXCEEDED"
_RESERVE: Final = Script("service.security.limits", "scripts/reserve.lua")


class DailyTokens:
    """The tokens that each project has for a day."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        most: int,
        *,
        clock: Callable[[], float] = time.time,
        refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Have *most* tokens for each project; *refused* is told what a refusal met, as others."""
        self._redis = redis
        self._keys = keys
        self._most = most
        self._clock = clock
        self._refused = refused

    async def reserve(self, tokens: int) -> bytes:
        """Count *tokens* of today; return where, for `settle`.

        Raises:
            ResourceExhausted: there are not so many left today (DAILY_TOKENS_EXCEEDED).
            Unavailable: Redis is away.
        """
        now = self._clock()
        day = self._keys.quota(PROJECT.get(), "tokens", str(int(now // _DAY)), "day")
        if not await self._redis.run(_RESERVE, [day], [self._most, tokens, 2 * _DAY]):
            self._refused("daily_tokens")
            raise ResourceExhausted(
                f"this project has used up its {self._most} tokens of the model for today: ask "
                "again after midnight (UTC), or let the operator raise COLLOQUY_LLM_DAILY_TOKENS",
                reason=EXCEEDED,
                retry_after=seconds_left(now),
                quota="project",
            )
        return day

    async def settle(self, day: bytes, reserved: int, used: int) -> None:
        """Count what was *used* instead of what was *reserved*; without Redis, that stands."""
        with contextlib.suppress(Unavailable):
            await self._redis.execute(day, b"INCRBY", day, used - reserved)


def seconds_left(now: float) -> int:
    """Return the seconds, at least 1, until the day of *now* ends; both are epoch seconds."""
    return max(1, int(_DAY - now % _DAY))
