"""Tell every replica which documents changed, so that its index follows.

Each data store has a stream of the ids that changed, numbered by Redis' clock; one sorted set
says which data stores changed last. What changed to what is read from the store itself: an entry
may be applied twice, and only the last state counts.

The two lie in different slots, so a write takes three steps, and may break off between any two:
`register` (somebody will look at the data store), the write with its entry in the stream (one
script, so that neither is without the other), `announce` (look now). What was written and not
announced is found by who asks for all `heads`, every few seconds.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import msgspec

from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

KEPT: Final = 10_000
"""Entries that a feed keeps; a reader that is further behind compares the whole data store."""

_PAGE: Final = 100
"""Entries read at once; each has up to `document_store.BATCH` ids."""
_HEADS: Final = 1_000
"""Data stores whose numbers are read at once."""
_UNREADABLE: Final = -1
"""The number of a feed whose number is damaged: unlike all others, and the same until mended."""
_REGISTERED: Final = 1
"""The lowest moment: no reader of `changed` sees it that has seen anything."""
_REMEMBERED: Final = 86_400
"""Seconds after which a data store that is gone need not be looked for any more."""
_ANNOUNCE: Final = Script("service.corpus.storage", "scripts/announce.lua")
_IDS: Final = msgspec.msgpack.Decoder(tuple[str, ...])


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What changed in a data store up to *position*.

    *whole*: anything may have, compare all of it. *more*: what follows was not read yet.
    """

    position: int
    ids: tuple[str, ...] = ()
    whole: bool = False
    more: bool = False


class ChangeFeed:
    """The changes of all data stores of an installation."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._stores = keys.corpus("", "stores")

    async def register(self, data_store: str) -> None:
        """Let `heads` name *data_store*, before anything is written to it.

        Who dies between the write and `announce` would leave documents that nobody looks for.
        """
        await self._redis.execute(self._stores, "ZADD", self._stores, "NX", _REGISTERED, data_store)

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

    async def heads(self, besides: Sequence[str] = ()) -> Mapping[str, int]:
        """Return the last position of every data store that was ever written to, and of *besides*.

        It is 0 where a data store is empty or gone.
        """
        found: list[bytes] = await self._redis.execute(
            self._stores, "ZRANGE", self._stores, 0, -1, "WITHSCORES"
        )
        told = {
            name.decode(): float(moment)
            for name, moment in zip(found[::2], found[1::2], strict=True)
        }
        # Those that are known here besides: one that was deleted may have left the set already.
        wanted = list(dict.fromkeys((*told, *besides)))
        heads: dict[str, int] = {}
        for at in range(0, len(wanted), _HEADS):
            page = wanted[at : at + _HEADS]
            keys = [self._keys.corpus(name, "number") for name in page]
            replies = await self._redis.batch([(key, pack("GET", key)) for key in keys])
            for name, reply in zip(page, replies, strict=True):
                if isinstance(reply, Exception):
                    raise reply
                heads[name] = _number(reply)
        long_ago = (time.time() - _REMEMBERED) * 1_000_000
        gone = [
            name for name, at in told.items() if _REGISTERED < at < long_ago and not heads[name]
        ]
        # Only after a day: until then any replica has seen that it is gone, and dropped its index.
        if gone:
            await self._redis.execute(self._stores, "ZREM", self._stores, *gone[:_HEADS])
        return heads

    async def read(self, data_store: str, after: int) -> Changes:
        """Return what changed in *data_store* after the position *after*; 0 reads all."""
        key = self._keys.corpus(data_store, "number")
        head = _number(await self._redis.execute(key, "GET", key))
        if head == after:
            return Changes(position=after)
        whole = Changes(position=head, whole=True)
        if after <= 0 or head <= 0:
            return whole
        entries = await self._entries(data_store, after)
        # Where the entry of *after* is, everything since is: a feed is only ever cut at its
        # beginning. Where it is not, it was cut, lost in a failover, or is of another store.
        if len(entries) < 2 or entries[0][0] != after:
            return whole
        try:
            ids = dict.fromkeys(i for _, packed in entries[1:] for i in _IDS.decode(packed))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return whole
        more = len(entries) > _PAGE
        return Changes(position=entries[-1][0], ids=tuple(ids), more=more)

    async def _entries(self, data_store: str, since: int) -> list[tuple[int, bytes]]:
        """Return the entry *since* and up to `_PAGE` that follow it."""
        key = self._keys.corpus(data_store, "feed")
        reply = cast(
            "list[tuple[bytes, list[bytes]]]",
            await self._redis.execute(key, "XRANGE", key, f"{since}-0", "+", "COUNT", _PAGE + 1),
        )
        return [(int(entry.partition(b"-")[0]), fields[1]) for entry, fields in reply]


def _number(stored: bytes | None) -> int:
    try:
        return int(stored or 0)
    except ValueError:
        return _UNREADABLE


def pack_ids(ids: Sequence[str]) -> bytes:
    """Return *ids* as an entry of a feed holds them."""
    return msgspec.msgpack.encode(ids)


def feed_keys(keys: Keys, data_store: str) -> list[Any]:
    """Return the feed of *data_store* and its number, as the scripts take them."""
    return [keys.corpus(data_store, "feed"), keys.corpus(data_store, "number")]
