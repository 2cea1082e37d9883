"""Forget a user where they are only named: operations, exports, counts of limits, memories.

Whoever began an operation, or is counted by a limit, stands there as a `Principal.id`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, cast

import msgspec

from service.privacy.user_data import UserDataScope, glob_escaped
from service.security.principals import PEOPLE, person_mark
from service.security.tokens.trusted_issuers import principal_id
from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

PURGE: Final = "purge-user-data"
"""What an operation that purges is called."""


class UserTraces:
    """What names users beside what is theirs."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def announce(self, scope: UserDataScope) -> None:
        """Have every replica forget what it holds of the user in memory."""
        await self._redis.publish(self._keys.forgotten(), scope.subject.encode())

    async def delete(self, scope: UserDataScope) -> None:
        """Delete the records that name the user."""
        ids = {principal_id(kind, scope.project, scope.subject) for kind in PEOPLE}
        await self._delete_named(ids)
        await self._delete_operations(scope, {*map(person_mark, ids), *ids, scope.subject})
        await self._delete_exports(scope)

    async def _delete_named(self, ids: set[str]) -> None:
        """Delete the keys with one of *ids* in them: they count what a caller does."""
        tail = "|".join(map(re.escape, ids))
        exact = re.compile(f"(?:^|[:{{/])(?:{tail})(?:$|[:}}/])".encode())
        for each in ids:
            async for page in self._redis.scan(f"*{glob_escaped(each)}*"):
                for key in filter(exact.search, page):
                    await self._redis.execute(key, "UNLINK", key)

    async def _delete_operations(self, scope: UserDataScope, texts: set[str]) -> None:
        """Delete the operations that name the user, whoever began them."""
        head = f"{self._keys.prefix}:{{r*}}:r:{glob_escaped(scope.location)}/"
        async for page in self._redis.scan(f"{head}*operations/*"):
            for key in page:
                json: bytes | None = await self._redis.execute(key, "GET", key)
                if json is None or texts.isdisjoint(_strings(msgspec.json.decode(json))):
                    continue
                name = key.decode().split(":", 3)[3]
                if names.last_id(name).startswith(PURGE):
                    continue  # it tells how the purge itself goes, and nobody's name
                parent, collection = names.parent(name), "operations"
                await self._redis.execute(key, "UNLINK", key)
                ids = self._keys.resources(parent, collection)
                await self._redis.execute(ids, "ZREM", ids, names.last_id(name))

    async def _delete_exports(self, scope: UserDataScope) -> None:
        async for page in self._redis.scan(f"{glob_escaped(self._keys.prefix)}:export:*"):
            for key in page:
                json: bytes | None = await self._redis.execute(key, "GET", key)
                if json is not None and scope.subject in _strings(msgspec.json.decode(json)):
                    await self._redis.execute(key, "UNLINK", key)


def _strings(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in cast("dict[str, object]", value).values():
                yield from _strings(each)
        case list():
            for each in cast("list[object]", value):
                yield from _strings(each)
        case _:
            return
