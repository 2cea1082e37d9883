"""Channels: what is published is heard, before and after everything that can happen to them."""

from __future__ import annotations

import signal
import time

import anyio
import pytest

from sessions.errors import Unavailable
from sessions.redis import pubsub
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts, pack
from tests import redis_servers
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.2, patience=0.1, opening=0.2, backoff=0.02)


@pytest.fixture
def channel(keys: Keys) -> bytes:
    return keys.control("here")


class Heard(list[bytes]):
    """What a listener was told."""

    def __call__(self, content: bytes) -> None:
        self.append(content)


async def test_what_is_published_after_ready_is_heard_in_order(
    redis: Redis, channel: bytes
) -> None:
    heard = Heard()
    redis.channels.listen(channel, heard)
    await redis.channels.ready(channel)
    for content in (b"one", b"two", b"three"):
        await redis.publish(channel, content)
    await eventually(lambda: heard == [b"one", b"two", b"three"])


async def test_publishing_may_be_part_of_a_batch(redis: Redis, channel: bytes) -> None:
    heard = Heard()
    redis.channels.listen(channel, heard)
    await redis.channels.ready(channel)
    packed = pack(redis.channels.publish_command, channel, b"x")
    assert await redis.batch([(channel, packed)] * 2) == [1, 1]
    await eventually(lambda: heard == [b"x", b"x"])


async def test_each_listener_hears_until_it_is_forgotten(redis: Redis, channel: bytes) -> None:
    first, second = Heard(), Heard()
    redis.channels.listen(channel, first)
    redis.channels.listen(channel, second)
    await redis.channels.ready(channel)
    await redis.publish(channel, b"both")
    await eventually(lambda: first == second == [b"both"])
    redis.channels.forget(channel, first)
    await redis.publish(channel, b"one")
    await eventually(lambda: second == [b"both", b"one"])
    assert first == [b"both"]


async def test_a_channel_without_listeners_is_unsubscribed(redis: Redis, channel: bytes) -> None:
    heard = Heard()
    redis.channels.listen(channel, heard)
    await redis.channels.ready(channel)
    redis.channels.forget(channel, heard)
    redis.channels.forget(channel, heard)  # harmless

    async def nobody_listens() -> bool:
        return await redis.execute(channel, "PUBLISH", channel, b"x") == 0

    await eventually(nobody_listens)
    await redis.channels.ready(channel)  # nothing to wait for


async def test_listening_again_is_confirmed_again(redis: Redis, channel: bytes) -> None:
    """The confirmation of the first subscription does not stand for the second."""
    heard = Heard()
    for _ in range(3):
        redis.channels.listen(channel, heard)
        redis.channels.forget(channel, heard)
    redis.channels.listen(channel, heard)
    await redis.channels.ready(channel)
    assert await redis.execute(channel, "PUBLISH", channel, b"x") == 1
    await eventually(lambda: heard == [b"x"])


async def test_a_listener_that_fails_does_not_deafen_the_others(
    redis: Redis, channel: bytes
) -> None:
    heard = Heard()

    def broken(content: bytes) -> None:
        raise ValueError(content)

    redis.channels.listen(channel, broken)
    redis.channels.listen(channel, heard)
    await redis.channels.ready(channel)
    await redis.publish(channel, b"1")
    await redis.publish(channel, b"2")
    await eventually(lambda: heard == [b"1", b"2"])


async def test_a_broken_connection_is_subscribed_again_and_told(
    own_server: redis_servers.Server,
) -> None:
    heard, breaks = Heard(), Heard()
    async with connect(own_server.url) as redis:
        redis.channels.on_reconnect(lambda: breaks(b"break"))
        for channel in (b"a", b"b"):
            redis.channels.listen(channel, heard)
            await redis.channels.ready(channel)
        assert breaks == []
        await redis.execute(b"a", "CLIENT", "KILL", "TYPE", "pubsub")
        await eventually(lambda: len(breaks) == 1)
        await redis.publish(b"a", b"1")
        await redis.publish(b"b", b"2")
        await eventually(lambda: heard == [b"1", b"2"])
        assert len(breaks) == 1


