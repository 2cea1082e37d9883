"""Serve one WebSocket connection: carry out what its `ConnectionMachine` decides.

An idle connection has one task, the handler itself. Answers are told from the acknowledgement of
their log entries. Further tasks exist while there is something to wait for: one for each answer
that waits for the log or its end, one for a socket that does not take more
(`streaming.reading.multiplexer`), one for each command that is carried out.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Set
from typing import Any, assert_never

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from service.api.connection_services import ConnectionServices
from service.api.frame_project_numbers import FrameProjectNumbers
from service.api.frame_requests import FrameRequests, Submission
from service.api.websocket_credentials import WebSocketCredentials
from service.api.websocket_seats import Seat
from service.security.credentials import Credentials
from service.security.principals import Principal
from sessions import spans
from sessions.errors import NotFound, ServiceError, Unavailable
from sessions.spans import SpanKind, TraceSpan
from sessions.supervision import PASSING
from streaming.protocol import close_codes, connection_commands, frames
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState
from streaming.reading.multiplexer import Multiplexer
from streaming.reading.resumptions import ResumeOutcome

_log = logging.getLogger(__name__)


class WebSocketConnection:
    """One connection and what it follows."""

    __slots__ = (
        "_credentials",
        "_listening",
        "_machine",
        "_multiplexer",
        "_numbers",
        "_receiving",
        "_requests",
        "_services",
        "_socket",
        "_tasks",
    )

    def __init__(
        self,
        services: ConnectionServices,
        socket: WebSocket[Any, Any, Any],
        given: Credentials,
        seat: Seat,
        forgot: Callable[[], None],
    ) -> None:
        """Serve *socket*, which is accepted and has a *seat*.

        *given* is what its handshake tells of the client beside the token; *forgot* is called
        whenever an answer is followed no more.
        """
        self._services = services
        self._socket = socket
        self._numbers = FrameProjectNumbers(
            services.project_numbers, most=2 * services.limits.max_open_answers
        )
        self._machine = ConnectionMachine(
            services.limits,
            version=services.version,
            client=secrets.token_urlsafe(frames.CLIENT_BYTES),
            authenticate=services.authentication.required,
            now=asyncio.get_running_loop().time(),
        )
        self._credentials = WebSocketCredentials(
            self._machine, services.authentication, given, seat, ended=self._end
        )
        self._requests = FrameRequests(
            services,
            self._credentials,
            page=services.authorisation.page(socket.scope),
            address=given.address,
        )
        self._tasks = asyncio.TaskGroup()
        self._multiplexer = Multiplexer(
            services.sources,
            services.view,
            self._machine,
            tasks=self._tasks,
            send=self._send,
            slow=lambda: self.leave(close_codes.TOO_SLOW),
            ended=self._requests.ended,
            forgot=forgot,
            patience=services.patience,
        )
        self._listening = asyncio.current_task()
        self._receiving = False

    @property
    def following(self) -> int:
        """How many answers are followed, or about to be."""
        return self._machine.open_ids

    @property
    def state(self) -> ConnectionState:
        """What may be said on it."""
        return self._machine.state

    @property
    def closing(self) -> close_codes.Close | None:
        """Why it is closed by us, None while it is not."""
        return self._machine.closing

    @property
    def waiting_bytes(self) -> int:
        """How much waits for the client to take it, 0 where nothing does."""
        return self._multiplexer.queue.waiting

    @property
    def principal(self) -> Principal | None:
        """Who speaks; None while nobody knows."""
        return self._credentials.principal

    async def serve(self) -> None:
        """Listen until the connection ends; then wait for what is being accepted."""
        try:
            async with self._tasks:
                self._multiplexer.flush()
                try:
                    await self._listen()
                finally:
                    # Before the farewell: no frame may follow the close frame.
                    self._credentials.close()
                    self._multiplexer.close()
                if self._machine.closing:
                    await self._say_farewell(self._machine.closing)
        except PASSING:
            raise
        except BaseException:  # noqa: BLE001 - a supervisor, and the last who can tell the client
            _log.exception("connection_failed")
            self._machine.leave(close_codes.FAILURE)
            await self._say_farewell(close_codes.FAILURE)
        finally:
            self._requests.close()
            # These refer to one another: they would stay until the garbage collector comes.
            del self._multiplexer.queue, self._multiplexer, self._listening, self._credentials
            del self._requests

    def go_away(self, retry_after: float) -> None:
        """Ask the client to connect elsewhere."""
        self._machine.go_away(retry_after)
        self._multiplexer.flush()

    def leave(self, why: close_codes.Close) -> None:
        """Close the connection, soon."""
        self._machine.leave(why)
        self._credentials.interrupt()
        # Only where it waits for a message: anywhere else it will see soon that it is to close, and
        # a cancellation would hit what it is about.
        if self._receiving and self._listening is not None:
            self._receiving = False
            self._listening.cancel()

    def revoke(self, credential: str) -> None:
        """Know that *credential* holds no more; a client that stands on it has to leave."""
        self._credentials.revoke(credential)

    def end(self, marks: Set[str]) -> None:
        """Know that the principals of *marks* are none any more; such a client has to leave."""
        self._credentials.end(marks)

    def _end(self) -> None:
        """Tell nothing more to a client whose credential holds no more."""
        if self._machine.closing:
            # At once, and not when the task that listens comes to it: an element would get out.
            self._multiplexer.close()
            self.leave(self._machine.closing)

    # Listening

    async def _listen(self) -> None:
        """Take message after message until the client is gone or has to go."""
        while await self._take():
            pass

    async def _take(self) -> bool:
        """Take one message; False where there is none to wait for."""
        machine = self._machine
        if machine.closing or (message := await self._receive()) is None:
            return False
        if (text := message.get("text")) is None:
            machine.receive_binary()
        else:
            text = self._numbers.resolve(text)
            for command in machine.receive(text, asyncio.get_running_loop().time()):
                await self._obey(command)
        self._multiplexer.flush()
        return True

    async def _receive(self) -> dict[str, Any] | None:
        """Return the next message; None where the client is gone or `leave` was called."""
        self._receiving = True
        try:
            message: Any = await self._socket.receive()
        except asyncio.CancelledError:
            # Not receiving any more and yet cancelled: this was `leave`, unless others want it too.
            task = self._listening
            if self._receiving or task is None or task.uncancel():
                raise
            return None
        finally:
            self._receiving = False
        return None if message["type"] == "websocket.disconnect" else message

    async def _obey(self, command: connection_commands.Command) -> None:
        match command:
            case connection_commands.Authenticate(token=token):
                await self._credentials.take(token)
            case connection_commands.SubmitQuery() | connection_commands.SubmitConversation():
                self._tasks.create_task(self._submit(command), name=f"submit {command.id}")
            case connection_commands.FollowAnswer(answer=answer):
                self._tasks.create_task(self._follow(command), name=f"follow {answer}")
            case connection_commands.CallMethod(id=id):
                self._tasks.create_task(self._call(command), name=f"call {id}")
            case connection_commands.CancelAnswer(answer=answer):
                self._tasks.create_task(self._cancel(answer), name=f"cancel {answer}")
            case _:
                assert_never(command)

    async def _submit(self, command: Submission) -> None:
        """Submit what was asked. The client may go away meanwhile: it is submitted all the same."""
        asked = "answer" if isinstance(command, connection_commands.SubmitQuery) else "converse"
        try:
            with spans.within(self._begin(asked, command.traceparent)) as span:
                accepted = await self._requests.submit(command)
                await self._about(span, accepted.answer, begun=not accepted.repeated)
        except ServiceError as exc:
            self._machine.refused(command.id, exc)
            self._multiplexer.flush()
        else:
            self._multiplexer.accept(command.id, accepted.answer)
            telling = span.child("tell answer")
            self._multiplexer.follow(command.id, accepted.answer, None, telling)

    async def _follow(self, command: connection_commands.FollowAnswer) -> None:
        """Follow an answer, if it is there for who asks."""
        try:
            with spans.within(self._begin("resume", command.traceparent)) as span:
                await self._requests.check_follow(command)
                await self._about(span, command.answer, begun=False)
        except ServiceError as exc:
            self._note_lost(exc)
            self._machine.refused(command.id, exc)
            self._multiplexer.flush()
        else:
            telling = span.child("tell answer")
            self._multiplexer.follow(
                command.id, command.answer, command.after, telling, resumes=True
            )

    def _note_lost(self, error: ServiceError) -> None:
        """Count a resumption that failed before the answer was looked for."""
        resumes = self._services.sources.resumes
        if isinstance(error, NotFound):
            resumes.add(ResumeOutcome.GONE)
        elif isinstance(error, Unavailable):
            resumes.add(ResumeOutcome.AWAY)

    def _begin(self, frame: str, traceparent: str) -> TraceSpan:
        """Begin the span of a *frame*, which ends when that is accepted or refused."""
        return self._services.tracer.begin(f"websocket {frame}", traceparent, kind=SpanKind.SERVER)

    async def _about(self, span: TraceSpan, answer: str, *, begun: bool) -> None:
        """Say on *span* which answer is followed; one that was not *begun* by it has a trace."""
        span.set({"colloquy.answer": answer})
        if span.is_sampled and not begun:
            span.link(await self._services.sources.trace(answer))

    async def _cancel(self, answer: str) -> None:
        try:
            await self._requests.cancel(answer)
        except ServiceError as exc:
            self._machine.not_cancelled(exc)
            self._multiplexer.flush()

    async def _call(self, command: connection_commands.CallMethod) -> None:
        try:
            status, body = await self._requests.call(self._socket, command)
        except ServiceError as exc:
            self._machine.not_called(command.id, exc)
        else:
            self._machine.responded(command.id, status, body)
        self._multiplexer.flush()

    # The socket

    def _send(self, frame: str) -> Coroutine[Any, Any, None]:
        if self._numbers.named:
            frame = self._numbers.show(frame)
        sending: Any = self._socket.send({"type": "websocket.send", "text": frame, "bytes": None})
        return sending

    async def _say_farewell(self, why: close_codes.Close) -> None:
        try:
            async with asyncio.timeout(self._services.farewell):
                await self._socket.close(why.code, why.reason)
        except (TimeoutError, WebSocketDisconnect, OSError, RuntimeError):
            pass  # it is gone already, or takes nothing any more
