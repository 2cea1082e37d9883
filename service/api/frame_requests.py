"""Carry out what the frames of one connection ask for, where who speaks there may have it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from typing import Any, Final, TypeVar, assert_never

import msgspec
from litestar import WebSocket

from service.answering.requests import viewers
from service.api import frame_calls
from service.api.connection_services import ConnectionServices
from service.api.frame_outcomes import METHODS, FrameOutcome
from service.api.websocket_credentials import WebSocketCredentials
from service.security.limits import quotas
from service.security.principals import ANONYMOUS, Principal
from sessions import log_context
from sessions.codec import json_codec
from sessions.errors import DeadlineExceeded, Internal, ServiceError
from sessions.resources import answer_query, conversations
from sessions.supervision import PASSING
from streaming.log.submissions import SubmittedAnswer
from streaming.protocol import connection_commands, frames
from streaming.protocol.connection_commands import CallMethod, FollowAnswer

ACCEPT: Final = 20.0
"""Seconds within which a request is accepted or refused."""

CALL: Final = 60.0
"""Seconds within which a method of the REST API responds."""

Submission = connection_commands.SubmitQuery | connection_commands.SubmitConversation

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_M = TypeVar("_M", bound=msgspec.Struct)


class FrameRequests:
    """The requests of one connection. All methods raise nothing but `ServiceError`."""

    __slots__ = ("_address", "_counted", "_credentials", "_page", "_services")

    def __init__(
        self,
        services: ConnectionServices,
        credentials: WebSocketCredentials,
        *,
        page: str,
        address: str,
    ) -> None:
        """Serve who shows *credentials*, on a *page* of another site or none, from *address*."""
        self._services = services
        self._credentials = credentials
        self._page = page
        self._address = address
        self._counted: set[str] = set()
        """Answers asked for here, which count among what is under way."""

    async def submit(self, command: Submission) -> SubmittedAnswer:
        """Submit what is asked while the quotas of who asks last."""
        log_context.bind(principal=self._speaker.log_id)
        return await self._served(_frame(command), command.id, self._named(command))

    async def check_follow(self, command: FollowAnswer) -> None:
        """Let an answer be followed, if it is there for who asks."""
        log_context.bind(principal=self._speaker.log_id, answer=command.answer)
        await self._served("resume", command.id, self._followed(command.answer))

    async def call(
        self, socket: WebSocket[Any, Any, Any], command: CallMethod
    ) -> tuple[int, bytes]:
        """Call a method of the REST API; return the HTTP status and the JSON of its response."""
        calling = frame_calls.call(socket.app, socket.scope, self._speaker, command)
        return await _within(CALL, calling)

    async def cancel(self, answer: str) -> None:
        """End *answer*, if it is there for who asks."""
        log_context.bind(principal=self._speaker.log_id, answer=answer)
        await self._served("cancel", "", self._cancelled(answer))

    def ended(self, answer: str) -> None:
        """Note that *answer* has ended, whichever replica wrote it: it counts no more."""
        if answer in self._counted and (limiter := self._services.rate_limiter) is not None:
            self._counted.discard(answer)
            limiter.places.ended(answer)

    def close(self) -> None:
        """Note that the client went away."""
        if (limiter := self._services.rate_limiter) is not None:
            for answer in self._counted:
                limiter.places.left(answer)

    @property
    def _speaker(self) -> Principal:
        """Who speaks, when it is known."""
        principal = self._credentials.principal
        if principal is None:
            raise AssertionError("nobody asks before it is known who it is")
        return principal

    async def _served(self, frame: str, id: str, work: Awaitable[_T]) -> _T:
        """Await *work* for `ACCEPT` seconds, and tell what became of the *frame*."""
        began = time.monotonic()
        status = 499  # as where a client goes away: the connection was ended meanwhile
        try:
            done = await _within(ACCEPT, work)
            status = 200
        except ServiceError as exc:
            status = exc.http
            raise
        finally:
            seconds = time.monotonic() - began
            self._services.observe(FrameOutcome(METHODS[frame], id, status, seconds))
        return done

    async def _named(self, command: Submission) -> SubmittedAnswer:
        accepted = await self._submitted(command)
        log_context.bind(answer=accepted.answer)
        return accepted

    async def _submitted(self, command: Submission) -> SubmittedAnswer:
        if (limiter := self._services.rate_limiter) is None:
            return await self._accepted(command)
        project = quotas.project_of(self._speaker, _about(command))
        admission = await limiter.admit(self._speaker, self._address, project)
        try:
            accepted = await self._accepted(command)
        except BaseException:
            limiter.places.release(admission)
            raise
        limiter.places.release_after(accepted.answer, admission)
        if admission.places:
            self._counted.add(accepted.answer)
        return accepted

    def _count_read(self, answer: str) -> None:
        """Count a frame about *answer* as the read that it is, or raise `QuotaExceeded`."""
        if (limiter := self._services.rate_limiter) is not None:
            project = quotas.project_of(self._speaker, answer)
            limiter.admit_read(self._speaker, self._address, project)

    async def _accepted(self, command: Submission) -> SubmittedAnswer:
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

    async def _followed(self, answer: str) -> None:
        self._count_read(answer)
        await self._admit(frames.Resume, answer)

    async def _cancelled(self, answer: str) -> None:
        self._count_read(answer)
        await self._admit(frames.Cancel, answer)
        await self._services.cancel(answer)


def _frame(command: Submission) -> str:
    return "answer" if isinstance(command, connection_commands.SubmitQuery) else "converse"


def _about(command: Submission) -> str:
    """Return the name of what is asked."""
    match command:
        case connection_commands.SubmitQuery(serving_config=name):
            return name
        case connection_commands.SubmitConversation(name=name):
            return name
        case _:
            assert_never(command)


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
