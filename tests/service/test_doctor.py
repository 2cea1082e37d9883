"""What ``colloquy doctor`` finds about Redis."""

from __future__ import annotations

import argparse

import pytest

from service.commands import doctor
from service.settings import Settings
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("wanted", "mark", "said"), [(0, "ok", ""), (1, "missing", "0 replicas, COLLOQUY_REDIS_REPL")]
)
async def test_missing_replicas_of_redis_are_found(
    own_server: Server, capsys: pytest.CaptureFixture[str], wanted: int, mark: str, said: str
) -> None:
    settings = Settings(redis_url=own_server.url, redis_replicas=wanted, port=1)
    status = await doctor.run(argparse.Namespace(), settings)
    (line,) = [
        line for line in capsys.readouterr().out.splitlines() if line.split()[1:2] == ["redis"]
    ]
    assert line.split()[0] == mark
    assert said in line
    assert status == (mark == "missing")
