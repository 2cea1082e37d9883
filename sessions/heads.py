"""Read sessions and conversations, each as it was at one moment.

What must be read together lies in two keys. Instead of a script per reading, which copies every
turn through Lua, the time of the last change is read first and last: where both are the same,
nothing was changed between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Generic, NamedTuple

from sessions import names, wire
from sessions.connection import Redis
from sessions.keys import Keys
from sessions.kinds import Head, Kind, Owner
from sessions.listing import checked
from sessions.sockets import pack

_REREADS: Final = 5
"""How often a reading is repeated that a change has torn; the last one is good enough."""

_FACTS: Final = ("json", "updated", "created", "ended", "completed", "title", "active")


class Found(NamedTuple, Generic[Owner]):
    """An owner with its turns or messages."""

    head: Head[Owner]
    items: list[bytes]


class Heads(Generic[Owner]):
    """The stored sessions, or conversations, to be read."""

    def __init__(self, redis: Redis, keys: Keys, kind: Kind[Owner]) -> None:
        self._redis = redis
        self._keys = keys
        self._collection = kind.collection
        self._type = type(kind.mark)

    async def one(self, name: str) -> Head[Owner] | None:
        """Return the head of *name*, ``None`` where there is none."""
        return (await self.many(names.parent(name), [names.last_id(name)]))[0]

    async def many(self, parent: str, ids: Sequence[str]) -> list[Head[Owner] | None]:
        """Return the heads of some owners under *parent*, ``None`` where there is none."""
        found = [f"{parent}/{self._collection}/{each}" for each in ids]
        facts = checked(await self._redis.batch([self._facts(name) for name in found]))
        return [self._head(name, values) for name, values in zip(found, facts, strict=True)]

    async def whole(
        self, wanted: Sequence[str], more: Sequence[tuple[bytes, bytes]] = ()
    ) -> tuple[list[Found[Owner] | None], list[Any]]:
        """Return the owners of these names, and the replies to *more*, sent in the same write."""
        found: dict[str, Found[Owner] | None] = {}
        commands = [command for name in wanted for command in self._commands(name)]
        replies = checked(await self._redis.batch([*commands, *more]))
        rest = replies[len(commands) :]
        torn = self._collect(wanted, replies, found)
        for _ in range(_REREADS):
            if not torn:
                break
            commands = [command for name in torn for command in self._commands(name)]
            torn = self._collect(torn, checked(await self._redis.batch(commands)), found)
        return [found[name] for name in wanted], rest

    def _collect(
        self, wanted: Sequence[str], replies: Sequence[Any], found: dict[str, Found[Owner] | None]
    ) -> list[str]:
        """Put into *found* what was read, and return the names of what a change has torn."""
        torn: list[str] = []
        for at, name in enumerate(wanted):
            before, items, facts = replies[3 * at : 3 * at + 3]
            head = self._head(name, facts)
            found[name] = Found(head, items) if head else None
            if before != facts[1]:
                torn.append(name)
        return torn

    def _commands(self, name: str) -> list[tuple[bytes, bytes]]:
        session, turns = self._keys.session(name), self._keys.turns(name)
        before = pack("HGET", session, "updated")
        return [(session, before), (turns, pack("LRANGE", turns, 0, -1)), self._facts(name)]

    def _facts(self, name: str) -> tuple[bytes, bytes]:
        key = self._keys.session(name)
        return key, pack("HMGET", key, *_FACTS)

    def _head(self, name: str, facts: Sequence[bytes | None]) -> Head[Owner] | None:
        json, updated, created, ended, completed, title, active = facts
        if json is None:
            return None
        return Head(
            name,
            wire.load(self._type, json),
            json,
            int(updated or 0),
            int(created or 0),
            int(ended or 0),
            int(completed or 0),
            (title or b"").decode(),
            (active or b"").decode(),
        )
