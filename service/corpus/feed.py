"""Tell every replica which documents changed, so that its index follows.

Each data store has a stream of the ids that changed, numbered without gaps; one sorted set says
which data stores changed last. What changed to what is read from the store itself: an entry may
be applied twice, and only the last state counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec

from sessions.connection import Redis, Script
from sessions.keys import Keys

KEPT: Final = 10_000
"""Entries that a feed keeps; a reader that is further behind reads the data store anew."""

_PAGE: Final = 500
_ANNOUNCE: Final = Script("service.corpus", "scripts/announce.lua")
_IDS: Final = msgspec.msgpack.Decoder(tuple[str, ...])


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in a data store up to *position*; *whole*: anything may have, read it anew."""

    position: int
    ids: tuple[str, ...] = ()
    whole: bool = False


class Feed:
    """The changes of all data stores of an installation."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._stores = keys.corpus("", "stores")

    async def announce(self, data_store: str) -> None:
        """Say that *data_store* changed; repeating it does no harm."""
        await self._redis.run(_ANNOUNCE, [self._stores], [data_store])

    async def changed(self, since: int) -> tuple[list[str], int]:
        """Return the data stores that changed after the moment *since*, and the moment to go on.

        Begin with 0; the moment means nothing but its order.
        """
        found: list[bytes] = await self._redis.execute(
            self._stores, "ZRANGEBYSCORE", self._stores, f"({since}", "+inf", "WITHSCORES"
        )
        names = [name.decode() for name in found[::2]]
        return names, int(float(found[-1])) if found else since

    async def read(self, data_store: str, after: int) -> Changes:
        """Return what changed in *data_store* after the position *after*; 0 reads all."""
        head = await self._head(data_store)
        if head == after:
            return Changes(position=after)
        if after == 0 or head < after:
            return Changes(position=head, whole=True)
        entries = await self._entries(data_store, after)
        if [number for number, _ in entries] != list(range(after + 1, after + 1 + len(entries))):
            return Changes(position=head, whole=True)  # trimmed, or a store of the same name
        if not entries:
            return Changes(position=head, whole=True)
        ids = dict.fromkeys(i for _, packed in entries for i in _IDS.decode(packed))
        return Changes(position=entries[-1][0], ids=tuple(ids))

    async def _head(self, data_store: str) -> int:
        key = self._keys.corpus(data_store, "number")
        return int(await self._redis.execute(key, "GET", key) or 0)

    async def _entries(self, data_store: str, after: int) -> list[tuple[int, bytes]]:
        key = self._keys.corpus(data_store, "feed")
        reply = cast(
            "list[tuple[bytes, list[bytes]]]",
            await self._redis.execute(key, "XRANGE", key, f"{after + 1}-0", "+", "COUNT", _PAGE),
        )
        return [(int(entry.partition(b"-")[0]), fields[1]) for entry, fields in reply]


def pack_ids(ids: Sequence[str]) -> bytes:
    """Return *ids* as an entry of a feed holds them."""
    return msgspec.msgpack.encode(ids)


def feed_keys(keys: Keys, data_store: str) -> list[Any]:
    """Return the feed of *data_store* and its number, as the scripts take them."""
    return [keys.corpus(data_store, "feed"), keys.corpus(data_store, "number")]
