"""Write frames to one socket without waiting for it.

Whoever has a frame drives the socket's own send coroutine (`SendQueue.write`): almost always it
runs to its end at once, which costs a tenth of waking a task for each socket; and to await each
send in a loop over all sockets would let one that is not read hold up the others. Where the
coroutine suspends, because the client does not read, it is parked, and later frames wait in a
queue. The queue has a bound; over it what was told of answers is dropped, and those who told it are
asked to read the log once there is room again. A task of the connection (`SendQueue.drain`) then
brings the parked coroutine to its end.
"""

from __future__ import annotations

import asyncio
import functools
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final, Protocol

from sessions.supervision import PASSING
from streaming.log.positions import Position

ROOM: Final = 192 << 10
"""Bytes of frames that wait for one socket; the transport keeps another 64 KiB, which makes 256."""

_FRAME: Final = 250  # bytes that a waiting frame takes beside its text

Send = Callable[[str], Coroutine[Any, Any, None]]


class TooSlow(Exception):
    """A frame has waited for too long."""


class Sender(Protocol):
    """One who tells an answer through a `SendQueue`."""

    def dropped(self, before: Position | None, since: float) -> None:
        """Know that a frame is lost that was due at *since*, and all of yours behind it.

        *before* is where the reader stands without it. It is called from within a write, for each
        of these frames, in their order.
        """
        ...


class SendQueue:
    """The way out to one socket."""

    __slots__ = (
        "_clock",
        "_parked",
        "_patience",
        "_queue",
        "_send",
        "_since",
        "_size",
        "_stalled",
        "lost",
    )

    def __init__(self, send: Send, stalled: Callable[[], None], *, patience: float) -> None:
        """Write by *send*; *stalled* is called whenever `drain` gets something to do.

        A frame may wait for *patience* seconds.
        """
        self._send = send
        self._stalled = stalled
        self._patience = patience
        self._clock = asyncio.get_running_loop().time
        self._parked: _Parked | None = None
        self._since = 0.0
        self._queue: deque[_QueuedFrame] | None = None  # an empty one takes as much as the rest
        self._size = 0
        self.lost = False
        """Whether the socket is gone; nothing is written any more."""

    @property
    def clear(self) -> bool:
        """Whether nothing waits."""
        return self._parked is None

    @property
    def waiting(self) -> int:
        """How many bytes wait in the queue, or nearly so."""
        return self._size

    def write(
        self,
        frame: str,
        sender: Sender | None = None,
        before: Position | None = None,
        since: float = 0.0,
    ) -> None:
        """Send *frame* or let it wait; never raises.

        A frame of a *sender* may be dropped, which it is told with *before*, where its reader stood
        until then. *since* is when the frame was due, where that was not just now.
        """
        # Behind what is parked, even where the socket would take it by now: frames stay in order.
        if self._parked is not None:
            self._wait(_QueuedFrame(frame, sender, before, since or self._clock()))
        elif not self.lost:
            self._drive(frame, since)

    async def drain(self) -> None:
        """Wait until nothing waits. Only one may do so.

        Raises:
            TooSlow: a frame has waited for too long; the frame is lost.
        """
        while self._parked is not None:
            try:
                async with asyncio.timeout_at(self._since + self._patience):
                    await self._parked
            except TimeoutError as exc:
                raise TooSlow from exc
            except PASSING:
                raise
            except BaseException:  # noqa: BLE001 - whatever a lost socket raises
                self.close()
            self._parked = None
            while self._queue and self._parked is None:
                queued = self._queue.popleft()
                self._size -= queued.size
                self._drive(queued.frame, queued.since)
        self._queue = None

    def close(self) -> None:
        """Give up what waits, and write nothing more."""
        self.lost = True
        self._queue = None
        self._size = 0
        if self._parked is not None:
            self._parked.close()
            self._parked = None

    def _drive(self, frame: str, since: float) -> None:
        sending = self._send(frame)
        try:
            awaited = sending.send(None)
        except StopIteration:
            return
        except PASSING:
            raise
        except BaseException:  # noqa: BLE001 - one bad socket must not disturb the others
            self.close()
            return
        self._parked = _Parked(sending, awaited)
        # Of a frame that was dropped and read again, since when it was due at first: a client that
        # is always a little behind would otherwise never be too slow.
        self._since = since or self._clock()
        self._stalled()

    def _wait(self, queued: _QueuedFrame) -> None:
        if self._queue is None:
            self._queue = deque()
        self._queue.append(queued)
        self._size += queued.size
        if self._size > ROOM:
            # All that was told: what stays of an answer would overtake what was dropped in front of
            # it. What is said once (`accepted`, errors) stands in no log, and is kept.
            dropped = [queued for queued in self._queue if queued.sender]
            self._queue = deque(queued for queued in self._queue if not queued.sender)
            self._size = sum(queued.size for queued in self._queue)
            for queued in dropped:
                if queued.sender:
                    queued.sender.dropped(queued.before, queued.since)


class _QueuedFrame:
    """A frame that waits, who told it, and since when."""

    __slots__ = ("before", "frame", "sender", "since", "size")

    def __init__(
        self, frame: str, sender: Sender | None, before: Position | None, since: float
    ) -> None:
        self.frame = frame
        self.sender = sender
        self.before = before
        self.since = since
        self.size = len(frame) + _FRAME


class _Parked:
    """A coroutine that was driven to its first wait, to be awaited from there on."""

    __slots__ = ("_awaited", "_coroutine")

    def __init__(self, coroutine: Coroutine[Any, Any, None], awaited: Any) -> None:
        self._coroutine = coroutine
        self._awaited = awaited

    def close(self) -> None:
        """Give the coroutine up."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, None]:
        awaited = self._awaited
        while True:
            # What it waits for goes to the event loop as if it had been awaited from the start.
            try:
                value = yield awaited
            except BaseException as exc:  # noqa: BLE001 - a cancellation is the coroutine's
                step = functools.partial(self._coroutine.throw, exc)
            else:
                step = functools.partial(self._coroutine.send, value)
            try:
                awaited = step()
            except StopIteration:
                return
