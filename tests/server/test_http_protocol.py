"""Clients that are slow, endless or gone, over HTTP."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import pytest

from tests.server.raw_http import GET, LARGE, App, Client, dialled, wait_out
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

PACE: Final = 0.01
"""Seconds between two drips."""

LOOK: Final = 0.1
"""Seconds in which a hasty protocol has looked at what came."""


class TestHeaders:
    """They come in time, and are not too long."""

    async def test_that_never_begin_are_not_waited_for(self, client: Client) -> None:
        assert await client.response() == (0, b"")

    async def test_that_stop_are_not_waited_for(self, client: Client) -> None:
        client.write(b"GET / HT")
        assert await client.reason() == (408, "REQUEST_TOO_SLOW")

    async def test_that_drip_are_not_waited_for(self, client: Client) -> None:
        client.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        async with client.writing(b"a: b\r\n", pace=PACE):
            assert await client.reason() == (408, "REQUEST_TOO_SLOW")

    async def test_of_a_second_request_are_not_waited_for_either(self, client: Client) -> None:
        client.write(GET)
        assert await client.response() == (200, b"0")
        client.write(b"GET")
        assert await client.reason() == (408, "REQUEST_TOO_SLOW")

    async def test_before_which_lines_drip_are_not_waited_for(self, client: Client) -> None:
        """uvicorn waits between requests as long as it is told nothing at all."""
        client.write(GET)
        assert await client.response() == (200, b"0")
        async with client.writing(b"\r\n", pace=PACE):
            assert (await client.reason())[0] == 408

    async def test_may_be_long(self, patient: Client) -> None:
        for line in (b"a: " + b"x" * 60_000, b"\r\n".join(b"a%d: b" % n for n in range(4000))):
            patient.write(b"GET / HTTP/1.1\r\nHost: x\r\n" + line + b"\r\n\r\n")
            assert await patient.response() == (200, b"0")

    @pytest.mark.parametrize("piece", [b"x" * 1000, b"a: b\r\n" * 100], ids=["a line", "lines"])
    async def test_may_not_be_endless(self, patient: Client, piece: bytes) -> None:
        patient.write(b"GET / HTTP/1.1\r\nHost: x\r\na: ")
        async with patient.writing(piece):
            assert await patient.reason() == (431, "HEADERS_TOO_LARGE")

    async def test_may_not_be_too_long_at_once(self, patient: Client) -> None:
        patient.write(b"GET / HTTP/1.1\r\nHost: x\r\na: " + b"x" * 100_000 + b"\r\n\r\n")
        assert await patient.reason() == (431, "HEADERS_TOO_LARGE")

    @pytest.mark.parametrize("more", [b"", b"x" * 200_000])
    async def test_that_are_none_are_refused(self, patient: Client, more: bytes) -> None:
        patient.write(b"hello\r\n\r\n" + more)
        assert await patient.reason() == (400, "BAD_REQUEST")

    async def test_are_waited_for_while_something_is_answered(
        self, steady: Client, app: App, calm_address: str
    ) -> None:
        steady.write(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n" + b"GET")
        await steady.reader.readuntil(b"begun\r\n")
        await wait_out(calm_address)
        app.go_on.set()
        await steady.reader.readuntil(b"0\r\n\r\n")
        steady.write(GET.removeprefix(b"GET"))
        assert await steady.response() == (200, b"0")

    @pytest.mark.parametrize("came", [0, 5], ids=["none", "some"])
    async def test_that_came_while_the_process_slept_are_there(
        self, client: Client, came: int
    ) -> None:
        client.write(GET[:came])
        await asyncio.sleep(LOOK)
        await client.write_during_sleep(GET[came:])
        assert await client.response() == (200, b"0")

    async def test_are_not_waited_for_long_after_that(self, client: Client) -> None:
        client.write(b"GET / HT")
        await asyncio.sleep(LOOK)
        await client.write_during_sleep(b"")
        assert await client.reason() == (408, "REQUEST_TOO_SLOW")


class TestBodies:
    """They come, or are not waited for."""

    HEAD: Final = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n"
    CHUNKED: Final = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"

    async def test_that_stop_are_not_waited_for(self, client: Client, app: App) -> None:
        client.write(self.HEAD + b"x" * 50_000)
        assert await client.reason() == (408, "REQUEST_TOO_SLOW")
        await eventually(lambda: app.running == 0)

    async def test_that_drip_are_not_waited_for(self, client: Client, app: App) -> None:
        client.write(self.HEAD)
        async with client.writing(b"x", pace=PACE):
            assert await client.reason() == (408, "REQUEST_TOO_SLOW")
            await eventually(lambda: app.running == 0)

    async def test_that_were_answered_already_are_not_waited_for_either(
        self, client: Client
    ) -> None:
        client.write(self.HEAD.replace(b"POST /", b"POST /refused"))
        assert await client.response() == (200, b"refused")
        async with client.writing(b"x", pace=PACE):
            assert await client.response() == (0, b"")

    async def test_that_came_while_the_process_slept_are_there(self, client: Client) -> None:
        client.write(self.HEAD + b"x" * 980_000)
        await asyncio.sleep(LOOK)
        await client.write_during_sleep(b"x" * 20_000)
        assert await client.response() == (200, b"1000000")

    async def test_may_be_slow(self, steady: Client) -> None:
        steady.write(self.HEAD)
        for _ in range(200):
            steady.write(b"x" * 5000)
            await asyncio.sleep(PACE)
        assert await steady.response() == (200, b"1000000")

    async def test_are_not_hurried_where_the_application_is_slow(
        self, steady: Client, app: App, calm_address: str
    ) -> None:
        steady.write(self.HEAD.replace(b"POST /", b"POST /late") + b"x" * 200_000)
        await wait_out(calm_address)
        app.go_on.set()
        steady.write(b"x" * 800_000)
        assert await steady.response() == (200, b"1000000")

    async def test_are_not_hurried_before_they_are_asked_for(
        self, steady: Client, app: App, calm_address: str
    ) -> None:
        head = self.HEAD.replace(b"POST /", b"POST /late")
        steady.write(head.removesuffix(b"\r\n") + b"Expect: 100-continue\r\n\r\n")
        await wait_out(calm_address)
        app.go_on.set()
        assert (await steady.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        steady.write(b"x" * 1_000_000)
        assert await steady.response() == (200, b"1000000")

    async def test_come_in_pieces(self, patient: Client) -> None:
        patient.write(self.CHUNKED + b"1\r\nx\r\n" * 50_000 + b"0\r\nmore: less\r\n\r\n")
        assert await patient.response() == (200, b"50000")
        patient.write(GET)
        assert await patient.response() == (200, b"0")

    @pytest.mark.parametrize("beginning", [b"0\r\na: ", b"1;a="], ids=["a trailer", "an extension"])
    async def test_have_no_endless_frame(self, patient: Client, beginning: bytes) -> None:
        patient.write(self.CHUNKED + beginning)
        async with patient.writing(b"x" * 1000):
            assert await patient.reason() == (431, "HEADERS_TOO_LARGE")


class TestWhoDoesNotRead:
    """Neither the connection, nor what waits for it, stays for ever."""

    async def test_a_response_is_given_up(self, client: Client, app: App) -> None:
        client.write(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        await eventually(client.is_reset)
        assert app.answered == 1

    async def test_a_response_before_others_is_given_up(self, client: Client, app: App) -> None:
        client.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n" * 2)
        await eventually(client.is_reset)
        await eventually(lambda: app.running == 0)

    async def test_while_it_asks_for_more_is_given_up(self, client: Client, app: App) -> None:
        client.write(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually(lambda: app.answered == 1)
        async with client.writing(b"G", pace=PACE):
            await eventually(client.is_reset)

    async def test_but_slowly_gets_all(self, steady: Client) -> None:
        steady.write(b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        await steady.reader.readuntil(b"\r\n\r\n")
        left = LARGE
        for _ in range(200):
            left -= len(await steady.reader.readexactly(20_000))
            await asyncio.sleep(PACE)
        async with asyncio.timeout(LONG):
            await steady.reader.readexactly(left)


class TestRequestsAhead:
    """A client may ask before it is answered, to a bound."""

    async def test_are_answered_in_order(self, patient: Client) -> None:
        for n in range(50):
            patient.write(
                b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % n + b"x" * n
            )
        for n in range(50):
            assert await patient.response() == (200, b"%d" % n)

    async def test_are_not_endless(self, patient: Client, app: App) -> None:
        patient.write(b"GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
        async with patient.writing(GET * 1000):
            await eventually(lambda: app.running == 0)
            assert app.answered == 0


async def test_slow_clients_write_no_log(address: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with dialled(address) as client:
        client.write(TestBodies.HEAD + b"x")
        await client.reason()
    assert caplog.records == []
