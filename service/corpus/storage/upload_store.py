"""Keep what has come of a resumable upload, so that any replica can take what follows.

Pieces lie in Redis, where every replica finds them, and where memory is dear: so there may be few
uploads at a time, of one corpus and of all, with few bytes, and each ends soon after its last
piece. All share one slot, and what they take is added up from the list of them in the script that
adds to it: there is no count that could go wrong.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections.abc import AsyncIterable
from typing import Final

import msgspec

from sessions.errors import InvalidArgument, NotFound, OutOfRange, ResourceExhausted
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

LIFE: Final = 600 * 1000
"""Milliseconds after its last piece for which an upload can go on."""
LARGEST_FILE: Final = 100 << 20
"""Bytes of a file."""
_SLICE: Final = 1 << 20
"""Bytes written or read at once, so that what else is asked of Redis does not wait for long."""
_LATER: Final = 60
"""Seconds after which room is looked for again, at most: uploads end before their time, too."""

_KEEP: Final = Script("service.corpus.storage", "scripts/upload_keep.lua")
_FORGET: Final = Script("service.corpus.storage", "scripts/upload_forget.lua")


class UploadLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How many uploads there may be at a time, and how many bytes of them."""

    uploads: int = 64
    uploads_of_corpus: int = 16
    bytes: int = 256 << 20
    bytes_of_corpus: int = 128 << 20


LIMITS: Final = UploadLimits()


class UploadStart(msgspec.Struct, frozen=True, kw_only=True):
    """What was said at the beginning; *size* is -1 where it was not told."""

    message: bytes
    filename: str = ""
    mime: str = ""
    size: int = -1


_START: Final = msgspec.msgpack.Decoder(UploadStart)


