"""What the service and a parsing process say to each other, and how it is framed.

A frame is the length of its head, the head in MessagePack, and the large values one after the
other as they are, so that the bytes of a file are never copied into a message. A process replies
to a `SplitCommand` with a `LineReply` and to a `ReadCommand` with a `DocumentReply` for each item
in its order, or with a `FailureReply` instead, and then with an `EndReply`.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

import msgspec

from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.parsing.document_sources import DocumentSource, JsonLine
from service.corpus.stored_documents import StoredFigure

LENGTH: Final = 4
"""Bytes of the length of a head."""


class SplitCommand(msgspec.Struct, frozen=True, kw_only=True, tag="split"):
    """To a process: return the source of each of *lines*; their bytes follow."""

    limits: ParsingLimits
    lines: tuple[JsonLine, ...]


class ReadCommand(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """To a process: read each of *sources*; of each its data, resource and files follow."""

    limits: ParsingLimits
    data_store: str
    now: dt.datetime
    chunk_size: int
    sources: tuple[DocumentSource, ...]


class ReadyReply(msgspec.Struct, frozen=True, tag="ready"):
    """The process has begun, or has all of a command: what ends it from now on is the document."""


class LineReply(msgspec.Struct, frozen=True, tag="line"):
    """The source that a line holds; its data follows."""

    source: DocumentSource


class DocumentReply(msgspec.Struct, frozen=True, kw_only=True, tag="document"):
    """A document was read; its resource and its content, as the store keeps them, follow.

    Then follow the images that *figures* tell of.
    """

    figures: tuple[StoredFigure, ...] = ()


class FailureReply(msgspec.Struct, frozen=True, kw_only=True, tag="failure"):
    """Why a document was not read; *trace* is for the log."""

    reason: str
    message: str
    trace: str = ""


class EndReply(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """Ends each command: what was not replied to is given back.

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
