"""Reads documents in a few processes, each of which is killed at the limits of its document.

One that was killed, crashed or grew is replaced, and only the document that it was reading is told
as unreadable. Work is given out in small shares, so that no import keeps the others waiting for
longer than one document takes. The life of a process::

    it is      then                                it is      and
    started    it is ready                         idle
               it ends, or takes too long          gone       the caller hears PARSER_NOT_STARTED
    idle       it is sent a command                receiving
               nothing is to be read for IDLE      gone
    receiving  it is ready: it has all of it       reading
               it ends, or takes too long          gone       another is tried, no document blamed
    reading    it replies                          reading    the next document is at work
               it ends the command                 idle       what it gave back is given out anew
               it ends the command, spent          gone       likewise
               it ends, or takes too long          gone       the document at work is blamed
    any        the caller is cancelled             gone
               the service stops                   gone       the caller hears SERVICE_STOPPED
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
import os
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, TypeVar

import msgspec

from service.corpus.isolation import failures
from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.isolation.messages import (
    Command,
    DocumentReply,
    EndReply,
    FailureReply,
    LineReply,
    ReadCommand,
    ReadyReply,
    SplitCommand,
)
from service.corpus.isolation.process import NOT_STARTED, ParsingProcess, ProcessEnded
from service.corpus.parsing.document_sources import BesideFile, DocumentSource, JsonLine
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.stored_documents import StoredDocument, StoredFigure
from service.thread_pools import ThreadPool
from sessions.errors import Unavailable

IDLE: Final = 60.0
"""Seconds without work after which a process ends, and gives its memory back."""
STOP: Final = 1.0
"""Seconds for what is being read when the service stops."""
_SHARE: Final = 32
"""Documents that a process is given at once,"""
_SHARE_BYTES: Final = 1024 * 1024
"""and their bytes, unless a single one has more."""
_HEAD: Final = 16 * 1024 * 1024
"""Bytes of the head of a reply, beside the blobs that `ParsingLimits.reply` bounds."""
_STARTS: Final = 3
"""Processes that may die, one after the other, before they have begun with the work."""

_log = logging.getLogger(__name__)
_Item = TypeVar("_Item", JsonLine, DocumentSource)
_Order = tuple[Command, list[bytes]]


class ParsingPool:
    """Reads documents; an async context manager that owns its processes.

    They begin with the first document and end when there was none for a while, at the latest with
    this process, however that ends.
    """

    def __init__(self, limits: ParsingLimits | None = None, *, size: int = 0) -> None:
        """*size* processes work at once, 0 for one on each two cores: answers have the others."""
        self._limits = limits or ParsingLimits()
        self._size = size or max(1, (os.cpu_count() or 1) // 2)
        self._turns = asyncio.Semaphore(self._size)
        self._processes: set[ParsingProcess] = set()
        self._idle: list[ParsingProcess] = []
        self._rest: asyncio.TimerHandle | None = None
        self._stopping = False
        self.threads = ThreadPool("importing", 2)
        """Reads files and compares them with what is stored, before they are read here."""

    async def __aenter__(self) -> ParsingPool:
        """Begin nothing yet."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all processes."""
        self._stopping = True
        if self._rest is not None:
            self._rest.cancel()
        for process in self._processes:
            process.kill()
        for process in list(self._processes):
            await process.wait_ended()

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that there are."""
        return [process.pid for process in self._processes if process.alive]

    async def drain(self, grace: float) -> None:
        """Begin with no document more, and end what is being read after `STOP` seconds.

        An import is not to be ended in any *grace*, and a single document seldom takes longer.
        """
        self._stopping = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(grace, STOP)):
                for _ in range(self._size):
                    await self._turns.acquire()
        for process in self._processes:
            process.kill()

    async def read(
        self, sources: Sequence[DocumentSource], data_store: str, *, chunk_size: int
    ) -> list[StoredDocument | Unreadable]:
        """Return each of *sources* as it is stored in *data_store*, or why it cannot be read.

        Raises:
            Unavailable: the service stops, or no process starts.
        """
        now = dt.datetime.now(dt.UTC)

        def order(share: Sequence[DocumentSource]) -> _Order:
            bare = tuple(map(_bare, share))
            command = ReadCommand(
                limits=self._limits,
                data_store=data_store,
                now=now,
                chunk_size=chunk_size,
                sources=bare,
            )
            return command, [blob for source in share for blob in _blobs(source)]

        made: list[StoredDocument | Unreadable] = []
        for source, (reply, blobs) in zip(sources, await self._work(sources, order), strict=True):
            match reply:
                case DocumentReply(figures=figures):
                    made.append(_stored(source.id, figures, blobs))
                case FailureReply():
                    made.append(_unreadable(reply))
                case LineReply():
                    raise AssertionError("only lines are replied to so")
        return made

    async def split(self, lines: Sequence[JsonLine]) -> list[DocumentSource | Unreadable]:
        """Return the document of each of *lines*, or why it holds none.

        Raises:
            Unavailable: the service stops, or no process starts.
        """

        def order(share: Sequence[JsonLine]) -> _Order:
            bare = tuple(msgspec.structs.replace(line, data=b"") for line in share)
            return SplitCommand(limits=self._limits, lines=bare), [line.data for line in share]

        sources: list[DocumentSource | Unreadable] = []
        for reply, blobs in await self._work(lines, order):
            match reply:
                case LineReply(source=source):
                    sources.append(msgspec.structs.replace(source, data=blobs[0]))
                case FailureReply():
                    sources.append(_unreadable(reply))
                case DocumentReply():
                    raise AssertionError("only sources are replied to so")
        return sources

    async def _work(
        self, items: Sequence[_Item], order: Callable[[Sequence[_Item]], _Order]
    ) -> list[_Outcome]:
        """Return what became of each of *items*, in their order."""
        outcomes: list[_Outcome] = []
        while len(outcomes) < len(items):
            if self._stopping:  # `drain` keeps the turns that it took
                raise _stopped()
            share = _share(items[len(outcomes) : len(outcomes) + _SHARE])
            # Semaphores are fair: whoever came meanwhile goes before the rest of *items*.
            async with self._turns:
                outcomes += await self._outcomes(share, *order(share))
        return outcomes

    async def _outcomes(
        self, share: Sequence[JsonLine | DocumentSource], command: Command, blobs: list[bytes]
    ) -> list[_Outcome]:
        """Let one process work on *share*; return what became of the first of it, or of all."""
        process = await self._ready_process(command, blobs, self._limits.wall_of(share[0].size))
        outcomes: list[_Outcome] = []
        size = 0
        try:
            while True:
                # After the last reply only the end is to come, which no document holds up.
                size = share[len(outcomes)].size if len(outcomes) < len(share) else 0
                async with asyncio.timeout(self._limits.wall_of(size)):
                    head, reply_blobs = await process.receive(self._limits.reply + _HEAD)
                match head.message:
                    case EndReply(spent=spent):
                        self._release(process, spent=spent)
                        return outcomes
                    case ReadyReply():
                        raise AssertionError("a process is ready before it replies")
                    case reply:
                        outcomes.append((reply, reply_blobs))
        except (ProcessEnded, TimeoutError) as exc:
            self._release(process, spent=True)
            if self._stopping:
                raise _stopped() from exc
            # Documents are read in order, so the first without a reply was at work. Those after it
            # are given out anew, by `_work`.
            if len(outcomes) < len(share):
                status = exc.status if isinstance(exc, ProcessEnded) else None
                _log.warning("parsing_process_ended", extra={"status": status or 0, "bytes": size})
                outcomes.append((failures.of_end(status, self._limits, size), []))
            return outcomes
        except BaseException:
            # Cancelled: the process goes on with what nobody wants, and can only be killed.
            self._release(process, spent=True)
            raise

    async def _ready_process(
        self, command: Command, blobs: list[bytes], wall: float
    ) -> ParsingProcess:
        """Return a process that has all of *command* and is about to begin."""
        for _ in range(_STARTS):
            if self._stopping:
                raise _stopped()
            process = self._idle.pop() if self._idle else await self._started()
            try:
                async with asyncio.timeout(wall):
                    await process.send(command, blobs)
                return process
            except (ProcessEnded, TimeoutError):  # it died while nobody asked for anything
                self._release(process, spent=True)
            except BaseException:
                self._release(process, spent=True)
                raise
        raise Unavailable(
            "documents cannot be read now: the processes that read them die",
            reason=NOT_STARTED,
        )

    async def _started(self) -> ParsingProcess:
        process = await ParsingProcess.start()
        self._processes.add(process)
        return process

    def _release(self, process: ParsingProcess, *, spent: bool) -> None:
        """Take back a process that has nothing more to say."""
        self._processes = {one for one in self._processes if one.alive}
        if spent or self._stopping:
            process.kill()
            return
        self._idle.append(process)
        if self._rest is not None:
            self._rest.cancel()
        self._rest = asyncio.get_running_loop().call_later(IDLE, self._end_idle)

    def _end_idle(self) -> None:
        for process in self._idle:
            process.kill()
        self._idle.clear()


_Outcome = tuple[DocumentReply | LineReply | FailureReply, list[bytes]]


def _bare(source: DocumentSource) -> DocumentSource:
    """Return *source* without what follows it as `_blobs`."""
    files = tuple(BesideFile(file.path) for file in source.files)
    return msgspec.structs.replace(source, data=b"", resource=b"", files=files)


def _blobs(source: DocumentSource) -> tuple[bytes, ...]:
    return (source.data, source.resource, *(file.data for file in source.files))


def _stored(
    document_id: str, figures: Sequence[StoredFigure], blobs: Sequence[bytes]
) -> StoredDocument:
    document, content, *images = blobs
    if len(images) != len(figures):
        raise AssertionError("each image follows the message that tells of it")
    whole = (
        msgspec.structs.replace(figure, data=image)
        for figure, image in zip(figures, images, strict=True)
    )
    return StoredDocument(id=document_id, document=document, content=content, figures=tuple(whole))


def _share(items: Sequence[_Item]) -> Sequence[_Item]:
    """Return as many of the first *items* as a process is given at once: one at least."""
    size = 0
    for count, item in enumerate(items):
        size += item.size
        if count and size > _SHARE_BYTES:
            return items[:count]
    return items


def _unreadable(reply: FailureReply) -> Unreadable:
    if reply.trace:
        _log.warning("file_unreadable", extra={"reason": reply.reason, "trace": reply.trace})
    return Unreadable(reply.reason, reply.message)


def _stopped() -> Unavailable:
    return Unavailable(
        "the service stopped before the document was read; try again", reason="SERVICE_STOPPED"
    )
