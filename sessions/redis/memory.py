"""Know whether Redis has memory for what is to be kept.

A Redis that has reached its ``maxmemory`` and evicts nothing refuses each command that could take
more, and everything else goes on: reading and deleting. Redis judges a script by its first write:
one that begins with a command that takes no memory (``ZREM``, ``UNLINK``) may go on with any. Those
that free memory do, and those that keep what is small and must not be lost: that a deletion was
begun and how work ended, and the place of a page. All others begin with what may be refused.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import FULL, pack

_EVERY: Final = 1.0
"""Seconds between two looks."""

_log = logging.getLogger(__name__)


class Memory:
    """Whether the nodes of a Redis take what is new."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = [keys.leases(partition) for partition in range(keys.partitions)]
        self.full = False
        """Whether a node has no memory left; unchanged while it cannot be asked."""

    async def watch(self) -> None:
        """Look again and again; never returns."""
        while True:
            await self.look()
            await asyncio.sleep(_EVERY)

    async def look(self) -> None:
        """Ask each node once."""
        asked = {self._redis.connection(key): key for key in self._keys}
        # It writes nothing, and is refused wherever memory is missing.
        replies = await self._redis.batch(
            [(key, pack(b"ZADD", key, b"XX", 0, b"")) for key in asked.values()]
        )
        full = any(getattr(reply, "reason", "") == FULL for reply in replies)
        if not full and any(isinstance(reply, Exception) for reply in replies):
            return
        if full != self.full:
            _log.warning("redis_full" if full else "redis_has_memory")
        self.full = full
