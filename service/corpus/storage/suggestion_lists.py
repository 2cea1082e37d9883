"""Keep what operators say of the completions of data stores: what to suggest, what to deny."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from sessions.codec import json_codec
from sessions.errors import ResourceExhausted
from sessions.redis.connection import Redis, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from sessions.resources.suggestions import CompletionSuggestion, SuggestionDenyListEntry

MOST_SUGGESTIONS: Final = 10_000
"""Suggestions of one data store: each completion looks at all of them."""
MOST_DENIED: Final = 1_000
"""Denied phrases of one data store, as many as the public API takes."""
_SUGGESTIONS: Final = "suggestions"
_DENIED: Final = "denied"


class SuggestionList(NamedTuple):
    """What operators say of one data store."""

    suggestions: tuple[CompletionSuggestion, ...] = ()
    denied: tuple[SuggestionDenyListEntry, ...] = ()


class SuggestionLists:
    """The lists of all data stores of an installation; they stay until they are purged."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def read(self, data_store: str) -> SuggestionList:
        """Return the lists of *data_store*."""
        pair = [self._keys.corpus(data_store, part) for part in (_SUGGESTIONS, _DENIED)]
        commands = [(key, pack("HVALS", key)) for key in pair]
        suggestions, denied = checked_replies(await self._redis.batch(commands))
        return SuggestionList(
            json_codec.load_all(CompletionSuggestion, suggestions),
            json_codec.load_all(SuggestionDenyListEntry, denied),
        )

    async def suggest(self, data_store: str, given: Sequence[CompletionSuggestion]) -> None:
        """Add *given*, each in the place of one of the same text.

        Raises:
            ResourceExhausted: they would be too many; nothing is added.
        """
        entries = {each.suggestion: each for each in given}
        await self._put(data_store, _SUGGESTIONS, entries, MOST_SUGGESTIONS)

    async def deny(self, data_store: str, given: Sequence[SuggestionDenyListEntry]) -> None:
        """Add *given*, each in the place of one of the same phrase; fails as `suggest`."""
        await self._put(
            data_store, _DENIED, {each.block_phrase: each for each in given}, MOST_DENIED
        )

    async def purge_suggestions(self, data_store: str) -> int:
        """Delete the suggestions of *data_store*; return how many there were."""
        return await self._purge(data_store, _SUGGESTIONS)

    async def purge_denied(self, data_store: str) -> int:
        """Delete the denied phrases of *data_store*; return how many there were."""
        return await self._purge(data_store, _DENIED)

    async def delete_all(self, parent: str) -> int:
        """Delete all lists of the data store *parent*."""
        return await self.purge_suggestions(parent) + await self.purge_denied(parent)

    async def _put(
        self, data_store: str, part: str, entries: Mapping[str, msgspec.Struct], most: int
    ) -> None:
        if not entries:
            return
        key = self._keys.corpus(data_store, part)
        known: list[Any] = await self._redis.execute(key, "HKEYS", key)
        if len(entries.keys() | {bytes(each).decode() for each in known}) > most:
            raise ResourceExhausted(
                f"a data store has at most {most} {part} entries; purge them first",
                reason="TOO_MANY_SUGGESTIONS",
            )
        pairs = [part for text, one in entries.items() for part in (text, json_codec.dump(one))]
        await self._redis.execute(key, "HSET", key, *pairs)

    async def _purge(self, data_store: str, part: str) -> int:
        key = self._keys.corpus(data_store, part)
        count = int(await self._redis.execute(key, "HLEN", key))
        await self._redis.execute(key, "UNLINK", key)
        return count
