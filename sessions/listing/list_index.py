"""Keep what lists the sessions (or conversations) of a parent, newest update first.

The index lives in another slot than what it lists. It is written after, idempotently: `touch`
whenever a session changed, `drop` once it is gone; readers repair what a crash left behind.

**A traversal sees one instant.** Pages must neither repeat nor skip a session that exists all
along, although each update moves it to the top. So the index keeps versions: the first page draws
a *snapshot* number that lies after every place taken so far; from then on whatever moves goes to
a place after all snapshots, and leaves behind, in a second set, where the newest snapshot still
sees it. A traversal reads both sets below its snapshot, so it meets each session that existed at
its first page exactly once, where it was then:

- not moved since: once among the places of now; its place lies before the snapshot, and what it
  may have left earlier, it left before this snapshot was drawn, so that is not visible;
- moved since, once or more: once among the places left; the first move left the visible one, and
  later moves start after the snapshot, so they leave nothing that it sees.

No clock is trusted for this: snapshots and places only ever grow. What is left behind goes away
when no token can ask for it any more; where nobody pages, nothing is left behind at all.

A member is the session's id, in 8 bytes where it is one of ours.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from sessions import names
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

TOKEN_LIFE: Final = 3_600_000
"""Milliseconds for which a page token is good after it was given out (guide/filters.md)."""

_TOUCH: Final = Script("sessions.listing", "scripts/touch.lua")
_DROP: Final = Script("sessions.listing", "scripts/drop.lua")
_FIRST: Final = Script("sessions.listing", "scripts/first.lua")
_NEXT: Final = Script("sessions.listing", "scripts/next.lua")
_STAGE: Final = Script("sessions.listing", "scripts/stage.lua")

_DECIMAL: Final = re.compile(r"[1-9][0-9]{0,18}")

CHUNK: Final = 500
"""How many elements one command carries where there may be many: Redis does nothing else meanwhile,
and Lua's ``unpack`` takes some thousands at most."""


class ListCursor(msgspec.Struct, frozen=True, array_like=True, tag="walk"):
    """Where a traversal stands: behind an entry, in a direction, at a snapshot."""

    snapshot: int
    place: int
    member: bytes
    descending: bool


class ListEntry(NamedTuple):
    """A session and its place."""

    place: int
    id: str


class ListRange(NamedTuple):
    """Some entries in order; the cursor goes on behind them, or is ``None`` at the end."""

    entries: list[ListEntry]
    cursor: ListCursor | None


