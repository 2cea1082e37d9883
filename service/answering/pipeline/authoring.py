"""Writes the answers that a runner is assigned, by the pipeline."""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import AsyncGenerator, Awaitable, Callable

from service.answering.pipeline.history import History
from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import attachments
from service.answering.views import replies
from service.security.limits import daily_tokens
from sessions import spans
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded
from sessions.resources import answers, summaries
from streaming.log.events import AnswerEvent, Failed, Succeeded, TextAppended
from streaming.running.answer_author import Assignment


class PipelineAuthor:
    """What a runner does not know of an answer: how it is written, and what is kept of it."""

    def __init__(
        self,
        pipeline: Pipeline,
        history: History,
        index_ready: Callable[[], Awaitable[None]],
        ended: Callable[[PipelineRequest, answers.Answer, Succeeded | Failed], None],
        first_text: Callable[[float], None] = lambda _: None,
    ) -> None:
        """Search once *index_ready* returns; *ended* is told of each answer that ended, and how.

        *first_text* is told after how many seconds the text of an answer began.
        """
        self._pipeline = pipeline
        self._history = history
        self._index_ready = index_ready
        self._ended = ended
        self._first_text = first_text

    async def generate(self, assignment: Assignment) -> AsyncGenerator[AnswerEvent]:
        """Yield the events of one answer, all but its first and its last.

        Raises:
            ServiceError: a stage failed; what was yielded stands.
        """
        began = time.monotonic()
        # What a dead replica left is taken over right at start, before the index has caught up: to
        # search then would end the answer as one without sources.
        with spans.stage("await index"):
            await self._index_ready()
        daily_tokens.PROJECT.set(assignment.answer.split("/", 2)[1])
        request = json_codec.load(PipelineRequest, assignment.request)
        # Read now and not when the query was accepted: answers of a session are written one after
        # the other, so the one before this has ended and is part of its history.
        with spans.stage("read history"):
            past = await self._history.before(assignment.answer, assignment.session)
        run = self._pipeline.run(request, past, assignment.written)
        async with contextlib.aclosing(run) as events:
            async for event in events:
                begins = type(event) is TextAppended
                if begins and not assignment.written.answer_text:
                    self._first_text(time.monotonic() - began)
                yield event
                if begins:
                    break
            # The rest in a loop of its own, which looks at nothing: there are thousands.
            async for event in events:
                yield event

    def closing(
        self, assignment: Assignment, answer: answers.Answer, terminal: Succeeded | Failed
    ) -> bytes | None:
        """Return what a conversation keeps of the ended *answer*; nothing is added to a session.

        The runner stores it with the answer's last event in one step: a conversation never shows a
        reply to an answer that goes on, nor misses that of one that has ended.
        """
        request = json_codec.load(PipelineRequest, assignment.request)
        self._ended(request, answer, terminal)
        converse = request.converse
        if converse is None:
            return None
        at = answer.complete_time or dt.datetime.now(dt.UTC)
        spec = converse.summary_spec or summaries.SummarySpec()
        timed_out = isinstance(terminal, Failed) and terminal.code == DeadlineExceeded.code
        # A conversation shows all of its messages at once: their images would be too much.
        bare = attachments.without_data(answer)
        return json_codec.dump(replies.message(bare, spec, at, timed_out=timed_out))