class UploadStore:
    """The uploads on their way, by corpus and id. All methods raise `Unavailable`."""

    def __init__(self, redis: Redis, keys: Keys, limits: UploadLimits = LIMITS) -> None:
        self._redis = redis
        self._keys = keys
        self._limits = limits

    async def begin(self, corpus: str, start: UploadStart, caller: str = "") -> str:
        """Expect the bytes of a file of *corpus*; return the id of the upload for its *caller*.

        Everything else is called with `of_caller` of it.

        Raises:
            InvalidArgument: the file is too large.
            ResourceExhausted: there are too many uploads, or too many bytes of them.
        """
        if start.size > LARGEST_FILE:
            raise _too_large()
        upload = secrets.token_hex(16)
        packed = msgspec.msgpack.encode(start)
        stored = of_caller(upload, caller)
        await self._keep(corpus, stored, start=packed, announced=max(start.size, 0))
        return upload

    async def expect(self, corpus: str, upload: str, offset: int) -> None:
        """Make sure that bytes from *offset* on can be kept, before they are read.

        Raises:
            NotFound: there is no such upload, or no longer.
            OutOfRange: bytes before *offset* are missing.
        """
        await self._keep(corpus, upload, offset)

    async def append(
        self, corpus: str, upload: str, offset: int, data: AsyncIterable[bytes]
    ) -> None:
        """Keep *data*, the bytes of the file from *offset* on, as they come.

        The same may come twice. What came before a failure is kept.

        Raises:
            NotFound, OutOfRange: as `expect` does.
            InvalidArgument: the file is too large.
            ResourceExhausted: there are too many bytes of uploads.
        """
        waiting = bytearray()
        async for chunk in data:
            waiting += chunk
            if len(waiting) >= _SLICE:
                await self._add(corpus, upload, offset, bytes(waiting))
                offset += len(waiting)
                waiting.clear()
        if waiting:
            await self._add(corpus, upload, offset, bytes(waiting))

    async def received(self, corpus: str, upload: str) -> int:
        """Return how many bytes there are.

        Raises:
            NotFound: there is no such upload, or no longer.
        """
        return await self._keep(corpus, upload)

    async def read(self, corpus: str, upload: str) -> tuple[UploadStart, bytes]:
        """Return what was said at the beginning, and all bytes.

        Raises:
            NotFound: there is no such upload, or no longer.
            InvalidArgument: bytes are missing.
        """
        size = await self.received(corpus, upload)
        _, head, body = self._of(upload)
        stored = await self._redis.execute(head, "GET", head)
        if stored is None:
            raise _absent(upload)
        start = _START.decode(stored)
        if start.size >= 0 and size != start.size:
            raise InvalidArgument(
                f"the upload has {size} bytes of {start.size}; send the others first",
                reason="UPLOAD_INCOMPLETE",
            )
        slices = [
            bytes(await self._redis.execute(body, "GETRANGE", body, at, at + _SLICE - 1))
            for at in range(0, size, _SLICE)
        ]
        data = b"".join(slices)
        if len(data) != size:  # it ended meanwhile
            raise _absent(upload)
        return start, data

    async def forget(self, upload: str) -> None:
        """Drop an upload, ended or given up."""
        await self._redis.run(_FORGET, self._of(upload), [upload])

    async def forget_all(self, corpus: str) -> None:
        """Drop the uploads of *corpus*, which is gone."""
        key = self._keys.uploads()
        entries: list[bytes] = await self._redis.execute(key, "HGETALL", key)
        wanted = _short(corpus).encode()
        for upload, entry in zip(entries[::2], entries[1::2], strict=True):
            if entry.rpartition(b" ")[2] == wanted:
                await self.forget(upload.decode())

    async def _add(self, corpus: str, upload: str, offset: int, data: bytes) -> None:
        if offset + len(data) > LARGEST_FILE:
            raise _too_large()
        await self._keep(corpus, upload, offset, data)

    async def _keep(
        self,
        corpus: str,
        upload: str,
        offset: int = 0,
        data: bytes = b"",
        *,
        start: bytes = b"",
        announced: int = 0,
    ) -> int:
        """Keep *data*, or that an upload begins with *start*; return how many bytes there are."""
        limits = self._limits
        args = [upload, _short(corpus), start, offset, data, LIFE, announced]
        args += [limits.uploads, limits.uploads_of_corpus, limits.bytes, limits.bytes_of_corpus]
        outcome, *rest = await self._redis.run(_KEEP, self._of(upload), args)
        match outcome:
            case b"ABSENT":
                raise _absent(upload)
            case b"BEHIND":
                raise OutOfRange(
                    f"the upload has {rest[0]} bytes; go on from there, not from {offset}",
                    reason="UPLOAD_OFFSET",
                    received=str(rest[0]),
                )
            case b"FULL":
                raise ResourceExhausted(
                    "there are too many unfinished uploads, or bytes of them; finish or cancel "
                    "some, or come back later",
                    reason="TOO_MANY_UPLOADS",
                    retry_after=min(max(1, math.ceil(rest[0] / 1000)), _LATER),
                )
            case _:
                return int(rest[0])

    def _of(self, upload: str) -> list[bytes]:
        return [
            self._keys.uploads(),
            self._keys.upload(upload, "said"),
            self._keys.upload(upload, "bytes"),
        ]


def of_caller(upload: str, caller: str) -> str:
    """Return the id under which the *upload* of *caller* is kept: nobody else can come by it."""
    if not caller:
        return upload
    return hashlib.blake2b(upload.encode(), key=_key(caller), digest_size=16).hexdigest()


def _key(caller: str) -> bytes:
    return hashlib.blake2b(caller.encode(), digest_size=32).digest()


def _short(corpus: str) -> str:
    """Return what stands for *corpus* in the list of uploads."""
    return hashlib.blake2b(corpus.encode(), digest_size=12).hexdigest()


def _absent(upload: str) -> NotFound:
    return NotFound("there is no such upload, or no longer", resource=upload[:64])


def _too_large() -> InvalidArgument:
    return InvalidArgument(f"a file has at most {LARGEST_FILE} bytes", reason="FILE_TOO_LARGE")
