"""Hold what one answer has to say until Redis has acknowledged it; decides, and does no I/O."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

from sessions.redis.resp_socket import RespSocket, pack
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, TextAppended
from streaming.log.positions import Position, place

ROOM: Final = 64 << 10
"""About how many bytes of one answer may wait for Redis before its generator has to wait."""

KEPT: Final = 48 << 10
"""About how many bytes of acknowledged entries are kept for a failover that takes them away, and
at most twice that: at two hundred entries a second those of more than two seconds."""

_PART: Final = 1024  # bytes that an event that is not text is taken to weigh
_ENTRY: Final = 100  # bytes that an entry takes beside its text

_APPEND: Final = b"%b$%d\r\n%b\r\n$1\r\n%b\r\n$%d\r\n%b\r\n"
_PUBLISH: Final = b"%b$%d\r\n%b %b%b\r\n"
_MULTI: Final = pack(b"MULTI")
_EXEC: Final = pack(b"EXEC")

Command = tuple[bytes, bytes]
"""The key that routes it, and the command in RESP."""


class WriteBuffer:
    """One epoch of an answer, as far as it is not yet in the log.

    It is *busy* from the first event that waits until the last one is acknowledged: marked at its
    lane, in flight, or in doubt; whoever puts it in doubt makes it busy. *socket* is the one on
    which all that is acknowledged was written; on another nothing is written before `reconcile`.
    """

    __slots__ = (
        "_changed",
        "_end",
        "_epoch",
        "_flying",
        "_heads",
        "_kept",
        "_older",
        "_on_lost",
        "_pending",
        "_size",
        "_tell",
        "_told",
        "_weight",
        "answer",
        "busy",
        "key",
        "lost",
        "mark",
        "public",
        "sent",
        "short",
        "socket",
    )

    def __init__(
        self,
        answer: str,
        last: Position,
        heads: tuple[bytes, bytes, bytes],
        *,
        mark: Callable[[WriteBuffer], None],
        tell: Callable[[Sequence[LogEntry]], None],
        on_lost: Callable[[], None],
        public: bool = True,
    ) -> None:
        """Go on behind *last*.

        *heads* are the key of the log, and the beginnings of the two commands of an entry. *mark*
        is called when something waits, *tell* when it was acknowledged, *on_lost* when another
        writer has the answer, or its log is gone or lacks more than is kept.
        """
        self.answer = answer
        self.key = heads[0]
        self.lost = False
        self.short = False
        """Whether it is lost since the log lacks more than is kept: nobody else has the answer."""
        self.mark = mark
        """Whoever writes it next."""
        self.busy = False
        self.public = public
        """Whether other replicas follow: entries are published as well."""
        self.socket: RespSocket | None = None
        self.sent: Sequence[AnswerEvent] = ()
        """What stands behind the end of the log and is not acknowledged."""
        self._heads = heads[1:]
        self._tell = tell
        self._on_lost = on_lost
        self._epoch, self._end = last
        self._told = self._end
        self._pending: list[AnswerEvent] = []
        self._older: list[AnswerEvent] = []
        self._kept: list[AnswerEvent] = []  # behind the older ones, up to _end
        self._size = self._flying = self._weight = 0
        self._changed: asyncio.Event | None = None

    @property
    def last(self) -> Position:
        """The position of the last entry that was acknowledged."""
        return Position(self._epoch, self._told)

    @property
    def latest(self) -> LogEntry | None:
        """The last entry that was acknowledged, unless it is the one that began the epoch."""
        if self._kept and self._told == self._end:
            return LogEntry(self.last, self._kept[-1])
        return None

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

    async def compared(self) -> None:
        """Wait until the log was compared on another socket than that of now, or is lost."""
        socket = self.socket
        while self.socket is socket and not self.lost:
            await self._change()

    async def _change(self) -> None:
        self._changed = self._changed or asyncio.Event()
        self._changed.clear()
        await self._changed.wait()

    def seal(self, parts: list[bytes]) -> int:
        """Give what waits its positions and add the commands to *parts*; return their number.

        Several entries arrive together or not at all: Redis may refuse a large one for which it
        has no memory and take a small one behind it, and such a hole could never be mended.
        """
        pending = self._pending
        if pending:
            self._pending = []
            self._flying += self._size
            self._size = 0
            told = pending if len(pending) == 1 else joined(pending)
            self.sent = [*self.sent, *told] if self.sent else told
        append = self._heads[0]
        epoch, seq = self._epoch, self._end
        several = len(self.sent) > 1
        if several:
            parts.append(_MULTI)
        for event in self.sent:
            seq += 1
            field, value = logs.encode(event)
            name = b"%d-%d" % (epoch, seq)
            parts.append(_APPEND % (append, len(name), name, field, len(value), value))
        if several:
            parts.append(_EXEC)
            return len(self.sent) + 2
        return len(self.sent)

    def appends(self) -> list[Command]:
        """Return the appends alone of what `seal` wrote."""
        return [
            (self.key, pack(b"XADD", self.key, b"NOMKSTREAM", str(position), *logs.encode(event)))
            for position, event in self.placed(self.sent)
        ]

    def settle(self, replies: Sequence[Any], start: int, end: int, news: list[bytes]) -> bool:
        """Take the replies *start* to *end*, to what `seal` wrote; return False if in doubt.

        Several appends are as good as the reply to the EXEC behind them.

        Commands that publish what was acknowledged are added to *news*. They must not go out
        before: what another owner's epoch refuses, nobody may hear.
        """
        reply = replies[end - 1] if end > start else b""
        if type(reply) is not bytes and not _all_added(reply):
            return self.lost
        self.arrive(len(self.sent), news)
        return True

    def arrive(self, count: int, news: list[bytes]) -> None:
        """Learn that of what is sent the first *count* are in the log; tell them."""
        if self._weight > KEPT:
            self._older, self._kept, self._weight = self._kept, [], 0
        sent = self.sent
        if count == len(sent):
            self._weight += self._flying + _ENTRY * count
            self.sent, self._flying = (), 0
        else:
            sent, self.sent = sent[:count], sent[count:]
            self._weight += _weight(sent) + _ENTRY * count
            self._flying = _weight(self.sent)
        if sent:
            self._acknowledge(sent, news)
        self._go_on()

    def _acknowledge(self, events: Sequence[AnswerEvent], news: list[bytes]) -> None:
        """Tell *events*, which stand behind the end of the log, unless that was done before."""
        end, told = self._end, self._told
        self._end = end + len(events)
        if len(events) == 1 and end == told:  # as nearly always
            self._told = end + 1
            self._kept.append(events[0])
            position = place((self._epoch, end + 1))
            entry = LogEntry(position, events[0])
            self._tell((entry,))
            if self.public:
                news.append(self._publication(entry))
            return
        self._kept += events
        entries = [
            LogEntry(Position(self._epoch, seq), event)
            for seq, event in enumerate(events, end + 1)
            if seq > told  # or a failover took it away, and it is there again
        ]
        if entries:
            self._told = self._end
            self._tell(entries)
            if self.public:
                news += map(self._publication, entries)

    def _publication(self, entry: LogEntry) -> bytes:
        field, value = logs.encode(entry.event)
        name = b"%d-%d" % entry.position
        return _PUBLISH % (self._heads[1], len(name) + len(value) + 2, name, field, value)

    def placed(self, events: Sequence[AnswerEvent]) -> Iterator[tuple[Position, AnswerEvent]]:
        """Yield where *events* stand that come behind the end of the log."""
        for seq, event in enumerate(events, self._end + 1):
            yield Position(self._epoch, seq), event

    def _go_on(self) -> None:
        if self._pending or self.sent:
            self.mark(self)
        elif not self.lost:
            self.busy = False
        if self._changed is not None:
            self._changed.set()

    def reconcile(self, top: Position | None, news: list[bytes]) -> None:
        """Compare with *top*, the end of the log: send what is not there, or be lost.

        Of what is there, what was not known to be is added to *news* as `settle` does.
        What was written in order on one node is lost from the end on: before *top* is no hole.
        """
        kept = [*self._older, *self._kept]
        if top is None or top.epoch != self._epoch:
            self.lose()
        elif top.seq < self._end - len(kept):
            self.short = True
            self.lose()
        elif (missing := self._end - top.seq) > 0:
            self._older, self._kept = [], kept[:-missing]
            self._weight = _weight(self._kept) + _ENTRY * len(self._kept)
            self.sent = [*kept[-missing:], *self.sent]
            self._flying = _weight(self.sent)
            self._end = top.seq
            self._go_on()
        else:
            self.arrive(min(-missing, len(self.sent)), news)

    def lose(self) -> None:
        """Learn that another writer has the answer, or that its log is gone."""
        if not self.lost:
            self.close()
            self._on_lost()

    def close(self) -> None:
        """Take nothing more; what is pending is never told."""
        self.lost = self.busy = True
        self._pending, self.sent = [], ()
        self._older, self._kept = [], []
        self._size = self._flying = self._weight = 0
        if self._changed is not None:
            self._changed.set()


def _all_added(reply: Any) -> bool:
    """Tell whether *reply*, to EXEC, says that every append was done."""
    if not isinstance(reply, list):
        return False
    return all(type(each) is bytes for each in cast("list[object]", reply))


def _weight(events: Iterable[AnswerEvent]) -> int:
    return sum(len(event.text) if type(event) is TextAppended else _PART for event in events)


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
