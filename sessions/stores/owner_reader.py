"""Read sessions and conversations, each as it was at one moment.

What must be read together lies in two keys. Instead of a script per reading, which copies every
turn through Lua, the time of the last change is read first and last: where both are the same,
nothing was changed between. A script reads what is for one user alone, and says no more of what is
another's than of what is not there.

Where replicas of Redis are waited for, what is read whole is there to stay (`recent_changes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, NamedTuple

from redis.exceptions import ResponseError

from sessions.codec import json_codec
from sessions.errors import Internal
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack, packer
from sessions.stores.owner_kinds import Owner, OwnerHash, OwnerKind
from sessions.stores.recent_changes import DatedChange, RecentChanges

_REREADS: Final = 5
"""How often a reading is repeated that a change has torn; the last one is good enough."""

_MOST_ITEMS: Final = 100
"""Turns that a script copies: more take so long that others would wait, and are read after it."""
_OWNED: Final = Script("sessions.stores", "scripts/read_owned.lua")

_FACTS: Final = (b"json", b"updated", b"created", b"ended", b"completed", b"title", b"active")
_pack_facts: Final = packer(b"HMGET", *_FACTS)
_pack_updated: Final = packer(b"HGET", b"updated")
_pack_items: Final = packer(b"LRANGE", b"0", b"-1")


class OwnerRecord(NamedTuple):
    """An owner with its turns or messages, as they are stored; any of it may be damaged."""

    name: str
    facts: Sequence[bytes | None]
    items: list[bytes]

    @property
    def is_busy(self) -> bool:
        """Whether an answer of it runs; where none does, none waits."""
        return bool(self.facts[-1])


class OwnerTraces(NamedTuple):
    """What is known of an owner even if its document is damaged: then *user* is ""."""

    updated: int
    active: str
    user: str


class OwnerReader(Generic[Owner]):
    """The stored sessions, or conversations, to be read."""

    def __init__(self, redis: Redis, keys: Keys, kind: OwnerKind[Owner]) -> None:
        self._redis = redis
        self._keys = keys
        self._collection = kind.collection
        self._type = type(kind.blank)
        self._changes = RecentChanges(redis)

    async def read(self, name: str) -> OwnerHash[Owner] | None:
        """Return the hash of *name*, ``None`` where there is none.

        Raises:
            Internal: it is damaged.
        """
        found = await self._record(name)
        return None if found is None else self.decode(found)

    async def read_traces(self, name: str) -> OwnerTraces | None:
        """Return what is known of *name*, though it be damaged; ``None`` where there is none."""
        found = await self._record(name)
        if found is None:
            return None
        try:
            owner = self.decode(found)
        except Internal:
            _, updated, *_, active = found.facts
            at = int(updated) if updated and updated.isdigit() else 0
            return OwnerTraces(at, (active or b"").decode(errors="replace"), "")
        return OwnerTraces(owner.updated, owner.active, owner.user)

    async def read_many(self, parent: str, ids: Sequence[str]) -> list[OwnerHash[Owner] | None]:
        """Return the hashes of some owners under *parent*, ``None`` where there is none.

        What is damaged is left out, so that the others can be listed.
        """
        found = [f"{parent}/{self._collection}/{each}" for each in ids]
        commands = [self._facts_command(name) for name in found]
        facts = checked_replies(await self._redis.batch(commands))
        return [
            None
            if values[0] is None
            else json_codec.undamaged(name, partial(self.decode, OwnerRecord(name, values, [])))
            for name, values in zip(found, facts, strict=True)
        ]

    def decode(self, record: OwnerRecord) -> OwnerHash[Owner]:
        """Return the hash that *record* holds.

        Raises:
            Internal: it is damaged.
        """
        json, *times, title, active = record.facts
        try:
            document = json_codec.load(self._type, json or b"")
            updated, created, ended, completed = (int(time or 0) for time in times)
            said, running = (title or b"").decode(), (active or b"").decode()
        except (Internal, ValueError) as exc:
            raise damaged(record.name) from exc
        return OwnerHash(
            record.name, document, json or b"", updated, created, ended, completed, said, running
        )

    async def read_one(
        self, name: str, more: tuple[bytes, bytes]
    ) -> tuple[OwnerRecord | None, Any]:
        """Return the owner *name*, and the reply to *more*, sent in the same write."""
        key = self._keys.session(name)
        commands = [*self._commands(name), more, *self._changes.clock([key])]
        before, items, facts, rest, *time = checked_replies(await self._redis.batch(commands))
        if before != facts[1]:  # a change has torn it
            (found,) = await self.read_whole([name])
            return found, rest
        if time:
            await self._changes.settled([DatedChange(key, facts[1], *time)])
        return None if facts[0] is None else OwnerRecord(name, facts, items), rest

    async def read_whole(self, wanted: Sequence[str]) -> list[OwnerRecord | None]:
        """Return the owners of these names."""
        found: dict[str, OwnerRecord | None] = {}
        torn = list(wanted)
        clock = self._changes.clock([self._keys.session(name) for name in wanted])
        times: list[Any] = []
        for _ in range(1 + _REREADS):
            if not torn:
                break
            commands = [command for name in torn for command in self._commands(name)]
            replies = checked_replies(await self._redis.batch([*commands, *clock]))
            times, clock = times or replies[len(commands) :], []
            torn = self._collect(torn, replies, found)
        read = [found[name] for name in wanted]
        # What was read again is ahead of these times: it is new.
        await self._changes.settled(
            DatedChange(self._keys.session(each.name), each.facts[1], time)
            for each, time in zip(read, times, strict=False)
            if each
        )
        return read

    async def read_owned(
        self, name: str, user: str, more: tuple[bytes, bytes]
    ) -> tuple[OwnerRecord | None, bool, Any]:
        """Return *name* if it is of *user*, whether that is all of it, and the reply to *more*.

        Where it has too many items none of them comes along. What is somebody else's takes the
        same commands, and the same bytes, as what is not there.
        """
        keys = [self._keys.session(name), self._keys.turns(name)]
        args = (user, _MOST_ITEMS, *_FACTS)
        asked = pack("EVALSHA", _OWNED.sha, len(keys), *keys, *args)
        clock = self._changes.clock(keys[:1])
        found, rest, *time = await self._redis.batch([(keys[0], asked), more, *clock])
        if isinstance(found, ResponseError) and str(found).startswith("NOSCRIPT "):
            found = await self._redis.run(_OWNED, keys, args)
        found, rest, *time = checked_replies([found, rest, *time])
        if found is None:
            return None, True, rest
        facts, *items = found
        if time:
            await self._changes.settled([DatedChange(keys[0], facts[1], *time)])
        return OwnerRecord(name, facts, items[0] if items else []), bool(items), rest

    async def with_waiting(self, found: Sequence[OwnerRecord | None]) -> list[OwnerRecord | None]:
        """Return *found* with what waits to be answered behind the items; None for what is gone.

        What begins meanwhile moves from the queue to the items. So these are read behind it again:
        it may be in both then, and is told once, but never in none.
        """
        told = {one.name: one for one in found if one}
        busy = [one for one in told.values() if one.is_busy]
        if not busy:
            return list(found)
        look: list[tuple[bytes, bytes]] = []
        for one in busy:
            queue, session = self._keys.queue(one.name), self._keys.session(one.name)
            look.append((queue, pack("LRANGE", queue, 0, -1)))
            look.append((session, _pack_updated(session)))
        seen = checked_replies(await self._redis.batch(look))
        waiting = {
            one.name: answers
            for one, answers, updated in zip(busy, seen[::2], seen[1::2], strict=True)
            if answers or updated != one.facts[1]
        }
        return await self._reread(found, waiting) if waiting else list(found)

    async def _reread(
        self, found: Sequence[OwnerRecord | None], waiting: Mapping[str, Sequence[bytes]]
    ) -> list[OwnerRecord | None]:
        """Return *found*, where the answers *waiting*, by owner, are put behind items read anew."""
        keys = [
            self._keys.answer(each.decode()) for answers in waiting.values() for each in answers
        ]
        openings = [(key, pack("HGET", key, "opening")) for key in keys]
        commands = [command for name in waiting for command in self._commands(name)]
        replies = checked_replies(await self._redis.batch([*openings, *commands]))
        again: dict[str, OwnerRecord | None] = {}
        self._collect(list(waiting), replies[len(openings) :], again)
        opened = iter(replies)
        for name, answers in waiting.items():
            await self._redis.replicated(self._keys.session(name))  # it has just changed
            asked = [next(opened) for _ in answers]  # None: it was taken back, or has begun
            if whole := again[name]:
                begun = set(whole.items)
                more = [each for each in asked if each and each not in begun]
                again[name] = whole._replace(items=[*whole.items, *more])
        return [again[one.name] if one and one.name in again else one for one in found]

    def _collect(
        self, wanted: Sequence[str], replies: Sequence[Any], found: dict[str, OwnerRecord | None]
    ) -> list[str]:
        """Put into *found* what was read, and return the names of what a change has torn."""
        torn: list[str] = []
        for at, name in enumerate(wanted):
            before, items, facts = replies[3 * at : 3 * at + 3]
            found[name] = None if facts[0] is None else OwnerRecord(name, facts, items)
            if before != facts[1]:
                torn.append(name)
        return torn

    async def _record(self, name: str) -> OwnerRecord | None:
        (facts,) = checked_replies(await self._redis.batch([self._facts_command(name)]))
        return None if facts[0] is None else OwnerRecord(name, facts, [])

    def _commands(self, name: str) -> list[tuple[bytes, bytes]]:
        session, turns = self._keys.session(name), self._keys.turns(name)
        return [
            (session, _pack_updated(session)),
            (turns, _pack_items(turns)),
            (session, _pack_facts(session)),
        ]

    def _facts_command(self, name: str) -> tuple[bytes, bytes]:
        key = self._keys.session(name)
        return key, _pack_facts(key)


def damaged(name: str) -> Internal:
    """Return what to tell of the stored *name*, of which a part cannot be read."""
    return Internal(
        f"'{name}' is damaged where it is stored and cannot be read; it can be deleted",
        reason="STORED_DOCUMENT_DAMAGED",
        resource=name,
    )
