"""What ``colloquy tokens rotate`` ends, keeps and records, on a Redis of its own."""

from __future__ import annotations

import pytest

from service.__main__ import parser
from service.privacy.audit_log import AuditLog
from service.security.tokens.signing_keys import SigningKeys
from service.settings import Settings
from sessions.redis import connection
from sessions.redis.keys import Keys
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


async def _rotate(server: Server, *arguments: str) -> None:
    called = parser().parse_args(["tokens", "rotate", *arguments])
    assert await called.command(called, Settings(redis_url=server.url)) == 0


async def test_a_new_key_signs_and_the_old_one_verifies_until_it_is_ended(
    own_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async with connection.connect(own_server.url) as redis:
        first = (await SigningKeys(redis, Keys()).current()).kid
        await _rotate(own_server)
        replica = SigningKeys(redis, Keys())
        second = (await replica.current()).kid
        assert second != first
        assert await replica.keys("HS256", first), "what was signed before is good until its end"
        await _rotate(own_server, "--end-tokens")
        replica = SigningKeys(redis, Keys())
        third = (await replica.current()).kid
        assert not await replica.keys("HS256", first)
        assert not await replica.keys("HS256", second)
        acts = [each async for each in AuditLog(redis, Keys()).read()]
    told = capsys.readouterr().out
    assert f"{second}; those signed before are good until their end" in told
    assert f"{third}; those signed before are ended" in told
    assert [(each.entry.principal, each.entry.method, each.entry.resource) for each in acts] == [
        ("terminal", "colloquy tokens rotate", f"signing-key:{second}"),
        ("terminal", "colloquy tokens rotate --end-tokens", f"signing-key:{third}"),
    ]
