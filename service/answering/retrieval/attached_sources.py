"""What readers of answers are fed from, with the bytes of the images that answers have."""

from __future__ import annotations

import msgspec

from service.answering.retrieval.attachments import Attachments
from sessions.resources import answers
from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, ReferencesFound
from streaming.log.positions import Position
from streaming.reading.sources import AnswerSource, LogSource


class AttachedLog:
    """A log whose entries have the bytes of their attachments."""

    def __init__(self, log: LogSource, attachments: Attachments) -> None:
        self._log = log
        self._attachments = attachments

    async def read_joined(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        """Return the entries behind *after*, text in a row as one."""
        entries = await self._log.read_joined(answer, after)
        return [
            msgspec.structs.replace(entry, event=await resolved(self._attachments, entry.event))
            if isinstance(entry.event, ReferencesFound)
            else entry
            for entry in entries
        ]


class AttachedAnswers:
    """A store whose answers have the bytes of their attachments."""

    def __init__(self, answers: AnswerSource, attachments: Attachments) -> None:
        self._answers = answers
        self._attachments = attachments

    async def get(self, name: str) -> answers.Answer:
        """Return the stored answer or raise `NotFound`."""
        return await self._attachments.resolved_answer(await self._answers.get(name))


async def resolved(attachments: Attachments, event: AnswerEvent) -> AnswerEvent:
    """Return *event* with the bytes of its attachments, if it has any."""
    if not isinstance(event, ReferencesFound) or not event.attachments:
        return event
    whole = await attachments.resolved(event.attachments)
    return msgspec.structs.replace(event, attachments=whole)
