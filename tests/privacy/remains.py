"""Look for texts in whatever a service keeps, down to the bytes."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any


def found(redis: Any, folder: Path, texts: tuple[str, ...]) -> list[str]:
    """Return where any of *texts* is: keys of Redis by name, value and DUMP, files of *folder*.

    Redis must not compress what it dumps.
    """
    places: list[str] = []
    for key in redis.scan_iter(count=1_000):
        content = key + (redis.dump(key) or b"") + _read(redis, key)
        places += [f"{text} in {key!r}" for text in texts if text.encode() in content]
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):  # a socket, a folder, or a file that has just gone
            content = path.read_bytes()
            places += [f"{text} in {path}" for text in texts if text.encode() in content]
    return places


def _read(redis: Any, key: bytes) -> bytes:
    kind = redis.type(key).decode()
    reading = {
        "string": lambda: redis.get(key),
        "hash": lambda: redis.hgetall(key),
        "list": lambda: redis.lrange(key, 0, -1),
        "set": lambda: redis.smembers(key),
        "zset": lambda: redis.zrange(key, 0, -1, withscores=True),
        "stream": lambda: redis.xrange(key),
        "none": lambda: b"",
    }
    return repr(reading[kind]()).encode()
