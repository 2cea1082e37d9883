"""A master that clients hear, and nobody else, loses nothing that they wait to be replicated."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path

import pytest

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from tests import redis_servers
from tests.chaos import preload, topologies
from tests.chaos.topologies import Name
from tests.waiting import eventually

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not preload.has_compiler(), reason="no C compiler"),
]
UNTIL_REPLACED = 1
"""The seed of such a partition."""


async def test_what_a_cluster_acknowledged_while_it_was_cut_in_two_is_there(
    redis_binary: str, tmp_path: Path
) -> None:
    library = preload.compiled(tmp_path)
    with (
        redis_servers.folder() as folder,
        topologies.opened(Name.CLUSTER, redis_binary, folder, "", library) as cluster,
    ):
        async with connect(cluster.url, replicas=1) as redis:
            acknowledged: list[bytes] = []
            async with asyncio.TaskGroup() as tasks:
                writers = [tasks.create_task(_write(redis, n, acknowledged)) for n in range(12)]
                await eventually(lambda: len(acknowledged) > 100)
                await cluster.part(random.Random(UNTIL_REPLACED), 0)
                for writer in writers:
                    writer.cancel()
            assert [key for key in acknowledged if await _read(redis, key) != b"v"] == []


async def _read(redis: Redis, key: bytes) -> bytes | None:
    found: list[bytes | None] = []

    async def is_read() -> bool:
        with contextlib.suppress(Unavailable):
            found.append(await redis.execute(key, "GET", key))
        return bool(found)

    await eventually(is_read)
    return found[0]


async def _write(redis: Redis, number: int, acknowledged: list[bytes]) -> None:
    at = 0
    while True:
        key = b"%d-%d" % (number, at)
        at += 1
        with contextlib.suppress(Unavailable):
            await redis.execute(key, "SET", key, "v")
            await redis.replicated(key)
            acknowledged.append(key)
        await asyncio.sleep(0.01)
