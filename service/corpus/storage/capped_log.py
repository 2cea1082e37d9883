"""Keep a log of small entries for each data store, bounded in number, bytes and time.

Entries are in the order in which they came, and numbered by Redis' clock; what is over a bound goes
from the beginning. Whoever follows a log reads from where it stood, and all of it anew where
entries were taken out of its middle (`CappedLog.cut`).
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, NamedTuple

from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

PAGE: Final = 500
"""Entries read, or taken out, at once: while a script runs Redis serves nobody else."""
_BATCH_BYTES: Final = 1_000_000
_DAY_MS: Final = 86_400_000
_APPEND: Final = Script("service.corpus.storage", "scripts/log_append.lua")
_COPIED: Final = 600
"""Seconds after which a copy goes that nobody finished."""
_COPY: Final = Script("service.corpus.storage", "scripts/log_copy.lua")
_DROP: Final = Script("service.corpus.storage", "scripts/log_drop.lua")


class LogBounds(NamedTuple):
    """What a log of one data store holds at most, and for how many days.

    *fewer* says of a data store for how many days at most its own is kept, None where for no fewer.
    """

    entries: int
    bytes: int
    days: float
    fewer: Callable[[str], float | None] = lambda _: None

    def days_of(self, data_store: str) -> float:
        """Return for how many days the log of *data_store* is kept."""
        fewer = self.fewer(data_store)
        return self.days if fewer is None else min(fewer, self.days)


class CappedLogEntry(NamedTuple):
    """An entry: its id, its time in epoch milliseconds by Redis' clock, and what it says."""

    id: str
    at: int
    body: bytes


class CappedLog:
    """The logs called *part* of all data stores."""

    def __init__(self, redis: Redis, keys: Keys, part: str, bounds: LogBounds) -> None:
        self._redis = redis
        self._keys = keys
        self._part = part
        self._bounds = bounds
        self._named = keys.corpus("", f"{part}-stores")
        """Set of the data stores that have such a log, or had one since the last `sweep`."""

    async def append(self, data_store: str, bodies: Sequence[bytes]) -> None:
        """Add *bodies* in their order; the oldest entries go where there are too many.

        Nothing is kept where the bounds give no time. Batches of up to `PAGE` are kept whole or
        not at all.
        """
        days = self._bounds.days_of(data_store)
        if not days or not bodies:
            return
        # Before the entries: a log that nobody knows of would never be swept.
        await self._redis.execute(self._named, "SADD", self._named, data_store)
        seconds = max(1, int(days * 86_400))
        for batch in _batches(bodies):
            args = [self._bounds.entries, self._bounds.bytes, seconds, *batch]
            await self._redis.run(_APPEND, self._pair(data_store), args)

    async def cut(self, data_store: str) -> int:
        """Return a number that is another one once entries were taken out; 0 without a log."""
        _, sizes = self._pair(data_store)
        return int(await self._redis.execute(sizes, "HGET", sizes, "cut") or 0)

    async def read(
        self, data_store: str, after: str = "", until: str = "+"
    ) -> AsyncIterator[list[CappedLogEntry]]:
        """Yield the entries *after* an id (exclusive) and *until* one, page by page."""
        log, _ = self._pair(data_store)
        while True:
            start = f"({after}" if after else "-"
            found: list[Any] = await self._redis.execute(
                log, "XRANGE", log, start, until, "COUNT", PAGE
            )
            if not found:
                return
            page = [_entry(each) for each in found]
            yield page
            after = page[-1].id

    async def drop(self, data_store: str, ids: Sequence[str]) -> int:
        """Take out the entries with these *ids*; return how many there were."""
        return await self._drop(data_store, ids, told=True)

    async def stores(self) -> list[str]:
        """Return the data stores that have such a log, or had one lately."""
        named: Any = await self._redis.execute(self._named, "SMEMBERS", self._named)
        return sorted(bytes(name).decode() for name in named)

    async def compact(self, data_store: str) -> None:
        """Leave nothing of what was taken out of the log.

        Redis keeps the bytes of an entry that was deleted from a stream, in memory and on disk,
        until all entries beside it are gone as well. So what is left is copied.
        """
        pair = self._pair(data_store)
        keys = [*pair, self._keys.corpus(data_store, f"{self._part}-{secrets.token_hex(8)}")]
        after, cut = "-", ""
        while True:
            last, cut = await self._redis.run(_COPY, keys, (after, PAGE, cut, _COPIED))
            if not last:
                return
            # From the beginning where entries were taken out of its middle meanwhile.
            after = "-" if last == b"-" else f"({bytes(last).decode()}"

    async def delete_all(self, parent: str) -> int:
        """Delete the log of the data store *parent*."""
        log, sizes = self._pair(parent)
        count = int(await self._redis.execute(log, "XLEN", log))
        await self._redis.execute(log, "UNLINK", log, sizes)
        return count

    async def sweep(self) -> None:
        """Delete what is older than the bounds allow, in all data stores."""
        now = await self._redis.now_ms()
        for data_store in await self.stores():
            before = int(now - self._bounds.days_of(data_store) * _DAY_MS)
            async for page in self.read(data_store, until=f"({before}-0"):
                await self._drop(data_store, [each.id for each in page], told=False)
            log, _ = self._pair(data_store)
            if not await self._redis.execute(log, "EXISTS", log):
                # One that is made at this moment is named by its next entries, or lives no longer
                # than those it has.
                await self._redis.execute(self._named, "SREM", self._named, data_store)

    async def _drop(self, data_store: str, ids: Sequence[str], *, told: bool) -> int:
        gone = 0
        for at in range(0, len(ids), PAGE):
            args = [int(told), *ids[at : at + PAGE]]
            gone += int(await self._redis.run(_DROP, self._pair(data_store), args))
        return gone

    def _pair(self, data_store: str) -> list[bytes]:
        """Return the keys of a log and of its sizes, in one slot."""
        return [
            self._keys.corpus(data_store, self._part),
            self._keys.corpus(data_store, f"{self._part}-sizes"),
        ]


def _entry(found: Any) -> CappedLogEntry:
    entry_id = bytes(found[0]).decode()
    return CappedLogEntry(entry_id, int(entry_id.partition("-")[0]), bytes(found[1][1]))


def _batches(bodies: Sequence[bytes]) -> list[list[bytes]]:
    batches: list[list[bytes]] = [[]]
    size = 0
    for body in bodies:
        if batches[-1] and (len(batches[-1]) == PAGE or size + len(body) > _BATCH_BYTES):
            batches.append([])
            size = 0
        batches[-1].append(body)
        size += len(body)
    return batches
