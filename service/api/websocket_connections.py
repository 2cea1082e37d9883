"""Serve one WebSocket connection: carry out what its `protocol.Connection` decides.

An idle connection has one task, the handler itself. Answers are told from the acknowledgement of
their log entries. Further tasks exist while there is something to wait for: one for each answer
that waits for the log or its end, one for a socket that does not take more
(`streaming.reading.multiplexer`), one for each command that is carried out.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar, assert_never

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from service.project_numbers import ProjectNumbers
from sessions import lifecycle
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded, Internal, ServiceError
from sessions.resources import answer_query, conversations
from sessions.supervision import PASSING
from streaming.log.submissions import SubmittedAnswer
from streaming.protocol import close_codes, commands, frames
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState
from streaming.reading.multiplexer import PATIENCE, Multiplexer, View
from streaming.reading.sources import ReaderSources

ACCEPT: Final = 20.0
"""Seconds within which a request is accepted or refused."""

FAREWELL: Final = 5.0
"""Seconds of `Services.farewell`, where nothing else is said."""

_NAMED: Final = ("servingConfig", "name", "answer")
_FIELDS: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT: Final = msgspec.json.Decoder(str)

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class SubmitsQueries(Protocol):
    """Submits queries, as `service.answering.methods.submission` does."""

    async def submit_query(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
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
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        """Submit what is said in a conversation."""
        ...


class ConnectionServices(msgspec.Struct, frozen=True, kw_only=True):
    """What connections are served from.

    *cancel* is that of the runner. *view* makes the response of a conversation, which it is given
    with the ended answer. *authenticate* names the principal of a token or raises a
    `ServiceError`; without it nobody is asked, and the principal is None.
    """

    sources: ReaderSources
    submitter: SubmitsQueries
    cancel: Callable[[str], Awaitable[None]]
    view: View
    version: str
    authenticate: Callable[[str], Awaitable[str]] | None = None
    project_numbers: ProjectNumbers = ProjectNumbers()
    limits: frames.Limits = frames.Limits()
    patience: float = PATIENCE
    """Seconds that a client may be behind before its connection is closed as too slow."""
    farewell: float = FAREWELL
    """Seconds within which a close frame reaches the socket, or the socket is given up."""


class WebSocketConnection:
    """One connection and what it follows."""

    __slots__ = (
        "_connection",
        "_listening",
        "_multiplexer",
        "_numbers",
        "_principal",
        "_receiving",
        "_services",
        "_socket",
        "_tasks",
    )

    def __init__(
        self,
        services: ConnectionServices,
        socket: WebSocket[Any, Any, Any],
        ended: Callable[[], None],
    ) -> None:
        """Serve *socket*, which is accepted; *ended* is called whenever an answer has ended."""
        self._services = services
        self._socket = socket
        self._principal: str | None = None
        self._numbers: dict[str, str] = {}
        """By which assigned number the request of an open id names its project."""
        self._connection = ConnectionMachine(
            services.limits,
            version=services.version,
            client=secrets.token_urlsafe(frames.CLIENT_BYTES),
            authenticate=services.authenticate is not None,
            now=asyncio.get_running_loop().time(),
        )
        self._tasks = asyncio.TaskGroup()
        self._multiplexer = Multiplexer(
            services.sources,
            services.view,
            self._connection,
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
        return self._connection.open_ids

    async def serve(self) -> None:
        """Listen until the connection ends; then wait for what is being accepted."""
        try:
            async with self._tasks:
                self._multiplexer.flush()
                try:
                    await self._listen()
                finally:
                    self._multiplexer.close()
                if self._connection.closing:
                    await self._say_farewell(self._connection.closing)
        except PASSING:
            raise
        except BaseException:  # noqa: BLE001 - the last who can tell the client
            _log.exception("connection_failed")
            await self._say_farewell(close_codes.FAILURE)
        finally:
            # These refer to one another: they would stay until the garbage collector comes.
            del self._multiplexer.queue, self._multiplexer, self._listening

    def go_away(self, retry_after: float) -> None:
        """Ask the client to connect elsewhere."""
        self._connection.go_away(retry_after)
        self._multiplexer.flush()

    def leave(self, why: close_codes.Close) -> None:
        """Close the connection, soon."""
        self._connection.leave(why)
        if self._receiving and self._listening is not None:
            self._receiving = False
            self._listening.cancel()

    # Listening

    async def _listen(self) -> None:
        """Take message after message until the client is gone or has to go."""
        connection = self._connection
        if connection.state is ConnectionState.GREETING:
            try:
                async with asyncio.timeout_at(connection.auth_deadline):
                    while connection.state is ConnectionState.GREETING and await self._take():
                        pass
            except TimeoutError:
                connection.tick(connection.auth_deadline)
        while await self._take():
            pass

    async def _take(self) -> bool:
        """Take one message; False where there is none to wait for."""
        connection = self._connection
        if connection.closing or (message := await self._receive()) is None:
            return False
        if (text := message.get("text")) is None:
            connection.receive_binary()
        else:
            text = self._resolved(text)
            for command in connection.receive(text, asyncio.get_running_loop().time()):
                await self._obey(command)
        self._multiplexer.flush()
        return True

    def _resolved(self, text: str) -> str:
        """Return a frame with the ids of projects in its names, and remember which form it had."""
        numbers = self._services.project_numbers
        if not numbers:
            return text
        try:
            fields = _FIELDS.decode(text)
            named = {key: _TEXT.decode(fields[key]) for key in _NAMED if key in fields}
            asked = _TEXT.decode(fields.get("id", b'""'))
        except (msgspec.DecodeError, RecursionError, ValueError):
            return text  # it is no frame, and is told so
        found = [numbers.number_in(name) for name in named.values()]
        number = next(filter(None, found), "")  # two names in one frame are one too many
        self._numbers.pop(asked, None)
        if not number:
            return text
        if len(self._numbers) < 2 * self._services.limits.max_open_answers:
            self._numbers[asked] = number
        for key, name in named.items():
            fields[key] = msgspec.Raw(msgspec.json.encode(numbers.resolved(name)))
        return msgspec.json.encode(fields).decode()

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

    async def _obey(self, command: commands.Command) -> None:
        match command:
            case commands.Authenticate(token=token):
                await self._authenticate(token)
            case commands.SubmitQuery() | commands.SubmitConversation():
                self._tasks.create_task(self._submit(command), name=f"submit {command.id}")
            case commands.FollowAnswer(id=id, answer=answer, after=after):
                self._multiplexer.follow(id, answer, after)
            case commands.CancelAnswer(answer=answer):
                self._tasks.create_task(self._cancel(answer), name=f"cancel {answer}")
            case _:
                assert_never(command)

    async def _authenticate(self, token: str) -> None:
        if self._services.authenticate is None:
            raise AssertionError("nobody is asked where authentication is off")
        try:
            self._principal = await self._services.authenticate(token)
        except ServiceError as exc:
            self._connection.rejected(exc)
        else:
            self._connection.authenticated()

    async def _submit(self, command: commands.SubmitQuery | commands.SubmitConversation) -> None:
        """Submit what was asked. The client may go away meanwhile: it is submitted all the same."""
        try:
            accepted = await _within(ACCEPT, self._submitted(command))
        except ServiceError as exc:
            self._connection.refused(command.id, exc)
            self._multiplexer.flush()
        else:
            self._multiplexer.accept(command.id, accepted.answer)
            self._multiplexer.follow(command.id, accepted.answer, None)

    async def _submitted(
        self, command: commands.SubmitQuery | commands.SubmitConversation
    ) -> SubmittedAnswer:
        submitter, key, principal = self._services.submitter, command.id, self._principal
        numbers = self._services.project_numbers
        caller = f"client {command.client}" if principal is None else f"principal {principal}"
        match command:
            case commands.SubmitQuery(serving_config=config, request=body):
                ask = numbers.resolve(json_codec.decode(answer_query.AnswerQueryRequest, body))
                return await submitter.submit_query(config, ask, key=key, caller=caller)
            case commands.SubmitConversation(name=name, request=body):
                say = json_codec.decode(conversations.ConverseConversationRequest, body)
                say = numbers.resolve(say)
                return await submitter.submit_conversation(name, say, key=key, caller=caller)
            case _:
                assert_never(command)

    async def _cancel(self, answer: str) -> None:
        try:
            await _within(ACCEPT, self._services.cancel(answer))
        except ServiceError as exc:
            self._connection.not_cancelled(exc)
            self._multiplexer.flush()

    # The socket

    def _send(self, frame: str) -> Coroutine[Any, Any, None]:
        if self._numbers:
            frame = self._shown(frame)
        sending: Any = self._socket.send({"type": "websocket.send", "text": frame, "bytes": None})
        return sending

    def _shown(self, frame: str) -> str:
        """Return *frame* with the project named as in the request that it answers."""
        said = frames.decode_server(frame)
        if not isinstance(said, frames.Accepted | frames.Element | frames.Failure):
            return frame
        number = self._numbers.get(said.id, "")
        answer = said.response.answer if isinstance(said, frames.Element) else None
        if isinstance(said, frames.Failure) or (answer and lifecycle.is_terminal(answer.state)):
            self._numbers.pop(said.id, None)
        return frames.encode(self._services.project_numbers.shown(said, number))

    async def _say_farewell(self, why: close_codes.Close) -> None:
        try:
            async with asyncio.timeout(self._services.farewell):
                await self._socket.close(why.code, why.reason)
        except (TimeoutError, WebSocketDisconnect, OSError, RuntimeError):
            pass  # it is gone already, or takes nothing any more


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
