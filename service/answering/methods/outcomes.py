"""Waits for the end of a stored answer, and raises what it failed of."""

from __future__ import annotations

from service.answering.retrieval.attachments import Attachments
from sessions.errors import Internal, failure
from sessions.resources import answers
from streaming.log.event_log import EventLog
from streaming.log.events import Failed
from streaming.running.runner import Runner


class Outcomes:
    """The ends of stored answers, wherever they are written."""

    def __init__(self, runner: Runner, log: EventLog, attachments: Attachments) -> None:
        self._runner = runner
        self._log = log
        self._attachments = attachments

    async def wait_for(self, name: str) -> answers.Answer:
        """Return the answer *name* once it has SUCCEEDED.

        Raises:
            ServiceError: it FAILED, for that reason.
        """
        answer = await self._runner.finished(name)
        if answer.state is not answers.State.FAILED:
            return await self._attachments.resolved_answer(answer)
        entries = await self._log.read(name)
        last = entries[-1].event if entries else None
        if isinstance(last, Failed):
            raise failure(last.code, last.message, reason=last.reason, answer=name)
        raise Internal("the answer failed", reason="ANSWER_FAILED", answer=name)
