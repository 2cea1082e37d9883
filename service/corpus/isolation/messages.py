"""What the service and a parsing process say to each other, and how it is framed.

A frame is the length of its head, the head in MessagePack, and the large values one after the
other as they are, so that the bytes of a file are never copied into a message.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

import msgspec

from service.corpus.isolation.limits import ParsingLimits
from service.corpus.parsing.prepared_documents import DocumentSource, JsonLine

LENGTH: Final = 4
"""Bytes of the length of a head."""


class SplitCommand(msgspec.Struct, frozen=True, kw_only=True, tag="split"):
    """Tell the document of each of *lines*; their bytes follow."""

    limits: ParsingLimits
    lines: tuple[JsonLine, ...]


class ReadCommand(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """Read each of *sources*; of each its data and its resource follow."""

    limits: ParsingLimits
    data_store: str
    now: dt.datetime
    chunk_size: int
    sources: tuple[DocumentSource, ...]


class ReadyReply(msgspec.Struct, frozen=True, tag="ready"):
    """The process has begun, or has all of a command: what ends it from now on is the document."""


class LineReply(msgspec.Struct, frozen=True, tag="told"):
    """The document of a line; its data follows."""

    source: DocumentSource


class DocumentReply(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """A document as the store keeps it; its resource and its passages follow."""

    digest: bytes


class FailureReply(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """Why a document was not read; *trace* is for the log."""

    reason: str
    message: str
    trace: str = ""


class EndReply(msgspec.Struct, frozen=True, kw_only=True, tag="over"):
    """Ends each command: what was not answered is given back.

    A *spent* process is to be replaced, since it took too much for its next document to have all
    that it may.
    """

    spent: bool


Command = SplitCommand | ReadCommand
Reply = ReadyReply | LineReply | DocumentReply | FailureReply | EndReply


class CommandHead(msgspec.Struct, frozen=True, array_like=True):
    """The head of a frame to a process: a command, and the lengths of what follows."""

    message: Command
    lengths: tuple[int, ...] = ()


class ReplyHead(msgspec.Struct, frozen=True, array_like=True):
    """The head of a frame from a process: a reply, and the lengths of what follows."""

    message: Reply
    lengths: tuple[int, ...] = ()


COMMAND_HEAD: Final = msgspec.msgpack.Decoder(CommandHead)
REPLY_HEAD: Final = msgspec.msgpack.Decoder(ReplyHead)


def pack(head: CommandHead | ReplyHead) -> bytes:
    """Return the beginning of a frame, which the parts follow."""
    packed = msgspec.msgpack.encode(head)
    return len(packed).to_bytes(LENGTH) + packed
