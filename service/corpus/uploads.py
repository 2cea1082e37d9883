"""Keep what has come of a resumable upload, so that any replica can take what follows."""

from __future__ import annotations

import secrets
from typing import Final

import msgspec

from sessions.connection import Redis
from sessions.errors import InvalidArgument, NotFound, OutOfRange
from sessions.keys import Keys

LIFE: Final = 3600 * 1000
"""Milliseconds after its last piece for which an upload can go on."""
LARGEST: Final = 100 << 20
"""Bytes of a file (api.md 18)."""
_SLICE: Final = 1 << 20
"""Bytes written at once, so that what else is asked of Redis does not wait for long."""


class Begun(msgspec.Struct, frozen=True, kw_only=True):
    """What was said at the beginning; *size* is -1 where it was not told."""

    message: bytes
    filename: str = ""
    mime: str = ""
    size: int = -1


_BEGUN: Final = msgspec.msgpack.Decoder(Begun)


class Uploads:
    """The uploads on their way, by corpus and id."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def begin(self, corpus: str, begun: Begun) -> str:
        """Expect the bytes of a file of *corpus*; return the id of the upload.

        Raises:
            InvalidArgument: the file is too large.
        """
        if begun.size > LARGEST:
            raise _too_large()
        upload = secrets.token_hex(16)
        head, _ = self._of(corpus, upload)
        await self._redis.execute(head, "SET", head, msgspec.msgpack.encode(begun), "PX", LIFE)
        return upload

    async def expect(self, corpus: str, upload: str, offset: int) -> None:
        """Make sure that bytes from *offset* on can be kept, before they are read.

        Raises:
            NotFound: there is no such upload, or no longer.
            OutOfRange: bytes before *offset* are missing.
            InvalidArgument: the file is too large.
        """
        head, _ = self._of(corpus, upload)
        if not await self._redis.execute(head, "PEXPIRE", head, LIFE):
            raise _absent(upload)
        there = await self.received(corpus, upload)
        if offset > there:
            raise OutOfRange(
                f"the upload has {there} bytes; go on from there, not from {offset}",
                reason="UPLOAD_OFFSET",
                received=str(there),
            )
        if offset > LARGEST:
            raise _too_large()

    async def append(self, corpus: str, upload: str, offset: int, data: bytes) -> None:
        """Keep *data*, the bytes of the file from *offset* on; the same may come twice.

        Raises:
            NotFound, OutOfRange, InvalidArgument: as `expect` does.
        """
        await self.expect(corpus, upload, offset)
        _, body = self._of(corpus, upload)
        if offset + len(data) > LARGEST:
            raise _too_large()
        for at in range(0, len(data), _SLICE):
            piece = data[at : at + _SLICE]
            await self._redis.execute(body, "SETRANGE", body, offset + at, piece)
        await self._redis.execute(body, "PEXPIRE", body, LIFE)

    async def received(self, corpus: str, upload: str) -> int:
        """Return how many bytes there are."""
        _, body = self._of(corpus, upload)
        return int(await self._redis.execute(body, "STRLEN", body))

    async def read(self, corpus: str, upload: str) -> tuple[Begun, bytes]:
        """Return what was said at the beginning, and all bytes.

        Raises:
            NotFound: there is no such upload, or no longer.
            InvalidArgument: bytes are missing.
        """
        head, body = self._of(corpus, upload)
        found = await self._redis.execute(head, "GET", head)
        if found is None:
            raise _absent(upload)
        begun = _BEGUN.decode(found)
        data = bytes(await self._redis.execute(body, "GET", body) or b"")
        if begun.size >= 0 and len(data) != begun.size:
            raise InvalidArgument(
                f"the upload has {len(data)} bytes of {begun.size}", reason="UPLOAD_INCOMPLETE"
            )
        return begun, data

    async def forget(self, corpus: str, upload: str) -> None:
        """Drop an upload, ended or given up."""
        head, body = self._of(corpus, upload)
        await self._redis.execute(head, "UNLINK", head, body)

    def _of(self, corpus: str, upload: str) -> tuple[bytes, bytes]:
        return (
            self._keys.corpus(corpus, f"upload-head-{upload}"),
            self._keys.corpus(corpus, f"upload-body-{upload}"),
        )


def _absent(upload: str) -> NotFound:
    return NotFound(f"there is no upload '{upload[:64]}', or no longer", resource=upload[:64])


def _too_large() -> InvalidArgument:
    return InvalidArgument(f"a file has at most {LARGEST} bytes", reason="FILE_TOO_LARGE")
