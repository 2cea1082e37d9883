"""What is kept of a user is printed and deleted from the terminal, without a running service."""

from __future__ import annotations

import argparse
import json

import pytest

from service import stores
from service.commands import user_data
from service.privacy.audit_log import AuditLog
from service.settings import Settings
from sessions import names
from sessions.errors import NotFound
from sessions.resources.sessions import Session
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

ADA = argparse.Namespace(user="ada", location="projects/colloquy/locations/global")


async def test_a_user_is_exported_then_purged(
    own_server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(redis_url=own_server.url)
    async with stores.opened(settings) as store:
        own, other = [
            (await store.sessions.create(names.SAMPLE_DATA_STORE, Session(), user=user)).name
            for user in ("ada", "adam")
        ]
        assert await user_data.export(ADA, settings) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [each["type"] for each in lines] == ["session", "end"]
        assert lines[0]["session"]["name"] == own
        assert await user_data.purge(ADA, settings) == 0
        assert "1 session deleted" in capsys.readouterr().out
        with pytest.raises(NotFound):
            await store.sessions.get(own)
        assert await store.sessions.exists(other)
        recorded = [each async for each in AuditLog(store.redis, store.keys).read()]
        assert [each.entry.method.split()[-1] for each in recorded] == ["export", "purge"]
        assert not any(b"ada" in each.text for each in recorded)
