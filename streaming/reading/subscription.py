"""Follow one answer: what came after a position, then what comes, nothing twice and nothing lost.

Attaching registers for what is acknowledged from now on, then reads the log, merges the replay
into at most one element beside the terminal one, and goes on live. What it led to is explicit:

========  ================================================  =================================
resumed   the position is in the log, and nothing was       one element with what came after
          written anew behind it
snapshot  no position was given                             one element with everything so far
reset     the position is gone, or lies ahead of the log,   the same, with ``reset``
          or the answer was written anew behind it
stored    the log has expired; the answer outlived it       the terminal element, with ``reset``
                                                            where a position was given
gone      neither log nor answer                            `NotFound`
========  ================================================  =================================

The same is done again for a reader that could not follow, and for one that hears what does not
stand right behind what it heard last: another owner writes, or a failover took something away. What
it missed is not kept for it, it is read from the log, and with it whether what it was told still
stands there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol, TypeVar

import msgspec

from sessions import lifecycle
from sessions.errors import Unavailable
from sessions.resources import answers
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import BEGINNING, Position
from streaming.reading import elements
from streaming.reading.elements import Envelope, PlacedElement

ROOM: Final = 256 << 10
"""How much text, in bytes or nearly so, waits for one reader before it is dropped."""

PATIENCE: Final = 30.0
"""Seconds that a subscription waits for a Redis that is away, before it gives up."""

_RETRY: Final = 0.25
_LAST: Final = 10**15 - 1  # no seq is greater
_T = TypeVar("_T")

Listener = Callable[[Sequence[LogEntry]], None]


class LogSource(Protocol):
    """What a subscription needs of `streaming.log.event_log.EventLog`."""

    async def read(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return the entries behind *after*."""
        ...


