"""Hold what one answer has to say until Redis has acknowledged it; decides, and does no I/O."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from sessions.redis.resp_socket import RespSocket
from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, TextAppended, joined
from streaming.log.log_commands import Command, LogCommands, all_appended
from streaming.log.positions import Position, make_position
from streaming.log.publications import Inbox, Publications

ROOM: Final = 64 << 10
"""About how many bytes of one answer may wait for Redis before its generator has to wait."""

KEPT: Final = 48 << 10
"""About how many bytes of acknowledged entries are kept for a failover that takes them away, and
at most twice that: at two hundred entries a second those of more than two seconds."""

_OTHER: Final = 1024  # bytes that an event that is not text is taken to weigh
_ENTRY: Final = 100  # bytes that an entry takes beside its text


class BufferState(enum.Enum):
    """How far what was added has come."""

    IDLE = "all of it is acknowledged"
    SCHEDULED = "something waits for the next batch of its node"
    IN_FLIGHT = "a batch was sent and is not answered; more may wait"
    UNSURE = "the log may lack what was sent or acknowledged: it has to be compared"
    LOST = "another writer has the answer, or its log is gone"
    TRUNCATED = "its log lacks more than is kept here; nobody else has the answer"
    CLOSED = "whoever opened it wants no more of it"

    @property
    def is_over(self) -> bool:
        """Whether nothing is taken or told any more."""
        return self in _OVER


_OVER: Final = (BufferState.LOST, BufferState.TRUNCATED, BufferState.CLOSED)

# Reading them from the enum costs ten times as much, and each piece of text reads some.
_IDLE: Final = BufferState.IDLE
_SCHEDULED: Final = BufferState.SCHEDULED
_IN_FLIGHT: Final = BufferState.IN_FLIGHT
_UNSURE: Final = BufferState.UNSURE


class WriteBuffer:
    """One epoch of an answer, as far as it is not yet in the log.

    What comes in each state leads to the one drawn here (a test walks it):

    ====================  =========  =========  =========  =========
    ..                    IDLE       SCHEDULED  IN_FLIGHT  UNSURE
    ====================  =========  =========  =========  =========
    add                   SCHEDULED  SCHEDULED  IN_FLIGHT  UNSURE
    take_batch            IDLE       IN_FLIGHT  IN_FLIGHT  IN_FLIGHT
    acknowledged          IDLE       SCHEDULED  IDLE       UNSURE
    acknowledged, more    IDLE       SCHEDULED  SCHEDULED  UNSURE
    not acknowledged      IDLE       SCHEDULED  IN_FLIGHT  UNSURE
    doubt                 UNSURE     UNSURE     UNSURE     UNSURE
    found whole           IDLE       SCHEDULED  IN_FLIGHT  IDLE
    found whole, more     IDLE       SCHEDULED  IN_FLIGHT  SCHEDULED
    found shorter         SCHEDULED  SCHEDULED  IN_FLIGHT  SCHEDULED
    found too short       TRUNCATED  SCHEDULED  IN_FLIGHT  TRUNCATED
    found another's       LOST       SCHEDULED  IN_FLIGHT  LOST
    found gone            LOST       SCHEDULED  IN_FLIGHT  LOST
    close                 CLOSED     CLOSED     CLOSED     CLOSED
    ====================  =========  =========  =========  =========

    *More* is what was added while a batch was under way. LOST, TRUNCATED and CLOSED stay whatever
    comes. *Found* is what `reconcile` sees in the log; while a batch is due or under way that says
    nothing, as the log is about to change.

    On another socket than `socket` nothing may be written before `reconcile`: a master that was
    promoted may lack the end of the log, and an entry behind such a hole could not be mended, since
    ids only grow.
    """

    __slots__ = (
        "_changed",
        "_commands",
        "_end",
        "_epoch",
        "_kept",
        "_kept_size",
        "_older",
        "_on_acknowledged",
        "_on_lost",
        "_pending",
        "_pending_size",
        "_told",
        "_unacknowledged",
        "_unacknowledged_size",
        "answer",
        "inboxes",
        "public",
        "schedule",
        "socket",
        "state",
    )

    def __init__(
        self,
        answer: str,
        last: Position,
        commands: LogCommands,
        *,
        schedule: Callable[[WriteBuffer], None],
        on_acknowledged: Callable[[Sequence[LogEntry]], None],
        on_lost: Callable[[], None],
        public: bool = True,
    ) -> None:
        """Go on behind *last* in the log of *commands*.

        *schedule* is called when something waits for a batch, *on_lost* once, when the state
        becomes LOST or TRUNCATED.
        """
        self.answer = answer
        self.state = _IDLE
        self.schedule = schedule
        self.public = public
        """Whether entries are published on the channel of the answer, for other replicas."""
        self.inboxes: tuple[Inbox, ...] = ()
        """Those of other replicas that are told the entries, batch by batch."""
        self.socket: RespSocket | None = None
        """The one on which all that is acknowledged was written."""
        self._commands = commands
        self._on_acknowledged = on_acknowledged
        self._on_lost = on_lost
        self._epoch, self._end = last
        # How far readers were told: to the end of the log as it is known, or farther while what a
        # failover took away is appended again. That must not be told a second time.
        self._told = self._end
        self._pending: list[AnswerEvent] = []
        self._unacknowledged: Sequence[AnswerEvent] = ()  # sent behind _end
        # Two generations: the older one goes when the younger is full. So between one and two
        # times KEPT are there, and no entry costs more than its own append to a list.
        self._older: list[AnswerEvent] = []
        self._kept: list[AnswerEvent] = []  # behind the older ones, up to _end
        self._pending_size = self._unacknowledged_size = self._kept_size = 0
        self._changed: asyncio.Event | None = None

    @property
    def key(self) -> bytes:
        """The key of the log."""
        return self._commands.key

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
        return self._pending_size + self._unacknowledged_size > ROOM

    def add(self, event: AnswerEvent) -> None:
        """Append *event* after all others, soon; it is told when it has been."""
        self._pending.append(event)
        self._pending_size += len(event.text) if type(event) is TextAppended else _OTHER
        if self.state is _IDLE:
            self.state = _SCHEDULED
            self.schedule(self)

    def address(self, inbox: Inbox) -> bool:
        """Tell *inbox* what is acknowledged from now on; False where that was so already."""
        if inbox in self.inboxes:
            return False
        others = [each for each in self.inboxes if each.replica != inbox.replica]
        self.inboxes = (*others, inbox)
        return True

    async def room(self) -> None:
        """Wait while too much waits already: Redis is slow, or away."""
        while self.is_full and not self.state.is_over:
            await self._change()

    async def flushed(self) -> bool:
        """Wait until all that was added is acknowledged; return False if the buffer is over."""
        while self.state is not _IDLE and not self.state.is_over:
            await self._change()
        return self.state is _IDLE

    async def compared(self) -> None:
        """Wait until the log was compared on another socket than that of now, or it is over."""
        socket = self.socket
        while self.socket is socket and not self.state.is_over:
            await self._change()

    async def _change(self) -> None:
        self._changed = self._changed or asyncio.Event()
        self._changed.clear()
        await self._changed.wait()

    def take_batch(self, parts: list[bytes]) -> int:
        """Give what waits its positions, add its commands to *parts*, and return their number.

        What was sent before and is not acknowledged is sent again before it, under the same ids:
        where it arrived after all it is refused, and nothing is there twice.
        """
        if self.state is not _SCHEDULED and self.state is not _UNSURE:
            return 0
        self.state = _IN_FLIGHT
        pending = self._pending
        if pending:
            self._pending = []
            self._unacknowledged_size += self._pending_size
            self._pending_size = 0
            # Joined now or never: what was sent once keeps its id, or a retry would tell it twice.
            events = pending if len(pending) == 1 else joined(pending)
            sent = self._unacknowledged
            self._unacknowledged = [*sent, *events] if sent else events
        return self._commands.appends(self._epoch, self._end, self._unacknowledged, parts)

    def single_appends(self) -> list[Command]:
        """Return the appends of `take_batch` one by one, each to be sent when the last arrived.

        `acknowledge` has to be called with the number of those that did.
        """
        return self._commands.single_appends(self._epoch, self._end, self._unacknowledged)

    def take_reply(self, reply: Any, publications: Publications) -> bool:
        """Take the last *reply* to what `take_batch` gave; return False if it leaves a doubt.

        What was acknowledged is added to *publications* for other replicas. It must not go out
        before: what another owner's epoch refuses, nobody may hear.
        """
        if self.state is not _IN_FLIGHT:
            return self.state.is_over
        if type(reply) is not bytes and not all_appended(reply):  # bytes are the id of a single one
            return False
        self._arrived(len(self._unacknowledged), publications)
        self._go_on()
        return True

    def acknowledge(self, count: int, publications: Publications) -> None:
        """Learn that of what was sent the first *count* are in the log; tell them."""
        if self.state is _IN_FLIGHT:
            self._arrived(count, publications)
            self._go_on()

    def _arrived(self, count: int, publications: Publications) -> None:
        if self._kept_size > KEPT:
            self._older, self._kept, self._kept_size = self._kept, [], 0
        sent = self._unacknowledged
        if count == len(sent):
            self._kept_size += self._unacknowledged_size + _ENTRY * count
            self._unacknowledged, self._unacknowledged_size = (), 0
        else:
            sent, self._unacknowledged = sent[:count], sent[count:]
            self._kept_size += _size(sent) + _ENTRY * count
            self._unacknowledged_size = _size(self._unacknowledged)
        if sent:
            self._tell(sent, publications)

    def _tell(self, events: Sequence[AnswerEvent], publications: Publications) -> None:
        """Tell *events*, which stand behind the end of the log, unless that was done before."""
        end, told = self._end, self._told
        self._end = end + len(events)
        if len(events) == 1 and end == told:  # as nearly always
            self._told = end + 1
            self._kept.append(events[0])
            position = make_position((self._epoch, end + 1))
            entry = LogEntry(position, events[0])
            self._on_acknowledged((entry,))
            if self.public:
                publications.add((self._commands.publication(entry),))
            if self.inboxes:
                publications.address(self.inboxes, entry)
            return
        self._kept += events
        entries = [
            LogEntry(Position(self._epoch, seq), event)
            for seq, event in enumerate(events, end + 1)
            if seq > told  # or a failover took it away, and it is there again
        ]
        if entries:
            self._told = self._end
            self._on_acknowledged(entries)
            if self.public:
                publications.add(map(self._commands.publication, entries))
            for entry in entries if self.inboxes else ():
                publications.address(self.inboxes, entry)

    def _go_on(self) -> None:
        if self.state is not _IN_FLIGHT and self.state.is_over:
            return  # closed by whoever was just told
        if self._pending or self._unacknowledged:
            self.state = _SCHEDULED
            self.schedule(self)
        else:
            self.state = _IDLE
        if self._changed is not None:
            self._changed.set()

    def doubt(self) -> None:
        """Learn that the log may not hold what it should: nothing is sent before `reconcile`."""
        if not self.state.is_over:
            self.state = _UNSURE

    def reconcile(self, top: Position | None, publications: Publications) -> None:
        """Compare with *top*, the end of the log: send what is not there, or be over.

        Of what is there, what was not known to be is added to *publications* as `take_reply`
        does. That *top* is there says that all before it is: what was written in order on one node
        is lost from the end on.
        """
        if self.state is not _UNSURE and self.state is not _IDLE:
            return
        kept = [*self._older, *self._kept]
        if top is None or top.epoch != self._epoch:
            self._lose(BufferState.LOST)
        elif top.seq < self._end - len(kept):
            # The rest would stand behind a hole. This epoch is over; the answer need not be.
            self._lose(BufferState.TRUNCATED)
        elif (missing := self._end - top.seq) > 0:
            self._older, self._kept = [], kept[:-missing]
            self._kept_size = _size(self._kept) + _ENTRY * len(self._kept)
            self._unacknowledged = [*kept[-missing:], *self._unacknowledged]
            self._unacknowledged_size = _size(self._unacknowledged)
            self._end = top.seq
            self._go_on()
        else:
            # Behind what was sent stands at most what ends the answer, which a script writes.
            self._arrived(min(-missing, len(self._unacknowledged)), publications)
            self._go_on()

    def _lose(self, state: BufferState) -> None:
        self._end_in(state)
        self._on_lost()

    def close(self) -> None:
        """Take nothing more; what waits is never told, and `on_lost` not called."""
        if not self.state.is_over:
            self._end_in(BufferState.CLOSED)

    def _end_in(self, state: BufferState) -> None:
        self.state = state
        self._pending, self._unacknowledged = [], ()
        self._older, self._kept = [], []
        self._pending_size = self._unacknowledged_size = self._kept_size = 0
        if self._changed is not None:
            self._changed.set()


def _size(events: Iterable[AnswerEvent]) -> int:
    return sum(len(event.text) if type(event) is TextAppended else _OTHER for event in events)
