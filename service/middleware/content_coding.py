"""Decode bodies that come in gzip (RFC 9110, 8.4), piece by piece.

What is decoded counts against the same limit as any body, in whoever reads it; nothing is decoded
before that. So a bomb costs no more than a plain body of the largest size.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable
from typing import Any, Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from sessions.errors import InvalidArgument

PORTION: Final = 64 << 10
"""Bytes that are decoded in one go."""
SLACK: Final = 64 << 10
"""Bytes that may come beyond twice of what they decode to.

gzip can be spun out without end, by empty blocks and members: these would pass every limit.
"""
_GZIP: Final = 16 + zlib.MAX_WBITS
_ENCODED: Final = frozenset({b"content-encoding", b"content-length"})
"""The headers that are of the body as it came."""
_BODY: Final = frozenset({b"content-length", b"transfer-encoding"})
"""One of these announces a body (RFC 9112, 6)."""
_MEANING_NOTHING: Final = frozenset({"GET", None})
"""Methods whose bodies nobody reads (RFC 9110, 9.3.1), none being a handshake: where a stream
listens for the end of its client, a body that cannot be decoded would end it."""


class ContentCoding:
    """Gives the application bodies as they were before they were encoded."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass on a request with its body decoded, or answer that its coding is not known."""
        given: Any = scope
        if given.get("method") in _MEANING_NOTHING:
            return self._app(scope, receive, send)
        headers: list[tuple[bytes, bytes]] = given["headers"]
        codings = _codings(headers)
        if not codings or not any(name in _BODY for name, _ in headers):
            return self._app(scope, receive, send)
        if codings in (["gzip"], ["x-gzip"]):
            plain: Any = {**given, "headers": [each for each in headers if each[0] not in _ENCODED]}
            return self._app(plain, _Decoding(receive), send)
        return errors.send(_unknown(codings), scope, receive, send, http=415, headers=_ACCEPTED)


class _Decoding:
    """Receives what was received, decoded."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._decoder: GzipDecoder | None = GzipDecoder()
        self._is_last = False

    async def __call__(self) -> Any:
        decoder = self._decoder
        if decoder is None:
            return await self._receive()
        while not (data := decoder.decode()):
            if self._is_last:
                decoder.finish()
                self._decoder = None
                return {"type": "http.request", "body": b"", "more_body": False}
            message: Any = await self._receive()
            if message["type"] != "http.request":
                return message
            decoder.feed(message.get("body", b""))
            self._is_last = not message.get("more_body", False)
        await asyncio.sleep(0)  # a small body may have many portions: others have their turn
        return {"type": "http.request", "body": data, "more_body": True}


class GzipDecoder:
    """Decodes members of gzip, one behind the other (RFC 1952)."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)
        self._begun = False
        self._rest = b""
        self._came = 0
        self._decoded = 0

    def feed(self, data: bytes) -> None:
        """Take *data*, once `decode` has returned all of what came before.

        Raises:
            InvalidArgument: much came for nothing.
        """
        if self._came > 2 * self._decoded + SLACK:
            raise _broken("it is far longer than what it holds")
        self._came += len(data)
        self._rest += data

    def decode(self) -> bytes:
        """Return up to `PORTION` bytes of what came, none where that is at its end.

        Raises:
            InvalidArgument: it is not gzip.
        """
        while self._rest:
            self._begun = True
            try:
                data = self._member.decompress(self._rest, PORTION)
            except zlib.error as exc:
                raise _broken("it cannot be decoded") from exc
            if self._member.eof:
                self._rest = self._member.unused_data
                self._member = zlib.decompressobj(_GZIP)
                self._begun = False
            else:
                self._rest = self._member.unconsumed_tail
            if data:
                self._decoded += len(data)
                return data
        return b""

    def finish(self) -> None:
        """Refuse a member that did not come to its end.

        Raises:
            InvalidArgument: it is cut off.
        """
        if self._begun:
            raise _broken("it is cut off")


def _codings(headers: list[tuple[bytes, bytes]]) -> list[str]:
    """Return what the body was encoded by, in order; ``identity`` is nothing."""
    given = [value for name, value in headers if name == b"content-encoding"]
    if not given:  # nearly always
        return []
    named = b",".join(given).decode("latin-1").lower().split(",")
    return [name.strip() for name in named if name.strip() not in ("", "identity")]


def _broken(why: str) -> InvalidArgument:
    return InvalidArgument(f"the body is not gzip as announced: {why}", reason="MALFORMED_GZIP")


def _unknown(codings: list[str]) -> InvalidArgument:
    return InvalidArgument(
        f"Content-Encoding: {', '.join(codings)[:100]} is not known; send gzip, or none",
        reason="CONTENT_ENCODING_NOT_SUPPORTED",
    )


_ACCEPTED: Final = {"Accept-Encoding": "gzip"}
"""What would have been taken (RFC 9110, 12.5.3)."""
