"""Read the body of a response, decoded, and no more of it than asked for."""

from __future__ import annotations

import zlib
from typing import Final

import aiohttp

_GZIP: Final = 31
"""What zlib calls the format of gzip, with the largest window."""
_PLAIN: Final = ("", "identity")
_CODED: Final = ("gzip", "x-gzip")


class BodyRefused(Exception):
    """A body is coded in a way that was not asked for, or is broken."""


async def read(response: aiohttp.ClientResponse, limit: int) -> tuple[bytes, bool]:
    """Return at most *limit* bytes of the decoded body, and whether that is all of it.

    Raises:
        BodyRefused: it cannot be decoded.
        ClientError: the connection was lost.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    if coding not in _PLAIN + _CODED:
        raise BodyRefused(coding)
    inflater = _Inflater() if coding in _CODED else None
    body = bytearray()
    async for part in response.content.iter_any():
        room = limit + 1 - len(body)
        body += part[:room] if inflater is None else inflater.inflate(part, room)
        if len(body) > limit:
            # Before the rest has come: it may never end.
            response.close()
            return bytes(body[:limit]), False
    if inflater is not None and body and not inflater.done:
        raise BodyRefused("cut off")
    return bytes(body), True


class _Inflater:
    """Decodes gzip; a kilobyte of that may be a megabyte."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(_GZIP)

    @property
    def done(self) -> bool:
        """Whether the end was read."""
        return self._decoder.eof

    def inflate(self, part: bytes, room: int) -> bytes:
        """Return at most *room* bytes more; what is over that is never made."""
        try:
            return self._decoder.decompress(part, room)
        except zlib.error as exc:
            raise BodyRefused("broken") from exc
