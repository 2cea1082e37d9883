"""Clients that are slow, endless or gone, over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import socket
import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import pytest
import uvicorn

from service.server.http_protocol import TARGET, BoundedHttpProtocol
from tests.streaming.raw_websocket import Raw, handshake
from tests.streaming.sockets import served
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

PACE: Final = 0.01
"""Seconds between two drips."""

LOOK: Final = 0.1
"""Seconds in which a hasty front has looked at what came."""

LARGE: Final = 24 << 20
GET: Final = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Hasty(BoundedHttpProtocol):
    """A front that waits for nothing long."""

    patience = stall = stuck = linger = 0.2


class Calm(BoundedHttpProtocol):
    """A front that waits so long that its clients, in the same loop, are never late by chance."""

    patience = stall = stuck = linger = 1.0


def hasty(config: uvicorn.Config) -> None:
    config.http = Hasty


def calm(config: uvicorn.Config) -> None:
    config.http = Calm


class App:
    """Answers with the length of a body, or with what the path says."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.running = 0
        self.answered = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.running += 1
        try:
            if scope["type"] == "websocket":
                await self._listen(receive, send)
            else:
                await self._answer(scope["path"], receive, send)
        finally:
            self.running -= 1

    async def _listen(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (said := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": said["text"]})

    async def _answer(self, path: str, receive: Any, send: Any) -> None:
        if path == "/refused":
            await self._respond(send, b"refused")
            return
        if path == "/held":
            await receive()
            await receive()
            return
        if path == "/late":
            await self.go_on.wait()
        size, more = 0, True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            size, more = size + len(event["body"]), event["more_body"]
        if path == "/stream":
            await self._stream(send)
        else:
            await self._respond(send, bytes(LARGE) if path == "/large" else b"%d" % size)

    async def _respond(self, send: Any, body: bytes) -> None:
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})
        self.answered += 1

    async def _stream(self, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await self.go_on.wait()
        await send({"type": "http.response.body", "body": b"ended"})


class Client:
    """One connection to be written to by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def write_during_sleep(self, data: bytes) -> None:
        """Write *data* while this process sleeps, as one that is stopped, longer than any wait.

        It falls asleep behind the look for what came; timers run before the next.
        """
        loop, slept = asyncio.get_running_loop(), asyncio.Event()

        def sleep() -> None:
            loop.remove_reader(alarm)
            if data:
                assert os.write(self.writer.get_extra_info("socket").fileno(), data) == len(data)
            time.sleep(0.5)
            slept.set()

        alarm, bell = socket.socketpair()
        with alarm, bell:
            loop.add_reader(alarm, sleep)
            bell.send(b"!")
            await slept.wait()

    def is_reset(self) -> bool:
        """Whether the other side gave the connection up."""
        return self.reader.exception() is not None or Raw(self.reader, self.writer).is_reset()

    @contextlib.asynccontextmanager
    async def writing(self, piece: bytes, *, pace: float = 0) -> AsyncGenerator[None]:
        """Meanwhile write *piece* again and again, as fast as it is taken or at a *pace*."""

        async def write() -> None:
            with contextlib.suppress(ConnectionError):
                while True:
                    self.writer.write(piece)
                    await self.writer.drain()
                    await asyncio.sleep(pace)

        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(write())
            yield
            task.cancel()

    async def response(self) -> tuple[int, bytes]:
        """Read a response; 0 where there is none before the end."""
        async with asyncio.timeout(5):
            try:
                head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, b""
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            return int(head.split()[1]), await self.reader.readexactly(length)

    async def reason(self) -> tuple[int, str]:
        """Read a response, and the end of the connection; return its status and reason."""
        code, body = await self.response()
        async with asyncio.timeout(5):
            assert await self.reader.read() == b""
        error = json.loads(body)["error"]
        assert error["code"] == code
        return code, error["details"][0]["reason"]


@contextlib.asynccontextmanager
async def dialled(address: str) -> AsyncGenerator[Client]:
    host, _, port = address.partition(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    line.connect((host, int(port)))
    reader, writer = await asyncio.open_connection(sock=line, limit=1 << 16)
    try:
        yield Client(reader, writer)
    finally:
        writer.transport.abort()


async def wait_out(address: str) -> None:
    """Wait for as long as others are waited for, twice."""
    for _ in range(2):
        async with dialled(address) as silent:
            assert await silent.response() == (0, b"")


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
async def address(app: App) -> AsyncIterator[str]:
    """Serve the application to clients that must hurry."""
    async with served(app, hasty, send_buffer=1 << 16) as address:  # type: ignore[arg-type]
        yield address


@pytest.fixture
async def client(address: str) -> AsyncIterator[Client]:
    async with dialled(address) as client:
        yield client


@pytest.fixture
async def calm_address(app: App) -> AsyncIterator[str]:
    """Serve the application to clients that must not stop."""
    async with served(app, calm, send_buffer=1 << 16) as address:  # type: ignore[arg-type]
        yield address


@pytest.fixture
async def steady(calm_address: str) -> AsyncIterator[Client]:
    async with dialled(calm_address) as client:
        yield client


@pytest.fixture
async def patient(app: App) -> AsyncIterator[Client]:
    """Connect to the service as it is."""
    async with served(app) as address, dialled(address) as client:  # type: ignore[arg-type]
        yield client


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


class Echo:
    """Answers with what it was told of a request."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        hosts = [value.decode() for name, value in scope["headers"] if name == b"host"]
        while (await receive())["more_body"]:
            pass
        names = sorted(name.decode() for name, _ in scope["headers"])
        told = [scope["method"], scope["path"], scope["query_string"].decode(), hosts, names]
        body = json.dumps(told).encode()
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def echo() -> AsyncIterator[Client]:
    async with served(Echo()) as address, dialled(address) as client:  # type: ignore[arg-type]
        yield client


class TestFraming:
    """A request is what RFC 9112 says, or refused: nobody in front may read it otherwise."""

    @pytest.mark.parametrize(
        "hosts",
        [
            (),
            ("a", "a"),
            ("a", "b"),
            ("a b",),
            ("a/b",),
            ("a@b",),
            ("[::1",),
            ("a:b",),
            ("a:1:2",),
            ('"a"',),
            ("\xe4",),
        ],
        ids=" & ".join,
    )
    async def test_there_is_exactly_one_host(self, echo: Client, hosts: tuple[str, ...]) -> None:
        lines = "".join(f"Host: {host}\r\n" for host in hosts)
        echo.write(f"GET / HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
        assert await echo.reason() == (400, "BAD_REQUEST")

    async def test_http_1_0_knows_no_host(self, echo: Client) -> None:
        echo.write(b"GET /x HTTP/1.0\r\n\r\n")
        code, body = await echo.response()
        assert (code, json.loads(body)[:4]) == (200, ["GET", "/x", "", []])

    async def test_http_1_0_is_not_told_to_continue(self, echo: Client) -> None:
        echo.write(b"POST / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nx")
        assert (await echo.response())[0] == 200

    @pytest.mark.parametrize(
        ("target", "path", "query"),
        [
            ("http://b.example/x?y=1", "/x", "y=1"),
            ("HTTPS://b.example", "/", ""),
            ("http://b.example?y", "/", "y"),
        ],
    )
    async def test_the_host_in_a_target_counts(
        self, echo: Client, target: str, path: str, query: str
    ) -> None:
        echo.write(f"GET {target} HTTP/1.1\r\nHost: a.example\r\n\r\n".encode())
        _, body = await echo.response()
        assert json.loads(body)[:4] == ["GET", path, query, ["b.example"]]

    @pytest.mark.parametrize(
        "request_line",
        [
            b"GET http://u@b.example/ HTTP/1.1",
            b"GET http:///x HTTP/1.1",
            b"GET ftp://b.example/ HTTP/1.1",
            b"GET b.example:80 HTTP/1.1",
            b"GET * HTTP/1.1",
            b"CONNECT b.example:80 HTTP/1.1",
            b"GET /\xc3\xa4 HTTP/1.1",
            b"GET / HTTP/1.2",
            b"GET /",
            b"GET / HTTP/2.0",
            b"PRI * HTTP/2.0",
        ],
    )
    async def test_other_targets_and_versions_are_refused(
        self, echo: Client, request_line: bytes
    ) -> None:
        echo.write(request_line + b"\r\nHost: a\r\n\r\n")
        assert await echo.reason() == (400, "BAD_REQUEST")

    @pytest.mark.parametrize(
        "lines",
        [
            b"Content-Length: 1\r\nContent-Length: 1",
            b"Content-Length: 1\r\nContent-Length: 2",
            b"Content-Length: 1, 1",
            b"Content-Length: +1",
            b"Content-Length: -1",
            b"Content-Length: 0x1",
            b"Content-Length: 1\r\nTransfer-Encoding: chunked",
            b"Transfer-Encoding: chunked\r\nContent-Length: 1",
            b"Transfer-Encoding: chunked, identity",
            b"Transfer-Encoding : chunked",
            b"a: b\r\n c",
            b"a: b\nc: d",
            b"a: b\rc: d",
            b"a: \x00",
            b": b",
        ],
    )
    async def test_no_two_readers_see_two_requests(self, echo: Client, lines: bytes) -> None:
        echo.write(b"POST / HTTP/1.1\r\nHost: a\r\n" + lines + b"\r\n\r\n")
        assert await echo.reason() == (400, "BAD_REQUEST")

    @pytest.mark.parametrize("coding", [b"gzip, chunked", b"identity", b"xchunked"])
    async def test_codings_of_the_transfer_are_not_known(self, echo: Client, coding: bytes) -> None:
        echo.write(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + coding + b"\r\n\r\n")
        assert await echo.reason() == (501, "BAD_REQUEST")

    async def test_http_1_0_has_no_chunks(self, echo: Client) -> None:
        echo.write(b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        assert await echo.reason() == (400, "BAD_REQUEST")

    @pytest.mark.parametrize("protocol", [b"h2c", b"TLS/1.0", b"websocket, h2c", b"x"])
    async def test_an_upgrade_that_is_not_known_is_ignored(
        self, patient: Client, protocol: bytes
    ) -> None:
        """The parser drops the body, and what came with it. Java's client asks for h2c."""
        upgrade = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: " + protocol + b"\r\n"
        head = b"POST / HTTP/1.1\r\nHost: x\r\n" + upgrade
        patient.write(head + b"Content-Length: 50000\r\n\r\n" + b"x" * 50_000)
        assert await patient.response() == (200, b"50000")
        patient.write(head + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + GET)
        assert await patient.response() == (200, b"3")
        assert await patient.response() == (200, b"0")
        patient.write(GET.replace(b"Host", upgrade + b"Host") * 3)
        for _ in range(3):
            assert await patient.response() == (200, b"0")

    async def test_what_comes_behind_a_body_is_no_header(self, echo: Client) -> None:
        """The request was judged by its headers, and has these only."""
        head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        echo.write(head + b"0\r\nHost: b\r\nContent-Type: application/json\r\n\r\n")
        _, body = await echo.response()
        assert json.loads(body)[4] == ["host", "transfer-encoding"]

    @pytest.mark.parametrize("more", [0, 1, 100_000])
    async def test_a_target_has_its_bound(self, patient: Client, more: int) -> None:
        target = b"/" + b"x" * (TARGET - 1 + more)
        patient.write(b"GET " + target + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        if more:
            assert await patient.reason() == (414, "TARGET_TOO_LONG")
        else:
            assert await patient.response() == (200, b"0")


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
        async with asyncio.timeout(5):
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


async def test_slow_clients_write_no_log(address: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with dialled(address) as client:
        client.write(TestBodies.HEAD + b"x")
        await client.reason()
    assert caplog.records == []
