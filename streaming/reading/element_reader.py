"""Read the elements of one answer at one's own pace, as the body of a response does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading.elements import Envelope, PlacedElement
from streaming.reading.entry_queue import EntryQueue
from streaming.reading.sources import ReaderSources
from streaming.reading.subscription import Subscription


async def elements(
    sources: ReaderSources,
    answer: str,
    after: Position | None = None,
    *,
    wrapping: Envelope | None = None,
) -> AsyncGenerator[PlacedElement]:
    """Yield what came *after* that position and what comes, to the terminal element.

    Raises:
        NotFound: there is no such answer, or no more.
        Unavailable: Redis is away, and was for long.
    """
    async with aclosing(batches(sources, answer, after, wrapping=wrapping)) as told:
        async for some in told:
            for element in some:
                yield element


async def batches(
    sources: ReaderSources,
    answer: str,
    after: Position | None = None,
    *,
    wrapping: Envelope | None = None,
) -> AsyncGenerator[list[PlacedElement]]:
    """Yield first what is there, be it nothing, then what comes; raises as `elements` does."""
    reading = ElementReader(sources, answer, after, wrapping)
    try:
        yield await reading.take(0)
        while not reading.done:
            yield await reading.take()
    finally:
        reading.close()


class ElementReader:
    """A reader that asks for what comes, such as the body of a response.

    What comes faster than it is asked for waits, up to `ROOM`; over that it is read from the log.
    `close` in the end.
    """

    def __init__(
        self,
        sources: ReaderSources,
        answer: str,
        after: Position | None,
        wrapping: Envelope | None = None,
    ) -> None:
        self._subscription = Subscription(sources, answer, self._hear, wrapping)
        self._waiting = EntryQueue()
        self._told = after
        self._attached = False
        self._gone = False
        self._heard = asyncio.Event()
        self.done = False
        """Whether the terminal element was taken."""

    def close(self) -> None:
        """Hear nothing more."""
        self._subscription.close()

    async def take(self, patience: float | None = None) -> list[PlacedElement]:
        """Return the next elements, in order; none where nothing came for *patience* seconds.

        Raises:
            NotFound: there is no such answer, or no more.
            Unavailable: Redis is away, and was for long.
        """
        told = await self._replay()
        while not told:
            if not await self._anything(patience):
                return []
            told = await self._replay() or await self._live()
        self._told = told[-1].position
        self.done = told[-1].is_terminal
        return told

    async def _replay(self) -> list[PlacedElement]:
        """Return what is to be read from the log: at the beginning, and after falling behind."""
        if self._attached and not (self._waiting.overflowed or self._gone):
            return []
        self._waiting = EntryQueue()
        self._gone = False
        if self._attached:
            return await self._subscription.catch_up(self._told)
        told = await self._subscription.attach(self._told)
        self._attached = True
        return told

    async def _live(self) -> list[PlacedElement]:
        entries = self._waiting.take()
        ended = bool(entries) and isinstance(entries[-1].event, events.TERMINAL)
        told = self._subscription.teller.live(entries[:-1] if ended else entries)
        if ended:
            told += await self._subscription.end(entries[-1])
        return told

    async def _anything(self, patience: float | None) -> bool:
        """Wait until something was heard; False where that takes longer than *patience*."""
        if not (self._waiting or self._waiting.overflowed or self._gone):
            self._heard.clear()
            try:
                async with asyncio.timeout(patience):
                    await self._heard.wait()
            except TimeoutError:
                return False
        return True

    def _hear(self, entries: Sequence[LogEntry]) -> None:
        self._waiting.add(entries)
        self._gone = not entries
        if self._waiting.overflowed or self._gone:
            self._subscription.fall_behind()
        self._heard.set()
