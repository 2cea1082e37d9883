"""The mock portal is served where the service is for its own machine alone, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from service.api.pages.static_pages import chat_integrity, chat_version
from tests.whole.processes import services

pytestmark = pytest.mark.anyio


async def test_each_name_of_this_machine_embeds_from_the_other_until_there_is_a_key(
    tmp_path: Path,
) -> None:
    async with services(tmp_path) as (one,), aiohttp.ClientSession() as client:
        await one.start()
        here, there = f"http://localhost:{one.port}", f"http://127.0.0.1:{one.port}"
        for page, service in ((here, there), (there, here)):
            async with client.get(f"{page}/demo?data-store=help") as reply:
                assert reply.status == 200
                policy = reply.headers["Content-Security-Policy"]
                html = await reply.text()
            assert f"script-src 'self' {service};" in policy
            assert "require-trusted-types-for 'script'" in policy
            assert f'src="{service}/widget/{chat_version()}/colloquy-chat.js"' in html
            assert f'integrity="{chat_integrity()}"' in html
            assert "/dataStores/help/servingConfigs/default_config" in html
        hostile = {"data-store": 'x"><script>alert(1)</script>'}
        async with client.get(f"{here}/demo", params=hostile) as reply:
            assert "alert(1)" not in await reply.text()
        async with client.get(f"{there}/demo", headers={"Host": "127.0.0.2"}) as reply:
            assert (reply.status, (await reply.json())["error"]["code"]) == (404, 404)
        assert re.search(r"portal +http://127\.0\.0\.1:\d+/demo", one.printed.read_text())
        await one.given("keys", "create", "--scope", "admin")
        await one.stop()
        async with one.in_a_thread(), client.get(f"{here}/demo") as reply:
            assert reply.status == 404
            assert "has no API key" in (await reply.json())["error"]["message"]
