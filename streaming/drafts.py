"""Hold what one answer has to say until Redis has acknowledged it; decides, and does no I/O."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import Callable, Sequence
from typing import Any, Final

from sessions.sockets import Socket, pack
from streaming import log as logs
from streaming.events import AnswerEvent, TextAppended
from streaming.log import Entry
from streaming.positions import Position

ROOM: Final = 64 << 10
"""About how many bytes of one answer may wait for Redis before its generator has to wait."""

KEPT: Final = 64
"""Acknowledged entries of a running answer that are kept for a failover: more than a second."""

_PART: Final = 4096  # what an event that is not text is taken to weigh

Command = tuple[bytes, bytes]
"""The key that routes it, and the command in RESP."""


class Draft:
    """One epoch of an answer, as far as it is not yet in the log.

    It is *busy* from the first event that waits until the last one is acknowledged: marked at its
    lane, in flight, or in doubt; whoever puts it in doubt makes it busy. *socket* is the one on
    which all that is acknowledged was written; on another nothing is written before `reconcile`.
    """

    __slots__ = (
        "_changed",
        "_epoch",
        "_flying",
        "_heads",
        "_kept",
        "_on_lost",
        "_pending",
        "_seq",
        "_size",
        "_tell",
        "_told",
        "answer",
        "busy",
        "key",
        "lost",
        "mark",
        "sent",
        "socket",
    )

    def __init__(
        self,
        answer: str,
        last: Position,
        heads: tuple[bytes, bytes, bytes],
        *,
        mark: Callable[[Draft], None],
        tell: Callable[[str, Sequence[Entry]], None],
        on_lost: Callable[[], None],
    ) -> None:
        """Go on behind *last*.

        *heads* are the key of the log, and the beginnings of the two commands of an entry. *mark*
        is called when something waits, *tell* when it was acknowledged, *on_lost* when another
        writer has the answer or its log is gone.
        """
        self.answer = answer
        self.key = heads[0]
        self.lost = False
        self.mark = mark
        """Whoever writes it next."""
        self.socket: Socket | None = None
        self._heads = heads[1:]
        self._tell = tell
        self._on_lost = on_lost
        self._epoch, self._told = last
        self._seq = last.seq + 1
        self._pending: list[AnswerEvent] = []
        self.sent: list[Entry] = []
        """What has a position and is not acknowledged."""
        self._kept: collections.deque[Entry] = collections.deque(maxlen=KEPT)
        self._size = self._flying = 0
        self.busy = False
        self._changed: asyncio.Event | None = None

    @property
    def last(self) -> Position:
        """The position of the last entry that was acknowledged."""
        return Position(self._epoch, self._told)

    @property
    def is_fresh(self) -> bool:
        """Whether nothing but the start was told: the reader sees an empty page."""
        return not self._kept

    @property
    def is_full(self) -> bool:
        """Whether `room` would wait."""
        return self._size + self._flying > ROOM

    def add(self, event: AnswerEvent) -> None:
        """Append *event* after all others, soon; it is told when it has been."""
        self._pending.append(event)
        self._size += len(event.text) if type(event) is TextAppended else _PART
        if not self.busy:
            self.busy = True
            self.mark(self)

    async def room(self) -> None:
        """Wait while too much waits already: Redis is slow, or away."""
        while self.is_full and not self.lost:
            await self._change()

    async def flushed(self) -> bool:
        """Wait until all that was added is acknowledged; return False if the answer is lost."""
        while self.busy and not self.lost:
            await self._change()
        return not self.lost

    async def _change(self) -> None:
        self._changed = self._changed or asyncio.Event()
        self._changed.clear()
        await self._changed.wait()

    def seal(self, parts: list[bytes]) -> int:
        """Give what waits its positions and add the commands to *parts*; return their number."""
        pending, self._pending = self._pending, []
        for event in joined(pending) if len(pending) > 1 else pending:
            self.sent.append(Entry(Position(self._epoch, self._seq), event))
            self._seq += 1
        self._flying, self._size = self._flying + self._size, 0
        append, publish = self._heads
        for entry in self.sent:
            field, value = logs.encode(entry.event)
            identifier = b"%d-%d" % entry.position
            size, length = len(identifier), len(value)
            parts.append(
                b"%b$%d\r\n%b\r\n$1\r\n%b\r\n$%d\r\n%b\r\n%b$%d\r\n%b %b%b\r\n"
                % (
                    *(append, size, identifier, field, length, value),
                    *(publish, size + length + 2, identifier, field, value),
                )
            )
        return 2 * len(self.sent)

    def appends(self) -> list[Command]:
        """Return the appends alone of what `seal` wrote."""
        return [
            (self.key, pack(b"XADD", self.key, b"NOMKSTREAM", str(entry.position), *encoded))
            for entry in self.sent
            for encoded in [logs.encode(entry.event)]
        ]

    def settle(self, replies: Sequence[Any]) -> bool:
        """Take the replies to what `seal` wrote; return False where it is in doubt."""
        for reply in replies[::2]:
            if type(reply) is not bytes:
                return self.lost
        sent, self.sent = self.sent, []
        self._flying = 0
        if sent:
            self._acknowledge(sent)
        self._go_on()
        return True

    def _acknowledge(self, entries: list[Entry]) -> None:
        self._kept += entries
        if entries[0].position.seq <= self._told:  # told before a failover took it away
            entries = [entry for entry in entries if entry.position.seq > self._told]
        if entries:
            self._told = entries[-1].position.seq
            self._tell(self.answer, entries)

    def _go_on(self) -> None:
        if self._pending or self.sent:
            self.mark(self)
        elif not self.lost:
            self.busy = False
        if self._changed is not None:
            self._changed.set()

    def reconcile(self, top: Position | None) -> None:
        """Compare with *top*, the end of the log: send what is not there, or be lost.

        What was written in order on one node is lost from the end on: before *top* is no hole.
        """
        own = [*self._kept, *self.sent]
        first = own[0].position.seq if own else self._seq
        if top is None or top.epoch != self._epoch or top.seq + 1 < first:
            self.lose()
            return
        arrived = [entry for entry in self.sent if entry.position <= top]
        while self._kept and self._kept[-1].position > top:
            self._kept.pop()
        self.sent = [entry for entry in own if entry.position > top]
        if arrived:
            self._acknowledge(arrived)
        self._go_on()

    def lose(self) -> None:
        """Learn that another writer has the answer, or that its log is gone."""
        if not self.lost:
            self.close()
            self._on_lost()

    def close(self) -> None:
        """Take nothing more; what is pending is never told."""
        self.lost = self.busy = True
        self._pending, self.sent = [], []
        self._kept.clear()
        self._size = self._flying = 0
        if self._changed is not None:
            self._changed.set()


def joined(events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
    """Return *events* with neighbouring pieces of text made one.

    Pieces that wait for the same batch would be told in the same instant: they waited because the
    source is faster than the log, and one entry is then less work for everyone.
    """
    result: list[AnswerEvent] = []
    texts: list[str] = []
    for event in events:
        if type(event) is TextAppended:
            texts.append(event.text)
            continue
        if texts:
            result.append(TextAppended(text="".join(texts)))
            texts = []
        result.append(event)
    if texts:
        result.append(TextAppended(text="".join(texts)))
    return result
