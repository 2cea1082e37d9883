"""From HTTP to a WebSocket, which is the HTTP protocol's business no more."""

from __future__ import annotations

import asyncio

import pytest

from tests.server.raw_http import GET, App, Client, dialled, wait_out
from tests.streaming.raw_websocket import Raw, handshake
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class TestUpgrades:
    """A WebSocket is not the front's any more."""

    async def test_stay(self, address: str) -> None:
        url = f"ws://{address}/"
        async with dialled(address) as client:
            client.write(handshake(url))
            await client.reader.readuntil(b"\r\n\r\n")
            await wait_out(address)
            raw = Raw(client.reader, client.writer)
            raw.say("hello")
            assert await raw.hear() == {"type": "hello"}

    async def test_are_left_alone_whatever_came_with_them(self, address: str) -> None:
        """The front counts 16 KB at a time."""
        cookie = b"Cookie: a=" + b"x" * 60_000 + b"\r\n\r\n"
        async with dialled(address) as client:
            request = handshake(f"ws://{address}/")[:-2] + cookie
            client.write(request + bytes(200_000))
            assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")

    async def test_may_follow_an_answer(self, address: str) -> None:
        async with dialled(address) as client:
            client.write(GET)
            assert await client.response() == (200, b"0")
            client.write(handshake(f"ws://{address}/"))
            assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")

    @pytest.mark.parametrize("first", [b"GET /held", b"GET /stream"])
    async def test_do_not_overtake_an_answer(self, patient: Client, app: App, first: bytes) -> None:
        """The request before would be left alone, and its answer come between the frames."""
        patient.write(first + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually(lambda: app.running == 1)
        patient.write(handshake("ws://x/"))
        async with asyncio.timeout(5):
            assert b"HTTP/1.1 101 " not in await patient.reader.read()
        app.go_on.set()
        await eventually(lambda: app.running == 0)

    async def test_are_asked_for_in_time(self, address: str) -> None:
        async with dialled(address) as client:
            client.write(handshake(f"ws://{address}/")[:-2])
            assert await client.reason() == (408, "REQUEST_TOO_SLOW")

    async def test_may_bring_large_cookies(self, address: str) -> None:
        """Beneath a domain with single sign-on, browsers send them to everybody."""
        cookie = b"Cookie: a=" + b"x" * 20_000 + b"\r\n\r\n"
        async with dialled(address) as client:
            client.write(handshake(f"ws://{address}/")[:-2] + cookie)
            assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            (b"a: " + b"x" * 9000 + b"\r\n", 431),
            (b"a: b\r\n" * 130, 431),
            (b"Content-Length: 1\r\n", 400),
        ],
        ids=["a long line", "many lines", "a body"],
    )
    async def test_that_cannot_be_are_refused(self, address: str, more: bytes, code: int) -> None:
        async with dialled(address) as client:
            client.write(handshake(f"ws://{address}/")[:-2] + more + b"\r\n")
            assert await client.reason() == (code, "BAD_REQUEST")

    async def test_that_are_none_are_told_as_any_refusal(self, address: str) -> None:
        request = handshake(f"ws://{address}/")
        for broken, told in (
            (request.replace(b"Sec-WebSocket-Key", b"Sec-WebSocket-Keys"), (400, "BAD_REQUEST")),
            (request.replace(b"Version: 13", b"Version: 8"), (400, "BAD_REQUEST")),
            (request.replace(b"GET", b"POST", 1), (405, "METHOD_NOT_ALLOWED")),
        ):
            async with dialled(address) as client:
                client.write(broken)
                assert await client.reason() == told
