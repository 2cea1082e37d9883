"""Looks at a state in Redis that decides who is let in, so that a process soon knows of a change.

A change is told to all processes, and looked for twice a second by each, since what is told may be
lost.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from sessions.errors import Unavailable
from sessions.redis.pubsub import Channels

_LOOKS: Final = 0.4
"""Seconds between two looks: two fit into the second that is promised."""


class ChangeWatch:
    """Has *look* called again and again, and at once where *channel* says that there is a change.

    *look* may raise `Unavailable`: the next one is to see what it did not.
    """

    def __init__(
        self, channels: Channels, channel: bytes, look: Callable[[], Awaitable[None]]
    ) -> None:
        self._channels = channels
        self._channel = channel
        self._look = look
        self._wanted = asyncio.Event()

    def hurry(self) -> None:
        """Have the next look at once."""
        self._wanted.set()

    async def run(self) -> None:
        """Look until cancelled."""
        self._channels.listen(self._channel, self._hear)
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOKS):
                        await self._wanted.wait()
                self._wanted.clear()
                try:
                    await self._look()
                except Unavailable:
                    # Not again at once, whoever waits: what fails at once must not spin.
                    await asyncio.sleep(_LOOKS)
        finally:
            self._channels.forget(self._channel, self._hear)

    def _hear(self, _: bytes) -> None:
        self.hurry()
