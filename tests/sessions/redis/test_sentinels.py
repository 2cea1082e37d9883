"""What sentinels say, asked by several at a time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence

import hiredis
import pytest

from sessions.errors import Unavailable
from sessions.redis.resp_socket import RedisTimeouts, pack
from sessions.redis.sentinels import Sentinels
from sessions.redis.urls import Deployment, DeploymentKind, NodeAddress

pytestmark = pytest.mark.anyio

MASTER = NodeAddress("127.0.0.1", 6379)
GONE = [NodeAddress("127.0.0.1", port) for port in range(1, 9)]
"""Where nobody listens."""


class Scripted:
    """A sentinel that knows of *others*, and what is the matter with the master."""

    def __init__(self) -> None:
        self.others: Sequence[NodeAddress] = ()
        self.flags = "master"

    def reply(self, command: list[bytes]) -> bytes:
        """Return the reply in RESP."""
        match command[1:2]:
            case [b"MASTER"]:
                return _fields(MASTER, self.flags)
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


def _fields(at: NodeAddress, flags: str = "sentinel") -> bytes:
    about = {"ip": at.host, "port": at.port, "config-epoch": 1, "flags": flags}
    return pack(*(part for field in about.items() for part in field))


@contextlib.asynccontextmanager
async def scripted(*all_of_them: Scripted) -> AsyncGenerator[Sentinels]:
    async with contextlib.AsyncExitStack() as stack:
        seeds: list[NodeAddress] = []
        for sentinel in all_of_them:
            server = await asyncio.start_server(sentinel.serve, "127.0.0.1", 0)
            await stack.enter_async_context(server)
            seeds.append(NodeAddress(*server.sockets[0].getsockname()[:2]))
        deployment = Deployment(kind=DeploymentKind.SENTINEL, seeds=tuple(seeds), service="main")
        sentinels = Sentinels(deployment, RedisTimeouts(opening=10.0))
        stack.push_async_callback(sentinels.aclose)
        yield sentinels


async def test_sentinels_that_are_gone_may_be_forgotten_by_several_at_once() -> None:
    sentinel = Scripted()
    async with scripted(sentinel) as sentinels:
        sentinel.others = GONE
        assert await sentinels.locate() == MASTER
        sentinel.others = ()
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(sentinels.locate()) for _ in range(10)]
        assert {task.result() for task in asked} == {MASTER}


async def test_a_master_that_most_sentinels_do_not_hear_is_not_named() -> None:
    """It may acknowledge to us what is lost as soon as they replace it."""
    three = [Scripted() for _ in range(3)]
    async with scripted(*three) as sentinels:
        three[0].flags = "master,s_down"
        assert await sentinels.locate() == MASTER
        three[1].flags = "master,s_down,o_down"
        with pytest.raises(Unavailable, match="do not hear"):
            await sentinels.locate()
