"""A request is what RFC 9112 says, or refused: nobody in front may read it otherwise."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.server.http_framing import TARGET
from tests.server.raw_http import GET, Client, dialled
from tests.streaming.sockets import served

pytestmark = pytest.mark.anyio


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
