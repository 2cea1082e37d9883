"""Speak RESP over one open socket that many callers share.

Commands issued in one turn of the loop leave in one write; replies come back in order, so that a
waiting caller is one future in a queue. A caller who is cancelled abandons its future and
disturbs nobody. Error replies and failures are *returned* in place of a reply, never set as
exceptions: a future that nobody awaits any more must not make the loop complain.
"""

from __future__ import annotations

import asyncio
import collections
import functools
import logging
from collections.abc import Callable
from typing import Any, Final, cast

import hiredis
import msgspec
from redis.exceptions import ResponseError

from sessions.distribution import Distribution
from sessions.errors import Unavailable
from sessions.redis.measures import UNREAD
from sessions.supervision import PASSING

_MORE: Final = object()
FULL: Final = "STORAGE_FULL"
"""The reason of what fails since Redis has no memory left."""

ASLEEP: Final = 0.1
"""Seconds given to a loop that was asleep itself to read what has arrived meanwhile."""
_GRAIN: Final = 0.05
"""Commands written within so many seconds share one deadline, that of the first: busy sockets
would keep a mark for each turn of the loop."""
LULL: Final = 0.45
"""Seconds of silence behind which a node may have been frozen, and replaced meanwhile. It has to be
shorter than a failover takes, and longer than the pauses between two `BEAT`."""
BEAT: Final = 0.2
"""Seconds without a word after which a node is asked for one."""

log = logging.getLogger(__name__)


class RedisTimeouts(msgspec.Struct, frozen=True, kw_only=True):
    """What each wait of the hot path may cost."""

    deadline: float = 3.0
    """Seconds from a command to its reply; then the socket counts as dead."""
    patience: float = 1.0
    """Seconds at the beginning of an outage for which commands wait; later ones fail at once."""
    opening: float = 2.0
    """Seconds to open a socket and be let in."""
    backoff: float = 0.5
    """Longest pause, in seconds, between two attempts."""
    unsent: int = 8 * 1024 * 1024
    """Bytes that may wait to be sent; over it commands wait, then fail."""


Take = Callable[[list[Any]], None]
"""Takes the replies to a batch, from the reading of the socket: it neither blocks nor raises."""


class _Batch:
    """Several replies that one caller waits for."""

    __slots__ = ("count", "replies", "take")

    def __init__(self, count: int, take: Take) -> None:
        self.count = count
        self.take = take
        self.replies: list[Any] = []


