"""Tells a process which visitors became a user or ended, so that what they have open closes."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from typing import Final

from service.security.change_watch import ChangeWatch
from service.security.tokens.visitor_store import VisitorStore

_AGAIN: Final = 5.0
"""Seconds for which somebody who ended is told of again: whose token was looked at just before may
come in just after, and a replica of Redis that is promoted may be behind."""

Listener = Callable[[Set[str]], None]
"""Gets the marks of principals; most of them are not here, or gone already."""


class EndedVisitors:
    """The visitors who ended lately, and who wants to know of them."""

    def __init__(self, store: VisitorStore) -> None:
        self._store = store
        self._listeners: list[Listener] = []
        self._read_at = time.monotonic()

    def on_ended(self, listener: Listener) -> None:
        """Have *listener* called with those who ended, more than once with each."""
        self._listeners.append(listener)

    async def look(self) -> None:
        """Tell the listeners who has ended since the last look, or shortly before.

        Raises:
            Unavailable: Redis is away; the next look goes back as far.
        """
        asked = time.monotonic()
        ended = await self._store.ended(asked - self._read_at + _AGAIN)
        self._read_at = asked
        if ended:
            for listener in self._listeners:
                listener(ended)

    async def keep_looking(self) -> None:
        """Look again and again, and at once where it is told that there is something to see."""
        await ChangeWatch(self._store.redis.channels, self._store.channel, self.look).run()
