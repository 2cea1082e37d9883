"""A Redis that cannot hold the index is told at the start, with the remedy."""

from __future__ import annotations

import pytest

from service.corpus.redis_search import engine
from service.corpus.redis_search.engine import EngineQuery
from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


async def test_a_server_with_the_query_engine_will_do(redis: Redis, keys: Keys) -> None:
    await engine.check(redis, keys)
    await engine.check(redis, keys)


async def test_a_server_without_it_is_refused_with_the_remedy(
    redis_server: Server, keys: Keys
) -> None:
    async with connection.connect(redis_server.url) as plain:
        with pytest.raises(FailedPrecondition, match="COLLOQUY_INDEX=embedded") as refused:
            await engine.check(plain, keys)
    assert "no Query Engine" in refused.value.message


async def test_another_database_is_refused(query_engine_server: Server, keys: Keys) -> None:
    url = query_engine_server.url + "?db=3"
    async with connection.connect(url) as other:
        with pytest.raises(FailedPrecondition, match="database 0"):
            await engine.check(other, keys)


async def test_a_user_who_may_not_use_it_is_told_which_rights_are_lacking(
    query_engine_server: Server, keys: Keys
) -> None:
    query_engine_server.allow_service()
    async with connection.connect(query_engine_server.service_url) as limited:
        with pytest.raises(FailedPrecondition, match=r"redis-users-search\.acl"):
            await engine.check(limited, keys)


async def test_an_index_that_is_not_there_is_no_empty_one(redis: Redis, keys: Keys) -> None:
    with pytest.raises(Unavailable):
        await engine.ask(redis, keys.corpus("a", "x"), [EngineQuery(b"absent", "@a:{b}", 10)])
