"""What sentinels say, asked by several at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence

import hiredis
import pytest

from sessions.redis.resp_socket import RedisTimeouts, pack
from sessions.redis.sentinels import Sentinels
from sessions.redis.urls import Deployment, DeploymentKind, NodeAddress

pytestmark = pytest.mark.anyio

MASTER = NodeAddress("127.0.0.1", 6379)
GONE = [NodeAddress("127.0.0.1", port) for port in range(1, 9)]
"""Where nobody listens."""


class Scripted:
    """A sentinel that knows of *others*."""

    def __init__(self) -> None:
        self.others: Sequence[NodeAddress] = ()

    def reply(self, command: list[bytes]) -> bytes:
        """Return the reply in RESP."""
        match command[1:2]:
            case [b"MASTER"]:
                return _fields(MASTER)
            case [b"SENTINELS"]:
                return b"*%d\r\n" % len(self.others) + b"".join(map(_fields, self.others))
            case [b"GET-MASTER-ADDR-BY-NAME"]:
                return pack(MASTER.host, MASTER.port)
            case _:
                return b"+OK\r\n"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        parser = hiredis.Reader()
        with contextlib.suppress(ConnectionError):
            while chunk := await reader.read(1 << 16):
                parser.feed(chunk)
                while (command := parser.gets()) is not False:
                    writer.write(self.reply(command))
        writer.close()


def _fields(at: NodeAddress) -> bytes:
    about = {"ip": at.host, "port": at.port, "config-epoch": 1, "flags": "master"}
    return pack(*(part for field in about.items() for part in field))


@contextlib.asynccontextmanager
async def scripted() -> AsyncGenerator[tuple[Scripted, Sentinels]]:
    sentinel = Scripted()
    server = await asyncio.start_server(sentinel.serve, "127.0.0.1", 0)
    async with server:
        seed = NodeAddress(*server.sockets[0].getsockname()[:2])
        deployment = Deployment(kind=DeploymentKind.SENTINEL, seeds=(seed,), service="main")
        sentinels = Sentinels(deployment, RedisTimeouts(opening=10.0))
        try:
            yield sentinel, sentinels
        finally:
            await sentinels.aclose()


async def test_sentinels_that_are_gone_may_be_forgotten_by_several_at_once() -> None:
    async with scripted() as (sentinel, sentinels):
        sentinel.others = GONE
        assert await sentinels.locate() == MASTER
        sentinel.others = ()
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(sentinels.locate()) for _ in range(10)]
        assert {task.result() for task in asked} == {MASTER}
