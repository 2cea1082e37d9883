"""The parsing process: reads documents, one after the other, and may be killed at any time.

Nothing here is trusted by the service, and nothing of the service is here: no sockets, no
environment, no files but two pipes, and no more of the machine than `ParsingLimits` gives.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from service.corpus.isolation import failures, messages
from service.corpus.isolation.messages import (
    Command,
    DocumentReply,
    EndReply,
    FailureReply,
    LineReply,
    ReadCommand,
    ReadyReply,
    Reply,
    ReplyHead,
    SplitCommand,
)
from service.corpus.parsing import prepared_documents
from service.corpus.parsing.document_sources import BesideFile, DocumentSource, JsonLine
from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.parsed_documents import Unreadable

SLICE: Final = 0.5
"""Seconds after which the rest of the work is given back, so that others have their turn."""
_SPENT: Final = 256 * 1024 * 1024
"""Bytes that were once in memory, from which on there is too little for the next document."""
_TRACE: Final = 4_000
_NICE: Final = 5
"""Enough for answers to go first; much more, and a busy machine would read nothing at all."""
_SET_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG

_ReplyAndBlobs = tuple[Reply, tuple[bytes, ...]]


def main(parent: int) -> None:
    """Serve the process *parent* on standard input and output until it has no more to say."""
    _confine(parent)
    replies = os.fdopen(os.dup(1), "wb")
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)  # what a library prints is no message
    commands = os.fdopen(os.dup(0), "rb")
    _send(replies, ReadyReply())
    while (command := _receive(commands)) is not None:
        # Before anything of it is read: a death until here is no document's fault, and from here
        # on that of the document whose reply is missing.
        _send(replies, ReadyReply())
        for reply in _serve(*command):
            _send(replies, *reply)


def _confine(parent: int) -> None:
    """Give up what is not needed to read documents, and end when *parent* does."""
    # Whatever was inherited: a reader that is taken over must find no socket and no file.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.nice(_NICE)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        # Where memory runs out, it is better had from here than from the service.
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
        resource.setrlimit(kind, (0, 0))
    if os.getppid() != parent:  # it died before the signal was set: nobody would end this process
        sys.exit(0)


def _receive(commands: BinaryIO) -> tuple[Command, list[bytes]] | None:
    """Return the next command with its blobs, None at the end."""
    # A large document must come in before its limits are known.
    _set_limit(resource.RLIMIT_AS, resource.RLIM_INFINITY)
    length = commands.read(messages.LENGTH)
    if len(length) < messages.LENGTH:
        return None
    head = messages.COMMAND_HEAD.decode(commands.read(int.from_bytes(length)))
    return head.message, [commands.read(size) for size in head.lengths]


def _send(replies: BinaryIO, reply: Reply, blobs: tuple[bytes, ...] = ()) -> None:
    replies.write(messages.pack(ReplyHead(reply, tuple(map(len, blobs)))))
    replies.writelines(blobs)
    replies.flush()


def _serve(command: Command, blobs: Sequence[bytes]) -> Iterator[_ReplyAndBlobs]:
    """Yield a reply to each item until it is time to give the rest back."""
    began = time.monotonic()
    for item in _items(command, blobs):
        reply, large = _bounded(command, item)
        yield reply, large
        spent = _is_spent(reply)
        if spent or time.monotonic() - began > SLICE:
            yield EndReply(spent=spent), ()
            return
    yield EndReply(spent=False), ()


def _items(command: Command, blobs: Sequence[bytes]) -> Iterator[JsonLine | DocumentSource]:
    if isinstance(command, SplitCommand):
        for line, data in zip(command.lines, blobs, strict=True):
            yield msgspec.structs.replace(line, data=data)
        return
    following = iter(blobs)
    for source in command.sources:
        data, given = next(following), next(following)
        files = tuple(BesideFile(file.path, next(following)) for file in source.files)
        yield msgspec.structs.replace(source, data=data, resource=given, files=files)


def _is_spent(reply: Reply) -> bool:
    """Tell whether what was read left the process in a state that another should not meet."""
    return _peak() > _SPENT or (isinstance(reply, FailureReply) and reply.reason in _UNSURE)


def _peak() -> int:
    """Return how many bytes of memory this process once had.

    Not by ru_maxrss where there is another way: on Linux it survives exec, and so begins with what
    the service had, which may be more than is allowed here.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, IndexError, ValueError):
            status = Path("/proc/self/status").read_text()
            return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


_UNSURE: Final = frozenset({"PARSE_LIMIT", "PARSER_CRASHED"})


def _bounded(command: Command, item: JsonLine | DocumentSource) -> _ReplyAndBlobs:
    """Read *item* within its limits; the process may end here, by a signal."""
    limits = command.limits
    _set_limit(resource.RLIMIT_AS, limits.memory_of(item.size))
    # The signal SIGXCPU ends the process, in native code as well. The limit counts from the start
    # of the process, and what is left of a second is cut off, so that one is added.
    _set_limit(resource.RLIMIT_CPU, int(time.process_time() + limits.seconds_of(item.size)) + 1)
    try:
        reply = _read(command, item)
    except Unreadable as exc:
        cause = exc.__cause__ if exc.reason == "BROKEN_FILE" else None
        return FailureReply(reason=exc.reason, message=str(exc), trace=_trace(cause)), ()
    except MemoryError:
        # Without the traceback: what its frames hold may leave no room to write it down.
        return failures.out_of_memory(limits, item.size), ()
    except Exception as exc:  # noqa: BLE001 - what readers raise has no end
        message = "the file is damaged and cannot be read"
        return FailureReply(reason="BROKEN_FILE", message=message, trace=_trace(exc)), ()
    except BaseException as exc:  # noqa: BLE001 - native code panics past Exception
        message = "the file makes its reader fail"
        return FailureReply(reason="PARSER_CRASHED", message=message, trace=_trace(exc)), ()
    if sum(map(len, reply[1])) > limits.reply:
        return FailureReply(reason="TOO_LARGE", message="the file holds too much; split it"), ()
    return reply


def _set_limit(kind: int, most: int) -> None:
    # Only the soft limit, which can be raised again for the next document.
    _, bound = resource.getrlimit(kind)
    if bound != resource.RLIM_INFINITY:
        most = bound if most == resource.RLIM_INFINITY else min(most, bound)
    # macOS knows no limit of address space: there, that of time has to do.
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, bound))


def _read(command: Command, item: JsonLine | DocumentSource) -> _ReplyAndBlobs:
    match command, item:
        case SplitCommand(), JsonLine():
            source = json_lines.source_of(item)
            return LineReply(msgspec.structs.replace(source, data=b"")), (source.data,)
        case ReadCommand(data_store=store, now=now, chunk_size=size), DocumentSource():
            made = prepared_documents.prepare(item, store, now=now, chunk_size=size)
            figures = made.figures or ()
            bare = tuple(msgspec.structs.replace(figure, data=b"") for figure in figures)
            images = (figure.data for figure in figures)
            return DocumentReply(figures=bare), (made.document, made.content, *images)
        case _:
            raise AssertionError("lines are split and sources read")


def _trace(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error))[-_TRACE:] if error else ""
