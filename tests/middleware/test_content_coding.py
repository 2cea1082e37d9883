"""Bodies in gzip: as good as plain ones, as bounded, and refused where they are broken."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from service.middleware.content_coding import PORTION, GzipDecoder
from sessions.errors import InvalidArgument
from tests.clients.discovery import Api, Service
from tests.middleware.raw_http import Response, exchange, send

JSON = "Content-Type: application/json"
GZIP = "Content-Encoding: gzip"
TURNS = json.dumps({"displayName": "é" * 50}).encode()


def decoded(data: bytes, step: int) -> bytes:
    """Return what *data* decodes to when it comes in pieces of *step* bytes."""
    decoder, whole = GzipDecoder(), b""
    for at in range(0, len(data), step):
        decoder.feed(data[at : at + step])
        while piece := decoder.decode():
            assert len(piece) <= PORTION
            whole += piece
    decoder.finish()
    return whole


@pytest.mark.parametrize("step", [1, 7, 1 << 16])
def test_members_are_decoded_however_they_come(step: int) -> None:
    text = bytes(range(256)) * 1000
    assert decoded(gzip.compress(text), step) == text
    assert decoded(gzip.compress(b"a") + gzip.compress(b"") + gzip.compress(b"b"), step) == b"ab"
    assert decoded(b"", step) == b""


def test_what_expands_comes_in_portions() -> None:
    assert decoded(gzip.compress(bytes(1 << 22)), 1 << 16) == bytes(1 << 22)


GOOD = gzip.compress(b'{"a": 1}' * 100)


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        GOOD[:-1],
        GOOD[:5],
        GOOD[:-8],
        GOOD + b"x",
        GOOD + b"\0\0",
        GOOD + GOOD[:12],
        GOOD[:-6] + b"\1" + GOOD[-5:],
        GOOD[:20] + b"\xff\xff" + GOOD[22:],
        zlib.compress(b"x"),
    ],
    ids=["plain", "cut", "head", "no sum", "more", "zeros", "half", "wrong sum", "broken", "zlib"],
)
def test_what_is_no_gzip_is_refused(data: bytes) -> None:
    for step in (1, 1 << 16):
        with pytest.raises(InvalidArgument) as refused:
            decoded(data, step)
        assert refused.value.reason == "MALFORMED_GZIP"


@pytest.mark.parametrize(
    "endless",
    [
        gzip.compress(b""),
        zlib.compressobj(wbits=31).flush(zlib.Z_FULL_FLUSH) + b"\0\0\0\xff\xff" * 20,
    ],
    ids=["members", "blocks"],
)
def test_what_is_spun_out_for_nothing_is_refused(endless: bytes) -> None:
    """It would pass any limit that looks at what is decoded."""
    head, piece = endless[:10], endless if endless[-5:] != b"\0\0\0\xff\xff" else endless[-100:]
    with pytest.raises(InvalidArgument):
        decoded(head * (piece is not endless) + piece * 20_000, 1 << 14)


def test_a_body_in_gzip_is_read_as_any(service: Service, v1: Api) -> None:
    path = f"/v1/{v1.data_store()}/sessions"
    for coding in ("gzip", "GZIP", "x-gzip", "identity, gzip"):
        line = f"Content-Encoding: {coding}"
        reply = send(service, "POST", path, JSON, line, body=gzip.compress(TURNS))
        assert json.loads(reply.body)["displayName"] == "é" * 50
    for coding in ("identity", ""):
        reply = send(service, "POST", path, JSON, f"Content-Encoding: {coding}", body=TURNS)
        assert reply.status == 200


def test_pieces_and_files_may_be_in_gzip(service: Service, v1: Api) -> None:
    made = v1.call(f"{v1.location}/ragCorpora", "POST", {"displayName": "x"}).body
    corpus = made["response"]["name"]
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    form = head + b"Text.\r\n--x--"
    multipart = "Content-Type: multipart/form-data; boundary=x"
    path = f"/upload/v1/{corpus}/ragFiles:upload"
    reply = send(service, "POST", path, multipart, GZIP, body=gzip.compress(form))
    assert json.loads(reply.body)["ragFile"]["displayName"] == "a.txt"


@pytest.mark.parametrize("coding", ["br", "deflate", "zstd", "gzip, gzip", "gzip, br", "x" * 500])
def test_other_codings_are_not_known(service: Service, coding: str) -> None:
    reply = send(service, "POST", "/v1/x", JSON, f"Content-Encoding: {coding}", body=b"{}")
    assert (reply.status, reply.reason) == (415, "CONTENT_ENCODING_NOT_SUPPORTED")
    assert reply.headers["Accept-Encoding"] == "gzip"


def test_a_coding_of_no_body_does_not_matter(service: Service, v1: Api) -> None:
    assert send(service, "GET", f"/v1/{v1.data_store()}", "Content-Encoding: br").status == 200
    path = f"/v1/{v1.data_store('other')}/sessions"
    assert send(service, "POST", path, JSON, GZIP, "Content-Length: 0").status == 200


@pytest.mark.parametrize("coding", ["gzip", "br"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_what_comes_with_a_get_is_not_read(
    service: Service, v1: Api, method: str, coding: str
) -> None:
    """A stream that only listens for the end of its client would come to its own end by it."""
    line = f"Content-Encoding: {coding}"
    path = f"/v1/{v1.data_store()}/sessions/-/answers/1:stream"
    for query in ("", "?alt=sse"):
        assert send(service, method, path + query, line, body=b"no gzip").status == 404


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_coding_in_a_handshake_does_not_matter(service: Service, coding: str) -> None:
    handshake = (
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    line = f"Content-Encoding: {coding}"
    assert send(service, "GET", "/v1/ws", *handshake, line, "Content-Length: 0").status == 101


def bomb(service: Service, path: str, size: int) -> Response:
    """Send zeros, or rather white space, that decode to *size* bytes."""
    body = gzip.compress(b"{" + b" " * size + b"}")
    assert len(body) < size // 500
    return send(service, "POST", path, JSON, GZIP, body=body)


def test_a_bomb_meets_the_limit_of_plain_bodies(service: Service, v1: Api) -> None:
    store = v1.data_store()
    question = f"/v1/{store}/servingConfigs/default_config:search"
    assert bomb(service, question, 3 << 20).reason == "BODY_TOO_LARGE"
    assert bomb(service, f"/v1/{store}/sessions", 3 << 20).status == 200
    assert bomb(service, f"/v1/{store}/sessions", 40 << 20).reason == "BODY_TOO_LARGE"


@pytest.mark.parametrize("body", [b"{}", GOOD[:-4], GOOD + b"x"], ids=["plain", "cut", "more"])
def test_a_broken_body_is_a_fault_of_the_request(service: Service, v1: Api, body: bytes) -> None:
    path = f"/v1/{v1.data_store()}/sessions"
    assert send(service, "POST", path, JSON, GZIP, body=body).reason == "MALFORMED_GZIP"
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{JSON}\r\n{GZIP}\r\n"
    reply = exchange(service, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunked)
    assert reply.reason == "MALFORMED_GZIP"
