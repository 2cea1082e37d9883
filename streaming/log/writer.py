"""Append what answers say to their logs, and tell it when Redis has acknowledged it.

For each Redis node there is a lane with at most one batch in flight; the next begins when that is
acknowledged, so that batches grow with the load by themselves. A batch holds an XADD for each
entry, several of one answer in MULTI and EXEC; its payload goes to the channel for other replicas
once that is acknowledged, in one write with the next batch. No Lua and no task is involved;
`Writer.run` only mends what went wrong.

Ids are explicit, hence a retry does no harm, and an append of an epoch that is over is refused. A
refusal, a failure or an exchanged socket puts a draft in doubt: then the last id of its log says
what arrived, what a failover took away is appended again from memory, and whoever was fenced
learns that the answer is lost for it. Nothing is written on a socket other than the one that
acknowledged all before it, unless that was compared: an entry behind a hole could not be mended.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import RespSocket, pack
from sessions.redis.routing import redirection
from streaming.log import event_log as logs
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import Position
from streaming.log.write_buffer import WriteBuffer

LAG: Final = 0.010
"""A batch that takes longer, in seconds, shows that this process is behind."""

TICK: Final = 0.015
"""How long, in seconds, a lane that is behind gathers: pieces join, and the work gets less."""

_LOOK: Final = 0.25  # seconds between two looks for exchanged sockets
_PAUSES: Final = (0.02, 0.05, 0.1, 0.2, 0.5)


class _NodeWriter:
    """Writes the drafts of one node, batch by batch."""

    def __init__(self, connection: NodeConnection, doubt: Callable[[WriteBuffer], None]) -> None:
        self.connection = connection
        self._doubt = doubt
        self._waiting = b""  # what was sent behind the batch in flight, for its replicas
        self._socket: RespSocket | None = None  # on which that is
        self._loop = asyncio.get_running_loop()
        self._dirty: list[WriteBuffer] = []
        self._flying: list[tuple[WriteBuffer, int]] = []
        self._busy = False  # a batch is in flight or about to be
        self._tick: asyncio.TimerHandle | None = None
        self._due = 0.0

    def mark(self, draft: WriteBuffer) -> None:
        """Let the next batch have what waits in *draft*."""
        self._dirty.append(draft)
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._flush)
        elif self._tick is not None and draft.is_fresh:
            self._tick.cancel()
            self._flush()

    def _flush(self) -> None:
        self._tick = None
        drafts, self._dirty = self._dirty, []
        socket = self._socket = self.connection.socket
        parts: list[bytes] = []
        for draft in drafts:
            if draft.socket is socket and socket is not None:
                self._flying.append((draft, draft.seal(parts)))
            else:
                self._doubt(draft)
        self._waiting = self.connection.replicas.command() if parts else b""
        if self._waiting:
            parts.append(self._waiting)
        future = self.connection.begin_many(b"".join(parts), len(parts)) if parts else None
        if future is not None:
            self._due = self._loop.time() + LAG
            future.add_done_callback(self._answered)
            return
        flying, self._flying = self._flying, []
        for draft, _ in flying:
            self._doubt(draft)
        self._busy = bool(self._dirty)
        if self._busy:
            self._loop.call_soon(self._flush)

    def _answered(self, future: asyncio.Future[list[Any]]) -> None:
        if future.cancelled():  # the loop ends
            return
        replies = future.result()
        if self._waiting and self._socket is not None:
            settled = functools.partial(self._settle, replies)
            self.connection.settle(self._socket, replies[-1], settled)
        else:
            self._settle(replies, True)

    def _settle(self, replies: Sequence[Any], believed: bool) -> None:
        """Take *replies* over, unless who sent them is not *believed* to be the master."""
        flying, self._flying = self._flying, []
        news: list[bytes] = []
        end = 0
        for draft, count in flying:
            start, end = end, end + count
            if not believed or not draft.settle(replies, start, end, news):
                self._doubt(draft)
        _publish(self.connection, news)
        if not self._dirty:
            self._busy = False
        elif self._loop.time() > self._due and not any(draft.is_fresh for draft in self._dirty):
            self._tick = self._loop.call_later(TICK, self._flush)
        else:
            self._flush()


class Writer:
    """Opens the drafts of the answers that this process writes. `run` must be running."""

    def __init__(self, redis: Redis, keys: Keys, log: EventLog) -> None:
        self._redis = redis
        self._keys = keys
        self._log = log
        self._lanes: dict[NodeConnection, _NodeWriter] = {}
        self._open: set[WriteBuffer] = set()
        self._doubtful: dict[WriteBuffer, None] = {}
        self._doubted = asyncio.Event()

    def open(
        self,
        answer: str,
        last: Position,
        *,
        tell: Callable[[Sequence[LogEntry]], None],
        on_lost: Callable[[], None],
        public: bool = False,
    ) -> WriteBuffer:
        """Write *answer* behind *last*, in its epoch, until the draft is closed.

        *tell* is called with what was acknowledged; where it is *public* it is published as well.
        *on_lost* is called once, and never after `Draft.close`, when another writer has the
        answer, or its log is gone or lacks more than is kept.
        """
        key, channel = self._keys.log(answer), self._keys.channel(answer)
        publish = self._redis.channels.publish_command
        draft = WriteBuffer(
            answer,
            last,
            (
                key,
                b"*6\r\n$4\r\nXADD\r\n$%d\r\n%b\r\n$10\r\nNOMKSTREAM\r\n" % (len(key), key),
                b"*3\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n"
                % (len(publish), publish, len(channel), channel),
            ),
            mark=self._doubt,
            tell=tell,
            on_lost=on_lost,
            public=public,
        )
        if connection := self._redis.connection(key):
            draft.mark, draft.socket = self._lane(connection).mark, connection.socket
        self._open.add(draft)
        return draft

    def _lane(self, connection: NodeConnection) -> _NodeWriter:
        lane = self._lanes.get(connection)
        if lane is None:
            lane = self._lanes[connection] = _NodeWriter(connection, self._doubt)
        return lane

    def _doubt(self, draft: WriteBuffer) -> None:
        if not draft.lost:
            draft.busy = True
            self._doubtful[draft] = None
            self._doubted.set()

    def check(self, draft: WriteBuffer) -> None:
        """Compare *draft* with its log, which does not end where it should."""
        if not draft.busy:
            self._doubt(draft)

    async def run(self) -> None:
        """Mend what is in doubt, and look for what a new socket puts in doubt, until cancelled."""
        attempt = 0
        while True:
            if not self._doubtful:
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
        """Doubt the drafts that say nothing at the moment, and whose socket has gone."""
        self._open = {draft for draft in self._open if not draft.lost}
        for draft in self._open:
            connection = self._redis.connection(draft.key)
            socket = connection.socket if connection else None
            if not draft.busy and draft.socket is not socket and socket is not None:
                self._doubt(draft)

    async def _mend(self) -> None:
        by_node: dict[NodeConnection, list[WriteBuffer]] = {}
        for draft in list(self._doubtful):
            connection = self._redis.connection(draft.key)
            if draft.lost:
                del self._doubtful[draft]
            elif connection is not None:
                by_node.setdefault(connection, []).append(draft)
        for connection, drafts in by_node.items():
            await self._compare(connection, drafts)

    async def _compare(self, connection: NodeConnection, drafts: Sequence[WriteBuffer]) -> None:
        """Give back to their lane the *drafts* whose logs can be read on the present socket."""
        socket = connection.socket
        packed = b"".join([_top(draft.key) for draft in drafts])
        future = connection.begin_many(packed, len(drafts))
        replies = await future if future is not None else ()
        for draft, reply in zip(drafts, replies, strict=False):
            if redirection(reply):
                await self._append_around(draft)
            elif not isinstance(reply, Exception):
                del self._doubtful[draft]
                draft.mark, draft.socket = self._lane(connection).mark, socket
                news: list[bytes] = []
                draft.reconcile(logs.decode_top(reply), news)
                _publish(connection, news)

    async def _append_around(self, draft: WriteBuffer) -> None:
        """Append to a log whose slot is being moved: it stays in doubt, redirections are followed.

        Other replicas find these entries when they compare.
        """
        draft.mark, draft.public = self._doubt, False
        try:
            draft.reconcile(await self._log.top(draft.answer), [])
        except (Unavailable, ResponseError):
            return
        draft.seal([])
        arrived = 0
        for append in draft.appends():
            (reply,) = await self._redis.batch([append])
            if type(reply) is not bytes:
                break  # nothing may stand behind what is not there
            arrived += 1
        draft.arrive(arrived, [])


def _publish(connection: NodeConnection, news: Sequence[bytes]) -> None:
    """Publish *news*, whatever comes of it: who misses something looks at the log."""
    if news:
        connection.begin_many(b"".join(news), len(news))


def _top(key: bytes) -> bytes:
    return pack(b"XREVRANGE", key, b"+", b"-", b"COUNT", 1)
