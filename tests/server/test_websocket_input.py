"""What a client sends that is in pieces, broken, or too much."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Final

import pytest
from websockets.exceptions import ConnectionClosed

from service.server.websocket_protocol import STRANGER_BYTES
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.server.impatience import complaints, hasty
from tests.streaming.raw_websocket import BINARY, CONTINUATION, PING, PONG, TEXT, raw
from tests.streaming.sockets import CONFIG, House, house, talk
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

NO_UTF8: Final = b"\x81\x82\0\0\0\0\xff\xfe"


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

    async def test_of_a_stranger_are_not_kept(self, redis: Redis, keys: Keys) -> None:
        """Whoever was told nothing yet may be anybody: a message of theirs is not waited for."""
        async with house(redis, keys, authenticate=True) as home, raw(home.url) as client:
            client.write(TEXT, b"x" * STRANGER_BYTES, fin=False)
            client.write(CONTINUATION, b"x", fin=False)
            assert await client.end() == 1009
            await eventually(lambda: len(home.sockets) == 0)
        async with house(redis, keys, authenticate=True) as home, raw(home.url) as client:
            client.say("auth", token="good")
            assert (await client.hear())["type"] == "ready"
            client.write(TEXT, b'{"type":' + b" " * STRANGER_BYTES, fin=False)
            client.write(CONTINUATION, b'"ping"}')
            assert await client.hear() == {"type": "pong"}

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
        assert complaints(caplog) == []

    async def test_a_broken_frame_before_a_farewell(
        self, home: House, caplog: pytest.LogCaptureFixture
    ) -> None:
        """What is read in one go may have been said in any order."""
        async with raw(home.url) as client:
            client.writer.write(NO_UTF8 + b"\x88\x82\0\0\0\0\x03\xe8")
            assert await client.end() in (1000, 1007)
            await eventually(lambda: len(home.sockets) == 0)
        assert complaints(caplog) == []


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
        assert complaints(caplog) == []

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
