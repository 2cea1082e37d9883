"""Find everything that is kept of one user or visitor.

It is looked for in Redis itself and not in the lists that lead to it: a list that lost an entry
with a process that was killed would leave behind what nobody finds again.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import Any, Final

import msgspec

from service.security.tokens.visitor_store import VisitorMerge, VisitorStore
from sessions.redis.connection import Redis, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from sessions.resources.user_events import UserEvent

_OWNER: Final = re.compile(r"projects/.+?/(?:sessions|conversations)/[^/:]+")
"""A session or conversation, in the key of what belongs to it."""
_GLOB: Final = re.compile(r"[\[\]*?\\^-]")


class UserDataScope(msgspec.Struct, frozen=True, kw_only=True):
    """Whose data is meant, and where: a location, or the data stores and engines named in it.

    *subject* is their ``userPseudoId``.
    """

    location: str
    subject: str
    stores: tuple[str, ...] = ()

    def covers(self, name: str) -> bool:
        """Tell whether the canonical *name* lies where the data is meant."""
        if not name.startswith(f"{self.location}/"):
            return False
        return not self.stores or any(
            name == each or name.startswith(f"{each}/") for each in self.stores
        )

    @property
    def project(self) -> str:
        """The project that the data is in."""
        return self.location.split("/")[1]

    def of(self, visitor: str) -> UserDataScope:
        """Return the same for the data of *visitor*."""
        return msgspec.structs.replace(self, subject=visitor)

    def wrote(self, event: UserEvent) -> bool:
        """Tell whether *event* is of the user, by either of the ids that it may name."""
        known = event.user_info.user_id if event.user_info else ""
        return self.subject in (event.user_pseudo_id, known)


class _Owned(msgspec.Struct, rename="camel"):
    user_pseudo_id: str = ""


class _Asked(msgspec.Struct):
    request: _Owned = msgspec.field(default_factory=_Owned)


class _Query(msgspec.Struct):
    text: str = ""
    input: str = ""


class _Turn(msgspec.Struct, rename="camel"):
    query: _Query = msgspec.field(default_factory=_Query)
    user_input: _Query = msgspec.field(default_factory=_Query)


_TURN: Final = msgspec.json.Decoder(_Turn)
_OWNED: Final = msgspec.json.Decoder(_Owned)
_ASKED: Final = msgspec.json.Decoder(_Asked)


class UserData:
    """Finds what is kept of users."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._visitors = VisitorStore(redis, keys)

    async def merges(self, scope: UserDataScope) -> list[VisitorMerge]:
        """Return the visitors that became the user, where they visited anything in *scope*.

        What they wrote of themselves, such as user events, goes on naming the visitor.
        """
        # By visitor, since a scan may come to a record twice.
        found = {
            each.visitor: each
            async for each in self._visitors.merged_into(scope.project, scope.subject)
            if any(map(scope.covers, each.data_stores))
        }
        return [found[visitor] for visitor in sorted(found)]

    async def forget_merges(self, scope: UserDataScope) -> None:
        """Forget the visitors that became the user, unless they visited more than *scope*."""
        for each in await self.merges(scope):
            if all(map(scope.covers, each.data_stores)):
                await self._visitors.forget(each)

    async def owners(self, scope: UserDataScope) -> AsyncIterator[str]:
        """Yield the sessions and conversations of a user.

        One that belongs to nobody is theirs as soon as they asked something in it.
        """
        place = glob_escaped(scope.location)
        async for page in self._redis.scan(f"{self._keys.prefix}:{{p*}}:[s]:{place}/*"):
            found = [name for each in page if scope.covers(name := _name(each))]
            for name, user in zip(found, await self._users(found), strict=True):
                if user == scope.subject or (
                    user == "" and scope.subject in await self._askers(name)
                ):
                    yield name

    async def remains(self, scope: UserDataScope) -> AsyncGenerator[list[bytes]]:
        """Yield, page by page, keys that belong to sessions which are gone.

        Those are what idempotency keys and searches were remembered by, for a day at most. Whose
        they were, nobody can tell any more.
        """
        place = glob_escaped(scope.location)
        async for page in self._redis.scan(f"{self._keys.prefix}:{{p*}}:[if]:{place}/*"):
            owned = [(key, owner) for key in page if scope.covers(owner := _owner(key))]
            there = await self.existing([owner for _, owner in owned])
            yield [key for key, owner in owned if owner not in there]

    async def answers(self, owner: str) -> list[str]:
        """Return the names of all answers of a session or conversation, the oldest first."""
        key = self._keys.answers(owner)
        found: list[bytes] = await self._redis.execute(key, "LRANGE", key, 0, -1)
        return [each.decode() for each in found]

    async def queries(self, owner: str) -> list[str]:
        """Return what was asked in a session or conversation, the oldest first."""
        key = self._keys.turns(owner)
        found: list[bytes] = await self._redis.execute(key, "LRANGE", key, 0, -1)
        return [text for each in found if (text := _text(each))]

    async def existing(self, owners: Sequence[str]) -> set[str]:
        """Return those of *owners* that are there."""
        commands = [
            (key := self._keys.session(each), pack("HEXISTS", key, "json")) for each in owners
        ]
        found = checked_replies(await self._redis.batch(commands))
        return {owner for owner, there in zip(owners, found, strict=True) if there}

    async def _users(self, owners: Sequence[str]) -> list[str | None]:
        """Return the user of each of *owners*, None for one that is gone or damaged."""
        commands = [(key := self._keys.session(each), pack("HGET", key, "json")) for each in owners]
        return [_user(json) for json in checked_replies(await self._redis.batch(commands))]

    async def _askers(self, owner: str) -> set[str]:
        """Return who asked in a session that belongs to nobody."""
        commands = [
            (key := self._keys.answer(each), pack("HGET", key, "request"))
            for each in await self.answers(owner)
        ]
        asked = checked_replies(await self._redis.batch(commands))
        return {user for each in asked if (user := _asker(each))}


def glob_escaped(place: str) -> str:
    """Return the glob pattern of *place* alone."""
    return _GLOB.sub(lambda match: f"\\{match[0]}", place)


def _name(key: bytes) -> str:
    return key.decode().split(":", 3)[3]


def _owner(key: bytes) -> str:
    found = _OWNER.search(key.decode(errors="replace"))
    return found[0] if found else ""


def _user(json: Any) -> str | None:
    if json is None:
        return None
    try:
        return _OWNED.decode(json).user_pseudo_id
    except (msgspec.DecodeError, UnicodeError):
        return None


def _text(turn: bytes) -> str:
    try:
        read = _TURN.decode(turn)
    except (msgspec.DecodeError, UnicodeError):
        return ""
    return read.query.text or read.user_input.input


def _asker(request: Any) -> str:
    try:
        return _ASKED.decode(request or b"{}").request.user_pseudo_id
    except (msgspec.DecodeError, UnicodeError):
        return ""
