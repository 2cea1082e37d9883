"""Know whether Redis still holds the data that this process was started on.

A Redis that lost its disk comes back empty, and one whose address was turned is another. Either
answers as if nothing had happened, and what is asked for is simply not there.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from sessions.errors import Unavailable
from sessions.redis.connection import SCHEMA, Redis
from sessions.redis.keys import Keys

_EVERY: Final = 1.0
"""Seconds between two looks."""

_log = logging.getLogger(__name__)


class Installation:
    """Whether the installation is there that the first look found."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._key = keys.install
        self._id: bytes | None = None
        self.lost = False
        """Whether Redis is there without it; unchanged while Redis is away."""

    async def watch(self) -> None:
        """Look again and again; never returns."""
        while True:
            await self.look()
            await asyncio.sleep(_EVERY)

    async def look(self) -> None:
        """Ask Redis once."""
        try:
            schema, found = await self._redis.execute(self._key, "HMGET", self._key, "schema", "id")
        except Unavailable:
            return
        # The id is drawn by the first process of an installation, soon after its start.
        self._id = self._id or found
        lost = schema != b"%d" % SCHEMA or found != self._id
        if lost != self.lost:
            _log.warning("data_lost" if lost else "data_back")
        self.lost = lost
