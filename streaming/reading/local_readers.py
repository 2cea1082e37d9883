"""Pass what is acknowledged of one answer to all in this process who follow it, once and in order.

`tail.Tail` has one `LocalReaders` for each answer that is followed or written here; what one reader
was told, and can take, is its own `subscription.Subscription`'s. Where the next entry comes from is
the `EntrySource`, which changes like this:

========  =======  =======  =======  =======
event     NOBODY   OWNER    CHANNEL  LOG
========  =======  =======  =======  =======
follow    CHANNEL  OWNER    CHANNEL  LOG
own       OWNER    OWNER    OWNER    OWNER
disown    –        LOG      –        –
end       NOBODY   NOBODY   CHANNEL  LOG
gap       –        –        LOG      LOG
read      –        –        CHANNEL  CHANNEL
gone      –        –        CHANNEL  CHANNEL
lost      LOG      OWNER    LOG      LOG
leave     –        OWNER    NOBODY   NOBODY
========  =======  =======  =======  =======

A process *owns* an answer while it writes it; it *disowns* what another replica goes on with. A
*gap* is an entry on the channel that does not stand right behind the last one, or a doubt whether
there was one. *Gone* is a log of which something was told, *lost* an end that was told and that a
failover took out of the log. With the last reader to *leave*, what is not written here is
forgotten.
"""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Callable, Sequence
from typing import Final

from sessions.supervision import PASSING
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import BEGINNING, Position, make_position
from streaming.log.publications import TEXT, Row, entry_of

Listener = Callable[[Sequence[LogEntry]], None]
"""Takes entries as they are acknowledged. It is called from the acknowledgement itself: it must
neither block nor raise. An empty sequence says that the log is not what was told any more, or is
gone: it is to be read."""

logger = logging.getLogger(__name__)


class EntrySource(enum.Enum):
    """Where the next entry of an answer comes from, as drawn above."""

    NOBODY = "nothing is expected"
    OWNER = "the acknowledgement, in this process"
    CHANNEL = "the channel of the answer"
    LOG = "the log: the channel may have missed something"


_LOG: Final = EntrySource.LOG  # a member is slow to read from its enum, for each entry


class LocalReaders:
    """Who follows *answer* here; what it is told comes in order and without gaps.

    *number* is what inboxes of this process call it. *last* is what was told so far, None before
    that can be known. While the source is the LOG, *heard* is the last that came on the channel
    meanwhile. The log is *short* where it ended before *last* when it was compared. *doubt* is
    called where something may be missing.
    """

    __slots__ = (
        "_doubt",
        "answer",
        "heard",
        "last",
        "listeners",
        "number",
        "short",
        "source",
        "waits",
    )

    def __init__(self, answer: str, number: int, doubt: Callable[[LocalReaders], None]) -> None:
        self._doubt = doubt
        self.number = number
        self.answer = answer
        self.listeners: tuple[Listener, ...] = ()
        self.source = EntrySource.NOBODY
        self.last: Position | None = None
        self.short = False
        self.heard = BEGINNING
        self.waits: set[asyncio.Timeout] = set()
        """Who waits for the confirmation of the channel."""

    @property
    def remote(self) -> bool:
        """Whether others write the answer, and the channel is listened to."""
        return self.source is EntrySource.CHANNEL or self.source is EntrySource.LOG

    def tell(self, entries: Sequence[LogEntry]) -> None:
        """Pass on what of *entries*, at least one, was not passed on yet."""
        # An owner that could not know whether Redis took an entry appends it again; what a log read
        # brought may come on the channel, too.
        last = self.last
        if last is not None and entries[0].position <= last:
            entries = [entry for entry in entries if entry.position > last]
            if not entries:
                return
        self.last = entries[-1].position
        self._call(entries)

    def _call(self, entries: Sequence[LogEntry]) -> None:
        # The tuple is never changed in place: a listener may leave, or another come, meanwhile.
        for listener in self.listeners:
            try:
                listener(entries)
            except PASSING:
                raise
            except BaseException:
                # A supervisor: one reader's fault is not another's.
                logger.exception("listener_failed", extra={"answer": self.answer})

    def hear(self, payload: bytes) -> None:
        """Tell what the channel brings, where it stands right behind the last entry."""
        last = self.last
        if last is not None and self.source is not _LOG:
            epoch, seq = last
            seq += 1
            prefix = b"%d-%d d" % (epoch, seq)
            if payload.startswith(prefix):  # the next piece of text, ninety-nine of a hundred
                event = TextAppended(payload[len(prefix) :].decode())
                self.last = position = make_position((epoch, seq))
                self._call((LogEntry(position, event),))
                return
        self._hear(logs.decode_payload(payload))

    def take(self, row: Row) -> None:
        """Tell what an inbox brings, as `hear` does."""
        last = self.last
        if last is not None and self.source is not _LOG:
            _, epoch, seq, field, value = row
            if last[1] + 1 == seq and last[0] == epoch and field == TEXT:
                self.last = position = make_position((epoch, seq))
                self._call((LogEntry(position, TextAppended(value)),))
                return
        self._hear(entry_of(row))

    def _hear(self, entry: LogEntry) -> None:
        position, last = entry.position, self.last
        if self.source is EntrySource.LOG:
            self.heard = position
        elif last is None or position == last.following:
            self.tell((entry,))
        elif position > last:
            # Also where it begins a new epoch: the end of the old one may have been missed, and
            # only the log says where it was.
            self.heard = position
            self._doubt(self)

    def go_back(self, top: Position) -> None:
        """Learn that the log ends at *top*, before what was told: a failover took that away."""
        self.last = top
        self.source = EntrySource.CHANNEL
        self._call(())

    def remove(self, listener: Listener) -> None:
        """Tell *listener* nothing more; harmless where it is not here."""
        listeners = list(self.listeners)
        if listener in listeners:
            listeners.remove(listener)
            self.listeners = tuple(listeners)

    def hurry(self) -> None:
        """Let those go on who wait for a channel that is not needed any more."""
        for wait in self.waits:
            if not wait.expired():
                wait.reschedule(asyncio.get_running_loop().time())
