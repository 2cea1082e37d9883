"""Clients that break the WebSocket itself, or take no part in it any more."""

from __future__ import annotations

import contextlib
from typing import Final

import pytest
from websockets.frames import Frame, Opcode

from service.server.websocket_protocol import text_frame
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.client.client import Client
from streaming.log.events import TextAppended
from tests.server.impatience import complaints, hasty, pinging
from tests.streaming.doubles import Puppet
from tests.streaming.raw_websocket import CLOSE, PING, PONG, Raw, raw
from tests.streaming.sockets import CONFIG, House, house
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

PIECE: Final = "0123456789" * 2000
LITTLE: Final = 1 << 16
NO_UTF8: Final = b"\x81\x82\0\0\0\0\xff\xfe"


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_is_framed_as_others_frame_it(length: int) -> None:
    data = b"x" * length
    assert text_frame(data) == Frame(Opcode.TEXT, data).serialize(mask=False)


async def told(home: House, client: Raw, puppet: Puppet) -> str:
    """Have the client ask; tell it more than there is room for."""
    await client.hear()
    client.say("answer", id="1", servingConfig=CONFIG, request={"query": {"text": "why?"}})
    answer = str((await client.hear())["answer"])
    puppet.say(answer, *[PIECE] * 40)

    async def is_written() -> bool:
        """Tell whether more waits than fits into all buffers."""
        entries = await home.replica.log.read(answer)
        told = (entry.event.text for entry in entries if isinstance(entry.event, TextAppended))
        return sum(map(len, told)) == 40 * len(PIECE)

    await eventually(is_written)
    return answer


class TestWhoDoesNotRead:
    """Neither the connection, nor what waits for it, stays for ever."""

    async def test_is_closed_as_too_slow_and_given_up(self, redis: Redis, keys: Keys) -> None:
        puppet = Puppet()
        async with (
            house(
                redis,
                keys,
                puppet,
                patience=0.1,
                farewell=0.1,
                send_buffer=LITTLE,
                configure=hasty,
            ) as home,
            raw(home.url) as client,
        ):
            answer = await told(home, client, puppet)

            def is_closed() -> bool:
                """Tell it a little more: only what waits can be too late."""
                puppet.say(answer, ".")
                return len(home.sockets) == 0

            await eventually(is_closed)
            await eventually(client.is_reset)
            puppet.say(answer, None)
            async with Client(home.url) as other:
                elements = [element async for element in other.resume(answer)]
            whole = elements[-1].response.answer
            assert whole is not None
            assert whole.answer_text.rstrip(".") == PIECE * 40

    async def test_nor_answers_pings_is_given_up(self, redis: Redis, keys: Keys) -> None:
        """Although there is much that waits to be written, and be it for its patience."""
        puppet = Puppet()
        async with (
            house(redis, keys, puppet, send_buffer=LITTLE, configure=pinging) as home,
            raw(home.url) as client,
        ):
            await told(home, client, puppet)
            await eventually(client.is_reset)
            await eventually(lambda: len(home.sockets) == 0)

    async def test_and_takes_leave_is_given_up(self, redis: Redis, keys: Keys) -> None:
        puppet = Puppet()
        async with (
            house(redis, keys, puppet, send_buffer=LITTLE, configure=hasty) as home,
            raw(home.url) as client,
        ):
            await told(home, client, puppet)
            client.write(CLOSE, b"\x03\xe8")
            await eventually(lambda: len(home.sockets) == 0)

    async def test_and_takes_leave_is_not_waited_for(self, redis: Redis, keys: Keys) -> None:
        """A server that stops closes what is left; this is closing already."""
        puppet = Puppet()
        async with contextlib.AsyncExitStack() as clients, contextlib.AsyncExitStack() as serving:
            home = await serving.enter_async_context(
                house(redis, keys, puppet, send_buffer=LITTLE, configure=hasty)
            )
            client = await clients.enter_async_context(raw(home.url))
            await told(home, client, puppet)
            client.write(CLOSE, b"\x03\xe8")
            await eventually(lambda: len(home.sockets) == 0)
            await serving.aclose()

    async def test_and_says_no_more_is_given_up(self, redis: Redis, keys: Keys) -> None:
        """It has closed its side only, and would be told the rest, but does not read that."""
        puppet = Puppet()
        async with (
            house(redis, keys, puppet, send_buffer=LITTLE, configure=hasty) as home,
            raw(home.url) as client,
        ):
            await told(home, client, puppet)
            client.writer.write_eof()
            await eventually(lambda: len(home.sockets) == 0)

    async def test_is_not_answered_ping_by_ping(self, redis: Redis, keys: Keys) -> None:
        """RFC 6455, 5.5.3: the last one may do, for all that were not answered yet."""
        puppet = Puppet()
        async with (
            house(redis, keys, puppet, send_buffer=LITTLE) as home,
            raw(home.url) as client,
        ):
            await told(home, client, puppet)
            for n in range(900):
                client.write(PING, f"{n:100}".encode())
            client.say("answer", id="2", servingConfig=CONFIG, request={"query": {"text": "?"}})
            await eventually(lambda: len(home.submitter.callers) == 2)
            pongs: list[bytes] = []
            last = f"{899:100}".encode()
            while not pongs or pongs[-1] != last:
                opcode, payload = await client.read()
                if opcode == PONG:
                    pongs.append(payload)
            assert len(pongs) < 450
            assert pongs == sorted(pongs, key=int)

    async def test_and_breaks_the_protocol_is_closed(
        self, redis: Redis, keys: Keys, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What is late for it must not follow the end."""
        puppet = Puppet()
        async with (
            house(redis, keys, puppet, send_buffer=LITTLE) as home,
            raw(home.url) as client,
        ):
            await told(home, client, puppet)
            client.write(PING, b"late")
            client.writer.write(NO_UTF8)
            await eventually(lambda: len(home.sockets) == 0)
            assert await client.end() == 1007
        assert complaints(caplog) == []


class TestWhoIsHalfOpen:
    """A peer that is gone without a word is found."""

    async def test_is_closed_when_it_answers_no_ping(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys, configure=pinging) as home, raw(home.url) as client:
            assert await client.end() == 1011
            await eventually(lambda: len(home.sockets) == 0)

    async def test_stays_when_it_does(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys, configure=pinging) as home, raw(home.url) as client:
            pings = 0
            while pings < 5:
                opcode, payload = await client.read()
                if opcode == PING:
                    client.write(PONG, payload)
                    pings += 1
            assert len(home.sockets) == 1

    async def test_is_closed_when_it_says_no_more(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys) as home, raw(home.url) as client:
            await client.hear()
            client.writer.write_eof()
            await client.end()
            await eventually(lambda: len(home.sockets) == 0)
