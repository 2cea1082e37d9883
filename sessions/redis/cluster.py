"""Know which node of a Redis Cluster serves which slot, and follow the slots as they move."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError

from sessions.errors import Unavailable
from sessions.redis.handshake import NodeAccess
from sessions.redis.node_connection import NodeConnection, fixed
from sessions.redis.resp_socket import away, pack
from sessions.redis.routing import Command, redirection, repeat_refused, wait_until_available
from sessions.redis.urls import NodeAddress
from sessions.supervision import forever

SLOTS: Final = 16384

_ASKING: Final = pack("ASKING")
_SLOT_MAP: Final = pack("CLUSTER", "SLOTS")
_VIEW: Final = pack("CLUSTER", "NODES")
_ASK: Final = 0.5
"""Seconds in which nodes are to say what they know of another; then some of them are enough."""
_PAUSE: Final = 0.1
"""Seconds between two looks at a map that was wrong, or misses a node."""

log = logging.getLogger(__name__)


class Cluster:
    """The masters of a cluster by slot; `Routes` over many nodes."""

    def __init__(self, access: NodeAccess) -> None:
        """Begin with the seeds of the deployment."""
        self._access = access
        self._nodes: dict[NodeAddress, NodeConnection] = {}
        self._keepers: dict[NodeAddress, asyncio.Task[None]] = {}
        self._slots: list[NodeConnection | None] = [None] * SLOTS
        self._serving: set[NodeConnection | None] = {None}
        self._stale = asyncio.Event()
        self._news = asyncio.Event()
        self._fault: Exception | None = None
        self._callbacks: list[Callable[[], None]] = []
        self._tasks: asyncio.TaskGroup | None = None
        self._watcher: asyncio.Task[None] | None = None

    @property
    def available(self) -> bool:
        """Tell whether every slot is served by a node that is connected."""
        return all(node is not None and node.socket is not None for node in self._serving)

    async def open(self, tasks: asyncio.TaskGroup, within: float) -> None:
        """Connect to every master; see `Routes`."""
        self._tasks = tasks
        self._stale.set()
        self._watcher = tasks.create_task(forever(self._watch), name="redis-cluster")
        await wait_until_available(self, self._news, self._refusal, within)

    def close(self) -> None:
        """Let all nodes go."""
        for task in (self._watcher, *self._keepers.values()):
            if task is not None:
                task.cancel()

    def connection(self, key: bytes) -> NodeConnection | None:
        """Return the way to the master of the slot of *key*, None while it has none."""
        return self._slots[key_slot(key)]

    def connections(self) -> Sequence[NodeConnection | None]:
        """Return the ways to all masters, and None where a slot has none."""
        return list(dict.fromkeys(self._slots))

    def misled(self) -> None:
        """Learn that the map is not right any more; look again soon."""
        self._stale.set()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Call *callback* after slots have moved."""
        self._callbacks.append(callback)

    async def send(self, key: bytes, packed: bytes) -> Any:
        """Send one command and return its reply; see `Routes`."""
        node = self._slots[key_slot(key)]
        reply: Any = await node.send(packed) if node is not None else _unserved()
        if isinstance(reply, Exception):
            replies: list[Any] = [reply]
            await self._settle([(key, packed)], replies)
            reply = replies[0]
            if isinstance(reply, Exception):
                raise reply
        return reply

    async def send_all(self, commands: Sequence[Command]) -> list[Any]:
        """Send commands in one write per node; see `Routes`."""
        replies: list[Any] = [None] * len(commands)
        batches: dict[NodeConnection | None, list[int]] = {}
        slots = self._slots
        for i, (key, _) in enumerate(commands):
            batches.setdefault(slots[key_slot(key)], []).append(i)
        await self._send_batches(
            [(node, [(i, commands[i][1]) for i in batch]) for node, batch in batches.items()],
            replies,
        )
        await self._settle(commands, replies)
        return replies

    async def _send_batches(
        self,
        batches: Sequence[tuple[NodeConnection | None, list[tuple[int, bytes]]]],
        replies: list[Any],
    ) -> None:
        """Write each batch to its node before the first reply is awaited; fill *replies* in."""
        futures = [
            node.begin_many(b"".join([packed for _, packed in batch]), len(batch)) if node else None
            for node, batch in batches
        ]
        for (node, batch), future in zip(batches, futures, strict=True):
            if future is not None:
                answers = await future
            elif node is not None:  # away: the waits of several nodes end at the same moment
                answers = await node.send_many(
                    b"".join([packed for _, packed in batch]), len(batch)
                )
            else:
                answers = [_unserved() for _ in batch]
            for (i, _), answer in zip(batch, answers, strict=True):
                replies[i] = answer

    async def _settle(self, commands: Sequence[Command], replies: list[Any]) -> None:
        async def resend(again: Sequence[int]) -> None:
            batches: dict[NodeConnection | None, list[tuple[int, bytes]]] = {}
            asked: dict[NodeConnection, list[int]] = {}
            for i in again:
                kind, _, rest = redirection(replies[i]).partition(" ")
                if kind == "ASK" and (node := self._node_in(rest)):
                    asked.setdefault(node, []).append(i)
                    continue
                if kind == "MOVED":
                    self._moved(rest)
                node = self._slots[key_slot(commands[i][0])]
                batches.setdefault(node, []).append((i, commands[i][1]))
            await self._send_batches(list(batches.items()), replies)
            for node, batch in asked.items():
                # ASKING holds for the one command behind it, so each has its own.
                packed = b"".join([_ASKING + commands[i][1] for i in batch])
                answers = await node.send_many(packed, 2 * len(batch))
                for i, answer in zip(batch, answers[1::2], strict=True):
                    replies[i] = answer

        await repeat_refused(replies, resend, self._access.limits.patience)

    def _moved(self, rest: str) -> None:
        """Believe ``<slot> <host>:<port>`` at once, and have the whole map looked at."""
        if node := self._node_in(rest):
            self._slots[int(rest.partition(" ")[0])] = node
            self._serving.add(node)
        self._stale.set()

    def _node_in(self, rest: str) -> NodeConnection | None:
        """Return the way to the node of ``<slot> <host>:<port>``."""
        host, _, port = rest.partition(" ")[2].rpartition(":")
        # An empty host means the one that was asked (Redis 7); the map knows better.
        return self._node(NodeAddress(host, int(port))) if host else None

    def _node(self, address: NodeAddress) -> NodeConnection:
        if (node := self._nodes.get(address)) is None:
            node = self._nodes[address] = NodeConnection(
                fixed(address), self._access, serves=self._serves, changed=self._heard
            )
            if self._tasks is not None:
                self._keepers[address] = self._tasks.create_task(
                    forever(node.keep), name=f"redis-{address}"
                )
        return node

    def _heard(self) -> None:
        self._news.set()
        if not self.available:
            self._stale.set()

    def _refusal(self) -> Exception | None:
        faults = [node.fault for node in self._nodes.values() if node.fault is not None]
        return self._fault or next(iter(faults), None)

    async def _watch(self) -> None:
        """Look at the map whenever it is stale, for as long as the cluster is used."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            asked = await self._look()
            self._news.set()
            if asked:
                await asyncio.sleep(_PAUSE)
                if not self.available:
                    self._stale.set()

    async def _look(self) -> bool:
        """Ask any connected node for the map; where there is none, return to the seeds.

        Tells whether a node was asked; else the next that connects makes the map stale again.
        """
        connected = [pair for pair in self._nodes.items() if pair[1].socket is not None]
        random.shuffle(connected)  # or one that is behind would be believed each time
        for address, node in connected:
            reply = await node.send(_SLOT_MAP)
            if isinstance(reply, list):
                self._fault = None
                self._learn(address, cast("list[Any]", reply))
                return True
            if isinstance(reply, ResponseError):
                self._fault = reply
        for seed in self._access.deployment.seeds:
            self._node(seed)
        return bool(connected)

    async def _serves(self, node: NodeConnection) -> bool:
        """Ask the other masters whether *node* is one still; it is the last to learn.

        All of them: one that has not heard of an election yet names the old one. On sockets of
        their own: where this process slept all others are in doubt as well.

        Raises:
            Unavailable: nobody answers, or most do not hear it and are about to replace it.
        """
        others = [other for other in self._serving if other is not None and other is not node]
        maps: list[tuple[NodeAddress, list[Any]]] = []
        unheard = 0

        async def ask(other: NodeConnection) -> None:
            nonlocal unheard
            with contextlib.suppress(OSError, RedisError, Unavailable):
                async with asyncio.timeout(_ASK):
                    reply, view = await other.ask(_SLOT_MAP, _VIEW)
                unheard += _is_unheard(node.address, view)
                if isinstance(reply, list) and other.address is not None:
                    maps.append((other.address, cast("list[Any]", reply)))

        async with asyncio.TaskGroup() as tasks:
            for other in others:
                tasks.create_task(ask(other), name="redis-cluster-view")
        for asked, ranges in maps:
            if all(master != node.address for *_, master in _masters(asked, ranges)):
                self._learn(asked, ranges)
                return False
        # We may hear it all the same, where it is cut off from the others and its replicas alone.
        if others and (not maps or 2 * unheard > len(maps)):
            raise away()
        return True  # without another master nobody can have elected a new one

    def _learn(self, asked: NodeAddress, ranges: list[Any]) -> None:
        """Take the reply of CLUSTER SLOTS over; nodes that serve nothing go when they are idle."""
        slots: list[NodeConnection | None] = [None] * SLOTS
        for first, last, master in _masters(asked, ranges):
            node = self._node(master)
            slots[first : last + 1] = [node] * (last + 1 - first)
        changed, self._slots, self._serving = slots != self._slots, slots, set(slots)
        for address, node in list(self._nodes.items()):
            # What is on its way to a former master is answered, with MOVED if nothing else.
            if node not in self._serving and (node.socket is None or node.socket.idle):
                del self._nodes[address]
                self._keepers.pop(address).cancel()
        if changed:
            log.info("redis_cluster_changed", extra={"masters": len(self._serving)})
            for callback in self._callbacks:
                callback()


def _masters(asked: NodeAddress, ranges: Sequence[Any]) -> Iterator[tuple[int, int, NodeAddress]]:
    """Read the reply of CLUSTER SLOTS; a node without a host is at that which was *asked*."""
    for first, last, (host, port, *_), *_ in ranges:
        yield first, last, NodeAddress(host.decode() if host else asked.host, port)


def _is_unheard(address: NodeAddress | None, view: Any) -> bool:
    """Read the reply of CLUSTER NODES, b"<id> <host>:<port>@<bus>[,…] <flags> …" for each node.

    Whoever may not ask for it, by the rules of an older version, knows nothing of that kind.
    """
    if address is None or not isinstance(view, bytes):
        return False
    place = f"{address.host}:{address.port}@".encode()
    about = [line.split(b" ", 3) for line in view.splitlines()]
    return any(
        fields[1].startswith(place) and not {b"fail", b"fail?"}.isdisjoint(fields[2].split(b","))
        for fields in about
    )


def _unserved() -> ResponseError:
    """Stand in for the reply of a node where no node serves the slot."""
    return ResponseError("CLUSTERDOWN the slot is not served")
