"""Read the elements of one answer at one's own pace, as the body of an HTTP response does."""

from __future__ import annotations

import asyncio
import enum
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
    async with aclosing(batches(sources, answer, after, wrapping=wrapping)) as batched:
        async for batch in batched:
            for element in batch:
                yield element


async def batches(
    sources: ReaderSources,
    answer: str,
    after: Position | None = None,
    *,
    wrapping: Envelope | None = None,
    resumes: bool = False,
) -> AsyncGenerator[list[PlacedElement]]:
    """Yield first what is there, be it nothing, then what comes; raises as `elements` does.

    A reader that *resumes* comes back, which is counted.
    """
    reader = ElementReader(sources, answer, after, wrapping, resumes=resumes)
    try:
        yield await reader.take(0)
        while not reader.done:
            yield await reader.take()
    finally:
        reader.close()


class ReaderState(enum.Enum):
    """Where the next elements come from."""

    NEW = "from attaching"
    LIVE = "from what was heard"
    BEHIND = "from the log"


class ElementReader:
    """A reader that asks for what comes.

    What comes faster than it is asked for waits, up to `entry_queue.ROOM`; over that it is read
    from the log. `close` in the end.
    """

    def __init__(
        self,
        sources: ReaderSources,
        answer: str,
        after: Position | None,
        wrapping: Envelope | None = None,
        *,
        resumes: bool = False,
    ) -> None:
        self._subscription = Subscription(sources, answer, self._hear, wrapping)
        self._resumes = resumes
        self._entries = EntryQueue()
        self._position = after
        self._state = ReaderState.NEW
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
        taken = await self._replay()
        while not taken:
            if not await self._anything(patience):
                return []
            taken = await self._replay() or await self._live()
        self._position = taken[-1].position
        self.done = taken[-1].is_terminal
        return taken

    async def _replay(self) -> list[PlacedElement]:
        """Return what is to be read from the log: at the beginning, and after falling behind."""
        state = self._state
        if state is ReaderState.LIVE:
            return []
        self._entries = EntryQueue()
        # Live before it is read: what falls behind while the read is under way is read again.
        self._state = ReaderState.LIVE
        try:
            if state is ReaderState.NEW:
                subscription = self._subscription
                attach = subscription.resume if self._resumes else subscription.attach
                return await attach(self._position)
            return await self._subscription.catch_up(self._position)
        except BaseException:
            self._state = state  # it may be asked for again
            raise

    async def _live(self) -> list[PlacedElement]:
        entries = self._entries.take()
        ended = bool(entries) and isinstance(entries[-1].event, events.TERMINAL)
        taken = self._subscription.builder.live(entries[:-1] if ended else entries)
        if ended:
            taken += await self._subscription.end(entries[-1])
        return taken

    async def _anything(self, patience: float | None) -> bool:
        """Wait until something was heard; False where that takes longer than *patience*."""
        if self._state is ReaderState.LIVE and not self._entries:
            self._heard.clear()
            try:
                async with asyncio.timeout(patience):
                    await self._heard.wait()
            except TimeoutError:
                return False
        return True

    def _hear(self, entries: Sequence[LogEntry]) -> None:
        self._entries.add(entries)
        if not entries or self._entries.overflowed:
            self._state = ReaderState.BEHIND
            self._subscription.fall_behind()
        self._heard.set()
