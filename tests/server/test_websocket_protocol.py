"""Clients that break the WebSocket itself, or take no part in it any more."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import AsyncIterator
from typing import Final

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from service.server.websocket_protocol import BoundedWebSocketProtocol, text_frame
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.client.client import Client
from tests import redis_servers
from tests.streaming.doubles import Puppet
from tests.streaming.raw_websocket import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Raw, raw
from tests.streaming.sockets import CONFIG, House, house, talk
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

PIECE: Final = "0123456789" * 2000
LITTLE: Final = 1 << 16
NO_UTF8: Final = b"\x81\x82\0\0\0\0\xff\xfe"


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65_535, 65_536, 200_000])
def test_a_text_is_framed_as_others_frame_it(length: int) -> None:
    data = b"x" * length
    assert text_frame(data) == Frame(Opcode.TEXT, data).serialize(mask=False)


class Hasty(BoundedWebSocketProtocol):
    """A line that closes soon or is given up."""

    linger = 0.2


def hasty(config: uvicorn.Config) -> None:
    """Give lines up soon, of clients that read nothing."""
    config.ws = Hasty


def pinging(config: uvicorn.Config) -> None:
    """Find clients soon that do not answer."""
    hasty(config)
    config.ws_ping_interval, config.ws_ping_timeout = 0.1, 0.2


def said(log: pytest.LogCaptureFixture) -> list[str]:
    """Return what the service complained of."""
    return [record.getMessage() for record in log.records if record.levelno >= logging.WARNING]


@pytest.fixture(scope="module")
async def home(redis_server: redis_servers.Server) -> AsyncIterator[House]:
    """Serve clients that need no hurry."""
    async with (
        connection.connect(redis_server.url) as redis,
        house(redis, Keys(prefix="lines")) as home,
    ):
        yield home


async def told(home: House, client: Raw, puppet: Puppet) -> str:
    """Have the client ask; tell it more than there is room for."""
    await client.hear()
    client.say("answer", id="1", servingConfig=CONFIG, request={"query": {"text": "why?"}})
    answer = str((await client.hear())["answer"])
    puppet.say(answer, *[PIECE] * 40)
    await eventually(lambda: puppet.waiting(answer).empty())
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
            await eventually(lambda: len(home.sockets) == 0)
            await eventually(client.is_reset)
            puppet.say(answer, None)
            async with Client(home.url) as other:
                elements = [element async for element in other.resume(answer)]
            whole = elements[-1].response.answer
            assert whole is not None
            assert whole.answer_text == PIECE * 40

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
            await eventually(client.is_reset)
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
            await eventually(client.is_reset)
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
            await eventually(lambda: len(home.submitter.askers) == 2)
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
        assert said(caplog) == []


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


class TestFragments:
    """A text may come in pieces."""

    @pytest.mark.parametrize("size", [1, 7, 1000])
    async def test_are_one_frame(self, home: House, size: int) -> None:
        request = {"query": {"text": "Grüße 👋"}}
        frame = {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": request}
        text = json.dumps(frame, ensure_ascii=False).encode()
        pieces = [text[n : n + size] for n in range(0, len(text), size)]
        async with raw(home.url) as client:
            await client.hear()
            for n, piece in enumerate(pieces):
                opcode = CONTINUATION if n else TEXT
                client.write(opcode, piece, fin=n == len(pieces) - 1)
            assert (await client.hear())["type"] == "accepted"

    async def test_may_have_pings_between_them(self, home: House) -> None:
        async with raw(home.url) as client:
            await client.hear()
            client.write(TEXT, b'{"type":', fin=False)
            client.write(PING, b"between")
            client.write(CONTINUATION, b"", fin=False)
            client.write(CONTINUATION, b'"ping"}')
            assert await client.read() == (PONG, b"between")
            assert await client.hear() == {"type": "pong"}

    async def test_are_too_large_together(self, home: House) -> None:
        async with raw(home.url) as client:
            client.write(TEXT, b"x" * (1 << 19), fin=False)
            client.write(CONTINUATION, b"x" * (1 << 19), fin=False)
            client.write(CONTINUATION, b"x", fin=False)
            assert await client.end() == 1009

    async def test_of_a_binary_message_are_no_frame(self, home: House) -> None:
        async with raw(home.url) as client:
            client.write(BINARY, b"{", fin=False)
            client.write(CONTINUATION, b"}")
            assert await client.end() == 4400


class TestBreaches:
    """What is no WebSocket message ends with a code of RFC 6455, which the client gets to see."""

    async def test_a_frame_of_megabytes(self, home: House) -> None:
        async with talk(home) as client:
            with contextlib.suppress(ConnectionClosed):
                await client.connection.send("x" * (64 << 20))
            assert await client.closed() == 1009

    async def test_a_frame_of_megabytes_that_is_sent_to_its_end(self, home: House) -> None:
        """Whoever writes first and reads then must not find the connection reset."""
        async with raw(home.url) as client:
            client.write(TEXT, b"x" * (8 << 20))
            await client.writer.drain()
            assert await client.end() == 1009

    @pytest.mark.parametrize(
        ("breach", "code"),
        [
            (NO_UTF8, 1007),
            (NO_UTF8 + b"\x89\x80\0\0\0\0", 1007),
            (NO_UTF8 * 2, 1007),
            (b"\x01\x81\0\0\0\0\xff\x80\x81\0\0\0\0\xfe", 1007),
            (b"\x80\x81\0\0\0\0x", 1002),
            (b"\x83\x80\0\0\0\0", 1002),
            (b"\xc1\x81\0\0\0\0x", 1002),
            (b"\x09\x81\0\0\0\0x", 1002),
            (b"\x81\x01x", 1002),
        ],
        ids=[
            "no UTF-8",
            "no UTF-8 and a ping",
            "no UTF-8 twice",
            "no UTF-8 in pieces",
            "no beginning",
            "no opcode",
            "reserved bit",
            "half a ping",
            "no mask",
        ],
    )
    async def test_a_broken_frame(
        self, home: House, breach: bytes, code: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with raw(home.url) as client:
            client.writer.write(breach)
            assert await client.end() == code
            await eventually(lambda: len(home.sockets) == 0)
        assert said(caplog) == []

    async def test_a_broken_frame_before_a_farewell(
        self, home: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What is read in one go may have been said in any order."""
        async with raw(home.url) as client:
            client.writer.write(NO_UTF8 + b"\x88\x82\0\0\0\0\x03\xe8")
            assert await client.end() in (1000, 1007)
            await eventually(lambda: len(home.sockets) == 0)
        assert said(caplog) == []


