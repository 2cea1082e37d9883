"""Opens the Redis of an installation and everything that is kept there."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from service.corpus.storage.query_history import QueryHistory
from service.corpus.storage.suggestion_lists import SuggestionLists
from service.corpus.storage.user_event_store import UserEventStore
from service.settings import Settings
from sessions.errors import ServiceError, Unavailable
from sessions.listing.page_tokens import PageTokens
from sessions.redis import bundled_server, connection
from sessions.redis.connection import Redis
from sessions.redis.installation import Installation
from sessions.redis.keys import Keys
from sessions.redis.memory import Memory
from sessions.stores.store_set import AnswerStore, ConversationStore, SessionStore
from sessions.stores.trash import Trash

_TIDY: Final = 300.0
"""Seconds between two rounds; what a round deletes was out of everybody's sight before."""
_GUARD: Final = 1.0
"""Seconds between two looks at the bundled Redis, of which requests wait for the start."""
_log = logging.getLogger(__name__)


class Stores(msgspec.Struct, frozen=True, kw_only=True):
    """The stores of one installation."""

    redis: Redis
    keys: Keys
    sessions: SessionStore
    conversations: ConversationStore
    answers: AnswerStore
    documents: DocumentStore
    user_events: UserEventStore
    query_history: QueryHistory
    suggestion_lists: SuggestionLists
    catalogue: Catalogue
    memory: Memory
    installation: Installation
    page_tokens: PageTokens

    async def touch(self, owner: str) -> None:
        """Show the session or conversation *owner* in lists as it is now, if Redis is there."""
        kept = self.conversations if "/conversations/" in owner else self.sessions
        with contextlib.suppress(Unavailable):  # readers of lists repair what is missing
            await kept.touch(owner)

    async def tidy(self, session_days: Callable[[str], float]) -> None:
        """Delete what is too old and what deletions left, every few minutes; never returns.

        Sessions and conversations live for the *session_days* of their parent after their last use,
        or for ever where those are 0.
        """
        trash = Trash(self.redis, self.keys)
        while True:
            # By every replica: each step deletes what is there still, so two do no harm. What an
            # outage or a full Redis leaves undone, the next round does.
            with contextlib.suppress(ServiceError, ResponseError):
                for partition in range(self.keys.partitions):
                    await trash.sweep(partition)
                await self.delete_old(session_days)
                await self.user_events.sweep()
                await self.query_history.sweep()
            await asyncio.sleep(_TIDY)

    async def delete_old(
        self, session_days: Callable[[str], float], clock: Callable[[], float] = time.time
    ) -> None:
        """Delete the sessions and conversations that are too old, as `tidy` does."""
        # By the clock of Redis, which wrote the times that are compared, unless ours is behind it:
        # one clock that has jumped ahead must not delete what is young.
        now = min(await self.redis.now_ms(), clock() * 1000)
        for parent in await self.sessions.index.parents():
            if days := session_days(parent):
                before = int((now - days * 86_400_000) * 1000)
                await self.sessions.delete_older_of(parent, before)
                await self.conversations.delete_older_of(parent, before)

    async def guard(self, data_dir: Path) -> None:
        """Start the bundled Redis of *data_dir* again whenever it has died; never returns."""
        while True:
            await asyncio.sleep(_GUARD)
            if not self.redis.available:
                with contextlib.suppress(ServiceError, OSError):
                    # Entering starts it, and leaving leaves it to us, who are in there as well.
                    async with bundled_server.server(data_dir):
                        _log.warning("redis_was_away")


@contextlib.asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[Redis]:
    """Open the configured Redis, or the bundled one, whatever is in it.

    Raises:
        ServiceError: there is no Redis, or it cannot be used.
    """
    async with contextlib.AsyncExitStack() as stack:
        url = settings.redis_url
        if not url:
            url = await stack.enter_async_context(bundled_server.server(settings.data_dir))
        yield await stack.enter_async_context(
            connection.connect(url, replicas=settings.redis_replicas)
        )


@contextlib.asynccontextmanager
async def opened(
    settings: Settings, event_days: Callable[[str], float | None] = lambda _: None
) -> AsyncGenerator[Stores]:
    """Open the configured Redis, or the bundled one, and check that it is ours.

    *event_days* are the fewer days for which user events of a data store are kept, None for all.

    Raises:
        ServiceError: there is no Redis, it cannot be used, or it is of another installation.
    """
    async with connected(settings) as redis:
        keys = Keys()
        # Before anything is read or written: with other partitions every key is another one.
        await connection.check_install(redis, keys)
        documents = DocumentStore(redis, keys)
        sessions = SessionStore(redis, keys)
        conversations = ConversationStore(redis, keys)
        user_events = UserEventStore(redis, keys, settings.event_days, event_days)
        query_history = QueryHistory(redis, keys, settings.event_days, event_days)
        suggestion_lists = SuggestionLists(redis, keys)
        owned = (sessions, conversations, user_events, query_history, suggestion_lists)
        yield Stores(
            memory=Memory(redis, keys),
            installation=Installation(redis, keys),
            redis=redis,
            keys=keys,
            sessions=sessions,
            conversations=conversations,
            answers=AnswerStore(redis, keys),
            documents=documents,
            user_events=user_events,
            query_history=query_history,
            suggestion_lists=suggestion_lists,
            catalogue=Catalogue(redis, keys, documents, owned),
            page_tokens=PageTokens(redis, keys),
        )
