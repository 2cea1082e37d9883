"""A process notices when Redis no longer holds the data that it was started on."""

from __future__ import annotations

import pytest

from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.installation import Installation
from sessions.redis.keys import Keys
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


@pytest.fixture
async def installation(redis: Redis, keys: Keys) -> Installation:
    """Look at an installation whose id was not drawn yet."""
    await connection.check_install(redis, keys)
    made = Installation(redis, keys)
    await made.look()
    assert not made.lost
    await connection.secret(redis, keys, "id", b"mine")
    await made.look()
    assert not made.lost
    return made


async def test_a_redis_that_came_back_empty_has_lost_the_data_until_it_is_restored(
    redis: Redis, keys: Keys, installation: Installation
) -> None:
    fields = await redis.execute(keys.install, "HGETALL", keys.install)
    await redis.execute(keys.install, "UNLINK", keys.install)
    await installation.look()
    assert installation.lost
    await redis.execute(keys.install, "HSET", keys.install, "schema", 0)
    await installation.look()
    assert installation.lost, "it is being restored"
    await redis.execute(keys.install, "HSET", keys.install, *fields)
    await installation.look()
    assert not installation.lost


async def test_another_installation_is_not_this_one(
    redis: Redis, keys: Keys, installation: Installation
) -> None:
    await redis.execute(keys.install, "HSET", keys.install, "id", "another")
    await installation.look()
    assert installation.lost


async def test_a_redis_that_is_away_has_lost_nothing(own_server: Server, keys: Keys) -> None:
    async with connection.connect(own_server.url) as redis:
        await connection.check_install(redis, keys)
        installation = Installation(redis, keys)
        await installation.look()
        own_server.stop()
        await installation.look()
        assert not installation.lost
