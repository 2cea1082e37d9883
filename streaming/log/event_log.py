"""Keep the events of an answer in their order, in a Redis Stream.

The id of an entry is its position, ``<epoch>-<seq>``, and is given by the writer: Redis refuses
an id that is not greater than the last, so a retry is harmless and a writer whose epoch is over
cannot write. An entry has one field:

=====  ===================================================================================
``d``  the text of a `TextAppended`, as it is
``e``  any other event, as JSON
``r``  a `Started`, as JSON, that tells readers to drop what earlier epochs told
=====  ===================================================================================

On a channel an entry travels as ``<id> <field><value>``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log.answer_machine import AnswerMachine
from streaming.log.events import AnswerEvent, TextAppended
from streaming.log.positions import BEGINNING, Position

PAGE: Final = 1_000
"""How many entries are read at once; these cost Redis less than half a millisecond."""

TEXT: Final = b"d"
EVENT: Final = b"e"
RESET: Final = b"r"

_Range = Sequence[tuple[bytes, tuple[bytes, bytes]]]
"""The reply to XRANGE: of each entry its id, and its one field with the value."""

_encoder: Final = msgspec.json.Encoder(enc_hook=lambda tag: tag.name)
_decoder: Final = msgspec.json.Decoder[AnswerEvent](AnswerEvent)


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An acknowledged event and where it stands.

    *reset* tells that the answer is written anew: what came before must be dropped. Only a
    `Started` of a later epoch can carry it.
    """

    position: Position
    event: AnswerEvent
    reset: bool = False


def encode(event: AnswerEvent, *, reset: bool = False) -> tuple[bytes, bytes]:
    """Return the field and the value that *event* is stored as."""
    if type(event) is TextAppended:
        return TEXT, event.text.encode()
    return RESET if reset else EVENT, _encoder.encode(event)


def decode(position: Position, field: bytes, value: bytes) -> LogEntry:
    """Return the entry that was stored at *position*."""
    if field == TEXT:
        return LogEntry(position, TextAppended(text=value.decode()))
    return LogEntry(position, _decoder.decode(value), field == RESET)


def payload(position: Position, field: bytes, value: bytes) -> bytes:
    """Return the form in which an entry travels on a channel."""
    return b"%d-%d %b%b" % (position.epoch, position.seq, field, value)


def decode_payload(data: bytes) -> LogEntry:
    """Return the entry that was sent on a channel."""
    identifier, _, rest = data.partition(b" ")
    return decode(_position(identifier), rest[:1], rest[1:])


def fold(entries: Iterable[LogEntry], *, name: str = "") -> AnswerMachine:
    """Return the machine of the answer *name* after *entries*, its log from the first on."""
    machine = AnswerMachine(name)
    for entry in entries:
        if entry.reset:
            machine = AnswerMachine(name)
        machine.apply(entry.event)
    return machine


class EventLog:
    """Reads logs. What is written goes through `streaming.log.writer` and the scripts."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys

    async def read(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return the entries of *answer* behind *after*, or all; none where there is no log.

        A failover may take them back: they are not to be told before `read_replicated` has them.

        Raises:
            Unavailable: Redis is away.
        """
        return await self._read(answer, after, decode_range)

    async def read_replicated(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return the same once the replicas that are waited for have it.

        Raises:
            Unavailable: Redis is away, or was deposed.
        """
        return await self._replicated(answer, await self.read(answer, after))

    async def read_joined(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return that at a third of the cost, with text in a row as one entry.

        That stands where the last of it stood, so that no other entry may be sought among these
        but the first, which is never joined.

        Raises:
            Unavailable: Redis is away, or was deposed.
        """
        return await self._replicated(answer, await self._read(answer, after, decode_joined_range))

    async def _replicated(self, answer: str, entries: list[LogEntry]) -> list[LogEntry]:
        """Return *entries*, which were read, when no failover takes them back any more."""
        if entries:
            # Their writer waits as well before it tells them, but they are there to be read before.
            # At a master that is cut off, whoever comes back then would read what is about to go.
            await self._redis.replicated(self._keys.log(answer))
        return entries

    async def _read(
        self, answer: str, after: Position | None, decoded: Callable[[_Range], list[LogEntry]]
    ) -> list[LogEntry]:
        key = self._keys.log(answer)
        entries: list[LogEntry] = []
        last = after or BEGINNING
        while True:
            command = ("XRANGE", key, f"({last}", "+", "COUNT", PAGE)
            page: _Range = await self._redis.execute(key, *command)
            entries += decoded(page)
            if len(page) < PAGE:
                return entries
            last = entries[-1].position

    async def top(self, answer: str) -> Position | None:
        """Return the position of the last entry of *answer*; None where there is no log.

        Raises:
            Unavailable: Redis is away.
        """
        key = self._keys.log(answer)
        return decode_top(await self._redis.execute(key, b"XREVRANGE", key, "+", "-", "COUNT", 1))

    async def fold(self, answer: str) -> AnswerMachine:
        """Return the machine of *answer* after everything that its log tells, and will not lose."""
        return fold(await self.read_replicated(answer), name=answer)


def decode_range(reply: _Range) -> list[LogEntry]:
    """Return the entries in the reply to XRANGE."""
    return [decode(_position(identifier), *fields) for identifier, fields in reply]


def decode_joined_range(reply: _Range) -> list[LogEntry]:
    """Return the first entry in the reply to XRANGE, then the others with text in a row as one."""
    entries = decode_range(reply[:1])
    texts: list[bytes] = []
    last = b""
    for identifier, (field, value) in reply[1:]:
        if field == TEXT:
            texts.append(value)
            last = identifier
            continue
        if texts:
            entries.append(decode(_position(last), TEXT, b"".join(texts)))
            texts = []
        entries.append(decode(_position(identifier), field, value))
    if texts:
        entries.append(decode(_position(last), TEXT, b"".join(texts)))
    return entries


def decode_top(reply: Sequence[tuple[bytes, object]]) -> Position | None:
    """Return the position of the one entry in the reply to XREVRANGE, if there is one."""
    return _position(reply[0][0]) if reply else None


def _position(identifier: bytes) -> Position:
    epoch, _, seq = identifier.partition(b"-")
    return Position(int(epoch), int(seq))
