"""Find chunks with the Query Engine of Redis, in one index that all replicas share.

Each data store has indexes of its own in the engine, in the slot of its documents: its boundary
holds by construction, and what is a rare word is counted in it alone. A replica keeps nothing in
memory but counts of terms and what it found last, and is ready at once where another has built the
index.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from service.corpus.document_access import DocumentPolicy
from service.corpus.following.followed_index import FollowedIndex
from service.corpus.redis_search.index_follower import IndexFollower
from service.corpus.redis_search.reader.viewed_store import ViewedStore
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.language.synonyms import BUILT_IN, Synonyms
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

_SEARCHES: Final = 8
"""Searches that threads are busy with at a time; partly they wait for Redis."""


class RedisIndex(FollowedIndex[IndexFollower, ViewedStore]):
    """An `index.FollowingIndex` in Redis.

    *observe*, if given, is told of each failure, which is tried again. The rest is as
    `FollowedIndex` has it.
    """

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        store: DocumentStore,
        *,
        observe: Callable[[BaseException], None] | None = None,
        vectors: SharedVectors | None = None,
        synonyms: Synonyms = BUILT_IN,
        policy: Callable[[str], Awaitable[DocumentPolicy]] | None = None,
        searched: Callable[[str, float], None] | None = None,
    ) -> None:
        embed = None if vectors is None else vectors.keep_up
        super().__init__(
            IndexFollower(redis, keys, store, observe or _ignore, embed),
            searches=_SEARCHES,
            vectors=vectors,
            synonyms=synonyms,
            policy=policy,
            searched=searched,
        )


def _ignore(_: BaseException) -> None:
    """Observe nothing."""
