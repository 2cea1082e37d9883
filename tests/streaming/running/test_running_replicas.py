"""Who runs over a Redis says so when asked, and is counted where it does not."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import AsyncGenerator

import pytest

from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from streaming.log import control_messages
from streaming.running import running_replicas
from streaming.running.running_replicas import RunningReplicas
from tests.redis_servers import Cluster, Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet

pytestmark = pytest.mark.anyio

HERE = f"{socket.gethostname()} (process {os.getpid()})"


@contextlib.asynccontextmanager
async def running(redis: Redis, keys: Keys) -> AsyncGenerator[None]:
    """Run a replica, which hears what is said to all."""
    async with doubles.replica(redis, keys, Puppet()):
        await redis.channels.ready(keys.control(control_messages.EVERYONE))
        yield


async def test_each_replica_says_who_it_is_while_it_runs(
    redis_server: Server, redis: Redis, keys: Keys
) -> None:
    async with (
        connect(redis_server.url) as other,
        running(redis, keys),
        running(other, keys),
    ):
        found = await running_replicas.find(redis, keys)
        assert found == RunningReplicas((HERE, HERE), 0)
    assert not await running_replicas.find(redis, keys)


async def test_one_is_found_on_a_cluster(redis_cluster: Cluster, keys: Keys) -> None:
    async with connect(redis_cluster.url) as redis, running(redis, keys):
        assert await running_replicas.find(redis, keys) == RunningReplicas((HERE,), 0)


async def test_one_that_does_not_answer_is_counted(
    redis_server: Server, redis: Redis, keys: Keys
) -> None:
    channel = keys.control(control_messages.EVERYONE)
    async with connect(redis_server.url) as frozen, running(redis, keys):
        frozen.channels.listen(channel, lambda _: None)
        await frozen.channels.ready(channel)
        found = await running_replicas.find(redis, keys)
    assert found == RunningReplicas((HERE,), 1)
    assert str(found) == f"{HERE}, 1 without an answer"


async def test_one_of_another_database_is_none_of_ours(
    redis_server: Server, redis: Redis, keys: Keys
) -> None:
    """Whatever is published is heard in all databases of a Redis."""
    async with (
        connect(f"{redis_server.url}?db=1") as other,
        running(other, keys),
    ):
        assert not await running_replicas.find(redis, keys)
        assert await running_replicas.find(other, keys) == RunningReplicas((HERE,), 0)
