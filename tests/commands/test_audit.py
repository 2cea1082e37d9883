"""What ``colloquy audit`` prints of the log, and what it says of one that was changed."""

from __future__ import annotations

import argparse
import datetime as dt
import json

import pytest

from service.commands import audit
from service.privacy.audit_log import AuditEntry, AuditLog
from service.settings import Settings
from sessions.redis import connection
from sessions.redis.keys import Keys
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


async def printed(
    server: Server, capsys: pytest.CaptureFixture[str], **given: object
) -> tuple[int, list[str], str]:
    options = {"after": "", "follow": False, "json": False, "verify": False, **given}
    status = await audit.run(argparse.Namespace(**options), Settings(redis_url=server.url))
    out = capsys.readouterr()
    return status, out.out.splitlines(), out.err


async def test_entries_are_shipped_from_any_on_and_verified(
    own_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    async with connection.connect(own_server.url) as redis:
        log, key = AuditLog(redis, Keys()), Keys().audit()
        for method in ("CreateEngine", "DeleteEngine"):
            time = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
            await log.append(AuditEntry(time=time, principal="key:a", method=method, count=2))
        _, lines, _ = await printed(own_server, capsys, json=True)
        first, last = [json.loads(line) for line in lines]
        assert (first["principal"], first["method"], first["count"]) == ("key:a", "CreateEngine", 2)
        _, lines, _ = await printed(own_server, capsys, after=first["id"])
        assert len(lines) == 1
        assert "DeleteEngine x2" in lines[0]
        status, lines, _ = await printed(own_server, capsys, verify=True)
        assert (status, lines) == (0, [f"2 entries, unchanged; the last hash is {last['hash']}"])
        await redis.execute(key, "XDEL", key, first["id"])
        status, _, said = await printed(own_server, capsys, verify=True)
        assert status == 1
        assert "was changed" in said
