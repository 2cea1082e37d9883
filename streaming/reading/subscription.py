"""Follow one answer from any position: what came after it, then what comes, nothing twice or lost.

It is the part that a connection's `Follower` and the `ElementReader` of a response share. Attaching
registers for what is acknowledged from now on, then reads the log, merges the replay into at most
one element beside the terminal one, and goes on live. What it led to is explicit:

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
stands there. What is heard meets a subscription in one of three states:

========  ==================  =====================  ==================
event     BEHIND              READING                LIVE
========  ==================  =====================  ==================
read      LIVE                –                      LIVE
next      BEHIND              LIVE, with it          LIVE, passed on
again     BEHIND              LIVE                   LIVE
anew      BEHIND              LIVE, after two reads  LIVE, passed on
gap       BEHIND              LIVE, after two reads  BEHIND, told
nothing   BEHIND              LIVE                   BEHIND, told
too much  BEHIND              LIVE, after two reads  LIVE, passed on
fall      BEHIND              LIVE                   BEHIND
========  ==================  =====================  ==================

Entries with attachments, whose bytes are not in the log, are a *gap*: `LogSource` finds these.
*Read* is that the log is read to its end; in the other rows of READING that follows. *Again* is an
entry that was heard or read, *anew* the first of an epoch with ``reset``, *nothing* an empty
sequence, *fall* a reader that could not follow. *Told* is that *hear* is called with nothing.
"""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import msgspec

from sessions import resource_states
from sessions.errors import NotFound, Unavailable
from sessions.resources.answers import Answer
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import BEGINNING, Position
from streaming.reading import elements
from streaming.reading.elements import Envelope, PlacedElement
from streaming.reading.entry_queue import EntryQueue
from streaming.reading.local_readers import Listener
from streaming.reading.resumptions import ResumeOutcome
from streaming.reading.sources import ReaderSources

PATIENCE: Final = 30.0
"""Seconds that a subscription waits for a Redis that is away, before it gives up."""

_RETRY: Final = 0.25
_LAST: Final = 10**15 - 1  # no seq is greater
_T = TypeVar("_T")


class SubscriptionState(enum.Enum):
    """What becomes of what is heard, as drawn above."""

    BEHIND = "it is dropped, since it will be read from the log"
    READING = "it is gathered, while the log is read"
    LIVE = "it is passed on"


_LIVE: Final = SubscriptionState.LIVE  # a member is slow to read from its enum, for each delta


