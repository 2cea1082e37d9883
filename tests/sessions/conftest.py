"""A Redis of our own for every test that stores something."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions.redis import connection
from sessions.redis.connection import Redis
from tests.redis_servers import Server


@pytest.fixture
async def redis(redis_server: Server) -> AsyncIterator[Redis]:
    async with connection.connect(redis_server.url) as redis:
        yield redis
