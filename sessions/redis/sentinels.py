"""Ask the sentinels of a Redis who its master is, and believe those that know the latest.

This is the one place that opens connections with redis-py: sentinels are asked once a second, and
its client brings the deadlines, AUTH and TLS that this needs. Its own `Sentinel` class is not used:
it believes the first sentinel that answers, which may be the last to hear of a failover.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from sessions.errors import Unavailable
from sessions.redis.resp_socket import RedisTimeouts
from sessions.redis.urls import Deployment, NodeAddress

_ALL: Final = 0.5
"""Seconds in which all sentinels may answer; then those that have are enough."""

log = logging.getLogger(__name__)


class _View(NamedTuple):
    """What one sentinel says."""

    epoch: int
    """Of the failover that made it so; the highest is the latest."""
    master: NodeAddress
    undecided: bool
    """Whether it is having a replica promoted, which may have happened already."""
    unheard: bool
    """Whether it does not hear the master."""
    others: frozenset[NodeAddress]
    """The other sentinels."""


class Sentinels:
    """The sentinels of one master: those that the URL names, and the others that these know.

    One alone may be wrong for seconds: who leads a failover knows of it first, and the others, or
    one that was frozen itself, name the old master until they hear of it.
    """

    def __init__(self, deployment: Deployment, limits: RedisTimeouts) -> None:
        """Ask for the master of *deployment*, whose seeds are sentinels, until `aclose`."""
        # Finding the master is a part of opening it: an absent sentinel must not cost all the time
        # in which another could answer.
        self._within = limits.opening / 2
        self._service = deployment.service
        self._options = _options(deployment, self._within)
        self._seeds = frozenset(deployment.seeds)
        self._clients: dict[NodeAddress, redis.asyncio.Redis] = {}
        self._know(self._seeds)

    async def aclose(self) -> None:
        """Close the connections to all of them."""
        for client in list(self._clients.values()):
            await client.aclose()

    async def locate(self) -> NodeAddress:
        """Return where the master is now.

        Raises:
            Unavailable: no sentinel knows it, or one is replacing it, or most do not hear it and
                are about to: what the old one still acknowledges may be lost.
        """
        views = await self._views()
        if views:
            await self._forget(self._seeds.union(*(view.others for view in views)))
        latest = max((view.epoch for view in views), default=0)
        newest = [view for view in views if view.epoch == latest]
        if not newest:
            raise _unknown(f"no sentinel knows the master '{self._service}'")
        if any(view.undecided for view in newest):
            raise _unknown(f"the sentinels are replacing the master '{self._service}'")
        # We may hear it all the same, where it is cut off from them and from its replicas alone.
        if 2 * sum(view.unheard for view in newest) > len(newest):
            raise _unknown(f"most sentinels do not hear the master '{self._service}'")
        return newest[0].master

    async def _views(self) -> list[_View]:
        """Ask all of them at once, and wait for the slow ones a little."""
        views: list[_View] = []
        async with asyncio.TaskGroup() as tasks:
            asked = [
                tasks.create_task(self._ask(client, views), name="redis-sentinel-view")
                for client in self._clients.values()
            ]
            await asyncio.wait(asked, timeout=_ALL)
            while not views and (left := [task for task in asked if not task.done()]):
                # Each ends within its own time; one answer is better than none.
                await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
            for task in asked:
                task.cancel()
        return views

    async def _ask(self, client: redis.asyncio.Redis, views: list[_View]) -> None:
        """Add what one of them says to *views*: nothing where it is away, or does not know."""
        with contextlib.suppress(OSError, RedisError):
            async with (
                asyncio.timeout(self._within),
                client.pipeline(transaction=False) as pipeline,
            ):
                for question in ("MASTER", "SENTINELS", "GET-MASTER-ADDR-BY-NAME"):
                    pipeline.execute_command("SENTINEL", question, self._service)  # pyright: ignore[reportUnknownMemberType] - its *args have no type
                replies = await pipeline.execute()
            try:
                view = _read(*replies)
            except (LookupError, TypeError, ValueError):
                log.warning("redis_sentinel_unreadable", exc_info=True)
                return
            self._know(view.others)
            views.append(view)

    def _know(self, addresses: frozenset[NodeAddress]) -> None:
        for address in addresses - self._clients.keys():
            self._clients[address] = redis.asyncio.Redis(
                host=address.host, port=address.port, **self._options
            )

    async def _forget(self, known: frozenset[NodeAddress]) -> None:
        """Ask only *known* ones from now on: the others have moved, and each costs a wait."""
        # Out of the way before anything is awaited: others may be here at the same time.
        gone = [self._clients.pop(address) for address in self._clients.keys() - known]
        for client in gone:
            await client.aclose()


def _options(deployment: Deployment, within: float) -> dict[str, Any]:
    """Return what redis-py opens a sentinel with; it has a name and password of its own."""
    options: dict[str, Any] = {
        "username": deployment.sentinel_username or None,
        "password": deployment.sentinel_password or None,
        "socket_timeout": within,
        "socket_connect_timeout": within,
        "retry": Retry(NoBackoff(), 0),  # whoever locates comes again, and asks all of them
        "protocol": 2,
    }
    if tls := deployment.tls:
        options |= {
            "ssl": True,
            "ssl_ca_certs": tls.ca_certs or None,
            "ssl_certfile": tls.certfile or None,
            "ssl_keyfile": tls.keyfile or None,
            "ssl_cert_reqs": "required" if tls.verified else "none",
            "ssl_check_hostname": tls.verified,
        }
    return options


def _read(master: list[bytes], others: list[list[bytes]], named: list[bytes]) -> _View:
    about = _fields(master)
    return _View(
        epoch=int(about[b"config-epoch"]),
        master=NodeAddress(named[0].decode(), int(named[1])),
        undecided=_is_replacing(about, named),
        unheard=b"s_down" in about[b"flags"].split(b","),
        others=frozenset(_address(_fields(other)) for other in others),
    )


def _is_replacing(master: dict[bytes, bytes], named: Sequence[bytes]) -> bool:
    """Tell whether the sentinel has a replica promoted and does not know yet that it is.

    It names the replica once that says so, while the failover goes on for the other replicas.
    """
    failing_over = b"failover_in_progress" in master[b"flags"].split(b",")
    return failing_over and tuple(named) == (master[b"ip"], master[b"port"])


def _fields(reply: Sequence[bytes]) -> dict[bytes, bytes]:
    return dict(zip(reply[::2], reply[1::2], strict=True))


def _address(fields: dict[bytes, bytes]) -> NodeAddress:
    return NodeAddress(fields[b"ip"].decode(), int(fields[b"port"]))


def _unknown(message: str) -> Unavailable:
    return Unavailable(message, reason="REDIS_UNAVAILABLE")
