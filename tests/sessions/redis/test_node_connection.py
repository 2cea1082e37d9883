"""The hot connection: what callers who share it may rely on, whatever befalls it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from sessions.redis.handshake import NodeAccess
from sessions.redis.keys import Keys
from sessions.redis.node_connection import NodeConnection
from sessions.redis.resp_socket import LULL, RedisTimeouts, pack
from sessions.redis.urls import parse
from sessions.supervision import forever
from tests import redis_servers
from tests.sessions.doubles import scripted_redis
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.2, patience=0.1, opening=0.2, backoff=0.02)


@contextlib.asynccontextmanager
async def kept(url: str, limits: RedisTimeouts = HASTY) -> AsyncGenerator[NodeConnection]:
    """Open a connection to *url* without any routing above it."""
    deployment = parse(url)

    async def locate() -> Any:
        return deployment.seeds[0]

    connection = NodeConnection(locate, NodeAccess(deployment, limits, None))
    async with asyncio.TaskGroup() as tasks:
        keeper = tasks.create_task(connection.keep())
        await eventually(lambda: connection.socket is not None)
        yield connection
        keeper.cancel()


def echo(command: list[bytes]) -> bytes:
    return b"$%d\r\n%s\r\n" % (len(command[-1]), command[-1])


class Held:
    """Answers like `echo`, from the moment it is released."""

    def __init__(self) -> None:
        self.released = asyncio.Event()

    async def __call__(self, command: list[bytes]) -> bytes:
        await self.released.wait()
        return echo(command)


async def test_commands_of_one_turn_leave_in_one_write() -> None:
    async with (
        scripted_redis(echo) as redis,
        kept(redis.url) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        for number in range(50):
            tasks.create_task(connection.send(pack("ECHO", number)))
        await eventually(lambda: len(redis.commands) == 50)
        assert len(redis.chunks) == 1


async def test_each_of_many_callers_gets_its_own_reply(redis: Redis, keys: Keys) -> None:
    async with asyncio.TaskGroup() as tasks:
        asked = [
            tasks.create_task(redis.execute(keys.install, "ECHO", number)) for number in range(500)
        ]
    assert [int(task.result()) for task in asked] == list(range(500))


async def test_a_cancelled_caller_disturbs_nobody() -> None:
    """A reply that nobody waits for any more is dropped; the others stay in step."""
    held = Held()
    async with (
        scripted_redis(held) as redis,
        kept(redis.url) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        callers = [tasks.create_task(connection.send(pack("ECHO", n))) for n in range(3)]
        await eventually(lambda: len(redis.commands) >= 1)
        callers[1].cancel()
        held.released.set()
        assert [await callers[0], await callers[2]] == [b"0", b"2"]


async def test_a_cancelled_batch_disturbs_nobody() -> None:
    held = Held()
    async with (
        scripted_redis(held) as redis,
        kept(redis.url) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        batch = tasks.create_task(connection.send_many(pack("ECHO", 1) + pack("ECHO", 2), 2))
        after = tasks.create_task(connection.send(pack("ECHO", 3)))
        await eventually(lambda: len(redis.commands) >= 1)
        batch.cancel()
        held.released.set()
        assert await after == b"3"


async def test_what_is_sent_at_once_keeps_its_place() -> None:
    taken: list[list[bytes]] = []
    async with (
        scripted_redis(echo) as redis,
        kept(redis.url) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        before = tasks.create_task(connection.send(pack("ECHO", "a")))
        await asyncio.sleep(0)  # it is issued, and not sent yet
        assert connection.begin(pack("ECHO", "b") + pack("ECHO", "c"), 2, taken.append)
        assert await connection.send(pack("ECHO", "d")) == b"d"
        assert await before == b"a"
    assert taken == [[b"b", b"c"]]


async def test_one_who_fails_to_take_replies_disturbs_nobody() -> None:
    def fail(replies: list[Any]) -> None:
        raise ValueError("a bug")

    async with scripted_redis(echo) as redis, kept(redis.url) as connection:
        connection.begin(pack("ECHO", "a"), 1, fail)
        assert await connection.send(pack("ECHO", "b")) == b"b"


async def test_who_takes_replies_is_told_when_the_socket_breaks() -> None:
    taken: list[list[Any]] = []
    held = Held()
    async with scripted_redis(held) as redis, kept(redis.url) as connection:
        connection.begin(pack("ECHO", "a"), 1, taken.append)
        connection.drop()
        await eventually(lambda: bool(taken))
        held.released.set()
    assert [type(reply) for reply in taken[0]] == [Unavailable]


async def test_an_error_in_the_midst_of_a_batch_is_returned_in_its_place(
    redis: Redis, keys: Keys
) -> None:
    key = keys.session("a")
    commands = [("SET", key, "text"), ("LPUSH", key, 1), ("NOSUCH", key), ("GET", key)]
    replies = await redis.batch([(key, pack(*command)) for command in commands])
    assert replies[0] == b"OK"
    assert isinstance(replies[1], ResponseError)
    assert str(replies[1]).startswith("WRONGTYPE ")
    assert str(replies[2]).startswith("ERR unknown command")
    assert replies[3] == b"text"


async def test_an_error_reply_to_a_single_command_is_raised(redis: Redis, keys: Keys) -> None:
    with pytest.raises(ResponseError, match=r"^ERR unknown command"):
        await redis.execute(keys.install, "NOSUCH")


async def test_an_empty_batch_is_no_batch(redis: Redis) -> None:
    assert await redis.batch([]) == []


async def test_big_values_travel_between_small_ones(redis: Redis, keys: Keys) -> None:
    """A reply that takes many reads neither delays wrongly nor shifts the ones around it."""
    big, small = keys.session("big"), keys.session("small")
    value = bytes(range(256)) * 40_000  # 10 MB, over the bound of what may wait unsent
    commands = [("SET", small, 1), ("SET", big, value), ("GET", small), ("GET", big)]
    packed = [(small, pack(*command)) for command in (*commands, ("DEL", big, small))]
    assert await redis.batch(packed) == [b"OK", b"OK", b"1", value, 2]


async def test_a_command_in_flight_when_the_socket_breaks_is_unavailable() -> None:
    async with (
        scripted_redis(lambda command: None) as redis,
        kept(redis.url, RedisTimeouts()) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        lost = tasks.create_task(connection.send(pack("ECHO", 1)))
        await eventually(lambda: len(redis.commands) == 1)
        redis.hang_up()
        assert isinstance(await lost, Unavailable)
        assert redis.commands == [[b"ECHO", b"1"]]  # never again


async def test_a_batch_keeps_the_replies_that_came_before_the_socket_broke() -> None:
    def answer(command: list[bytes]) -> bytes | None:
        return echo(command) if command[-1] == b"1" else None

    async with (
        scripted_redis(answer) as redis,
        kept(redis.url, RedisTimeouts()) as connection,
        asyncio.TaskGroup() as tasks,
    ):
        packed = b"".join(pack("ECHO", number) for number in (1, 2, 3))
        batch = tasks.create_task(connection.send_many(packed, 3))
        await eventually(lambda: len(redis.commands) == 3)
        redis.hang_up()
        first, second, third = await batch
        assert isinstance(second, Unavailable)
        assert isinstance(third, Unavailable)
        assert first == b"1"


async def test_commands_wait_for_a_server_that_restarts(own_server: redis_servers.Server) -> None:
    async with connect(own_server.url) as redis, asyncio.TaskGroup() as tasks:
        own_server.stop()
        await eventually(lambda: not redis.available)
        reply = tasks.create_task(redis.execute(b"k", "ECHO", "back"))
        await anyio.to_thread.run_sync(own_server.start)
        assert await reply == b"back"


async def test_an_outage_fails_commands_at_once_when_patience_is_over(
    own_server: redis_servers.Server,
) -> None:
    async with connect(own_server.url, limits=HASTY) as redis:
        own_server.stop()
        await eventually(lambda: not redis.available)
        with pytest.raises(Unavailable) as first:
            await redis.execute(b"k", "PING")
        assert first.value.reason == "REDIS_UNAVAILABLE"
        begin = time.monotonic()
        for _ in range(20):
            with pytest.raises(Unavailable):
                await redis.execute(b"k", "PING")
        assert time.monotonic() - begin < HASTY.patience * 10


async def test_a_batch_during_an_outage_returns_unavailable_for_each(
    own_server: redis_servers.Server,
) -> None:
    async with connect(own_server.url, limits=HASTY) as redis:
        own_server.stop()
        replies = await redis.batch([(b"k", pack("PING")), (b"k", pack("PING"))])
        assert [type(reply) for reply in replies] == [Unavailable, Unavailable]


async def test_a_frozen_server_is_unavailable_within_the_deadline_and_then_back(
    own_server: redis_servers.Server,
) -> None:
    async with connect(own_server.url, limits=HASTY) as redis:
        own_server.signal(signal.SIGSTOP)
        begin = time.monotonic()
        with pytest.raises(Unavailable):
            await redis.execute(b"k", "PING")
        assert HASTY.deadline * 0.9 < time.monotonic() - begin < HASTY.deadline * 10
        own_server.signal(signal.SIGCONT)
        await eventually(lambda: redis.available)
        assert await redis.execute(b"k", "PING") == b"PONG"


async def test_a_later_command_has_its_own_deadline() -> None:
    """Replies that trickle in do not postpone the end of one that never comes."""
    answered = asyncio.Event()

    def answer(command: list[bytes]) -> bytes | None:
        answered.set()
        return echo(command) if command[-1] != b"lost" else None

    async with scripted_redis(answer) as redis, kept(redis.url) as connection:
        assert await connection.send(pack("ECHO", "first")) == b"first"
        begin = time.monotonic()
        assert isinstance(await connection.send(pack("ECHO", "lost")), Unavailable)
        assert time.monotonic() - begin < HASTY.deadline * 2


async def test_a_peer_that_does_not_read_holds_writers_back() -> None:
    """Memory stays bounded: over `RedisTimeouts.unsent` commands wait, then fail unsent."""
    limits = RedisTimeouts(deadline=5, patience=0.05, unsent=100_000)
    held = Held()
    async with scripted_redis(held) as redis, kept(redis.url, limits) as connection:
        packed = pack("ECHO", b"x" * 50_000)
        async with asyncio.TaskGroup() as tasks:
            callers = [tasks.create_task(connection.send(packed)) for _ in range(200)]
            await eventually(lambda: sum(caller.done() for caller in callers) > 0)
            held.released.set()
        sent = [caller for caller in callers if isinstance(caller.result(), bytes)]
        assert len(sent) == len(redis.commands)  # what failed was never sent


async def test_a_server_that_is_loading_is_waited_for() -> None:
    refusals = [b"-LOADING Redis is loading the dataset in memory\r\n"] * 2

    def answer(command: list[bytes]) -> bytes:
        return refusals.pop() if refusals else echo(command)

    async with scripted_redis(answer) as server, connect(server.url) as redis:
        assert await redis.execute(b"k", "ECHO", 1) == b"1"
        assert refusals == []


async def test_a_refusal_that_does_not_pass_becomes_unavailable() -> None:
    async with (
        scripted_redis(lambda command: b"-MISCONF disk full\r\n") as server,
        connect(server.url, limits=HASTY) as redis,
    ):
        with pytest.raises(Unavailable):
            await redis.execute(b"k", "SET", "k", 1)


async def test_an_unasked_reply_breaks_the_socket_and_the_next_one_is_good() -> None:
    async with scripted_redis(echo) as redis, kept(redis.url) as connection:
        before = connection.socket
        redis.writers[0].write(b"+OK\r\n")
        await eventually(lambda: connection.socket not in (before, None))
        assert await connection.send(pack("ECHO", 1)) == b"1"


async def test_an_unreadable_reply_fails_what_waits_for_it() -> None:
    """In the midst of a batch, too: nobody is left waiting."""
    replies = {b"1": b"+one\r\n", b"2": b"?\r\n"}
    async with (
        scripted_redis(lambda command: replies[command[-1]]) as redis,
        kept(redis.url) as connection,
    ):
        packed = pack("ECHO", 1) + pack("ECHO", 2)
        with anyio.fail_after(2):
            first, second = await connection.send_many(packed, 2)
        assert (first, type(second)) == (b"one", Unavailable)


async def test_a_closed_connection_is_unavailable(redis_server: redis_servers.Server) -> None:
    async with connect(redis_server.url, limits=HASTY) as redis:
        assert redis.available
    assert not redis.available
    with pytest.raises(Unavailable):
        await redis.execute(b"k", "PING")


async def test_what_replicas_lack_is_told_whatever_befalls_the_question_for_the_master() -> None:
    async def serves(_: NodeConnection) -> bool:
        raise ValueError("an answer that nobody can read")

    told: list[bool] = []
    async with scripted_redis(echo) as redis:
        deployment = parse(redis.url)

        async def locate() -> Any:
            return deployment.seeds[0]

        connection = NodeConnection(locate, NodeAccess(deployment, HASTY, None, 1), serves=serves)
        async with asyncio.TaskGroup() as tasks:
            keeper = tasks.create_task(forever(connection.keep))
            await eventually(lambda: connection.socket is not None)
            assert connection.socket is not None
            connection.replication.settle(connection.socket, 0, told.append)
            await eventually(lambda: bool(told))
            keeper.cancel()
    assert told == [False]


async def test_a_server_that_is_slow_to_greet_is_entered(tmp_path: Path) -> None:
    """It was silent for longer than a lull; but then it has acknowledged nothing either."""
    info = b"run_id:1\r\nrole:master\r\n"

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(1 << 16):
            await asyncio.sleep(LULL * 1.2)
            writer.write(b"+PONG\r\n" * chunk.count(b"PING"))
            writer.write((b"$%d\r\n%s\r\n" % (len(info), info)) * chunk.count(b"INFO"))
        writer.close()

    patient = msgspec.structs.replace(HASTY, deadline=5.0, opening=5.0)
    server = await asyncio.start_unix_server(greet, tmp_path / "slow.sock")
    async with server, kept(f"unix://{tmp_path}/slow.sock", patient) as connection:
        assert connection.run_id == b"1"