class RespSocket(asyncio.Protocol):
    """One open socket with the callers that wait for its replies, oldest first.

    A server that was frozen executes, when it thaws, what had been sent to it, and acknowledges it
    as if nothing had happened; but another may have its place by then. So what comes behind a lull
    is held back, where *doubted* is given, until who was called with the socket calls `believe`.
    """

    def __init__(
        self,
        limits: RedisTimeouts,
        push: Callable[[Any], None] | None = None,
        doubted: Callable[[RespSocket], None] | None = None,
        reply_seconds: Distribution = UNREAD.reply_seconds,
    ) -> None:
        """*reply_seconds* gets how long replies take, of one write at a time."""
        self._doubted = doubted
        self._reply_seconds = reply_seconds
        self._timed: tuple[int, float] | None = None
        """What had been issued with the write that is timed, and when."""
        self._held: list[bytes] = []
        self.doubts = 0
        """How often what came was held back."""
        self._believed = 0
        self._loop = asyncio.get_running_loop()
        self._limits = limits
        self._push = push or _unasked
        self._reader = hiredis.Reader(replyError=ResponseError, notEnoughData=_MORE)
        self._waiting: collections.deque[asyncio.Future[Any] | _Batch] = collections.deque()
        self._batch: _Batch | None = None
        self._out: list[bytes] = []
        self._unsent = 0
        self._paused = False
        self._issued = self._answered = 0
        self._marks: collections.deque[tuple[float, int]] = collections.deque()
        self._watch: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self.room = asyncio.Event()
        """Whether more may be written; down while the peer does not read."""
        self.lost = asyncio.Event()
        self.unreadable = ""
        """What made the socket be given up as none of a Redis."""
        self.heard = self._loop.time()
        """When something last arrived, in loop time."""

    @property
    def is_doubted(self) -> bool:
        """Tell whether what arrives is held back, until `believe` lets it go."""
        return self.doubts > self._believed

    @property
    def idle(self) -> bool:
        """Tell whether nobody waits for a reply."""
        return not self._waiting and self._batch is None

    @property
    def unanswered(self) -> int:
        """How many commands wait for their replies."""
        return self._issued - self._answered

    def issue(self, packed: bytes) -> asyncio.Future[Any]:
        """Send one command and return the future of its reply."""
        future: asyncio.Future[Any] = self._loop.create_future()
        self._waiting.append(future)
        self._issued += 1
        self._put(packed)
        return future

    def issue_many(self, packed: bytes, count: int) -> asyncio.Future[list[Any]]:
        """Send *count* commands, packed one after the other; one future has all the replies."""
        future: asyncio.Future[list[Any]] = self._loop.create_future()
        self._waiting.append(_Batch(count, functools.partial(_resolve, future)))
        self._issued += count
        self._put(packed)
        return future

    def issue_now(self, packed: bytes, count: int, take: Take) -> None:
        """Send as `issue_many` does, at once, and call *take* with the replies as they come.

        Each turn of the loop that this saves is time that a reader waits.
        """
        self._waiting.append(_Batch(count, take))
        self._issued += count
        self._out.append(packed)
        self._flush()

    def post(self, packed: bytes) -> None:
        """Send a command whose reply, if any, goes to *push*."""
        self._put(packed)

    def abort(self) -> None:
        """Drop the socket; whoever waits is told that Redis is away."""
        if self._transport is not None:
            self._transport.abort()

    def _put(self, packed: bytes) -> None:
        if not self._out:
            # Once for all that this turn of the loop issues: each write is a system call.
            self._loop.call_soon(self._flush)
        self._out.append(packed)
        self._unsent += len(packed)
        if self._unsent > self._limits.unsent:
            self.room.clear()

    def _flush(self) -> None:
        if not self._out:
            return  # it was sent with what could not wait
        transport = self._transport
        if transport is None or transport.is_closing():
            self._out.clear()
            if self.lost.is_set():
                self._fail()  # issued between the loss and this turn
            return
        transport.write(b"".join(self._out))
        self._out.clear()
        self._unsent = 0
        if not self._paused:
            self.room.set()
        if self._answered < self._issued:
            now = self._loop.time()
            if self._timed is None:
                self._timed = self._issued, now
            self._mark(now + self._limits.deadline)

    def _mark(self, due: float) -> None:
        """Remember that what has been issued by now must be answered when it is *due*."""
        if self._marks and due - self._marks[-1][0] < _GRAIN:
            self._marks[-1] = (self._marks[-1][0], self._issued)
            return
        self._marks.append((due, self._issued))
        if self._watch is None:
            self._watch = self._loop.call_at(due, self._look, due)

    def _look(self, due: float) -> None:
        """End the wait of callers whose deadline, *due* by now, has passed."""
        self._watch = None
        while self._marks and self._marks[0][1] <= self._answered:
            self._marks.popleft()
        if not self._marks:
            return
        now = self._loop.time()
        if self._marks[0][0] > now:
            due = self._marks[0][0]
        elif now - due > ASLEEP or self.is_doubted:
            # This process slept: first read what has arrived. Or that is held back: who was called
            # with the socket has a deadline of its own.
            due = now + ASLEEP
        else:
            log.warning("redis_hung", extra={"seconds": self._limits.deadline})
            self.abort()
            return
        self._watch = self._loop.call_at(due, self._look, due)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the open socket over."""
        self._transport = cast("asyncio.Transport", transport)
        self.heard = self._loop.time()
        self._transport.set_write_buffer_limits(high=self._limits.unsent)
        self.room.set()

    def data_received(self, data: bytes) -> None:
        """Hand each complete reply to the one who waits for it, unless it is held back."""
        now = self._loop.time()
        lull, self.heard = now - self.heard, now
        if lull > LULL and self._doubted is not None:
            self.doubts += 1
            self._doubted(self)
        if self.is_doubted:
            self._held.append(data)
        else:
            self._take(data)

    def believe(self, doubts: int) -> None:
        """Let go what was held back, unless there were more than so many *doubts* meanwhile."""
        if doubts == self.doubts and self.is_doubted and not self.lost.is_set():
            self._believed = doubts
            held, self._held = self._held, []
            self._take(b"".join(held))

    def _take(self, data: bytes) -> None:
        self._reader.feed(data)
        try:
            self._deal()
        except hiredis.ProtocolError as exc:
            self.unreadable = str(exc)
            log.warning("redis_reply_unreadable", extra={"error": self.unreadable})
            self.abort()
        if self._timed is not None and self._answered >= self._timed[0]:
            self._reply_seconds.add(self.heard - self._timed[1])
            self._timed = None

    def _deal(self) -> None:
        waiting, gets, batch, push = self._waiting, self._reader.gets, self._batch, self._push
        try:
            while (reply := gets()) is not _MORE:
                if batch is None:
                    if not waiting:
                        push(reply)
                        continue
                    head = waiting.popleft()
                    if not isinstance(head, _Batch):
                        self._answered += 1
                        if not head.done():  # else its caller gave up; its place still counts
                            head.set_result(reply)
                        continue
                    batch = head
                batch.replies.append(reply)
                if len(batch.replies) == batch.count:
                    self._answered += batch.count
                    whole, batch = batch, None
                    _give(whole)
        finally:
            self._batch = batch  # the rest of its replies is still on the way, or cannot be read

    def pause_writing(self) -> None:
        """Ask callers to hold back: the peer does not read."""
        self._paused = True
        self.room.clear()

    def resume_writing(self) -> None:
        """Let callers write again."""
        self._paused = False
        self.room.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell everyone who waits that it is unknown what became of their commands."""
        if self._watch is not None:
            self._watch.cancel()
        self.room.set()  # who waits for room goes on, and is told that the socket is lost
        self.lost.set()
        self._fail()

    def _fail(self) -> None:
        self._out.clear()
        if self._batch is not None:
            self._waiting.appendleft(self._batch)
            self._batch = None
        while self._waiting:
            head = self._waiting.popleft()
            if isinstance(head, _Batch):
                head.replies += [away() for _ in range(head.count - len(head.replies))]
                # Not at once: who takes them may send more, on what is just failing.
                self._loop.call_soon(_give, head)
            elif not head.done():
                head.set_result(away())


