"""A node of Redis that is away keeps nobody from what is to be done at the others."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest

from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from streaming.log.submissions import Submission
from streaming.running.node_rounds import NodeRounds
from streaming.running.runner import Timing
from tests import redis_servers
from tests.redis_servers import Cluster, Server
from tests.streaming import doubles
from tests.streaming.doubles import SILENT, Puppet
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

SHORT = Timing(ttl=1, reap_every=0.05)
NEVER = RedisTimeouts(deadline=4 * LONG, patience=4 * LONG)
"""Waits for a node that is frozen for as long as a test takes."""


@pytest.fixture
def cluster(redis_binary: str) -> Iterator[Cluster]:
    """Run one whose nodes wait long for each other: it goes on without the one that is frozen."""
    with (
        redis_servers.folder() as folder,
        redis_servers.cluster(redis_binary, folder) as cluster,
    ):
        for node in cluster.nodes:
            node.call("CONFIG", "SET", "cluster-node-timeout", int(1000 * LONG))
        yield cluster


@pytest.fixture
async def redis(cluster: Cluster) -> AsyncIterator[Redis]:
    async with connect(cluster.url, limits=NEVER) as redis:
        yield redis


@pytest.fixture
def frozen(cluster: Cluster) -> Iterator[Server]:
    """Give a node that the test may freeze."""
    yield cluster.nodes[0]
    cluster.nodes[0].signal(signal.SIGCONT)


def elsewhere(redis: Redis, keys: Keys, node: Server) -> Submission:
    """Build a submission to a session that *node* does not serve."""
    while True:
        submission = doubles.submission()
        way = redis.connection(keys.log(submission.answer))
        if way is not None and way.address is not None and way.address.port != node.port:
            return submission


async def test_leases_are_renewed_while_another_node_is_frozen(
    redis: Redis, keys: Keys, frozen: Server
) -> None:
    async with doubles.replica(redis, keys, Puppet(), SHORT) as one:
        answer = (await one.runner.submit(elsewhere(redis, keys, frozen))).answer
        leases = keys.leases(keys.partition(answer.rsplit("/", 2)[0]))

        async def until() -> float:
            return float(await redis.execute(leases, "ZSCORE", leases, answer))

        frozen.signal(signal.SIGSTOP)
        granted = await until()

        async def lasts() -> bool:
            return await until() > granted + 2000 * SHORT.ttl

        await eventually(lasts)
        frozen.signal(signal.SIGCONT)


async def test_answers_are_taken_over_while_another_node_is_frozen(
    cluster: Cluster, redis: Redis, keys: Keys, frozen: Server
) -> None:
    async with (
        connect(cluster.url, limits=NEVER) as others,
        doubles.replica(others, keys, Puppet(), SHORT) as other,
        doubles.replica(redis, keys, Puppet(), SILENT) as dead,
    ):
        frozen.signal(signal.SIGSTOP)
        await dead.runner.submit(elsewhere(redis, keys, frozen))
        await eventually(lambda: other.runner.running == 1)
        frozen.signal(signal.SIGCONT)


async def test_a_node_has_rounds_for_as_long_as_it_serves_something(
    redis: Redis, cluster: Cluster, keys: Keys
) -> None:
    done: list[Sequence[int]] = []

    async def note(partitions: Sequence[int]) -> float:
        done.append(partitions)
        return 0.01

    rounds = asyncio.create_task(NodeRounds(redis, keys, note, 0.0).run())
    await eventually(lambda: len({tuple(each) for each in done}) == len(cluster.nodes))
    assert {partition for each in done for partition in each} == set(range(keys.partitions))
    rounds.cancel()
