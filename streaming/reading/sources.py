"""What the readers of a process are fed from: the log, its acknowledged end, the stored answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from sessions.resources import answers
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading.local_readers import Listener
from streaming.reading.resumptions import ResumeCounts


class LogSource(Protocol):
    """What a subscription needs of `streaming.log.event_log.EventLog`."""

    async def read_joined(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return the entries behind *after*, their attachments with the bytes that are told.

        Text in a row is one entry, as `EventLog.read_joined` says.
        """
        ...


class TailSource(Protocol):
    """What a subscription needs of `streaming.reading.tail.Tail`."""

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with what is acknowledged; return what ends it."""
        ...

    async def ready(self, answer: str) -> None:
        """Return when nothing can be missed any more."""
        ...

    async def reopen(self, answer: str) -> None:
        """Learn that the end, which was told, was lost; what comes then is to be heard."""
        ...


class AnswerSource(Protocol):
    """What a subscription needs of the store of answers."""

    async def get(self, name: str) -> answers.Answer:
        """Return the stored answer, its attachments with their bytes, or raise `NotFound`."""
        ...


async def _untraced(_: str) -> str:
    return ""


class ReaderSources(msgspec.Struct, frozen=True):
    """What the readers of this process are fed from; *adopt* and *trace* are of the runner."""

    tail: TailSource
    log: LogSource
    answers: AnswerSource
    adopt: Callable[[str], Awaitable[None]]
    trace: Callable[[str], Awaitable[str]] = _untraced
    resumes: ResumeCounts = msgspec.field(default_factory=ResumeCounts)
