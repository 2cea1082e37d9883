"""Unlink, piece by piece, the answers that deleted sessions left.

A deletion is over for everybody else at once; a session with 10,000 answers would still hold up
Redis if one script unlinked them all. What a crash leaves half swept waits in the partition's
trash for the next `Trash.sweep`.
"""

from __future__ import annotations

from typing import Final

from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

_SWEEP: Final = Script("sessions.stores", "scripts/sweep.lua")
_CHUNK: Final = 100
"""How many answers one script unlinks: Redis does nothing else meanwhile."""


class Trash:
    """The deleted sessions and conversations of an installation."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def sweep(self, partition: int) -> int:
        """Unlink what is left of the sessions deleted in *partition*; return how many they were."""
        trash = self._keys.trash(partition)
        swept = 0
        while owners := await self._redis.execute(trash, "ZRANGE", trash, 0, _CHUNK - 1):
            for owner in owners:
                await self.empty(owner.decode())
            swept += len(owners)
        return swept

    async def empty(self, owner: str) -> None:
        """Unlink what is left of the deleted session or conversation *owner*."""
        trashed = self._keys.trashed(owner)
        trash = self._keys.trash(self._keys.partition(owner))
        left = 1
        while left:
            listed = await self._redis.execute(trashed, "LRANGE", trashed, 0, _CHUNK - 1)
            answers = [name.decode() for name in listed]
            unlinked = [key for answer in answers for key in self._keys_of(answer)]
            args = (owner, answers[0] if answers else "", len(answers))
            left = await self._redis.run(_SWEEP, [trashed, trash, *unlinked], args)

    def _keys_of(self, answer: str) -> tuple[bytes, bytes]:
        return self._keys.answer(answer), self._keys.log(answer)
