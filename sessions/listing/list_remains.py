"""Take what is gone out of everything that still lists it.

A deletion drops a session from its place. Its id stays behind where running traversals see the past
(`sessions.listing.list_index`), in sorted lists that pages are cut from, and, where a process died
between two steps, in the place and the user's bucket. All that ends by itself, after some hours or
with the next look; this ends it at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from sessions.listing.list_index import CHUNK, ListIndex, session_of
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

Existing = Callable[[Sequence[str]], Awaitable[set[str]]]
"""Returns those names that are there."""
_SNAPSHOT: Final = 17
"""Bytes behind a member that left its place: 0 and the snapshot (scripts/touch.lua)."""


class ListRemains:
    """What the lists of one collection say of sessions that are gone."""

    def __init__(self, redis: Redis, keys: Keys, index: ListIndex, existing: Existing) -> None:
        self._redis = redis
        self._keys = keys
        self._index = index
        self._existing = existing

    async def clear(self, parent: str, user: str) -> None:
        """Forget what is gone under *parent*: *user*'s in lists, and whoever's in pages of old."""
        await self._clear_bucket(parent, user)
        await self._clear_left(parent)

    async def _clear_bucket(self, parent: str, user: str) -> None:
        collection = self._index.collection
        bucket = self._keys.user_bucket(parent, collection, user)
        members: list[bytes] = await self._redis.execute(bucket, "SMEMBERS", bucket)
        for gone in await self._gone(parent, [each.decode() for each in members]):
            name = f"{parent}/{collection}/{gone}"
            await self._index.drop(name, await self._index.place(name), user)
            await self._redis.execute(bucket, "SREM", bucket, gone)

    async def _clear_left(self, parent: str) -> None:
        left, moved = (
            self._keys.list_index_part(parent, self._index.collection, part)
            for part in ("left", "moved")
        )
        at = 0
        while found := await self._redis.execute(left, "ZRANGE", left, at, at + CHUNK - 1):
            ids = {bytes(each): session_of(each[:-_SNAPSHOT]) for each in found}
            gone = await self._gone(parent, list(ids.values()))
            for member, each in ids.items():
                if each in gone:
                    await self._redis.execute(left, "ZREM", left, member)
                    await self._redis.execute(moved, "LREM", moved, 0, member)
            at += len(found) - sum(each in gone for each in ids.values())

    async def clear_sorted(self, covers: Callable[[str], bool]) -> None:
        """Forget sorted lists that name what is gone, under the parents that *covers* tells.

        Whoever pages through one begins anew.
        """
        part = self._index.collection
        async for page in self._redis.scan(f"{self._keys.prefix}:{{x*}}:kept:*:{part}:*"):
            for key in page:
                parent = key.decode().partition(f":{part}:")[2]
                if covers(parent):
                    ids: list[bytes] = await self._redis.execute(key, "LRANGE", key, 0, -1)
                    if await self._gone(parent, [each.decode() for each in ids]):
                        await self._redis.execute(key, "UNLINK", key)

    async def _gone(self, parent: str, ids: Sequence[str]) -> set[str]:
        names = {f"{parent}/{self._index.collection}/{each}": each for each in ids}
        there = await self._existing(list(names))
        return {each for name, each in names.items() if name not in there}
