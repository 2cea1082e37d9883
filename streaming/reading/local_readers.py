"""Hold those who follow one answer in this process, and what they were told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

from sessions.supervision import PASSING
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import BEGINNING, Position, place

Listener = Callable[[Sequence[LogEntry]], None]
"""Takes entries as they are acknowledged. It is called from the acknowledgement itself: it must
neither block nor raise. An empty sequence says that the log is not what was told any more, or is
gone: it is to be read."""

logger = logging.getLogger(__name__)


class LocalReaders:
    """Who follows *answer* here; what it is told comes in order and without gaps.

    *owned* tells that this process writes the answer. Where it is *remote*, `hear` listens to its
    channel. *last* is what was told so far, None before that can be known. While *stale*, the log
    must be read before anything more is told; *heard* is the last that came meanwhile. The log is
    *short* where it ended before *last* when it was compared. *doubt* is called where something
    may be missing.
    """

    __slots__ = (
        "_doubt",
        "answer",
        "heard",
        "last",
        "listeners",
        "owned",
        "remote",
        "short",
        "stale",
        "waits",
    )

    def __init__(self, answer: str, doubt: Callable[[LocalReaders], None]) -> None:
        self._doubt = doubt
        self.answer = answer
        self.listeners: tuple[Listener, ...] = ()
        self.owned = False
        self.remote = False
        self.last: Position | None = None
        self.stale = False
        self.short = False
        self.heard = BEGINNING
        self.waits: set[asyncio.Timeout] = set()
        """Who waits for the confirmation of the channel."""

    def tell(self, entries: Sequence[LogEntry]) -> None:
        """Pass on what of *entries*, at least one, was not passed on yet."""
        last = self.last
        if last is not None and entries[0].position <= last:
            entries = [entry for entry in entries if entry.position > last]
            if not entries:
                return
        self.last = entries[-1].position
        self._call(entries)

    def _call(self, entries: Sequence[LogEntry]) -> None:
        for listener in self.listeners:
            try:
                listener(entries)
            except PASSING:
                raise
            except BaseException:
                # A supervisor: one reader's fault is not another's.
                logger.exception("listener_failed", extra={"answer": self.answer})

    def hear(self, payload: bytes) -> None:
        """Tell what follows the last entry."""
        last = self.last
        if last is not None and not self.stale:
            epoch, seq = last
            seq += 1
            prefix = b"%d-%d d" % (epoch, seq)
            if payload.startswith(prefix):  # the next piece of text, ninety-nine of a hundred
                event = TextAppended(payload[len(prefix) :].decode())
                self.last = position = place((epoch, seq))
                self._call((LogEntry(position, event),))
                return
        self._hear(logs.decode_payload(payload))

    def _hear(self, entry: LogEntry) -> None:
        position, last = entry.position, self.last
        if self.stale:
            self.heard = position
        elif last is None or position == last.following:
            self.tell((entry,))
        elif position > last:
            self.heard = position
            self._doubt(self)

    def go_back(self, top: Position) -> None:
        """Learn that the log ends at *top*, before what was told: a failover took that away."""
        self.last = top
        self.stale = False
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
