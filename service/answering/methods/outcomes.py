"""Waits for the end of a stored answer, and raises what it failed of."""

from __future__ import annotations

import time

from service.answering.retrieval.attachments import Attachments
from service.security.limits import daily_tokens
from sessions.errors import Internal, ResourceExhausted, ServiceError, failure
from sessions.resources import answers
from streaming.log.event_log import EventLog
from streaming.log.events import Failed
from streaming.running.runner import Runner


def raised(code: int, message: str, *, reason: str, **metadata: str) -> ServiceError:
    """Return the error that an answer ended with, to be raised where its end is told."""
    error = failure(code, message, reason=reason, **metadata)
    if isinstance(error, ResourceExhausted) and reason == daily_tokens.EXCEEDED:
        # An answer keeps no such time; with a second, clients would try all day.
        error.retry_after = daily_tokens.seconds_left(time.time())
    return error


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
            raise raised(last.code, last.message, reason=last.reason, answer=name)
        raise Internal("the answer failed", reason="ANSWER_FAILED", answer=name)