def _resolve(future: asyncio.Future[list[Any]], replies: list[Any]) -> None:
    if not future.done():  # else its caller gave up
        future.set_result(replies)


def _give(batch: _Batch) -> None:
    try:
        batch.take(batch.replies)
    except PASSING:
        raise
    except BaseException:
        # A supervisor: one caller's fault must not lose the replies of the others.
        log.exception("redis_replies_not_taken")


def _unasked(_reply: Any) -> None:
    raise hiredis.ProtocolError("a reply came that nobody asked for")


_pack: Final = cast("Callable[[tuple[object, ...]], bytes]", hiredis.pack_command)  # pyright: ignore[reportUnknownMemberType] - its stub names no return type


def pack(*command: bytes | str | int | float) -> bytes:
    """Write a command in RESP; text as UTF-8, numbers in decimal."""
    return _pack(command)


def packer(name: bytes, *rest: bytes) -> Callable[[bytes], bytes]:
    """Return what writes the command *name* for a key, at a third of what `pack` takes.

    For what is sent at each request: all but the key is written here, once.
    """
    command = pack(name, b"", *rest)
    # What stands in front of an empty key, and the line breaks behind its length and itself.
    head, tail = command.split(b"$0\r\n\r\n", 1)
    form = head.replace(b"%", b"%%") + b"$%d\r\n%b\r\n" + tail.replace(b"%", b"%%")
    return lambda key: form % (len(key), key)


def away() -> Unavailable:
    """Build the error that says that Redis does not answer."""
    return Unavailable("Redis is away; try again in a moment", reason="REDIS_UNAVAILABLE")


def full() -> Unavailable:
    """Build the error that says that Redis is there, and has no memory for what was to be kept."""
    return Unavailable(
        "Redis has no memory left: delete what is not needed, or give it a larger maxmemory",
        reason=FULL,
        retry_after=10,
    )
