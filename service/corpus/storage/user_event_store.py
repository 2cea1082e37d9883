"""Keep the user events of data stores, bounded and for a time."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Final

from service.corpus.storage.capped_log import CappedLog, LogBounds
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.user_events import UserEvent

MOST: Final = 100_000
"""Events of one data store; the oldest go."""
MOST_BYTES: Final = 64 * 1024 * 1024
LARGEST: Final = 64 * 1024
"""Bytes of one event, as it is kept."""


class UserEventStore:
    """The user events of all data stores of an installation.

    Whether a data store exists is not known here: an absent one has no events.
    """

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        days: float,
        fewer: Callable[[str], float | None] = lambda _: None,
    ) -> None:
        """Keep events for so many *days*, none at all for 0, or *fewer* of a data store."""
        self._log = CappedLog(redis, keys, "events", LogBounds(MOST, MOST_BYTES, days, fewer))
        self.keeps = days > 0
        """Whether anything is kept."""
        self.delete_all = self._log.delete_all
        """Delete the events of a data store; return how many there were."""
        self.sweep = self._log.sweep
        """Delete the events that are too old."""
        self.stores = self._log.stores
        """Return the data stores that may have events."""
        self.compact = self._log.compact
        """Leave nothing in Redis of the events of a data store that were dropped."""

    async def add(self, data_store: str, events: Sequence[UserEvent]) -> None:
        """Keep *events*, which were checked (`packed`)."""
        await self._log.append(data_store, [packed(each) for each in events])

    async def matching(
        self, data_store: str, matches: Callable[[UserEvent], bool]
    ) -> AsyncIterator[Mapping[str, UserEvent]]:
        """Yield the events of *data_store* that match, by id, page by page."""
        async for page in self._log.read(data_store):
            found: dict[str, UserEvent] = {}
            for entry in page:
                read = functools.partial(json_codec.load, UserEvent, entry.body)
                event = json_codec.undamaged(f"{data_store}/userEvents/{entry.id}", read)
                if event is not None and matches(event):
                    found[entry.id] = event
            yield found

    async def drop(self, data_store: str, ids: Sequence[str]) -> int:
        """Delete the events with these *ids*; return how many there were."""
        return await self._log.drop(data_store, ids)


def packed(event: UserEvent, field: str = "userEvent") -> bytes:
    """Return *event* as it is kept.

    Raises:
        InvalidArgument: it is too large.
    """
    body = json_codec.dump(event)
    if len(body) > LARGEST:
        raise InvalidArgument(f"{field}: at most {LARGEST} bytes, not {len(body)}", field=field)
    return body
