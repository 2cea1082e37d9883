"""Hear what is published in Redis, over one connection per node, across breaks and moved slots.

A channel is served like a key: by the node of its slot in a cluster (sharded channels, Redis ≥ 7),
by the one node otherwise. What is published while a connection is broken is lost for it; who must
not miss anything reads the log when `Channels.on_reconnect` calls.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from redis.exceptions import ResponseError

from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import RedisTimeouts, away, pack
from sessions.redis.routing import Routes
from sessions.redis.urls import NodeAddress
from sessions.supervision import PASSING, forever

Listener = Callable[[bytes], None]
"""Gets what was published; called from the reading of the socket, so it must not block."""

_BEAT: Final = 0.5
"""Seconds between two looks at each connection: is it alive, is something not confirmed?"""
_PING: Final = pack("PING")
_MESSAGES: Final = frozenset({b"message", b"smessage"})
_CONFIRMED: Final = frozenset({b"subscribe", b"ssubscribe"})
_ENDED: Final = frozenset({b"unsubscribe", b"sunsubscribe"})

log = logging.getLogger(__name__)


class _ChannelSubscription:
    """A channel that somebody listens to."""

    def __init__(self) -> None:
        self.listeners: tuple[Listener, ...] = ()
        self.node: _NodeSubscriptions | None = None
        self.confirmed = asyncio.Event()
        self.missing = False
        """Whether it was confirmed once, and is not now: something may be missed."""

    def lose(self) -> bool:
        """Note that it is not in force; tell whether something may be missed by that."""
        self.missing = self.missing or self.confirmed.is_set()
        self.confirmed.clear()
        return self.missing


class Channels:
    """All the channels that this process listens to."""

    def __init__(
        self, routes: Routes, tasks: asyncio.TaskGroup, limits: RedisTimeouts, *, sharded: bool
    ) -> None:
        """Listen along *routes*; *tasks* own the connections until `close`."""
        self._limits = limits
        self.publish_command = b"SPUBLISH" if sharded else b"PUBLISH"
        """Goes to the node of the channel, as if the channel were a key."""
        prefix = b"S" if sharded else b""
        self.subscribe_command = prefix + b"SUBSCRIBE"
        self.unsubscribe_command = prefix + b"UNSUBSCRIBE"
        self.routes = routes
        self.tasks = tasks
        self._subscriptions: dict[bytes, _ChannelSubscription] = {}
        self._nodes: dict[NodeConnection, _NodeSubscriptions] = {}
        self._callbacks: list[Callable[[], None]] = []
        routes.on_change(self._assign_all)

    def listen(self, channel: bytes, callback: Listener) -> None:
        """Have *callback* called with everything published on *channel* from about now on.

        Await `ready` to know that nothing published later is missed.
        """
        subscription = self._subscriptions.get(channel)
        if subscription is None:
            subscription = self._subscriptions[channel] = _ChannelSubscription()
            self._assign(channel, subscription)
        subscription.listeners += (callback,)

    def forget(self, channel: bytes, callback: Listener) -> None:
        """Call *callback* no more for *channel*; harmless where it is not known."""
        subscription = self._subscriptions.get(channel)
        if subscription is None or callback not in subscription.listeners:
            return
        listeners = list(subscription.listeners)
        listeners.remove(callback)
        subscription.listeners = tuple(listeners)
        if not listeners:
            del self._subscriptions[channel]
            if subscription.node is not None:
                subscription.node.leave(channel)

    def on_reconnect(self, callback: Callable[[], None]) -> None:
        """Call *callback* whenever channels are heard again after a break: read what was missed."""
        self._callbacks.append(callback)

    async def ready(self, channel: bytes) -> None:
        """Wait until Redis has confirmed the subscription of *channel*, which is listened to.

        Raises:
            Unavailable: it did not within `RedisTimeouts.deadline`; the subscription is tried on.
        """
        if (subscription := self._subscriptions.get(channel)) is None:
            return
        try:
            async with asyncio.timeout(self._limits.deadline):
                await subscription.confirmed.wait()
        except TimeoutError:
            raise away() from None

    def heard(self, channel: bytes) -> bool:
        """Tell whether *channel* is listened to and its subscription is in force."""
        subscription = self._subscriptions.get(channel)
        return subscription is not None and subscription.confirmed.is_set()

    def close(self) -> None:
        """End all connections."""
        for node in self._nodes.values():
            node.close()
        self._nodes.clear()

    def _assign(self, channel: bytes, subscription: _ChannelSubscription) -> None:
        """Subscribe *channel* at the node that serves it now, unless it is so already."""
        connection = self.routes.connection(channel)
        node = self._node(connection) if connection is not None else None
        if subscription.node is node:
            return
        if subscription.node is not None:
            subscription.node.leave(channel)
        subscription.lose()
        subscription.node = node
        if node is not None:
            node.join(channel, subscription)

    def _assign_all(self) -> None:
        """Follow the slots, and end the connections that no channel needs any more."""
        for channel, subscription in self._subscriptions.items():
            self._assign(channel, subscription)
        for connection, node in list(self._nodes.items()):
            if node.channels:
                node.follow(connection.address)
            else:
                node.close()
                del self._nodes[connection]

    def _node(self, connection: NodeConnection) -> _NodeSubscriptions:
        if (node := self._nodes.get(connection)) is None:
            node = self._nodes[connection] = _NodeSubscriptions(self, connection)
        return node

    def heard_again(self) -> None:
        """Tell everyone that something may have been missed."""
        for callback in tuple(self._callbacks):
            callback()


class _NodeSubscriptions:
    """The subscriptions at one node."""

    def __init__(self, owner: Channels, connection: NodeConnection) -> None:
        self.channels: dict[bytes, _ChannelSubscription] = {}
        self._owner = owner
        self._owed: dict[bytes, int] = {}
        """Confirmations to come, by channel; only the last one of a channel counts."""
        self._missing: set[bytes] = set()
        """The channels here that were heard before a break, and not again yet."""
        self._recovered = False
        """Whether a channel is heard again, of which nobody was told yet."""
        self._limits: RedisTimeouts = connection.access.limits
        # One of its own: in RESP2 a connection that has subscribed takes no other commands.
        self._connection = NodeConnection(
            connection.locate, connection.access, push=self._receive, changed=self._resubscribe
        )
        self._tasks = [
            owner.tasks.create_task(forever(self._connection.keep), name="redis-channels"),
            owner.tasks.create_task(forever(self._beat), name="redis-channels-beat"),
        ]

    def close(self) -> None:
        """End the connection."""
        for task in self._tasks:
            task.cancel()

    def join(self, channel: bytes, subscription: _ChannelSubscription) -> None:
        """Subscribe *channel* here."""
        self.channels[channel] = subscription
        if subscription.missing:
            self._missing.add(channel)
        self._ask(self._owner.subscribe_command, channel)

    def leave(self, channel: bytes) -> None:
        """Unsubscribe *channel* here, unless the node has ended that itself."""
        subscription = self.channels.pop(channel)
        if subscription.confirmed.is_set() or self._owed.get(channel):
            self._ask(self._owner.unsubscribe_command, channel)
        self._heard_again(channel)

    def follow(self, address: NodeAddress | None) -> None:
        """Leave a node that is not at *address*, where the data is now."""
        if self._connection.address != address:
            self._connection.drop()

    def _ask(self, command: bytes, channel: bytes) -> None:
        if self._connection.socket is not None:
            self._owed[channel] = self._owed.get(channel, 0) + 1
            self._connection.socket.post(pack(command, channel))

    def _resubscribe(self) -> None:
        """Subscribe everything after the connection opened; note the silence after it broke."""
        self._owed.clear()
        if self._connection.socket is None:
            self._missing = {c for c, subscription in self.channels.items() if subscription.lose()}
            return
        for channel in self.channels:
            self._ask(self._owner.subscribe_command, channel)

    def _receive(self, reply: Any) -> None:
        if isinstance(reply, list):
            message: list[Any] = reply  # pyright: ignore[reportUnknownVariableType] - of any reply
            kind = message[0]
            if kind in _MESSAGES:
                if subscription := self.channels.get(message[1]):
                    for listener in subscription.listeners:
                        try:
                            listener(message[2])
                        except PASSING:
                            raise
                        except BaseException:
                            # A supervisor: one listener's fault must not deafen the others.
                            log.exception("redis_listener_failed", extra={"channel": message[1]})
            elif kind in _CONFIRMED or kind in _ENDED:
                self._confirm(kind, message[1])
        elif isinstance(reply, ResponseError):
            self._refused(str(reply))

    def _confirm(self, kind: bytes, channel: bytes) -> None:
        owed = self._owed.pop(channel, 0)
        if owed > 1:
            # It was left, or joined again, meanwhile: this one is of what was before.
            self._owed[channel] = owed - 1
            return
        subscription = self.channels.get(channel)
        if subscription is None:
            return
        if kind in _ENDED:
            if subscription.lose():  # its slot has gone to another node
                self._missing.add(channel)
            self._owner.routes.misled()
            return
        subscription.confirmed.set()
        if subscription.missing:
            subscription.missing = False
            self._recovered = True
            self._heard_again(channel)

    def _heard_again(self, channel: bytes) -> None:
        """Wait for *channel* no more; after the last one tell that some are heard again."""
        self._missing.discard(channel)
        if self._recovered and not self._missing:
            self._recovered = False
            asyncio.get_running_loop().call_soon(self._owner.heard_again)

    def _refused(self, error: str) -> None:
        """Take an error for the answer to all that is not confirmed; it names no channel."""
        log.info("redis_subscription_refused", extra={"error": error})
        self._owed.clear()
        self._owner.routes.misled()

    async def _beat(self) -> None:
        """Find a connection that is dead without saying so; ask again for what was refused."""
        loop = asyncio.get_running_loop()
        woke = 0.0
        while True:
            before = loop.time()
            await asyncio.sleep(_BEAT)
            socket = self._connection.socket
            if socket is None:
                continue
            if loop.time() - before > 2 * _BEAT:
                # This process slept, and asked nothing: what was quiet as long is not dead, and
                # opened anew would be heard again only later.
                woke = loop.time()
            if loop.time() - max(socket.heard, woke) > self._limits.deadline + _BEAT:
                log.warning("redis_channels_hung", extra={"seconds": self._limits.deadline})
                socket.abort()
                continue
            socket.post(_PING)
            for channel, subscription in self.channels.items():
                if not subscription.confirmed.is_set() and not self._owed.get(channel):
                    self._ask(self._owner.subscribe_command, channel)
