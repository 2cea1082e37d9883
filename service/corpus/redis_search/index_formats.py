"""Know which formats of the shared index are used, and delete those that no replica uses any more.

Each version of the service that indexes texts otherwise has an index of its own format, which only
its replicas keep (`entry_keys`). Each replica that follows an index says so every few seconds; an
index of which none has said so for `UNUSED` seconds can be deleted.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Collection
from typing import Final

from service.corpus.redis_search.entry_keys import EntryKeys
from service.corpus.redis_search.entry_writer import EntryWriter, LeaseLost
from service.thread_pools import ThreadPool
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

UNUSED: Final = 30.0
"""Seconds: three times what lies between two times that a replica says what it uses."""
_WAIT: Final = 0.5
_KEPT: Final = re.compile(
    rb"\{d\d+\}:(?:entries|terms|totals|garbage)-([0-9a-f]{12}):(.+)", re.DOTALL
)


class IndexFormats:
    """The formats in which there is an index in the Redis of an installation."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._used = keys.corpus("", "sharing")

    async def mark_used(self, made: str, replica: str) -> None:
        """Say that *replica* uses the index of the format *made*."""
        now = await self._redis.now_ms()
        await self._redis.execute(self._used, "ZADD", self._used, now, f"{made}:{replica}")

    async def leave(self, made: str, replica: str) -> None:
        """Say that *replica* uses it no more."""
        await self._redis.execute(self._used, "ZREM", self._used, f"{made}:{replica}")

    async def used(self) -> Collection[str]:
        """Return the formats that replicas use."""
        since = await self._redis.now_ms() - int(UNUSED * 1_000)
        key = self._used
        # Those of replicas that were killed.
        await self._redis.execute(key, "ZREMRANGEBYSCORE", key, "-inf", f"({since}")
        found = await self._redis.execute(key, "ZRANGE", key, 0, -1)
        return {each.decode().partition(":")[0] for each in found}

    async def delete_unused(self) -> int:
        """Delete the indexes of all formats that no replica uses; return how many formats.

        It looks at every key of Redis, and waits for replicas that write.
        """
        used, deleted = await self.used(), set[str]()
        for made, data_store in sorted(await self._found()):
            if made not in used:
                await self._delete(EntryKeys(self._keys, data_store, made))
                deleted.add(made)
        return len(deleted)

    async def _found(self) -> set[tuple[str, str]]:
        """Return the formats of indexes, each with a data store that has one."""
        found = set[tuple[str, str]]()
        prefix = f"{self._keys.prefix}:".encode()
        async for page in self._redis.scan(f"{self._keys.prefix}:{{d*}}:[egt]*-{'?' * 12}:*"):
            for key in page:
                if named := _KEPT.fullmatch(key.removeprefix(prefix)):
                    found.add((named[1].decode(), named[2].decode()))
        return found

    async def _delete(self, keys: EntryKeys) -> None:
        writer = EntryWriter(self._redis, keys, secrets.token_hex(8), ThreadPool("index", 1))
        while True:
            # The lease keeps a replica that starts meanwhile from building what is deleted here.
            if await writer.take():
                try:
                    await writer.drop()
                    return
                except LeaseLost:
                    continue
                finally:
                    await writer.release()
            await asyncio.sleep(_WAIT)
