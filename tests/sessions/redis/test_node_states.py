"""The life of a connection to a node is the one that its docstring draws."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Final

import msgspec
import pytest

from sessions.redis.handshake import NodeAccess
from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import LULL, RedisTimeouts, away, pack
from sessions.redis.urls import NodeAddress, parse
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

Row = tuple[str, str, str]

DRAWN: Final[list[Row]] = re.findall(
    r"^(AWAY|OPENING|OPEN|DOUBTED)  +(\S.*?)  +(\w+)$",
    inspect.getdoc(NodeConnection) or "",
    re.MULTILINE,
)
PATIENT: Final = RedisTimeouts(deadline=10, opening=10)
LIMITS: Final = {
    "it takes longer than `RedisTimeouts.opening`": msgspec.structs.replace(PATIENT, opening=0.1),
    "nobody can say who has it, until the deadline": msgspec.structs.replace(PATIENT, deadline=0.1),
}


class Life:
    """A connection, its node, and who knows whether that has its place; all do what a test says."""

    def __init__(self, url: str, limits: RedisTimeouts) -> None:
        self.greeting = b"+PONG\r\n"
        self.greets = asyncio.Event()
        self.located = asyncio.Event()
        self.is_known = True
        self.verdicts: list[asyncio.Future[bool]] = []
        self.seen: list[str] = []
        """What it was whenever it said that it changed."""
        self._address = parse(url).seeds[0]
        self._writers: list[asyncio.StreamWriter] = []
        self.connection = NodeConnection(
            self._locate,
            NodeAccess(parse(url), limits, None),
            serves=self._serves,
            changed=lambda: self.seen.append(self.state),
        )

    @property
    def state(self) -> str:
        if (socket := self.connection.socket) is not None:
            return "DOUBTED" if socket.is_doubted else "OPEN"
        return "OPENING" if self._writers else "AWAY"

    async def _locate(self) -> NodeAddress:
        self._writers.clear()
        await self.located.wait()
        return self._address

    async def _serves(self, _: NodeConnection) -> bool:
        if not self.is_known:
            raise away()
        self.verdicts.append(asyncio.get_running_loop().create_future())
        return await self.verdicts[-1]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(1 << 16):
                self._writers.append(writer)
                await self.greets.wait()
                writer.write(self.greeting * (chunk.count(b"PING") + chunk.count(b"INFO")))
        writer.close()

    def hang_up(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def go_silent(self) -> None:
        """Have it that the node said nothing for longer than a lull, and make it speak."""
        assert self.connection.socket is not None
        self.connection.socket.heard -= 2 * LULL
        self.connection.socket.issue(pack("PING"))

    async def brought_to(self, state: str) -> None:
        if state != "AWAY":
            self.located.set()
        if state in ("OPEN", "DOUBTED"):
            self.greets.set()
            await eventually(lambda: self.state == "OPEN")
        if state == "DOUBTED":
            self.go_silent()
            await eventually(lambda: bool(self.verdicts) or not self.is_known)
        await eventually(lambda: self.state == state)
        self.located.clear()  # so that it stays AWAY where it goes there
        self.seen.clear()


@contextlib.asynccontextmanager
async def living(
    folder: Path, limits: RedisTimeouts, kind: type[Life] = Life
) -> AsyncGenerator[Life]:
    life = kind(f"unix://{folder}/node.sock?db=0", limits)
    server = await asyncio.start_unix_server(life.serve, folder / "node.sock")
    async with server, asyncio.TaskGroup() as tasks:
        keeper = tasks.create_task(life.connection.keep())
        yield life
        life.greets.set()
        keeper.cancel()


def refuse(life: Life) -> None:
    life.greeting = b"-NOAUTH Authentication required.\r\n"
    life.greets.set()


EVENTS: Final[dict[str, Callable[[Life], object]]] = {
    "the node is located": lambda life: life.located.set(),
    "it lets us in": lambda life: life.greets.set(),
    "it refuses us": refuse,
    "it takes longer than `RedisTimeouts.opening`": lambda life: None,
    "it is dropped": lambda life: life.connection.drop(),
    "it speaks after a lull": lambda life: life.go_silent(),
    "the socket breaks": lambda life: life.hang_up(),
    "it has its place still": lambda life: life.verdicts[0].set_result(True),
    "it speaks after another lull": lambda life: life.go_silent(),
    "another has its place": lambda life: life.verdicts[0].set_result(False),
    "nobody can say who has it, until the deadline": lambda life: None,
}


@pytest.mark.parametrize(("state", "event", "then"), DRAWN)
async def test_a_connection_lives_as_it_is_drawn(
    tmp_path: Path, state: str, event: str, then: str
) -> None:
    async with living(tmp_path, LIMITS.get(event, PATIENT)) as life:
        life.is_known = not event.startswith("nobody can say")
        await life.brought_to(state)
        EVENTS[event](life)
        if state == then:
            await eventually(lambda: len(life.verdicts) == 2)
        await eventually(lambda: then in life.seen or life.state == then)


async def test_a_word_for_what_came_before_a_lull_does_not_vouch_for_what_comes_after(
    tmp_path: Path,
) -> None:
    async with living(tmp_path, PATIENT) as life:
        await life.brought_to("DOUBTED")
        life.go_silent()
        await eventually(lambda: len(life.verdicts) == 2)
        life.verdicts[0].set_result(True)
        await asyncio.wait([life.verdicts[0]])
        await asyncio.sleep(0)
        assert life.state == "DOUBTED"
        life.verdicts[1].set_result(True)
        await eventually(lambda: life.state == "OPEN")


async def test_what_is_held_back_is_not_missed(tmp_path: Path) -> None:
    """The node has spoken, however long others take to say who it is."""
    hasty = msgspec.structs.replace(PATIENT, deadline=0.1)
    async with living(tmp_path, hasty) as life:
        await life.brought_to("DOUBTED")
        clock = asyncio.get_running_loop().time
        until = clock() + 5 * hasty.deadline
        await eventually(lambda: clock() > until)
        assert life.state == "DOUBTED"
        life.verdicts[0].set_result(True)
        await eventually(lambda: life.state == "OPEN")


class Sleeper(Life):
    """One whose process is frozen while it asks for the first time."""

    slept = False

    async def _serves(self, _: NodeConnection) -> bool:
        if not self.slept:
            self.slept = True
            time.sleep(0.4)  # noqa: ASYNC251 - as if it were frozen
            await asyncio.sleep(0)  # so that the loop knows what time it is
            raise away()
        return True


async def test_who_slept_has_not_asked_in_vain(tmp_path: Path) -> None:
    """All sockets would break at each thaw, and with them what is known of leases."""
    hasty = msgspec.structs.replace(PATIENT, deadline=0.3, opening=0.2)
    async with living(tmp_path, hasty, Sleeper) as life:
        life.located.set()
        life.greets.set()
        await eventually(lambda: life.state == "OPEN")
        socket = life.connection.socket
        life.go_silent()
        await eventually(lambda: socket is not None and socket.doubts == 1)
        await eventually(lambda: life.state != "DOUBTED")
        assert life.connection.socket is socket


def test_the_drawing_has_every_state_and_event() -> None:
    assert {event for _, event, _ in DRAWN} == EVENTS.keys()
    assert {state for state, _, _ in DRAWN} == {then for _, _, then in DRAWN}
