"""Delete everything that is kept of one user or visitor, and leave nothing of it anywhere.

In this order, so that what is done cannot be undone by what is still going on: running answers are
cancelled and deleted with their sessions, every replica forgets what it holds in memory, and once
nothing of theirs can be on its way any more all of it is looked for again, until there is nothing.
Then streams are copied without what was taken out of them, and the append-only file is rewritten.

Each step deletes what is there, so that a purge may be done twice, or go on after half of it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

import msgspec

from service.corpus.operations.running_operation import TellProgress
from service.corpus.storage.query_history import HistoryPhrase
from service.language.queries import phrases
from service.privacy.user_data import UserData, UserDataScope
from service.privacy.user_traces import UserTraces
from service.stores import Stores
from sessions.errors import Aborted, NotFound
from sessions.listing.list_remains import ListRemains
from sessions.resources.user_data import PurgeUserDataMetadata, PurgeUserDataResponse
from sessions.stores.trash import Trash

_SETTLED: Final = 2.0
"""Seconds after which no replica writes anything more of an answer that was cancelled, or of a
query that it had noted: those are written each second."""
_ROUNDS: Final = 5
"""How often all is looked for again: who goes on writing meanwhile is a user, and not a remainder.
"""
CancelAnswer = Callable[[str], Awaitable[None]]


class Files(Protocol):
    """What Redis has on disk."""

    async def rewrite(self) -> None:
        """Leave nothing there of what was deleted."""
        ...


class _Deleted:
    """How much was deleted."""

    def __init__(self) -> None:
        self.sessions = self.conversations = self.answers = self.events = self.queries = 0
        self.phrases = set[str]()
        """What was asked in the sessions, which may have been noted as nobody's."""

    def message(self) -> PurgeUserDataResponse:
        return PurgeUserDataResponse(
            session_count=str(self.sessions),
            conversation_count=str(self.conversations),
            answer_count=str(self.answers),
            user_event_count=str(self.events),
            query_count=str(self.queries),
        )


class UserDataPurge:
    """Purges what is in the stores of an installation."""

    def __init__(
        self,
        stores: Stores,
        cancel: CancelAnswer | None = None,
        files: Files | None = None,
    ) -> None:
        """*files* are those of the bundled Redis, None where somebody else runs Redis.

        Without *cancel*, running answers are deleted as they are: nothing that is still written of
        them finds a place.
        """
        self._stores = stores
        self._cancel = cancel
        self._files = files
        redis, keys = stores.redis, stores.keys
        self._data = UserData(redis, keys)
        self._traces = UserTraces(redis, keys)
        self._remains = [
            ListRemains(redis, keys, each.index, self._data.existing)
            for each in (stores.sessions, stores.conversations)
        ]

    async def delete(self, scope: UserDataScope, tell: TellProgress) -> PurgeUserDataResponse:
        """Delete all that *scope* means from Redis and from the memory of all replicas.

        Raises:
            Aborted: the user keeps writing; what was there at first is deleted.
            Unavailable: Redis is away; some of it may be deleted.
        """
        deleted = _Deleted()
        scopes = await self._scopes(scope)
        await self._delete_all(scopes, deleted)
        for _ in range(_ROUNDS):
            tell(_metadata(deleted))
            for each in scopes:
                await self._traces.announce(each)
            await asyncio.sleep(_SETTLED)
            scopes = await self._scopes(scope)  # a visitor may have become the user meanwhile
            if not await self._delete_all(scopes, deleted):
                break
        else:
            raise Aborted(
                "the user keeps writing: sign them out, then purge again", reason="USER_IS_ACTIVE"
            )
        await self._clear(scopes)
        await self._data.forget_merges(scope)
        return deleted.message()

    async def rewrite(self) -> None:
        """Leave nothing on disk of what `delete` deleted, once nothing more names the user.

        Raises:
            Unavailable: Redis is away, or its file could not be rewritten.
        """
        if self._files is not None:
            await self._files.rewrite()

    async def _scopes(self, scope: UserDataScope) -> list[UserDataScope]:
        """Return *scope*, and the same for each visitor that became the user."""
        return [scope, *(scope.of(each.visitor) for each in await self._data.merges(scope))]

    async def _delete_all(self, scopes: Sequence[UserDataScope], deleted: _Deleted) -> int:
        """Delete what can be told to be the user's; return how much there was."""
        before = deleted.sessions + deleted.conversations + deleted.events + deleted.queries
        for scope in scopes:
            async for owner in self._data.owners(scope):
                await self._delete_owner(owner, deleted)
            await self._delete_events(scope, deleted)
            await self._delete_queries(scope, deleted)
            await self._traces.delete(scope)
        return deleted.sessions + deleted.conversations + deleted.events + deleted.queries - before

    async def _delete_owner(self, owner: str, deleted: _Deleted) -> None:
        answers = await self._data.answers(owner)
        if self._cancel is not None:
            for answer in answers:
                with contextlib.suppress(NotFound):
                    await self._cancel(answer)
        # Last: what is asked here later goes with it (`QueryHistory.write`).
        deleted.phrases.update(map(phrases.of_query, await self._data.queries(owner)))
        is_conversation = "/conversations/" in owner
        store = self._stores.conversations if is_conversation else self._stores.sessions
        with contextlib.suppress(NotFound):  # somebody else deleted it
            await store.delete(owner)
            deleted.answers += len(answers)
            deleted.conversations += is_conversation
            deleted.sessions += not is_conversation

    async def _delete_events(self, scope: UserDataScope, deleted: _Deleted) -> None:
        events = self._stores.user_events
        for data_store in filter(scope.covers, await events.stores()):
            async for found in events.matching(data_store, scope.wrote):
                if found:
                    deleted.events += await events.drop(data_store, list(found))

    async def _delete_queries(self, scope: UserDataScope, deleted: _Deleted) -> None:
        asked = self._stores.query_history
        visitor = await asked.visitor(scope.subject)

        def is_theirs(each: HistoryPhrase) -> bool:
            # A program may have asked without saying for whom, in a session that is nobody's.
            return each.visitor == visitor or (not each.visitor and each.phrase in deleted.phrases)

        for log in (asked.history, asked.events):
            for data_store in filter(scope.covers, await log.stores()):
                deleted.queries += await asked.forget(data_store, log, is_theirs)

    async def _clear(self, scopes: Sequence[UserDataScope]) -> None:
        """Take away what deletions leave behind."""
        stores, scope = self._stores, scopes[0]
        trash = Trash(stores.redis, stores.keys)
        for partition in range(stores.keys.partitions):
            await trash.sweep(partition)
        async for keys in self._data.remains(scope):
            for key in keys:
                await stores.redis.execute(key, "UNLINK", key)
        parents = [each for each in await stores.sessions.index.parents() if scope.covers(each)]
        for remains in self._remains:
            for parent in parents:
                for each in scopes:
                    await remains.clear(parent, each.subject)
            await remains.clear_sorted(scope.covers)
        for log in (stores.user_events, stores.query_history.history, stores.query_history.events):
            for data_store in filter(scope.covers, await log.stores()):
                await log.compact(data_store)


def _metadata(deleted: _Deleted) -> msgspec.Struct:
    return PurgeUserDataMetadata(progress=deleted.message())
