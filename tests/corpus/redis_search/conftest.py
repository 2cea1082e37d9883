"""What tests of the index on the Query Engine share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions.redis import connection
from tests.redis_servers import Server


@pytest.fixture
async def redis(query_engine_server: Server) -> AsyncIterator[connection.Redis]:
    """Open the server with the Query Engine."""
    async with connection.connect(query_engine_server.url) as redis:
        yield redis
