"""Open the buffers of the answers that this process writes, and mend what goes wrong with them.

What goes right is the matter of a `NodeWriter` for each Redis node. Ids are explicit, hence a
retry does no harm, and an append of an epoch that is over is refused. A refusal, a failure or an
exchanged socket puts a buffer in doubt: then the last id of its log says what arrived, what a
failover took away is appended again from memory, and whoever was fenced learns that the answer is
lost for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Final

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import pack
from sessions.redis.routing import redirection
from streaming.log import event_log as logs
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.log_commands import LogCommands
from streaming.log.node_writer import NodeWriter, publish
from streaming.log.positions import Position
from streaming.log.publications import Publications
from streaming.log.write_buffer import BufferState, WriteBuffer
from streaming.log.write_measures import WriteMeasures

_LOOK: Final = 0.25  # seconds between two looks for exchanged sockets
_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.5)  # seconds before the next attempt to compare


class Writer:
    """Opens the buffers of the answers that this process writes. `run` must be running."""

    def __init__(self, redis: Redis, keys: Keys, log: EventLog) -> None:
        self._redis = redis
        self._keys = keys
        self._log = log
        self._nodes: dict[NodeConnection, NodeWriter] = {}
        self.measures = WriteMeasures()
        self._open: set[WriteBuffer] = set()
        # A dict for its order: who has been in doubt for longest is compared first.
        self._unsure: dict[WriteBuffer, None] = {}
        self._doubted = asyncio.Event()

    def open(
        self,
        answer: str,
        last: Position,
        *,
        on_acknowledged: Callable[[Sequence[LogEntry]], None],
        on_lost: Callable[[], None],
        public: bool = False,
    ) -> WriteBuffer:
        """Write *answer* behind *last*, in its epoch, until the buffer is closed.

        *on_acknowledged* is called with what the log has; where it is *public* it is published as
        well. *on_lost* is called once, and never after `WriteBuffer.close`, when another writer has
        the answer, or its log is gone or lacks more than is kept.
        """
        key = self._keys.log(answer)
        publish_command = self._redis.channels.publish_command
        buffer = WriteBuffer(
            answer,
            last,
            LogCommands(key, self._keys.channel(answer), publish_command),
            schedule=self._doubt,  # where the node is away: the comparison finds it
            on_acknowledged=on_acknowledged,
            on_lost=on_lost,
            public=public,
        )
        if connection := self._redis.connection(key):
            buffer.schedule, buffer.socket = self._node(connection).schedule, connection.socket
        self._open.add(buffer)
        return buffer

    def _node(self, connection: NodeConnection) -> NodeWriter:
        node = self._nodes.get(connection)
        if node is None:
            node = self._nodes[connection] = NodeWriter(
                connection, self._doubt, self.measures, self._redis.channels.publish_command
            )
        return node

    def _doubt(self, buffer: WriteBuffer) -> None:
        if not buffer.state.is_over:
            buffer.doubt()
            self._unsure[buffer] = None
            self._doubted.set()

    @property
    def in_doubt(self) -> int:
        """How many buffers have to be compared with their logs before more is written."""
        return len(self._unsure)

    async def publish(self, answer: str, entries: Sequence[LogEntry]) -> None:
        """Tell *entries*, which the log has, to the replicas that follow *answer*.

        For those that a script wrote. What is not heard is read when they compare; a failure is
        not worth more.
        """
        channel = self._keys.channel(answer)
        with contextlib.suppress(Unavailable, ResponseError):
            for entry in entries:
                field, value = logs.encode(entry.event, reset=entry.reset)
                payload = logs.payload(entry.position, field, value)
                await self._redis.publish(channel, payload)

    def check(self, buffer: WriteBuffer) -> None:
        """Compare *buffer* with its log, which does not end where it should."""
        if buffer.state is BufferState.IDLE:  # else its batch, or a comparison, will tell
            self._doubt(buffer)

    async def run(self) -> None:
        """Mend what is in doubt, and look for what a new socket puts in doubt, until cancelled."""
        attempt = 0
        while True:
            if not self._unsure:
                self._doubted.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK):
                        await self._doubted.wait()
                attempt = 0
            self._look()
            await self._mend()
            await asyncio.sleep(_PAUSES[min(attempt, len(_PAUSES) - 1)])
            attempt += 1

    def _look(self) -> None:
        """Doubt the buffers that say nothing at the moment, and whose socket has gone.

        Else an answer whose generator thinks for long would find its log shortened by a failover
        only then, and readers of other replicas would wait for what they cannot see.
        """
        self._open = {buffer for buffer in self._open if not buffer.state.is_over}
        for buffer in self._open:
            connection = self._redis.connection(buffer.key)
            socket = connection.socket if connection else None
            if buffer.socket is not socket and socket is not None:
                self.check(buffer)

    async def _mend(self) -> None:
        by_node: dict[NodeConnection, list[WriteBuffer]] = {}
        for buffer in list(self._unsure):
            connection = self._redis.connection(buffer.key)
            if buffer.state.is_over:
                del self._unsure[buffer]
            elif connection is not None:
                by_node.setdefault(connection, []).append(buffer)
        for connection, buffers in by_node.items():
            await self._compare(connection, buffers)

    async def _compare(self, connection: NodeConnection, buffers: Sequence[WriteBuffer]) -> None:
        """Give those of *buffers* back to their node whose logs can be read on its socket."""
        # Taken before the question: a buffer must not be written on a socket that opened after the
        # answer. If that happened, `_send` finds the two differ, and doubts it again.
        socket = connection.socket
        packed = b"".join([_top(buffer.key) for buffer in buffers])
        future = connection.begin_many(packed, len(buffers))
        replies = await future if future is not None else ()
        for buffer, reply in zip(buffers, replies, strict=False):
            if redirection(reply):
                await self._append_around(buffer)
            elif not isinstance(reply, Exception):
                del self._unsure[buffer]
                buffer.schedule, buffer.socket = self._node(connection).schedule, socket
                publications = Publications()
                buffer.reconcile(logs.decode_top(reply), publications)
                command = self._redis.channels.publish_command
                publish(connection, publications.commands(command))

    async def _append_around(self, buffer: WriteBuffer) -> None:
        """Append to a log whose slot is being moved: it stays in doubt, redirections are followed.

        Other replicas find these entries when they compare.
        """
        buffer.schedule, buffer.public, buffer.inboxes = self._doubt, False, ()
        try:
            buffer.reconcile(await self._log.top(buffer.answer), Publications())
        except (Unavailable, ResponseError):
            return
        buffer.take_batch([])
        arrived = 0
        for append in buffer.single_appends():
            (reply,) = await self._redis.batch([append])
            if type(reply) is not bytes:
                break  # nothing may stand behind what is not there
            arrived += 1
        buffer.acknowledge(arrived, Publications())


def _top(key: bytes) -> bytes:
    return pack(b"XREVRANGE", key, b"+", b"-", b"COUNT", 1)
