"""The messages that came from one client and that its application has not taken yet."""

from __future__ import annotations

import asyncio
from typing import Any


class MessageQueue:
    """An `asyncio.Queue` without a bound, for one who waits; it takes a tenth of the memory."""

    __slots__ = ("_messages", "_news")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._news: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether there is nothing to get."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Let *message* be got."""
        self._messages.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def get(self) -> Any:
        """Wait for the next message; only one may do so."""
        while not self._messages:
            self._news = asyncio.get_running_loop().create_future()
            try:
                await self._news
            finally:
                self._news = None
        return self._messages.pop(0)
