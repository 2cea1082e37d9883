"""Set redis-py up for discovery, administration and all that is not hot.

The one place that knows how redis-py is configured; its loose types end here.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any, NamedTuple

import redis.asyncio
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff

from sessions.redis.node_connection import Locate
from sessions.redis.resp_socket import RedisTimeouts
from sessions.redis.sentinels import Sentinels
from sessions.redis.urls import Deployment, DeploymentKind, NodeAddress

Client = redis.asyncio.Redis | redis.asyncio.RedisCluster


class Discovery(NamedTuple):
    """A redis-py client, and how the one node is found where there is one."""

    client: Client
    locate: Locate


@contextlib.asynccontextmanager
async def discovery(deployment: Deployment, limits: RedisTimeouts) -> AsyncGenerator[Discovery]:
    """Set the client of *deployment* up; it connects when it is first used."""
    options = _options(deployment, limits)
    first = deployment.seeds[0]

    async def fixed() -> NodeAddress:
        return first

    locate: Locate = fixed
    async with contextlib.AsyncExitStack() as stack:
        if deployment.kind is DeploymentKind.SENTINEL:
            client, locate = await _sentinel(deployment, options, limits, stack)
        elif deployment.kind is DeploymentKind.CLUSTER:
            nodes = [ClusterNode(seed.host, seed.port) for seed in deployment.seeds]
            client = redis.asyncio.RedisCluster(startup_nodes=nodes, **options)
        elif first.path:
            client = redis.asyncio.Redis(unix_socket_path=first.path, db=deployment.db, **options)
        else:
            client = redis.asyncio.Redis(
                host=first.host, port=first.port, db=deployment.db, **options
            )
        stack.push_async_callback(client.aclose)
        yield Discovery(client, locate)


async def _sentinel(
    deployment: Deployment,
    options: dict[str, Any],
    limits: RedisTimeouts,
    stack: contextlib.AsyncExitStack,
) -> tuple[redis.asyncio.Redis, Locate]:
    # An absent sentinel must not cost the time in which the next one could answer.
    within = limits.opening / 2
    entry: dict[str, Any] = {
        "username": deployment.sentinel_username or None,
        "password": deployment.sentinel_password or None,
        "socket_timeout": within,
        "socket_connect_timeout": within,
        "retry": Retry(NoBackoff(), 0),
        **_tls(deployment),
    }
    seeds = [(seed.host, seed.port) for seed in deployment.seeds]
    sentinel = Sentinel(seeds, sentinel_kwargs=entry, **options)
    stack.push_async_callback(sentinel.aclose)
    group = Sentinels(deployment.service, deployment.seeds, {**entry, "protocol": 2}, within)
    stack.push_async_callback(group.aclose)
    client = sentinel.master_for(deployment.service, db=deployment.db)  # pyright: ignore[reportUnknownMemberType] - its **kwargs have no type
    return client, group.locate


def _options(deployment: Deployment, limits: RedisTimeouts) -> dict[str, Any]:
    return {
        "username": deployment.username or None,
        "password": deployment.password or None,
        "protocol": 2,
        "socket_timeout": limits.deadline,
        "socket_connect_timeout": limits.opening,
        **_tls(deployment),
    }


def _tls(deployment: Deployment) -> dict[str, Any]:
    if (tls := deployment.tls) is None:
        return {}
    return {
        "ssl": True,
        "ssl_ca_certs": tls.ca_certs or None,
        "ssl_certfile": tls.certfile or None,
        "ssl_keyfile": tls.keyfile or None,
        "ssl_cert_reqs": "required" if tls.verified else "none",
        "ssl_check_hostname": tls.verified,
    }