class TailSource(Protocol):
    """What a subscription needs of `streaming.reading.tail.Tail`."""

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with what is acknowledged; return what ends it."""
        ...

    async def ready(self, answer: str) -> None:
        """Return when nothing can be missed any more."""
        ...

    async def back(self, answer: str) -> None:
        """Learn that the end, which was told, was lost; what comes then is to be heard."""
        ...


class AnswerSource(Protocol):
    """What a subscription needs of the store of answers."""

    async def get(self, name: str) -> answers.Answer:
        """Return the stored answer or raise `NotFound`."""
        ...


class ReaderSources(msgspec.Struct, frozen=True):
    """What the readers of this process are fed from; *adopt* is that of the runner."""

    tail: TailSource
    log: LogSource
    answers: AnswerSource
    adopt: Callable[[str], Awaitable[None]]


class Subscription:
    """One reader's tail of one answer.

    `attach` first; from its return on, *hear* is called with what is acknowledged, until
    `fall_behind`, or until it is called with an empty sequence: something was missed, or the log is
    gone. `catch_up` then returns what was missed, and *hear* is called again. *hear* is called from
    the acknowledgement: it neither blocks nor raises. `close` in the end.
    """

    def __init__(
        self, origin: ReaderSources, answer: str, hear: Listener, wrapping: Envelope | None = None
    ) -> None:
        """Follow *answer*; *wrapping* is its envelope where it is not the usual one."""
        self.answer = answer
        self.teller = elements.ElementBuilder(wrapping or elements.envelope(answer))
        self._origin = origin
        self._hear = hear
        self._live = False
        self._gone = False
        self._gathered: EntryQueue | None = None
        self._last: Position = BEGINNING
        self._unfollow = origin.tail.follow(answer, self._listen)

    def close(self) -> None:
        """Hear nothing more."""
        self._live = False
        self._gathered = None
        self._unfollow()

    def fall_behind(self) -> None:
        """Hear nothing until `catch_up`."""
        self._live = False

    async def attach(self, after: Position | None) -> list[PlacedElement]:
        """Return what came *after*, or everything: one element at most, then the terminal one.

        An answer whose writer is lost is taken over at once.

        Raises:
            NotFound: there is no such answer.
            Unavailable: Redis is away, and was for long.
        """
        await _patiently(lambda: self._origin.tail.ready(self.answer))
        await _patiently(lambda: self._origin.adopt(self.answer))
        return await self.catch_up(after)

    async def catch_up(self, after: Position | None) -> list[PlacedElement]:
        """Return what came *after*, as `attach` does, and hear what comes then."""
        if after is None:
            return await self._snapshot(reset=False)
        entries = await self._read(_before(after))
        if after == BEGINNING and entries:
            return await self._told(entries)
        if entries and entries[0].position == after:
            # Who has heard the end and asks all the same is told it again: nothing else will come.
            ended = isinstance(entries[0].event, events.TERMINAL)
            return await self._told(entries if ended else entries[1:])
        return await self._snapshot(reset=True)

    async def end(self, entry: LogEntry) -> list[PlacedElement]:
        """Return what *entry*, a terminal one that was heard, leads to.

        That is the terminal element, unless a failover took the end away again: then it is what
        stands now, with ``reset``, and more comes.
        """
        stored = await self._stored()
        if lifecycle.is_terminal(stored.state):
            return [self.teller.end(entry, stored)]
        await _patiently(lambda: self._origin.tail.back(self.answer))
        return await self._snapshot(reset=True)

    async def _snapshot(self, *, reset: bool) -> list[PlacedElement]:
        if not (entries := await self._read(None)):
            self._live = False  # what is told from now on is in the log, which is read again
            stored = await self._stored()
            # It may have begun meanwhile, or ended: then the log says why; the resource does not.
            entries = await self._read(None)
            if not entries and lifecycle.is_terminal(stored.state):
                return [self.teller.stored(stored, reset=reset)]
            if self._gone and not entries:
                raise Unavailable("the answer cannot be followed; get it", reason="LOG_GONE")
        told = await self._told(entries)
        if told or not reset:
            return [
                msgspec.structs.replace(each, reset=reset and not n) for n, each in enumerate(told)
            ]
        return [self.teller.nothing()]

    async def _told(self, entries: Sequence[LogEntry]) -> list[PlacedElement]:
        """Merge *entries*. Only where they end the answer, after which none comes, it waits."""
        ended = bool(entries) and isinstance(entries[-1].event, events.TERMINAL)
        body = entries[:-1] if ended else entries
        told = [self.teller.replay(body)] if body else []
        if ended:
            told += await self.end(entries[-1])
        return told

    async def _read(self, after: Position | None) -> list[LogEntry]:
        """Return what came *after* up to now; what comes from this return on is heard."""
        while True:
            self._live = False
            self._gathered = gathered = EntryQueue()
            entries = await _patiently(lambda: self._origin.log.read(self.answer, after))
            last: Position = entries[-1].position if entries else after or BEGINNING
            late = [entry for entry in gathered.take() if entry.position > last]
            if not gathered.overflowed and (not late or late[0].position == last.following):
                break
        entries += late
        self._gone = self._gone and not entries
        self._last = entries[-1].position if entries else last
        self._gathered = None
        self._live = True
        return entries

    async def _stored(self) -> answers.Answer:
        return await _patiently(lambda: self._origin.answers.get(self.answer))

    def _listen(self, entries: Sequence[LogEntry]) -> None:
        """Pass on what is heard for the first time, or keep it while the log is read."""
        if not entries:
            self._gone = True
            if self._live:
                self._hear(entries)
        elif self._live:
            if entries[0].position <= self._last:
                entries = [entry for entry in entries if entry.position > self._last]
                if not entries:
                    return
            if entries[0].reset or entries[0].position == self._last.following:
                self._last = entries[-1].position
                self._hear(entries)
            else:
                self._live = False
                self._hear(())
        elif self._gathered is not None:
            self._gathered.add(entries)


class EntryQueue:
    """Entries that wait for one reader, with a bound: over it they are dropped."""

    __slots__ = ("_entries", "_size", "overflowed")

    def __init__(self) -> None:
        self._entries: list[LogEntry] = []
        self._size = 0
        self.overflowed = False

    def __bool__(self) -> bool:
        return bool(self._entries)

    def add(self, entries: Sequence[LogEntry]) -> None:
        """Keep *entries*, or forget all where that is too much."""
        self._entries += entries
        for entry in entries:
            event = entry.event
            self._size += _ENTRY + len(event.text) if type(event) is events.TextAppended else _ENTRY
        if self._size > ROOM:
            self.overflowed = True
            self._entries.clear()

    def take(self) -> list[LogEntry]:
        """Return what waits, which is then no longer kept."""
        taken, self._entries, self._size = self._entries, [], 0
        return taken


_ENTRY: Final = 200  # bytes that an entry takes beside its text


def _before(position: Position) -> Position:
    """Return a position that only *position* and later ones come after."""
    epoch, seq = position
    return Position(epoch, seq - 1) if seq else Position(max(epoch - 1, 0), _LAST if epoch else 0)


async def _patiently(call: Callable[[], Awaitable[_T]]) -> _T:
    """Await *call* again and again while Redis is away, for `PATIENCE` at most."""
    clock = asyncio.get_running_loop().time
    until = clock() + PATIENCE
    while True:
        try:
            return await call()
        except Unavailable:
            if clock() >= until:
                raise
        await asyncio.sleep(_RETRY)
