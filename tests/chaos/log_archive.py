"""Read the logs of answers that have ended while they are there: a long run outlives them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from sessions.errors import Unavailable
from streaming.log import events, transitions
from streaming.log.event_log import EventLog, LogEntry
from tests.chaos.records import Book

_ROUND: Final = transitions.KEPT / 10
_LAPSING: Final = transitions.KEPT / 2
"""Seconds from the end of an answer on at which its log may be gone, by a clock that was frozen."""


class LogArchive:
    """The logs of the answers in *book*; only those that have ended are kept, none changes then."""

    def __init__(self, log: EventLog, book: Book) -> None:
        self._log = log
        self._book = book
        self._kept: dict[str, tuple[float, Sequence[LogEntry]]] = {}
        """By answer; with the time at which its end was seen."""

    async def keep_reading(self) -> None:
        """Read what has ended, again and again."""
        while True:
            await asyncio.sleep(_ROUND)
            for question in self._book.questions:
                # Not only where whoever asked has heard the end: that may take longer than a log.
                if question.answer and question.answer not in self._kept:
                    await self._keep(question.answer)

    async def read(self, answer: str) -> Sequence[LogEntry]:
        """Return the log of *answer*: as it was once, where it may have lapsed since."""
        entries = await self._log.read(answer)
        seen, kept = self._kept.get(answer, (0.0, ()))
        if not entries and asyncio.get_running_loop().time() - seen > _LAPSING:
            return kept
        return entries

    async def _keep(self, answer: str) -> None:
        try:
            entries = await self._log.read(answer)
        except Unavailable:
            return  # it is broken just now: the next round reads it
        if entries and isinstance(entries[-1].event, events.TERMINAL):
            self._kept[answer] = asyncio.get_running_loop().time(), entries
