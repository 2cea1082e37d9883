"""Serve answers on WebSockets with and without a log, as processes to be measured.

``python -m tests.bench.websocket_server memory|log [redis-url]`` prints its port and serves until
it is terminated. Both run the same loop: an answer is a task that yields a piece every 20 ms, for
as many seconds as the text of its query says.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import logging
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import uvicorn
import uvloop
from litestar import Litestar
from litestar.di import Provide

from service import settings
from service.api.connection_services import ConnectionServices
from service.api.frame_authorisation import FrameAuthorisation
from service.api.websocket_endpoint import WebSocketConnections, follow_answers
from service.corpus.document_access import Viewer
from service.redaction.redactor import Redactor
from service.security.authorisation import Authorisation
from service.security.credentials import Credentials
from service.security.hosts import Hosts
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import ANONYMOUS, Principal
from service.server import http_server
from service.tracing import export
from sessions import names
from sessions.codec import json_codec
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.resources import answers, conversations
from sessions.spans import UNTRACED, Tracer
from sessions.stores.store_set import AnswerStore
from streaming.log import events
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import Position
from streaming.log.submissions import Submission, SubmittedAnswer
from streaming.reading.local_readers import Listener
from streaming.reading.sources import ReaderSources
from streaming.reading.tail import Tail
from streaming.running.answer_author import AnswerAuthor, Assignment
from streaming.running.runner import Runner

PACE: Final = 0.02
"""Seconds between two pieces of one answer."""


async def pieces(seconds: float) -> AsyncIterator[events.AnswerEvent]:
    """Yield pieces at the pace, each with the time at which it was due."""
    due = time.monotonic_ns()
    for _ in range(round(seconds / PACE)):
        due += round(PACE * 1e9)
        if (wait := due - time.monotonic_ns()) > 0:
            await asyncio.sleep(wait / 1e9)
        yield events.TextAppended(f"{due} and a few words more ")


def seconds_of(request: bytes) -> float:
    """Return how long an answer is to take: the bench says so in the text of the query."""
    return float(json.loads(request)["query"]["text"])


class Memory:
    """Tail, log, answers and turns of a service that keeps nothing."""

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        self._tasks = tasks
        self._listeners: dict[str, tuple[Listener, ...]] = {}
        self._ended: dict[str, answers.Answer] = {}
        self._last: dict[str, int] = {}

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        self._listeners[answer] = (*self._listeners.get(answer, ()), listener)

        def unfollow() -> None:
            left = [other for other in self._listeners[answer] if other is not listener]
            self._listeners[answer] = tuple(left)

        return unfollow

    async def ready(self, answer: str) -> None:
        pass

    async def reopen(self, answer: str) -> None:
        pass

    async def adopt(self, answer: str) -> None:
        pass

    async def read_joined(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        return [LogEntry(Position(1, self._last.get(answer, 0)), events.Started(_now()))]

    async def get(self, name: str) -> answers.Answer:
        return self._ended[name]

    async def submit_query(
        self, serving_config: str, request: Any, viewer: Viewer, *, key: str, caller: str
    ) -> SubmittedAnswer:
        session = names.session(names.SAMPLE_DATA_STORE, names.new_id())
        answer = names.answer(session, names.new_id())
        self._tasks.create_task(self._write(answer, float(request.query.text)))
        return SubmittedAnswer(answer, Position(1, 0), False)

    async def submit_conversation(self, *_: Any, **__: Any) -> SubmittedAnswer:
        raise NotImplementedError

    async def _write(self, answer: str, seconds: float) -> None:
        seq = 0
        async for event in pieces(seconds):
            self._last[answer] = seq = seq + 1
            for listener in self._listeners.get(answer, ()):
                listener((LogEntry(Position(1, seq), event),))
        self._ended[answer] = answers.Answer(name=answer, state=answers.State.SUCCEEDED)
        for listener in self._listeners.get(answer, ()):
            listener((LogEntry(Position(1, seq + 1), events.Succeeded(_now())),))


class Turns:
    """Submits to a runner."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    async def submit_query(
        self, serving_config: str, request: Any, viewer: Viewer, *, key: str, caller: str
    ) -> SubmittedAnswer:
        session = names.session(names.SAMPLE_DATA_STORE, names.new_id())
        answer = names.answer(session, names.new_id())
        begun = answers.Answer(name=answer, state=answers.State.IN_PROGRESS)
        return await self._runner.submit(
            Submission(
                answer=answer,
                session=session,
                kind="answer",
                request=json_codec.dump(request),
                opening=b"{}",
                answer_json=json_codec.dump(begun),
                session_json=b"{}",
            )
        )

    async def submit_conversation(self, *_: Any, **__: Any) -> SubmittedAnswer:
        raise NotImplementedError


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


async def serve(kind: str, url: str) -> None:
    """Serve until a signal; say the port first."""
    if kind == "memory":
        async with asyncio.TaskGroup() as tasks:
            memory = Memory(tasks)
            sources = ReaderSources(tail=memory, log=memory, answers=memory, adopt=memory.adopt)
            await _listen(sources, memory, memory.adopt)
        return

    def generate(assignment: Assignment) -> AsyncIterator[events.AnswerEvent]:
        return pieces(seconds_of(assignment.request))

    async def touch(session: str) -> None:
        pass

    def closing(assignment: Assignment, answer: answers.Answer, _: object) -> bytes | None:
        return None

    author = AnswerAuthor(
        generate=generate, closing=closing, continues=lambda _: False, touch=touch
    )
    keys = Keys(prefix=f"b{os.getpid()}")
    tracer = export.tracer_of(export.opened(settings.read(os.environ)))
    async with connection.connect(url) as redis:
        log = EventLog(redis, keys)
        async with (
            Tail(redis, keys, log) as tail,
            Runner(redis, keys, log, tail, author, tracer=tracer) as runner,
        ):
            sources = ReaderSources(
                tail=tail, log=log, answers=AnswerStore(redis, keys), adopt=runner.adopt
            )
            await _listen(sources, Turns(runner), runner.cancel, tracer)


class Nobody:
    """Asks nobody who they are."""

    required = False

    async def principal(self, given: Credentials) -> Principal:
        return ANONYMOUS


async def _nobody(name: str) -> str | None:
    return None


async def _nothing(name: str, user: str) -> None:
    return None


async def _listen(
    sources: ReaderSources, turns: Any, cancel: Callable[[str], Any], tracer: Tracer = UNTRACED
) -> None:
    sockets = WebSocketConnections(
        ConnectionServices(
            sources=sources,
            submitter=turns,
            cancel=cancel,
            view=_view,
            version="bench",
            tracer=tracer,
            authentication=Nobody(),
            authorisation=FrameAuthorisation(
                Authorisation(_nobody, _nothing),
                OriginPolicy(Hosts()),
                MessageRedaction(Redactor()),
            ),
        )
    )
    app = Litestar(
        [follow_answers],
        dependencies={"websocket_connections": Provide(lambda: sockets, sync_to_thread=False)},
        openapi_config=None,
    )
    server = uvicorn.Server(http_server.configuration(app))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await server.serve([listener])


async def _view(name: str, answer: answers.Answer) -> conversations.ConverseConversationResponse:
    return conversations.ConverseConversationResponse()


if __name__ == "__main__":
    logging.disable()  # litestar would configure it to tell each answer
    uvloop.run(serve(sys.argv[1], sys.argv[2]))
