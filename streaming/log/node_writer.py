"""Write what waits for one Redis node, batch by batch.

At most one batch is in flight; the next begins when that is acknowledged, so that batches grow with
the load by themselves. A batch holds an XADD for each entry, several of one answer in MULTI and
EXEC; what was acknowledged goes to the channel for other replicas in one write with the next batch.
No Lua is run and no task is woken for an entry; `Writer.run` only mends what went wrong.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from time import monotonic, thread_time
from typing import Any, Final

from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import RespSocket
from streaming.log.publications import Publications
from streaming.log.write_buffer import WriteBuffer
from streaming.log.write_measures import WriteMeasures

LAG: Final = 0.001
"""Seconds of this thread that the telling of a batch may take, before the next one waits."""

PAUSES: Final = 2.0
"""How many times as long as the telling held up the loop the next batch waits: two thirds of the
time are left to everything else at least, and the pieces that come meanwhile join."""

LONGEST: Final = 0.25
"""Seconds that a batch waits at most."""


class NodeWriter:
    """Writes the buffers that are scheduled; *doubt* is called with one that has to be compared.

    *publish* is the command that does.
    """

    def __init__(
        self,
        connection: NodeConnection,
        doubt: Callable[[WriteBuffer], None],
        measures: WriteMeasures,
        publish: bytes,
    ) -> None:
        self.connection = connection
        self._publish = publish
        self._doubt = doubt
        self._measures = measures
        self._replication = b""  # the command behind the batch in flight that waits for replicas
        self._socket: RespSocket | None = None  # on which that batch is
        self._loop = asyncio.get_running_loop()
        self._scheduled: list[WriteBuffer] = []
        self._in_flight: list[tuple[WriteBuffer, int]] = []
        self._busy = False  # a batch is in flight, or about to be, or waits for `_pause`
        self._pause: asyncio.TimerHandle | None = None  # before the next batch
        self._is_urgent = False  # one of `_scheduled` must not wait for that
        # The telling of the batch before took long, by the clock on the wall.
        self._was_long = False
        self._since = 0.0  # when the first of `_scheduled` came
        self._sent = 0.0
        self._sent_since = 0.0  # the same of those in flight

    def schedule(self, buffer: WriteBuffer) -> None:
        """Let the next batch have what waits in *buffer*."""
        if not self._scheduled:
            self._since = monotonic()
        self._scheduled.append(buffer)
        # Somebody looks at an empty page: the first text never waits for others to join.
        self._is_urgent = self._is_urgent or buffer.is_fresh
        if not self._busy:
            self._busy = True
            # Not at once: what else this turn of the loop brings shares the batch.
            self._loop.call_soon(self._send)
        elif self._is_urgent and self._pause is not None:
            self._pause.cancel()
            self._send()

    def _send(self) -> None:
        self._pause, self._is_urgent = None, False
        buffers, self._scheduled = self._scheduled, []
        socket = self._socket = self.connection.socket
        parts: list[bytes] = []
        entries = 0
        for buffer in buffers:
            if buffer.socket is not socket or socket is None:
                self._doubt(buffer)
            elif count := buffer.take_batch(parts):  # none where it was closed meanwhile
                self._in_flight.append((buffer, count))
                entries += count if count == 1 else count - 2  # without MULTI and EXEC
        # WAIT holds up whatever is behind it on the socket, so one serves the whole batch.
        self._replication = self.connection.replication.replicas.command() if parts else b""
        if self._replication:
            parts.append(self._replication)
        packed = b"".join(parts)
        if parts and self.connection.begin(packed, len(parts), self._answered):
            self._sent_since, self._sent = self._since, monotonic()
            self._measures.entries.add(entries)
            self._measures.sent_bytes += len(packed)
            return
        in_flight, self._in_flight = self._in_flight, []
        for buffer, _ in in_flight:
            self._doubt(buffer)
        self._busy = bool(self._scheduled)
        if self._busy:
            self._loop.call_soon(self._send)

    def _answered(self, replies: list[Any]) -> None:
        if self._replication and self._socket is not None:
            settled = functools.partial(self._settle, replies)
            self.connection.replication.settle(self._socket, replies[-1], settled)
        else:
            self._settle(replies, True)

    def _settle(self, replies: Sequence[Any], believed: bool) -> None:
        """Take *replies* over, unless who sent them is not *believed* to be the master."""
        in_flight, self._in_flight = self._in_flight, []
        # Of this thread: on a busy machine, what others take is no work that would get less. Only
        # where the batch before was long, since this is a system call, and telling few costs little
        # more.
        began = thread_time() if self._was_long else 0.0
        # Not the time of the loop, which tells milliseconds only.
        now = monotonic()
        self._measures.append_seconds.add(now - self._sent)
        self._measures.lag_seconds.add(now - self._sent_since)
        publications = Publications()
        end = 0
        for buffer, count in in_flight:
            end += count
            if not believed or not buffer.take_reply(replies[end - 1], publications):
                self._doubt(buffer)
        publish(self.connection, publications.commands(self._publish))
        self._was_long = monotonic() - now > LAG
        if began and self._was_long and thread_time() - began > LAG:
            # Behind what the sockets write in this turn of the loop, which is the most of it.
            self._loop.call_soon(self._rest, began)
        else:
            self._go_on()

    def _rest(self, began: float) -> None:
        """Leave the loop, which the telling that *began* then held up, to others for a time."""
        if self._is_urgent:
            self._send()
            return
        held = thread_time() - began
        self._pause = self._loop.call_later(min(PAUSES * held, LONGEST), self._go_on)

    def _go_on(self) -> None:
        self._pause = None
        if self._scheduled:
            self._send()
        else:
            self._busy = False


def publish(connection: NodeConnection, commands: Sequence[bytes]) -> None:
    """Send *commands*, whatever comes of it: who misses something looks at the log."""
    if commands:
        connection.begin(b"".join(commands), len(commands), _unread)


def _unread(_replies: list[Any]) -> None:
    pass