class Subscription:
    """One reader's tail of one answer.

    `attach` or `resume` first; from its return on, *hear* is called with what is acknowledged,
    until `fall_behind`, or until it is called with an empty sequence: something was missed, or the
    log is gone. `catch_up` then returns what was missed, and *hear* is called again. *hear* is
    called from the acknowledgement: it neither blocks nor raises. `close` in the end.
    """

    def __init__(
        self, sources: ReaderSources, answer: str, hear: Listener, wrapping: Envelope | None = None
    ) -> None:
        """Follow *answer*; *wrapping* is its envelope where it is not the usual one."""
        self.answer = answer
        self.builder = elements.ElementBuilder(wrapping or elements.envelope(answer))
        self._sources = sources
        self._hear = hear
        self.state = SubscriptionState.BEHIND
        self._log_is_gone = False
        """Whether it was said to be, and has not been seen since."""
        self._gathered = EntryQueue()
        self._last: Position = BEGINNING
        self._outcome = ResumeOutcome.RESUMED
        """What catching up led to the last time."""
        self._unfollow = sources.tail.follow(answer, self._listen)

    def close(self) -> None:
        """Hear nothing more."""
        self.state = SubscriptionState.BEHIND
        self._unfollow()

    def fall_behind(self) -> None:
        """Hear nothing until `catch_up`."""
        if self.state is _LIVE:  # while the log is read, `hear` is not called anyway
            self.state = SubscriptionState.BEHIND

    async def attach(self, after: Position | None) -> list[PlacedElement]:
        """Return what came *after*, or everything: one element at most, then the terminal one.

        An answer whose writer is lost is taken over at once.

        Raises:
            NotFound: there is no such answer.
            Unavailable: Redis is away, and was for long.
        """
        # In this order: what is acknowledged before the tail is ready is in the log that is read
        # behind it, and what is acknowledged later is heard. The constructor has registered.
        await _patiently(lambda: self._sources.tail.ready(self.answer))
        await _patiently(lambda: self._sources.adopt(self.answer))
        return await self.catch_up(after)

    async def resume(self, after: Position | None) -> list[PlacedElement]:
        """Attach a reader that comes back, and count what that led to; see `attach`."""
        count = self._sources.resumes.add
        try:
            told = await self.attach(after)
        except NotFound:
            count(ResumeOutcome.GONE)
            raise
        except Unavailable:
            count(ResumeOutcome.AWAY)
            raise
        is_anew = self._outcome is ResumeOutcome.RESUMED and any(each.reset for each in told)
        count(ResumeOutcome.RESET if is_anew else self._outcome)
        return told

    async def catch_up(self, after: Position | None) -> list[PlacedElement]:
        """Return what came *after*, as `attach` does, and hear what comes then."""
        self._outcome = ResumeOutcome.RESUMED
        if after is None:
            return await self._snapshot(reset=False)
        # With the entry at the position itself: if that is not there, another log was told.
        entries = await self._read(_before(after))
        if after == BEGINNING and entries:
            return await self._merged(entries)
        if entries and entries[0].position == after:
            # Who has heard the end and asks all the same is told it again: nothing else will come.
            ended = isinstance(entries[0].event, events.TERMINAL)
            return await self._merged(entries if ended else entries[1:])
        return await self._snapshot(reset=True)

    async def end(self, entry: LogEntry) -> list[PlacedElement]:
        """Return what *entry*, a terminal one that was heard, leads to.

        That is the terminal element, unless a failover took the end away again: then it is what
        stands now, with ``reset``, and more comes.
        """
        # Asked of the store, since the terminal element is what a later GetAnswer returns, and
        # since a failover may have lost an end that was acknowledged.
        stored = await self._stored()
        if resource_states.is_terminal(stored.state):
            return [self.builder.end(entry, stored)]
        await _patiently(lambda: self._sources.tail.reopen(self.answer))
        return await self._snapshot(reset=True)

    async def _snapshot(self, *, reset: bool) -> list[PlacedElement]:
        self._outcome = ResumeOutcome.RESET if reset else ResumeOutcome.SNAPSHOT
        if not (entries := await self._read(None)):
            # What comes from now on is in the log, which is read once more.
            self.state = SubscriptionState.BEHIND
            stored = await self._stored()
            # It may have begun meanwhile, or ended: then the log says why; the resource does not.
            entries = await self._read(None)
            if not entries and resource_states.is_terminal(stored.state):
                self._outcome = ResumeOutcome.STORED
                return [self.builder.stored(stored, reset=reset)]
            if self._log_is_gone and not entries:
                raise Unavailable("the answer cannot be followed; get it", reason="LOG_GONE")
        merged = await self._merged(entries)
        if merged or not reset:
            return [
                msgspec.structs.replace(each, reset=reset and not n)
                for n, each in enumerate(merged)
            ]
        return [self.builder.nothing()]

    async def _merged(self, entries: Sequence[LogEntry]) -> list[PlacedElement]:
        """Merge *entries*. Only where they end the answer, after which none comes, it waits.

        Anywhere else a wait would let live entries overtake the replay.
        """
        ended = bool(entries) and isinstance(entries[-1].event, events.TERMINAL)
        body = entries[:-1] if ended else entries
        merged = [self.builder.replay(body)] if body else []
        if ended:
            merged += await self.end(entries[-1])
        return merged

    async def _read(self, after: Position | None) -> list[LogEntry]:
        """Return what came *after* up to now; what comes from this return on is heard."""
        while True:
            # Gathered from before the read: an entry that is acknowledged while it is under way may
            # be in what it returns, or not.
            self.state = SubscriptionState.READING
            self._gathered = gathered = EntryQueue()
            entries = await _patiently(lambda: self._sources.log.read_joined(self.answer, after))
            last: Position = entries[-1].position if entries else after or BEGINNING
            late = [entry for entry in gathered.take() if entry.position > last]
            follows = not late or late[0].position == last.following
            if not gathered.overflowed and follows and not _has_attachments(late):
                break
        entries += late
        self._log_is_gone = self._log_is_gone and not entries
        self._last = entries[-1].position if entries else last
        self.state = SubscriptionState.LIVE
        return entries

    async def _stored(self) -> Answer:
        return await _patiently(lambda: self._sources.answers.get(self.answer))

    def _listen(self, entries: Sequence[LogEntry]) -> None:
        """Do with what is heard as drawn above."""
        if self.state is not _LIVE:
            self._log_is_gone = self._log_is_gone or not entries
            if self.state is SubscriptionState.READING:
                self._gathered.add(entries)
            return
        if not entries:
            self._log_is_gone = True
            self._fall_out()
            return
        (epoch, seq), last = entries[0].position, self._last
        if (
            seq == last[1] + 1
            and epoch == last[0]
            and type(entries[0].event) is events.TextAppended
        ):
            self._last = entries[-1].position  # ninety-nine of a hundred
            self._hear(entries)
            return
        if entries[0].position <= self._last:
            entries = [entry for entry in entries if entry.position > self._last]
            if not entries:
                return
        # A reset may stand anywhere: it drops whatever was told, so nothing can be missing.
        if _has_attachments(entries):
            self._fall_out()
        elif entries[0].reset or entries[0].position == self._last.following:
            self._last = entries[-1].position
            self._hear(entries)
        else:
            self._fall_out()

    def _fall_out(self) -> None:
        """Say that there is something to be read."""
        self.state = SubscriptionState.BEHIND
        self._hear(())


def _has_attachments(entries: Sequence[LogEntry]) -> bool:
    """Tell whether *entries* are to be read rather than heard: only what is read has all bytes."""
    # References come before all text, so nearly every delta is told by its first entry.
    return not isinstance(entries[0].event if entries else None, events.TextAppended) and any(
        isinstance(entry.event, events.ReferencesFound) and entry.event.attachments
        for entry in entries
    )


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