class ListIndex:
    """The index of one collection, ``sessions`` or ``conversations``, under all its parents."""

    def __init__(self, redis: Redis, keys: Keys, collection: str) -> None:
        self._redis = redis
        self._keys = keys
        self.collection = collection
        """The collection that is listed, as it stands in names."""
        self._listed_parents: set[str] = set()

    async def parents(self) -> list[str]:
        """Return all parents that something was ever listed under."""
        key = self._keys.parents()
        found: list[bytes] = await self._redis.execute(key, "SMEMBERS", key)
        return [parent.decode() for parent in found]

    async def touch(self, name: str, updated: int, user: str = "") -> None:
        """Put *name* at the place of its update at *updated*, in µs; earlier updates do nothing.

        Give the user pseudo id where it is new or has changed, "" where it is as it was. A former
        user keeps the session among the candidates, where filters pass it over.
        """
        parent, session = names.parent(name), names.last_id(name)
        keys = [
            self._places(parent),
            *self._part_keys(parent, "left", "moved", "snapshots", "expiries"),
        ]
        if user:
            keys.append(self._keys.user_bucket(parent, self.collection, user))
        # Before the script: what has a parent that nobody knows would never be deleted by age.
        if parent not in self._listed_parents:
            noted = self._keys.parents()
            await self._redis.execute(noted, "SADD", noted, parent)
            self._listed_parents.add(parent)
        await self._redis.run(_TOUCH, keys, (member(session), updated, session, TOKEN_LIFE))

    async def drop(self, name: str, seen: int | None, user: str = "") -> None:
        """Take *name*, which was gone after it had been *seen* at a place, out of there.

        Where it has another place by now, a session of that name came again and stays.
        """
        if seen is None:
            return
        parent, session = names.parent(name), names.last_id(name)
        keys = [self._places(parent)]
        if user:
            keys.append(self._keys.user_bucket(parent, self.collection, user))
        await self._redis.run(_DROP, keys, (member(session), session, seen))

    async def place(self, name: str) -> int | None:
        """Return the place of *name*, ``None`` where it is not listed."""
        (reply,) = checked_replies(await self._redis.batch([self.place_command(name)]))
        return None if reply is None else int(float(reply))

    def place_command(self, name: str) -> tuple[bytes, bytes]:
        """Return the command, for `Redis.batch`, that asks for the place of *name*."""
        key = self._places(names.parent(name))
        return key, pack("ZSCORE", key, member(names.last_id(name)))

    async def first(self, parent: str, count: int, *, descending: bool) -> ListRange:
        """Begin a traversal and return its first *count* entries."""
        keys = [self._places(parent), *self._part_keys(parent, "snapshots", "expiries")]
        snapshot, flat = await self._redis.run(
            _FIRST, keys, (count, "desc" if descending else "asc", TOKEN_LIFE)
        )
        found = _pairs(flat)
        entries = [ListEntry(place, session_of(name)) for place, name in found]
        return ListRange(
            entries, ListCursor(int(snapshot), *found[-1], descending) if snapshot else None
        )

    async def following(self, parent: str, cursor: ListCursor, count: int) -> ListRange | None:
        """Return the entries after *cursor*, or ``None`` where it is too old.

        There may be fewer than *count*, even none, and still a cursor.
        """
        snapshot, descending = cursor.snapshot, cursor.descending
        parts = self._part_keys(parent, "left", "moved", "snapshots", "expiries")
        reply = await self._redis.run(
            _NEXT,
            [self._places(parent), *parts],
            (
                f"{snapshot:016}",
                cursor.place,
                cursor.member,
                count,
                "desc" if descending else "asc",
                TOKEN_LIFE,
            ),
        )
        if reply is None:
            return None
        ended, live, left_ended, left = reply
        now, then = _pairs(live), [(at, name[:-17], int(name[-16:])) for at, name in _pairs(left)]
        found = now + [(at, name) for at, name, until in then if until >= snapshot]
        # A set that has more is known only up to the last entry that it gave.
        known = [now[-1]] if not ended else []
        known += [then[-1][:2]] if not left_ended else []
        found.sort(reverse=descending)
        if not known:
            return ListRange([ListEntry(at, session_of(name)) for at, name in found], None)
        limit = max(known) if descending else min(known)
        found = [at for at in found if (at >= limit if descending else at <= limit)]
        entries = [ListEntry(at, session_of(name)) for at, name in found]
        return ListRange(entries, ListCursor(snapshot, *limit, descending))

    def behind(self, cursor: ListCursor, entry: ListEntry) -> ListCursor:
        """Return *cursor* set back behind *entry*, which was read on the way to it."""
        return msgspec.structs.replace(cursor, place=entry.place, member=member(entry.id))

    async def candidates(self, parent: str, user: str, limit: int) -> list[str] | None:
        """Return the ids of all sessions of *user*, and of a few others; ``None`` over *limit*."""
        key = self._keys.user_bucket(parent, self.collection, user)
        if await self._redis.execute(key, "SCARD", key) > limit:
            return None
        found: list[bytes] = await self._redis.execute(key, "SMEMBERS", key)
        return [session.decode() for session in found]

    async def size(self, parent: str) -> int:
        """Return how many sessions *parent* has."""
        key = self._places(parent)
        return await self._redis.execute(key, "ZCARD", key)

    async def keep_sorted(self, parent: str, ids: Sequence[str]) -> str:
        """Keep a list of *ids* for the pages to come and return what `sorted_ids` reads it by.

        The same ids are kept once.
        """
        digest = hashlib.blake2b("/".join(ids).encode(), digest_size=12).hexdigest()
        staged = self._keys.list_index_part(parent, self.collection, f"w:{secrets.token_hex(8)}")
        for start in range(0, len(ids), CHUNK):
            await self._redis.run(_STAGE, [staged], (2 * TOKEN_LIFE, *ids[start : start + CHUNK]))
        # Whoever else keeps the same list puts the same one there.
        await self._redis.execute(staged, "RENAME", staged, self._sorted_key(parent, digest))
        return digest

    async def sorted_ids(
        self, parent: str, digest: str, offset: int, count: int
    ) -> tuple[list[str], int] | None:
        """Return *count* ids of a kept list and its length, or ``None`` where it is too old."""
        key = self._sorted_key(parent, digest)
        commands = [
            pack("LRANGE", key, offset, offset + count - 1),
            pack("LLEN", key),
            pack("PEXPIRE", key, 2 * TOKEN_LIFE),
        ]
        replies = await self._redis.batch([(key, packed) for packed in commands])
        ids, length, _ = checked_replies(replies)
        return ([session.decode() for session in ids], length) if length else None

    def _places(self, parent: str) -> bytes:
        return self._keys.list_index(parent, self.collection)

    def _sorted_key(self, parent: str, digest: str) -> bytes:
        return self._keys.list_index_part(parent, self.collection, f"kept:{digest}")

    def _part_keys(self, parent: str, *parts: str) -> list[bytes]:
        return [self._keys.list_index_part(parent, self.collection, part) for part in parts]


def member(session: str) -> bytes:
    """Return the member of the session with the id *session*: short, and as its id would sort."""
    # 16 bytes a session less than in decimals; a million of them is what a portal has in a year.
    # `int` refuses thousands of digits, so it is asked only where an int64 may come out.
    if _DECIMAL.fullmatch(session) and int(session) < 2**63:
        return int(session).to_bytes(8, "big")
    return b"\xff" + session.encode()


def session_of(name: bytes) -> str:
    """Return the id of the session with the member *name*."""
    return name[1:].decode() if name[:1] == b"\xff" else str(int.from_bytes(name, "big"))


def _pairs(flat: list[bytes]) -> list[tuple[int, bytes]]:
    return [(int(float(flat[at + 1])), flat[at]) for at in range(0, len(flat), 2)]
