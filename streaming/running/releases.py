"""Give answers up, so that another replica takes them over at once."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.supervision import contained
from streaming.log import control_messages
from streaming.log.transitions import Transitions

_RETRY: Final = 0.25  # seconds between two attempts while Redis is away
_MOST: Final = 256  # answers that are given up at a time; the leases of the rest run out


class Releases:
    """Gives up what this replica has, or may have, the right to write."""

    def __init__(
        self,
        tasks: asyncio.TaskGroup,
        redis: Redis,
        keys: Keys,
        transitions: Transitions,
        *,
        ttl: float,
    ) -> None:
        """Leases last *ttl* seconds."""
        self._tasks = tasks
        self._redis = redis
        self._keys = keys
        self._transitions = transitions
        self._ttl = ttl
        self._unconfirmed = 0

    async def release(self, answer: str, epoch: int) -> None:
        """Have others take *answer* over at once, where *epoch* of it is ours.

        While Redis is away this is tried again; after the time of a lease it is over anyway.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._ttl):
                while True:
                    with contextlib.suppress(Unavailable, ResponseError):
                        if await self._transitions.release(answer, epoch):
                            message = control_messages.FREE + answer.encode()
                            await self._redis.publish(
                                self._keys.control(control_messages.EVERYONE), message
                            )
                        return
                    await asyncio.sleep(_RETRY)

    def release_unconfirmed(self, answer: str, epoch: int) -> None:
        """Do so beside the caller, if *epoch* was granted to us: the reply that says so is lost.

        Else the answer would wait for a lease that nobody renews.
        """
        if self._unconfirmed < _MOST:
            self._unconfirmed += 1
            work = contained(self._release_one(answer, epoch), "answer_task_failed", answer=answer)
            self._tasks.create_task(work, name=f"release {answer}")

    async def _release_one(self, answer: str, epoch: int) -> None:
        try:
            await self.release(answer, epoch)
        finally:
            self._unconfirmed -= 1
