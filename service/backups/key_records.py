"""One key of Redis as a backup has it: read by its type, so that any server takes it.

A DUMP would be of one version of Redis only. Lives are kept as the moment at which they end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, cast

import msgspec

from sessions.redis.resp_socket import pack

_WRITTEN: Final = 500
"""Elements that one command writes: Redis does nothing else meanwhile."""
_WRITE: Final = {"hash": "HSET", "list": "RPUSH", "set": "SADD", "zset": "ZADD"}


class KeyRecord(msgspec.Struct, frozen=True, array_like=True, tag="key"):
    """What one key holds, or a part of it where the key *continues* the record before.

    *key* is without the prefix. An element is the value of a string, a field of a hash with its
    value, an item, a member, a member with its score, or an entry of a stream: its id, then its
    fields. *stream* is of the last part of a stream: its last id, how many entries were ever added
    and the greatest id that was deleted; the last two are missing from a Redis before 7.0.
    """

    key: bytes
    kind: str
    ends: int
    """Epoch milliseconds at which it ends, 0 for never."""
    elements: tuple[tuple[bytes, ...], ...]
    stream: tuple[bytes, ...] = ()
    continues: bool = False

    def commands(self, key: bytes, *, counted: bool) -> Iterator[bytes]:
        """Yield the packed commands that write this to *key*; streams are *counted* from 7.0 on."""
        if not self.continues:
            yield pack("UNLINK", key)
        match self.kind:
            case "string":
                yield pack("SET", key, self.elements[0][0])
            case "stream":
                for entry in self.elements:
                    yield pack("XADD", key, *entry)
                if self.stream and (self.elements or self.continues):
                    last, *counts = self.stream
                    told = ("ENTRIESADDED", counts[0], "MAXDELETEDID", counts[1]) if counts else ()
                    yield pack("XSETID", key, last, *(told if counted else ()))
            case _:
                turned = -1 if self.kind == "zset" else 1  # ZADD has the score first
                for at in range(0, len(self.elements), _WRITTEN):
                    some = self.elements[at : at + _WRITTEN]
                    parts = [part for element in some for part in element[::turned]]
                    yield pack(_WRITE[self.kind], key, *parts)
        if self.ends:
            yield pack("PEXPIREAT", key, self.ends)

    @property
    def fields(self) -> dict[bytes, bytes]:
        """The fields of a hash."""
        return dict(cast("tuple[tuple[bytes, bytes], ...]", self.elements))


def stream_elements(entries: Sequence[Any]) -> tuple[tuple[bytes, ...], ...]:
    """Return *entries* of a stream, as Redis tells them, as elements."""
    return tuple((entry_id, *fields) for entry_id, fields in entries)


def pairs(flat: Sequence[bytes]) -> tuple[tuple[bytes, ...], ...]:
    """Return a flat list of fields and values, or of members and scores, as elements."""
    return tuple((flat[at], flat[at + 1]) for at in range(0, len(flat), 2))


def told(key: bytes, now: int, reply: Sequence[Any]) -> KeyRecord | None:
    """Return what ``read.lua`` told of *key*, None where the key is not there.

    There are no elements where there are too many to be told at once.
    """
    if not reply:
        return None
    kind, life, found, *stream = reply
    kind = kind.decode()
    if found is None:
        elements = ()
    elif kind == "stream":
        elements = stream_elements(found)
    elif kind in ("hash", "zset"):
        elements = pairs(found)
    else:
        elements = tuple((each,) for each in found)
    ends = now + int(life) if int(life) >= 0 else 0
    return KeyRecord(key, kind, ends, elements, tuple(stream))