class TestFloods:
    """No client keeps the others waiting, nor the service at work for nothing."""

    @pytest.mark.parametrize("opcode", [PING, PONG, CONTINUATION])
    async def test_of_what_is_no_message_end(
        self, home: House, opcode: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with raw(home.url) as client:
            if opcode == CONTINUATION:
                client.write(TEXT, b"", fin=False)
            for _ in range(50_000):
                client.write(opcode, fin=opcode != CONTINUATION)
            assert await client.end() == 4429
            await eventually(lambda: len(home.sockets) == 0)
        assert said(caplog) == []

    async def test_of_what_is_a_message_end(self, home: House) -> None:
        async with raw(home.url) as client:
            for _ in range(10_000):
                client.say("ping")
            assert await client.end() == 4429
            await eventually(lambda: len(home.sockets) == 0)

    async def test_after_the_end_are_not_read(self, redis: Redis, keys: Keys) -> None:
        async with house(redis, keys, configure=hasty) as home, raw(home.url) as client:
            client.write(BINARY)
            for _ in range(50_000):
                client.write(PING)
            assert await client.end() == 4400

    async def test_that_fit_into_the_bounds_are_answered(self, home: House) -> None:
        """All that comes at once is taken bit by bit, and yet in order."""
        async with raw(home.url) as client:
            await client.hear()
            for n in range(90):
                client.write(PING, b"%d" % n + b"." * 100)
                client.say("ping")
            heard = [await client.read() for _ in range(180)]
            pings = [payload.strip(b".") for opcode, payload in heard if opcode == PONG]
            assert pings == [b"%d" % n for n in range(90)]
            assert [opcode for opcode, _ in heard].count(TEXT) == 90

    async def test_leave_turns_to_others(self, home: House) -> None:
        """A read brings up to 256 KB."""
        turns = 0
        loop = asyncio.get_running_loop()

        def turn() -> None:
            nonlocal turns, next_turn
            turns += 1
            next_turn = loop.call_soon(turn)

        next_turn = loop.call_soon(turn)
        async with raw(home.url) as client:
            await client.hear()
            frame = b"\x00\xfe\x00\xc8" + bytes(204)
            client.writer.write(b"\x01\x80\0\0\0\0" + frame * 900 + b"\x80\x80\0\0\0\0")
            turns = 0
            await client.end()
        next_turn.cancel()
        assert turns > 30

    async def test_of_large_messages_are_taken(self, home: House) -> None:
        async with raw(home.url) as client:
            await client.hear()
            for n in range(3):
                client.say("auth", token="x" * 1_000_000)
                client.write(PING, b"%d" % n)
                client.say("ping")
            for n in range(3):
                assert await client.read() == (PONG, b"%d" % n)
                assert await client.hear() == {"type": "pong"}
