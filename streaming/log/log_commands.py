"""Spell the commands that append to one log and publish what was appended, ready to be sent.

They are most of what goes to Redis, so what is the same in all of one log is packed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from sessions.redis.resp_socket import pack
from streaming.log.event_log import TEXT, LogEntry, encode
from streaming.log.events import AnswerEvent, TextAppended

_APPEND: Final = b"%b$%d\r\n%b\r\n$1\r\n%b\r\n$%d\r\n%b\r\n"
_APPEND_TEXT: Final = b"%%b$%%d\r\n%%b\r\n$1\r\n%b\r\n$%%d\r\n%%b\r\n" % TEXT
_PUBLISH: Final = b"%b$%d\r\n%b %b%b\r\n"
_MULTI: Final = pack(b"MULTI")
_EXEC: Final = pack(b"EXEC")

Command = tuple[bytes, bytes]
"""The key that routes it, and the command in RESP."""


class LogCommands:
    """The commands for the log at *key*, whose entries are published on *channel* by *publish*."""

    __slots__ = ("_append", "_publish", "key")

    def __init__(self, key: bytes, channel: bytes, publish: bytes) -> None:
        self.key = key
        # NOMKSTREAM: a late append must not revive a log that expired or was deleted; nothing
        # would expire it again.
        self._append = b"*6\r\n$4\r\nXADD\r\n$%d\r\n%b\r\n$10\r\nNOMKSTREAM\r\n" % (len(key), key)
        names = (len(publish), publish, len(channel), channel)
        self._publish = b"*3\r\n$%d\r\n%b\r\n$%d\r\n%b\r\n" % names

    def appends(
        self, epoch: int, last: int, events: Sequence[AnswerEvent], parts: list[bytes]
    ) -> int:
        """Add to *parts* what appends *events* behind number *last* of *epoch*.

        Return how many commands that is.

        Several entries arrive together or not at all: Redis may refuse a large one for which it
        has no memory and take a small one behind it, and such a hole could never be mended, since
        ids only grow.
        """
        seq = last
        several = len(events) > 1
        if several:
            parts.append(_MULTI)
        elif events and type(event := events[0]) is TextAppended:  # nearly always, and in one step
            name, value = b"%d-%d" % (epoch, seq + 1), event.text.encode()
            parts.append(_APPEND_TEXT % (self._append, len(name), name, len(value), value))
            return 1
        for event in events:
            seq += 1
            field, value = encode(event)
            name = b"%d-%d" % (epoch, seq)
            parts.append(_APPEND % (self._append, len(name), name, field, len(value), value))
        if several:
            parts.append(_EXEC)
            return len(events) + 2
        return len(events)

    def single_appends(self, epoch: int, last: int, events: Sequence[AnswerEvent]) -> list[Command]:
        """Return the same one by one: a transaction cannot follow a slot that is being moved."""
        key = self.key
        return [
            (key, pack(b"XADD", key, b"NOMKSTREAM", f"{epoch}-{seq}", *encode(event)))
            for seq, event in enumerate(events, last + 1)
        ]

    def publication(self, entry: LogEntry) -> bytes:
        """Return the command that publishes *entry*."""
        field, value = encode(entry.event)
        name = b"%d-%d" % entry.position
        return _PUBLISH % (self._publish, len(name) + len(value) + 2, name, field, value)


def all_appended(reply: Any) -> bool:
    """Tell whether *reply*, to the EXEC of `LogCommands.appends`, says that all are in the log.

    Then it is their ids. Anything else leaves it open: a refusal, a redirection, `Unavailable`.
    """
    if not isinstance(reply, list):
        return False
    return all(type(each) is bytes for each in cast("list[object]", reply))
