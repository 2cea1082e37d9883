"""Keep what was asked of data stores and found there, by whom without saying who.

A phrase is kept with a digest of its visitor, keyed by a secret of the installation: so that it can
be counted how many people asked it, and a visitor can be shown their own. Queries are noted in
memory and written every second, so that no answer waits for it; what a process that dies had noted
is lost, which changes no count worth counting.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

import msgspec
from redis.exceptions import ResponseError

from service.corpus.storage.capped_log import CappedLog, CappedLogEntry, LogBounds
from service.language.queries import phrases
from sessions.errors import NotFound, ServiceError
from sessions.redis.connection import Redis, secret
from sessions.redis.keys import Keys

MOST: Final = 20_000
"""Queries kept of one data store and one source; the oldest go."""
MOST_BYTES: Final = 8 * 1024 * 1024
_PENDING: Final = 10_000
"""Queries noted and not written yet; more are not counted."""
_EVERY: Final = 1.0
"""Seconds between two writings."""
_FORGETTING: Final = 30.0
"""Seconds for which nothing more is noted of who was forgotten: an answer that a purge cancels may
end late on a busy machine, and what came of it then would outlive the purge."""
_KEY: Final = 32
_FIELD: Final = "visitor_key"


class HistoryPhrase(NamedTuple):
    """A phrase that somebody asked: when, in epoch milliseconds, and a digest of who.

    *visitor* is b"" for whoever gave no id: all those count as one.
    """

    id: str
    phrase: str
    visitor: bytes
    at: int


class _Noted(NamedTuple):
    parent: str
    data_stores: tuple[str, ...]
    phrase: str
    user: str
    owner: str


class QueryHistory:
    """The queries asked of all data stores of an installation, and the searches of their events."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        days: float,
        fewer: Callable[[str], float | None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep them for so many *days*, none at all for 0, or *fewer* of a data store."""
        bounds = LogBounds(MOST, MOST_BYTES, days, fewer)
        self.history = CappedLog(redis, keys, "asked", bounds)
        """What was asked by search and answer, and found."""
        self.events = CappedLog(redis, keys, "searched", bounds)
        """What user events say was searched."""
        self.days = days
        self._redis = redis
        self._keys = keys
        self._key = b""
        self._pending: deque[_Noted] = deque(maxlen=_PENDING)
        self._writing: list[_Noted] = []
        self._clock = clock
        self._forgotten: dict[str, float] = {}
        """Who was forgotten lately, and until when nothing is noted of them."""

    def note(
        self, parent: str, data_stores: Sequence[str], query: str, user: str, owner: str = ""
    ) -> None:
        """Note that *user* ("" for nobody in particular) asked, and what *data_stores* answered.

        It neither waits nor fails. *parent* is the data store or the engine that was asked, *owner*
        the session or conversation that it was asked in: where nobody is named, its user did.
        """
        if self._forgotten.get(user, 0.0) > self._clock():
            return
        if self.days and data_stores and (phrase := phrases.of_query(query)):
            self._pending.append(_Noted(parent, tuple(data_stores), phrase, user, owner))

    def drop_noted(self, user: str) -> None:
        """Forget what *user* asked and is not written yet, and what they ask for half a minute."""
        now = self._clock()
        self._forgotten = {each: until for each, until in self._forgotten.items() if until > now}
        self._forgotten[user] = now + _FORGETTING
        kept = [each for each in self._pending if each.user != user]
        self._pending = deque(kept, maxlen=_PENDING)
        self._writing = [each for each in self._writing if each.user != user]

    async def write(
        self,
        counts: Callable[[str], Awaitable[bool]],
        user_of: Callable[[str], Awaitable[str | None]],
    ) -> None:
        """Write what is noted under parents of which *counts* says that they are counted.

        *user_of* a session or conversation is who it belongs to, None for one that is gone.
        """
        self._writing, self._pending = [*self._pending], deque(maxlen=_PENDING)
        await self._find_users(user_of)
        counted: dict[str, bool] = {}
        visitors: dict[str, bytes] = {}
        for each in tuple(self._writing):
            if each.parent not in counted:
                with contextlib.suppress(NotFound):
                    counted[each.parent] = await counts(each.parent)
            if each.user not in visitors:
                visitors[each.user] = await self.visitor(each.user)
        for data_store in {name for each in self._writing for name in each.data_stores}:
            # Of what is left at this moment: who is forgotten meanwhile is not written after that.
            bodies = [
                _packed(each.phrase, visitors[each.user])
                for each in self._writing
                if counted.get(each.parent) and data_store in each.data_stores
            ]
            if bodies:
                await self.history.append(data_store, bodies)

    async def _find_users(self, user_of: Callable[[str], Awaitable[str | None]]) -> None:
        """Name the users in whose sessions was asked without a name, so that a purge finds it.

        What was asked in a session that is gone goes with it: nobody could tell whose it was.
        """
        owners = {each.owner for each in self._writing if each.owner and not each.user}
        users = {owner: await user_of(owner) for owner in owners}
        now, found = self._clock(), list[_Noted]()
        for each in self._writing:
            user = users[each.owner] if each.owner and not each.user else each.user
            if user is not None and self._forgotten.get(user, 0.0) <= now:
                found.append(each._replace(user=user))
        self._writing = found

    async def keep_writing(
        self,
        counts: Callable[[str], Awaitable[bool]],
        user_of: Callable[[str], Awaitable[str | None]],
    ) -> None:
        """Write what is noted every second; never returns."""
        while True:
            # What an outage of Redis takes is lost: to keep it would fill memory instead.
            with contextlib.suppress(ServiceError, ResponseError):
                await self.write(counts, user_of)
            await asyncio.sleep(_EVERY)

    async def add_searches(self, data_store: str, searches: Sequence[tuple[str, str]]) -> None:
        """Keep *searches* of user events: each a query and its user."""
        bodies = [
            _packed(phrase, await self.visitor(user))
            for query, user in searches
            if (phrase := phrases.of_query(query))
        ]
        await self.events.append(data_store, bodies)

    async def forget(
        self, data_store: str, source: CappedLog, is_meant: Callable[[HistoryPhrase], bool]
    ) -> int:
        """Delete what *is_meant* of one *source* in *data_store*; return how many they were."""
        gone = 0
        async for page in source.read(data_store):
            ids = [entry.id for entry in page if is_meant(unpacked(entry))]
            gone += await source.drop(data_store, ids)
        return gone

    async def delete_all(self, parent: str) -> int:
        """Delete all that was asked of the data store *parent*."""
        return await self.history.delete_all(parent) + await self.events.delete_all(parent)

    async def sweep(self) -> None:
        """Delete what is too old."""
        await self.history.sweep()
        await self.events.sweep()

    async def visitor(self, user: str) -> bytes:
        """Return the digest of *user*, b"" for nobody in particular."""
        if not user:
            return b""
        if not self._key:
            made = secrets.token_bytes(_KEY)
            self._key = await secret(self._redis, self._keys, _FIELD, made)
        return hashlib.blake2b(user.encode(), digest_size=8, key=self._key).digest()


def _packed(phrase: str, visitor: bytes) -> bytes:
    return msgspec.msgpack.encode((phrase, visitor))


_BODY: Final = msgspec.msgpack.Decoder(tuple[str, bytes])


def unpacked(entry: CappedLogEntry) -> HistoryPhrase:
    """Return what an *entry* of a log of phrases says."""
    phrase, visitor = _BODY.decode(entry.body)
    return HistoryPhrase(entry.id, phrase, visitor, entry.at)
