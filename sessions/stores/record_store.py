"""Keep small resources by name: data stores, engines, operations, RAG corpora and files.

Each is one JSON string; the ids of a collection are listed under its parent, in one slot with
them, so that either both are written or none. A list is in the order of the ids, which never
change: whatever is created, replaced or deleted between two pages, what exists all along comes
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Generic, TypeVar

import msgspec

from sessions import names
from sessions.codec import json_codec
from sessions.errors import Aborted, AlreadyExists, NotFound
from sessions.listing import filters, page_requests
from sessions.listing.page_tokens import PageTokens
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

T = TypeVar("T", bound=msgspec.Struct)

_ATTEMPTS: Final = 20
"""How often a change is tried against others before it is ABORTED."""
_SCANNED: Final = 2000
"""How many resources one page looks at under a filter."""

_CREATE: Final = Script("sessions.stores", "scripts/record_create.lua")
_REPLACE: Final = Script("sessions.stores", "scripts/record_replace.lua")
_TOKEN: Final[msgspec.msgpack.Decoder[str]] = msgspec.msgpack.Decoder(str)


class Collection(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """One kind of resource, by its collection in names: ``dataStores``, ``operations``.

    *default* and *maximum* are the sizes of a page (AIP-158), *fields* what its filters may
    name; a list without fields knows no filter. A resource is kept for *life* milliseconds, or
    until it is deleted where that is 0. Where *always* is set its changes are stored even if Redis
    has no memory left: they must be small, and few.
    """

    id: str
    type: type[T]
    default: int
    maximum: int
    fields: Mapping[str, filters.FilterField[T]] = {}
    life: int = 0
    always: bool = False


class RecordStore(Generic[T]):
    """The resources of one collection, under all parents.

    Whether the parent exists is for the caller to know. Names are canonical and end in
    ``{collection}/{id}``. Every method raises `Unavailable` while Redis is away.
    """

    def __init__(self, redis: Redis, keys: Keys, collection: Collection[T]) -> None:
        self._redis = redis
        self._keys = keys
        self._collection = collection
        self._tokens = PageTokens(redis, keys)

    async def create(self, name: str, resource: T, *, frees: bool = False) -> None:
        """Store *resource* under *name*; even if Redis has no memory left, where it *frees* some.

        Raises:
            AlreadyExists: there is one of this name.
        """
        args = (json_codec.dump(resource), names.last_id(name), self._collection.life, int(frees))
        through = self._keys.resources(names.parent(name), f"{self._collection.id}-let-through")
        keys = self._keys_of(name)
        if not await self._redis.run(_CREATE, [*keys, through], args):
            raise AlreadyExists(
                f"there is a '{name}' already; choose another id",
                reason="RESOURCE_ALREADY_EXISTS",
                resource=name,
            )
        await self._redis.replicated(keys[0])

    async def get(self, name: str) -> T:
        """Return the resource *name*.

        Raises:
            NotFound: there is none of this name.
        """
        return self._load(await self._read(name))

    async def exists(self, name: str) -> bool:
        """Tell whether there is a resource of this *name*."""
        key = self._keys.resource(name)
        return bool(await self._redis.execute(key, "EXISTS", key))

    async def update(self, name: str, change: Callable[[T], T]) -> T:
        """Store and return what *change* makes of the resource *name*.

        *change* is called again where another writer came first, so it must have no effect.

        Raises:
            NotFound: there is none of this name.
            Aborted: other writers came first, again and again.
        """
        for _ in range(_ATTEMPTS):
            seen = await self._read(name)
            resource = change(self._load(seen))
            if await self._replace(name, seen, json_codec.dump(resource)):
                return resource
        raise _contended(name)

    async def put(self, name: str, resource: T) -> None:
        """Store *resource* under *name*, whether or not there is one.

        Raises:
            Aborted: other writers came first, again and again.
        """
        for _ in range(_ATTEMPTS):
            try:
                # What is there need not be read: it may be damaged, and this mends it.
                if await self._replace(name, await self._read(name), json_codec.dump(resource)):
                    return
                continue
            except NotFound:
                pass
            try:
                await self.create(name, resource)
                return
            except AlreadyExists:
                continue
        raise _contended(name)

    async def delete(self, name: str) -> None:
        """Delete the resource *name*, though it be damaged.

        Raises:
            NotFound: there is none of this name.
            Aborted: other writers came first, again and again.
        """
        for _ in range(_ATTEMPTS):
            seen = await self._read(name)
            if await self._replace(name, seen, b""):
                return
        raise _contended(name)

    async def list(
        self, query: ListQuery, visible: Callable[[T], bool] | None = None
    ) -> tuple[list[T], str]:
        """Return one page by id, and the token of the next or "" (AIP-158).

        What is not *visible* is left out.

        Raises:
            InvalidArgument: (``pageSize``, ``pageToken``, ``filter``, ``orderBy``)
        """
        collection = self._collection
        bound = (collection.id, query.parent, query.filter, query.order_by, query.caller)
        size = page_requests.size(
            query.page_size, default=collection.default, maximum=collection.maximum
        )
        wanted = filters.parse(query.filter, collection.fields)
        page_requests.order(query.order_by, {})
        after, token = "", query.page_token
        if token:
            after = await self._tokens.resumed(_TOKEN, token, *bound)
        page: list[T] = []
        for _ in range(0, _SCANNED, collection.maximum):
            ids, more = await self._ids(query, after, collection.maximum)
            for at, resource in enumerate(await self._many(query.parent, ids)):
                if (
                    resource is not None
                    and (wanted is None or wanted.matches(resource))
                    and (visible is None or visible(resource))
                ):
                    page.append(resource)
                if len(page) == size:
                    last = at + 1 == len(ids) and not more
                    return page, "" if last else await self._tokens.token(ids[at], *bound)
            if not more:
                return page, ""
            after = ids[-1]
        return page, await self._tokens.token(after, *bound)

    async def _ids(self, query: ListQuery, after: str, count: int) -> tuple[list[str], bool]:
        """Return up to *count* ids after one, and whether there are more."""
        if query.among is not None:
            # Not looked for among all: neither time nor tokens tell how many others there are.
            above = f"{query.parent}/{self._collection.id}/"
            ids = sorted({name[len(above) :] for name in query.among if name.startswith(above)})
            left = [each for each in ids if each > after]
            return left[:count], len(left) > count
        key = self._keys.resources(query.parent, self._collection.id)
        start = f"({after}" if after else "-"
        found: list[bytes] = await self._redis.execute(
            key, "ZRANGEBYLEX", key, start, "+", "LIMIT", 0, count + 1
        )
        return [each.decode() for each in found[:count]], len(found) > count

    async def _many(self, parent: str, ids: list[str]) -> list[T | None]:
        """Return the resources of these ids; what has outlived its life is taken off the list.

        What is damaged is left out, so that the others can be listed.
        """
        listed = [f"{parent}/{self._collection.id}/{each}" for each in ids]
        commands = [(key := self._keys.resource(name), pack("GET", key)) for name in listed]
        found = checked_replies(await self._redis.batch(commands))
        for name, json in zip(listed, found, strict=True):
            if json is None:
                # It is no resource's JSON, so a resource that came again stays.
                await self._redis.run(
                    _REPLACE, self._keys_of(name), ("-", "-", names.last_id(name), 0)
                )
        return [
            None if json is None else json_codec.undamaged(name, partial(self._load, json))
            for name, json in zip(listed, found, strict=True)
        ]

    def _load(self, json: bytes) -> T:
        return json_codec.load(self._collection.type, json)

    async def _read(self, name: str) -> bytes:
        key = self._keys.resource(name)
        json: bytes | None = await self._redis.execute(key, "GET", key)
        if json is None:
            raise names.absent(name)
        return json

    async def _replace(self, name: str, seen: bytes, json: bytes) -> bool:
        args = (seen, json, names.last_id(name), int(self._collection.always))
        keys = self._keys_of(name)
        done = await self._redis.run(_REPLACE, keys, args)
        if done == 0:
            raise names.absent(name)
        if done == 1:
            await self._redis.replicated(keys[0])
        return done == 1

    def _keys_of(self, name: str) -> list[bytes]:
        return [
            self._keys.resource(name),
            self._keys.resources(names.parent(name), self._collection.id),
        ]


def _contended(name: str) -> Aborted:
    return Aborted(
        f"others keep changing '{name}'; try again", reason="CONCURRENT_UPDATE", resource=name
    )
