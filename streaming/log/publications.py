"""Tell other replicas what was acknowledged, in one message for each of them and batch.

A replica that follows answers of others has *inboxes*: one channel for each partition, since in a
cluster each belongs to a slot. It asks the owner of an answer by a `FollowRequest`, with a number
of its own for that answer; from then on what is acknowledged of it stands in the messages to that
inbox, as rows of the number, the position, the field and the value of each entry. Replicas of
before there were inboxes listen to the channel of the answer, where an entry is a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from sessions.redis.resp_socket import pack
from streaming.log import event_log as logs
from streaming.log.event_log import LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import Position

Row = tuple[int, int, int, str, str]
"""The number that a replica gave an answer, epoch and number of the entry, its field and value."""

TEXT: Final = logs.TEXT.decode()


class FollowRequest(msgspec.Struct, frozen=True, array_like=True):
    """To the owner of *answer*: tell it to the inboxes of *replica*, as *number*."""

    answer: str
    replica: str
    number: int


class Inbox(msgspec.Struct, frozen=True):
    """Where a *replica* listens for an answer that it calls *number*."""

    replica: str
    number: int
    channel: bytes


_encoder: Final = msgspec.msgpack.Encoder()
_rows: Final = msgspec.msgpack.Decoder(list[Row])
_requests: Final = msgspec.msgpack.Decoder(FollowRequest)

encode_request: Final = _encoder.encode
decode_request: Final = _requests.decode
encode_rows: Final = _encoder.encode
decode_rows: Final = _rows.decode


def row(number: int, entry: LogEntry) -> Row:
    """Return the row that tells *entry* of the answer of this *number*."""
    epoch, seq = entry.position
    event = entry.event
    if type(event) is TextAppended:
        return number, epoch, seq, TEXT, event.text
    field, value = logs.encode(event, reset=entry.reset)
    return number, epoch, seq, field.decode(), value.decode()


def entry_of(row: Row) -> LogEntry:
    """Return the entry that *row* tells."""
    _, epoch, seq, field, value = row
    return logs.decode(Position(epoch, seq), field.encode(), value.encode())


class Publications:
    """What is to be published of one batch; one node serves all its channels."""

    __slots__ = ("_commands", "_messages")

    def __init__(self) -> None:
        self._commands: list[bytes] = []
        self._messages: dict[str, tuple[bytes, list[Row]]] = {}

    def add(self, commands: Iterable[bytes]) -> None:
        """Publish by *commands*, for all who listen to the channel of an answer."""
        self._commands += commands

    def address(self, inboxes: Sequence[Inbox], entry: LogEntry) -> None:
        """Tell *entry* to *inboxes*."""
        for inbox in inboxes:
            message = self._messages.get(inbox.replica)
            if message is None:
                # Whichever of the partitions of this node comes first: the replica hears them all.
                message = self._messages[inbox.replica] = inbox.channel, []
            message[1].append(row(inbox.number, entry))

    def commands(self, publish: bytes) -> list[bytes]:
        """Return the commands that publish all of it, by the command *publish*."""
        return self._commands + [
            pack(publish, channel, encode_rows(rows)) for channel, rows in self._messages.values()
        ]
