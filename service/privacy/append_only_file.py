"""Leave nothing of what was deleted in the files of the bundled Redis.

Its append-only file holds each change until it is rewritten from what is there then. Its log of
slow commands, in memory, holds what they were given.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis

_PAUSE: Final = 0.02
"""Seconds between two looks at a rewriting."""
_LIMIT: Final = 600.0
"""Seconds for a rewriting: it takes some of them for each gigabyte."""
_MANIFEST: Final = "*.manifest"
_TEMPORARY: Final = ("temp-*.aof", "temp-*.rdb")


class AppendOnlyFile:
    """The append-only file of the Redis in *folder*."""

    def __init__(self, redis: Redis, folder: Path) -> None:
        self._redis = redis
        self._folder = folder

    async def rewrite(self) -> None:
        """Write it anew, and delete what earlier rewritings left.

        Raises:
            Unavailable: that failed, or takes too long; what was deleted is on disk still.
        """
        try:
            async with asyncio.timeout(_LIMIT):
                # One that began before the deletions may hold what they deleted.
                await self._ended()
                await self._begin()
                if await self._ended() != "ok":
                    raise _failed("Redis could not write it")
        except TimeoutError:
            raise _failed("it takes too long") from None
        # Redis does so as well, a moment later or, where it was killed in between, never.
        for path in self._unused():
            path.unlink(missing_ok=True)
        await self._redis.execute(b"", "SLOWLOG", "RESET")

    async def _begin(self) -> None:
        while True:
            with contextlib.suppress(ResponseError):  # Redis itself has just begun another one
                await self._redis.execute(b"", "BGREWRITEAOF")
                return
            await self._ended()

    async def _ended(self) -> str:
        """Wait until no rewriting is going on; return how the last one ended."""
        while True:
            info = bytes(await self._redis.execute(b"", "INFO", "persistence")).decode()
            said = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
            if said["aof_rewrite_in_progress"] == said["aof_rewrite_scheduled"] == "0":
                return said["aof_last_bgrewrite_status"]
            await asyncio.sleep(_PAUSE)

    def _unused(self) -> list[Path]:
        """Return the files that rewritings left: those that no manifest names, and half ones."""
        named = {
            line.split()[1]
            for manifest in self._folder.rglob(_MANIFEST)
            for line in manifest.read_text("utf-8").splitlines()
            if " type h" not in line
        }
        old = [
            path
            for manifest in self._folder.rglob(_MANIFEST)
            for path in manifest.parent.glob("*.aof")
            if path.name not in named
        ]
        return old + [path for pattern in _TEMPORARY for path in self._folder.rglob(pattern)]


def _failed(why: str) -> Unavailable:
    return Unavailable(
        f"the append-only file of Redis was not rewritten: {why}; all is deleted from Redis, and "
        "the file is rewritten as soon as that is possible",
        reason="APPEND_ONLY_FILE_NOT_REWRITTEN",
    )
