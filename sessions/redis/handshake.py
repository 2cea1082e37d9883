"""Open a socket to a Redis node and be let in, as the URL of the deployment says."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from sessions.redis.measures import UNREAD, RedisMeasures
from sessions.redis.resp_socket import RedisTimeouts, RespSocket, pack
from sessions.redis.urls import Deployment, DeploymentKind, NodeAddress

_RUN_ID: Final = re.compile(rb"^run_id:(\w+)", re.MULTILINE)


class NodeAccess(NamedTuple):
    """What opens any node of a deployment."""

    deployment: Deployment
    limits: RedisTimeouts
    tls: ssl.SSLContext | None
    replicas: int = 0
    """How many replicas of a node are waited for."""
    measures: RedisMeasures = UNREAD


async def enter(
    address: NodeAddress,
    access: NodeAccess,
    *,
    push: Callable[[Any], None] | None = None,
    doubted: Callable[[RespSocket], None] | None = None,
) -> tuple[RespSocket, bytes]:
    """Open a socket to *address* and enter: AUTH, SELECT, and a PING that a loading server refuses.

    Return it with what the server calls itself, b"" where nobody asks for that; *push* and
    *doubted* are the socket's. Whoever opens bounds the time.

    Raises:
        OSError: nobody listens there, what does speaks no RESP, or TLS fails.
        ResponseError: the server refuses us.
        Unavailable: it broke the connection.
    """
    seconds = access.measures.reply_seconds
    socket = await _connected(
        address, access, lambda: RespSocket(access.limits, push, doubted, seconds)
    )
    try:
        greeting = _greeting(access.deployment)
        replies = await socket.issue_many(
            b"".join(pack(*command) for command in greeting), len(greeting)
        )
        for reply in replies:
            if isinstance(reply, Exception):
                if socket.unreadable:
                    raise OSError(f"what listens there is no Redis ({socket.unreadable})")
                raise reply
    except BaseException:
        socket.abort()
        raise
    return socket, run_id(replies[-1])


def run_id(info: Any) -> bytes:
    """Return what the server of the reply to INFO calls itself, b"" where it does not say."""
    match = _RUN_ID.search(info) if isinstance(info, bytes) else None
    return match[1] if match else b""


async def _connected(
    address: NodeAddress, access: NodeAccess, protocol: Callable[[], RespSocket]
) -> RespSocket:
    loop = asyncio.get_running_loop()
    if address.path:
        return (await loop.create_unix_connection(protocol, address.path))[1]
    host, port, _ = address
    return (await loop.create_connection(protocol, host, port, ssl=access.tls))[1]


def _greeting(deployment: Deployment) -> list[tuple[str, ...]]:
    greeting: list[tuple[str, ...]] = []
    if deployment.password:
        greeting.append(("AUTH", *filter(None, (deployment.username, deployment.password))))
    if deployment.db:
        greeting.append(("SELECT", str(deployment.db)))
    # AUTH and SELECT succeed while a server loads its data; commands do not.
    greeting.append(("PING",))
    if deployment.kind is DeploymentKind.STANDALONE:
        # Sentinels and the other masters of a cluster say who is master; here nobody does, so the
        # process itself must be known again.
        greeting.append(("INFO", "server"))
    return greeting
