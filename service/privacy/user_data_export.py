"""Tell a user or visitor everything that is kept of them, as lines of JSON.

An export is no copy: it is read while it is downloaded. So nothing of it takes memory or disk, and
nothing of it is left to be purged; what is kept for an hour is who may download whose data, once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import msgspec

from service.corpus.storage import query_history
from service.privacy.user_data import UserData, UserDataScope
from service.stores import Stores
from sessions.codec import json_codec
from sessions.errors import Internal, NotFound
from sessions.redis.connection import checked_replies
from sessions.redis.resp_socket import pack
from sessions.resources.user_data import ExportUserDataResponse

LIFE: Final = 3600
"""Seconds for which an export can be downloaded."""
_COUNTED: Final = {
    "session": "session_count",
    "conversation": "conversation_count",
    "answer": "answer_count",
    "userEvent": "user_event_count",
    "query": "query_count",
}


class UserDataTicket(msgspec.Struct, frozen=True):
    """Whose data may be downloaded, and by which principal."""

    scope: UserDataScope
    principal: str


class UserDataExport:
    """Exports what is in the stores of an installation."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores
        self._data = UserData(stores.redis, stores.keys)

    async def offer(
        self, operation: str, scope: UserDataScope, principal: str
    ) -> ExportUserDataResponse:
        """Count what there is, and let *principal* download it once, as the work of *operation*."""
        counts = dict.fromkeys(_COUNTED.values(), 0)
        async for kind, _ in self._entries(scope):
            if kind in _COUNTED:
                counts[_COUNTED[kind]] += 1
        key = self._stores.keys.export(operation)
        ticket = msgspec.json.encode(UserDataTicket(scope, principal))
        await self._stores.redis.execute(key, "SET", key, ticket, "EX", LIFE)
        now = await self._stores.redis.now_ms()
        return ExportUserDataResponse(
            uri=f"/v1/{operation}:download",
            expire_time=dt.datetime.fromtimestamp(now // 1000 + LIFE, dt.UTC),
            **{field: str(count) for field, count in counts.items()},
        )

    async def taken(self, operation: str, principal: str) -> UserDataScope:
        """Return whose data *principal* downloads now: nobody can do so again.

        Raises:
            NotFound: there is no such export for this principal, or no longer.
        """
        # Looked at first: whoever may not have it must not take it away from who may.
        await self._ticket("GET", operation, principal)
        return (await self._ticket("GETDEL", operation, principal)).scope

    async def _ticket(self, command: str, operation: str, principal: str) -> UserDataTicket:
        key = self._stores.keys.export(operation)
        json: bytes | None = await self._stores.redis.execute(key, command, key)
        if json is not None:
            ticket = msgspec.json.decode(json, type=UserDataTicket)
            if ticket.principal == principal:
                return ticket
        raise NotFound(
            "there is no such export, or no longer: it can be downloaded once, within an hour, by "
            "who asked for it; ask for another one",
            resource=operation,
        )

    async def lines(self, scope: UserDataScope) -> AsyncGenerator[bytes]:
        """Yield everything that *scope* means, a JSON object a line.

        The last line counts the others: who finds none has not got all of it.
        """
        count = 0
        async for kind, content in self._entries(scope):
            count += 1
            yield msgspec.json.encode({"type": kind, **content}) + b"\n"
        yield msgspec.json.encode({"type": "end", "lines": count}) + b"\n"

    async def _entries(self, scope: UserDataScope) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        merges = await self._data.merges(scope)
        for merge in merges:
            told = {"userPseudoId": merge.visitor, "dataStores": merge.data_stores}
            yield "mergedVisitor", {"mergedVisitor": told}
        for each in (scope, *(scope.of(merge.visitor) for merge in merges)):
            async for entry in self._of_subject(each):
                yield entry

    async def _of_subject(self, scope: UserDataScope) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        # Redis lists its keys in no order, and one twice while its table of keys grows or shrinks.
        for owner in sorted({each async for each in self._data.owners(scope)}):
            async for each in self._of_owner(owner):
                yield each
        async for each in self._events(scope):
            yield each
        async for each in self._queries(scope):
            yield each

    async def _of_owner(self, owner: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield a session or conversation, and all that was answered in it."""
        is_conversation = "/conversations/" in owner
        kind = "conversation" if is_conversation else "session"
        store = self._stores.conversations if is_conversation else self._stores.sessions
        answers = await self._data.answers(owner)
        try:
            yield kind, {kind: _plain(await store.get(owner))}
        except NotFound:
            return
        except Internal:
            yield kind, {"name": owner, "damaged": True}
        for answer in answers:
            key = self._stores.keys.answer(answer)
            (found,) = checked_replies(
                await self._stores.redis.batch([(key, pack("HMGET", key, "json", "request"))])
            )
            json, request = found
            if json is not None:
                told = {"answer": msgspec.Raw(json), "request": msgspec.Raw(request or b"null")}
                yield "answer", {"name": answer, **told}

    async def _events(self, scope: UserDataScope) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        events = self._stores.user_events
        for data_store in filter(scope.covers, await events.stores()):
            async for found in events.matching(data_store, scope.wrote):
                for event in found.values():
                    yield "userEvent", {"dataStore": data_store, "userEvent": _plain(event)}

    async def _queries(self, scope: UserDataScope) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield what completion remembers, which knows the user by a digest only."""
        asked = self._stores.query_history
        visitor = await asked.visitor(scope.subject)
        for log in (asked.history, asked.events):
            for data_store in filter(scope.covers, await log.stores()):
                async for page in log.read(data_store):
                    for each in map(query_history.unpacked, page):
                        if each.visitor == visitor:
                            at = dt.datetime.fromtimestamp(each.at / 1000, dt.UTC)
                            told = {"dataStore": data_store, "query": each.phrase, "time": at}
                            yield "query", told


def _plain(message: msgspec.Struct) -> msgspec.Raw:
    return msgspec.Raw(json_codec.dump(message))