async def test_a_channel_that_is_left_unconfirmed_does_not_hide_the_break(
    own_server: redis_servers.Server,
) -> None:
    """The node confirms one channel and refuses the other, which is then of no interest."""
    back, missed = anyio.Event(), Heard()
    async with connect(own_server.url) as redis:
        redis.channels.on_reconnect(back.set)
        for channel in (b"a", b"b"):
            redis.channels.listen(channel, missed)
            await redis.channels.ready(channel)
        await redis.execute(b"a", "ACL", "SETUSER", "default", "resetchannels", "&a")
        await redis.execute(b"a", "CLIENT", "KILL", "TYPE", "pubsub")
        await eventually(lambda: not redis.channels.heard(b"b"))
        await eventually(lambda: redis.channels.heard(b"a"))
        assert not back.is_set()
        redis.channels.forget(b"b", missed)
        with anyio.fail_after(LONG):
            await back.wait()


async def test_the_last_channel_that_is_left_unconfirmed_tells_nothing(
    own_server: redis_servers.Server,
) -> None:
    breaks = Heard()
    async with connect(own_server.url) as redis:
        redis.channels.on_reconnect(lambda: breaks(b"break"))
        redis.channels.listen(b"a", breaks)
        await redis.channels.ready(b"a")
        own_server.stop()
        await eventually(lambda: not redis.channels.heard(b"a"))
        redis.channels.forget(b"a", breaks)
        await anyio.to_thread.run_sync(own_server.start)
        redis.channels.listen(b"b", breaks)
        await redis.channels.ready(b"b")
        assert breaks == []


async def test_many_channels_are_heard_again_in_linear_time(
    own_server: redis_servers.Server,
) -> None:
    """Each confirmation looks at its own channel only: ten times as many cost about ten times."""
    few, many = [
        min([await _hearing_again(own_server, count) for _ in range(3)])
        for count in (2_000, 20_000)
    ]
    assert many < 40 * few  # a hundred times, if each looked at all


async def _hearing_again(server: redis_servers.Server, count: int) -> float:
    """Return the seconds of work until *count* channels are heard again."""
    async with connect(server.url) as redis:
        back = anyio.Event()
        redis.channels.on_reconnect(back.set)
        for number in range(count):
            redis.channels.listen(b"%d" % number, Heard())
        await redis.channels.ready(b"%d" % (count - 1))
        before = time.process_time()
        await redis.execute(b"a", "CLIENT", "KILL", "TYPE", "pubsub")
        with anyio.fail_after(LONG):
            await back.wait()
        return time.process_time() - before


async def test_a_server_that_restarts_is_heard_again(own_server: redis_servers.Server) -> None:
    heard, back = Heard(), anyio.Event()
    async with connect(own_server.url) as redis:
        redis.channels.on_reconnect(back.set)
        redis.channels.listen(b"a", heard)
        await redis.channels.ready(b"a")
        own_server.stop()
        await anyio.to_thread.run_sync(own_server.start)
        with anyio.fail_after(LONG):
            await back.wait()
        await redis.publish(b"a", b"1")
        await eventually(lambda: heard == [b"1"])


async def test_a_connection_that_is_dead_without_saying_so_is_found(
    own_server: redis_servers.Server,
) -> None:
    back = anyio.Event()
    async with connect(own_server.url, limits=HASTY) as redis:
        redis.channels.on_reconnect(back.set)
        redis.channels.listen(b"a", Heard())
        await redis.channels.ready(b"a")
        own_server.signal(signal.SIGSTOP)
        await eventually(lambda: not redis.channels.heard(b"a"))
        own_server.signal(signal.SIGCONT)
        with anyio.fail_after(LONG):
            await back.wait()


async def test_ready_ends_when_redis_stays_away(own_server: redis_servers.Server) -> None:
    async with connect(own_server.url, limits=HASTY) as redis:
        own_server.stop()
        redis.channels.listen(b"a", Heard())
        with pytest.raises(Unavailable):
            await redis.channels.ready(b"a")


async def test_who_slept_does_not_take_quiet_channels_for_dead(
    own_server: redis_servers.Server,
    channel: bytes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """They would be opened anew, and what comes meanwhile be missed."""
    monkeypatch.setattr(pubsub, "_BEAT", 0.2)
    async with connect(own_server.url, limits=RedisTimeouts(deadline=1.5)) as redis:
        redis.channels.listen(channel, Heard())
        await redis.channels.ready(channel)
        time.sleep(2.0)  # noqa: ASYNC251 - as if it were frozen
        until = time.monotonic() + 0.5
        await eventually(lambda: time.monotonic() > until)
        assert redis.channels.heard(channel)
    assert "redis_channels_hung" not in caplog.messages
