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
from collections.abc import Awaitable, Callable, Coroutine, Set
from typing import Any, Final, Protocol, TypeVar, assert_never

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from service.answering.requests import viewers
from service.api.frame_authorisation import FrameAuthorisation
from service.api.frame_project_numbers import FrameProjectNumbers
from service.api.websocket_credentials import Authenticates, WebSocketCredentials
from service.api.websocket_seats import Seat
from service.corpus.document_access import Viewer
from service.project_numbers import ProjectNumbers
from service.security.credentials import Credentials
from service.security.limits import quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.principals import ANONYMOUS, Principal
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded, Internal, ServiceError
from sessions.resources import answer_query, conversations
from sessions.supervision import PASSING
from streaming.log.submissions import SubmittedAnswer
from streaming.protocol import close_codes, connection_commands, frames
from streaming.protocol.connection_machine import ConnectionMachine
from streaming.reading.multiplexer import PATIENCE, Multiplexer, View
from streaming.reading.sources import ReaderSources

ACCEPT: Final = 20.0
"""Seconds within which a request is accepted or refused."""

FAREWELL: Final = 5.0
"""Seconds of `ConnectionServices.farewell`, where nothing else is said."""

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_M = TypeVar("_M", bound=msgspec.Struct)


class SubmitsQueries(Protocol):
    """Submits queries, as `service.answering.methods.submission` does."""

    async def submit_query(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        """Submit a query; the same *key* of the same *caller* again is the same answer."""
        ...

    async def submit_conversation(
        self,
        name: str,
        request: conversations.ConverseConversationRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        """Submit what is said in a conversation."""
        ...


class ConnectionServices(msgspec.Struct, frozen=True, kw_only=True):
    """What connections are served from.

    *cancel* is that of the runner. *view* makes the response of a conversation, which it is given
    with the ended answer. Where *authentication* requires it, the first frame of a client has to
    say who speaks.
    """

    sources: ReaderSources
    submitter: SubmitsQueries
    cancel: Callable[[str], Awaitable[None]]
    view: View
    version: str
    authentication: Authenticates
    authorisation: FrameAuthorisation
    project_numbers: ProjectNumbers = ProjectNumbers()
    rate_limiter: RateLimiter | None = None
    """What bounds how much one caller asks, over HTTP as well; None sets no bound."""
    limits: frames.Limits = frames.Limits()
    patience: float = PATIENCE
    """Seconds that a client may be behind before its connection is closed as too slow."""
    farewell: float = FAREWELL
    """Seconds within which a close frame reaches the socket, or the socket is given up."""


class WebSocketConnection:
    """One connection and what it follows."""

    __slots__ = (
        "_address",
        "_counted",
        "_credentials",
        "_listening",
        "_machine",
        "_multiplexer",
        "_numbers",
        "_page",
        "_receiving",
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
        ended: Callable[[], None],
    ) -> None:
        """Serve *socket*, which is accepted and has a *seat*.

        *given* is what its handshake tells of the client beside the token; *ended* is called
        whenever an answer has ended.
        """
        self._services = services
        self._socket = socket
        self._address = given.address
        self._counted: set[str] = set()
        """Answers asked for here, which count among what is under way."""
        self._page = services.authorisation.page(socket.scope)
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
        self._tasks = asyncio.TaskGroup()
        self._multiplexer = Multiplexer(
            services.sources,
            services.view,
            self._machine,
            tasks=self._tasks,
            send=self._send,
            slow=lambda: self.leave(close_codes.TOO_SLOW),
            ended=ended,
            patience=services.patience,
        )
        self._listening = asyncio.current_task()
        self._receiving = False

    @property
    def following(self) -> int:
        """How many answers are followed, or about to be."""
        return self._machine.open_ids

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
            await self._say_farewell(close_codes.FAILURE)
        finally:
            if (limiter := self._services.rate_limiter) is not None:
                for answer in self._counted:
                    limiter.left(answer)
            # These refer to one another: they would stay until the garbage collector comes.
            del self._multiplexer.queue, self._multiplexer, self._listening, self._credentials

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
            case connection_commands.CancelAnswer(answer=answer):
                self._tasks.create_task(self._cancel(answer), name=f"cancel {answer}")
            case _:
                assert_never(command)

    async def _submit(
        self, command: connection_commands.SubmitQuery | connection_commands.SubmitConversation
    ) -> None:
        """Submit what was asked. The client may go away meanwhile: it is submitted all the same."""
        try:
            accepted = await _within(ACCEPT, self._submitted(command))
        except ServiceError as exc:
            self._machine.refused(command.id, exc)
            self._multiplexer.flush()
        else:
            self._multiplexer.accept(command.id, accepted.answer)
            self._multiplexer.follow(command.id, accepted.answer, None)

    async def _submitted(
        self, command: connection_commands.SubmitQuery | connection_commands.SubmitConversation
    ) -> SubmittedAnswer:
        """Submit what was asked while the quotas of who asks last."""
        if (limiter := self._services.rate_limiter) is None:
            return await self._accepted(command)
        about = (
            command.name
            if isinstance(command, connection_commands.SubmitConversation)
            else command.serving_config
        )
        project = quotas.project_of(self._speaker, about)
        admission = await limiter.admit(self._speaker, self._address, project)
        try:
            accepted = await self._accepted(command)
        except BaseException:
            limiter.release(admission)
            raise
        limiter.release_after(accepted.answer, admission)
        if admission.places:
            self._counted.add(accepted.answer)
        return accepted

    async def _accepted(
        self, command: connection_commands.SubmitQuery | connection_commands.SubmitConversation
    ) -> SubmittedAnswer:
        submitter, key = self._services.submitter, command.id
        caller = _caller(self._speaker, command.client)
        viewer = viewers.of(self._speaker)
        match command:
            case connection_commands.SubmitQuery(serving_config=config, request=body):
                ask = await self._admitted(
                    frames.Ask, answer_query.AnswerQueryRequest, body, config
                )
                return await submitter.submit_query(config, ask, viewer, key=key, caller=caller)
            case connection_commands.SubmitConversation(name=name, request=body):
                kind = conversations.ConverseConversationRequest
                say = await self._admitted(frames.Converse, kind, body, name)
                return await submitter.submit_conversation(
                    name, say, viewer, key=key, caller=caller
                )
            case _:
                assert_never(command)

    async def _follow(self, command: connection_commands.FollowAnswer) -> None:
        """Follow an answer, if it is there for who asks."""
        try:
            await _within(ACCEPT, self._admit(frames.Resume, command.answer))
        except ServiceError as exc:
            self._machine.refused(command.id, exc)
            self._multiplexer.flush()
        else:
            self._multiplexer.follow(command.id, command.answer, command.after)

    @property
    def _speaker(self) -> Principal:
        """Who speaks, when it is known."""
        principal = self._credentials.principal
        if principal is None:
            raise AssertionError("nobody asks before it is known who it is")
        return principal

    async def _admit(self, frame: type[frames.ClientFrame], name: str) -> None:
        tag = str(frame.__struct_config__.tag)
        await self._services.authorisation.admit(self._speaker, self._page, tag, name)

    async def _admitted(
        self, frame: type[frames.ClientFrame], kind: type[_M], body: bytes, name: str
    ) -> _M:
        """Return the request in a *frame* about *name* as who speaks may send it."""
        # Before the body is read: what is wrong with it is for those who may send one.
        await self._admit(frame, name)
        given = self._services.project_numbers.resolve(json_codec.decode(kind, body))
        return await self._services.authorisation.admit_message(
            self._speaker, self._page, str(frame.__struct_config__.tag), given, name
        )

    async def _cancel(self, answer: str) -> None:
        try:
            await _within(ACCEPT, self._cancelled(answer))
        except ServiceError as exc:
            self._machine.not_cancelled(exc)
            self._multiplexer.flush()

    async def _cancelled(self, answer: str) -> None:
        await self._admit(frames.Cancel, answer)
        await self._services.cancel(answer)

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


def _caller(principal: Principal, client: str) -> str:
    """Return whose a request id is: what one asked, no other hears by the same id.

    Not the principal's alone, since a back end asks for all its users, who may choose the same id;
    nor the client's, which one might have told another.
    """
    return f"client {client}" if principal is ANONYMOUS else f"{principal.id} client {client}"


async def _within(seconds: float, work: Awaitable[_T]) -> _T:
    """Await *work* for so many seconds, and raise nothing but `ServiceError`."""
    try:
        async with asyncio.timeout(seconds):
            return await work
    except ServiceError:
        raise
    except TimeoutError as exc:
        raise DeadlineExceeded(
            "this was not accepted in time; send it again under the same id",
            reason="NOT_ACCEPTED_IN_TIME",
        ) from exc
    except PASSING:
        raise
    except BaseException as exc:
        _log.exception("command_failed")
        raise Internal("the service failed; its log has the details", reason="INTERNAL") from exc
