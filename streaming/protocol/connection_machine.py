"""Decide what a connection may say and hear, without any I/O.

A `ConnectionMachine` is given what the client sent and the time; it returns what to do (`Command`)
and keeps what to send. Its shell (`service.api.websocket_connections`) carries out the commands and
reports back what became of them. Above the line is what the client does, below what the shell does.
A cell names the command that is returned, the frame that is sent, or the code to close with:

=============  ============  ==================  ==================  =========
event          GREETING      READY               LEAVING             CLOSING
=============  ============  ==================  ==================  =========
auth           Authenticate  Authenticate        Authenticate        –
answer         4401          SubmitQuery         error               –
converse       4401          SubmitConversation  error               –
resume         4401          FollowAnswer        FollowAnswer        –
cancel         4401          CancelAnswer        CancelAnswer        –
request        4401          CallMethod          CallMethod          –
ping           4401          pong                pong                –
fault          4401          error               error               –
garbage        4401          4400                4400                –
binary         4400          4400                4400                –
large          4413          1009                1009                –
flood          4429          4429                4429                –
-------------  ------------  ------------------  ------------------  ---------
authenticated  ready         ready               ready               –
another                      4401                4401                –
rejected       4401          4401                4401                4401
undecided      1013          error               error               –
late           4408          –                   –                   –
expired                      4401                4401                –
accepted                     accepted            accepted            accepted
refused                      error               error               error
not_cancelled                error               error               error
responded                    response            response            –
not_called                   error               error               –
go_away        –             goaway              goaway              –
leave          1012          1012                1012                –
=============  ============  ==================  ==================  =========

A code leads to CLOSING, ``ready`` to READY, ``goaway`` to LEAVING; an empty cell cannot happen.
Only a connection where nobody is asked for a token begins as READY, and takes no notice of an
``auth``. A *fault* is told under its id, *garbage* has none to be told under (`frames`).

A connection is that of one principal, to its end: a second ``auth`` renews its token, and a token
of *another* principal closes it, since what is told on it was meant for the first. So does a token
that is *rejected*. Whether one is good may be *undecided*, because whom to ask is away: then the
one before holds, until it is *expired*.

What is asked under an id follows `OpenRequests`. The ids of ``request`` are their own: each is open
until its ``response``, and what is called is told to nobody once the connection is to close.
"""

from __future__ import annotations

import enum
import math
from typing import assert_never

import msgspec

from sessions import names
from sessions.errors import (
    Aborted,
    AlreadyExists,
    DeadlineExceeded,
    Internal,
    InvalidArgument,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from streaming.protocol import close_codes, connection_commands, frames
from streaming.protocol.connection_commands import (
    Authenticate,
    CallMethod,
    CancelAnswer,
    Command,
    FollowAnswer,
    Request,
)
from streaming.protocol.frame_limits import AUTH_BYTES, FrameLimits
from streaming.protocol.open_requests import OpenRequests
from streaming.protocol.rpc_status import status


class ConnectionState(enum.Enum):
    """What a connection may say, as drawn above."""

    GREETING = "nothing but who it is"
    READY = "everything"
    LEAVING = "everything but what is new"
    CLOSING = "nothing"


class ConnectionMachine:
    """One client's connection, from its first frame to its close code."""

    __slots__ = (
        "_calls",
        "_client",
        "_frame_limits",
        "_limits",
        "_outgoing",
        "_principal",
        "_requests",
        "_retry_after",
        "_version",
        "closing",
        "deadline",
        "state",
    )

    def __init__(
        self, limits: frames.Limits, *, version: str, client: str, authenticate: bool, now: float
    ) -> None:
        """Begin at *now*, in seconds of any clock that only goes forward.

        *client* is a new secret: who asks here is nobody else, unless it tells one of before.
        """
        self._limits = limits
        self._client = client
        self._version = version
        self._frame_limits = FrameLimits(limits, now)
        self._outgoing: list[str] = []
        self._requests = OpenRequests()
        self._calls: set[str] = set()
        """Ids of methods that are being called."""
        self._retry_after: float | None = None
        """When a client is to come back that was told to go away."""
        self.state = ConnectionState.GREETING
        self.closing: close_codes.Close | None = None
        """Why to close, once everything in `frames_to_send` is sent."""
        self.deadline = now + limits.auth_seconds
        """When to call `tick`: a token is missing, or the one that was given has ended by then."""
        self._principal: str | None = None if authenticate else ""
        """Whose connection this is; "" where nobody is asked, None where it is not known yet."""
        if not authenticate:
            self.authenticated("", now)

    @property
    def open_ids(self) -> int:
        """How many requests are open."""
        return len(self._requests)

    def frames_to_send(self) -> list[str]:
        """Take what is to be sent, in order."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def receive(self, text: str, now: float) -> list[Command]:
        """Take a text message and return what it asks to be done."""
        # The limits come first: whoever passes them is not worth the reading.
        if self.state is ConnectionState.CLOSING:
            return []
        stranger = self.state is ConnectionState.GREETING
        if (why := self._frame_limits.check(text, now, stranger=stranger)) is not None:
            self.leave(why)
            return []
        try:
            frame = frames.decode(text)
        except frames.Malformed as exc:
            self._answer_malformed(exc)
            return []
        if stranger and not isinstance(frame, frames.Auth):
            self.leave(close_codes.UNAUTHENTICATED)
            return []
        return self._obey(frame)

    def _answer_malformed(self, exc: frames.Malformed) -> None:
        """Say what is wrong; a stranger hears only that it is one."""
        if self.state is ConnectionState.GREETING:
            self.leave(close_codes.UNAUTHENTICATED)
        elif exc.id:
            self._send(frames.Failure(status(exc.error), exc.id))
        else:
            self.leave(close_codes.BAD_FRAME)

    def receive_binary(self) -> None:
        """Take a binary message: no frame is one."""
        self.leave(close_codes.BAD_FRAME)

    def tick(self, now: float) -> None:
        """Notice that *now* the time to authenticate, or that of the token, is over."""
        if now >= self.deadline:
            greeting = self.state is ConnectionState.GREETING
            self.leave(close_codes.AUTH_TIMEOUT if greeting else close_codes.EXPIRED)

    def authenticated(self, principal: str, now: float, expires_at: float = math.inf) -> None:
        """Let *principal* in, or stay, until *expires_at*, unless it has to leave already."""
        if self.state is ConnectionState.CLOSING:
            return
        if self._principal not in (None, principal):
            self.leave(close_codes.OTHER_PRINCIPAL)
            return
        self._principal = principal
        if self.state is ConnectionState.GREETING:
            # Who was to go away before it was known who it is may resume, and begin nothing.
            self.state = (
                ConnectionState.READY if self._retry_after is None else ConnectionState.LEAVING
            )
        self.deadline = expires_at
        self.tick(now)  # a token that ends just now lets nobody in
        if self.closing is None:
            left = None if math.isinf(expires_at) else round(expires_at - now, 3)
            self._send(frames.Ready(self._limits, self._version, self._client, left))

    def rejected(self, error: ServiceError) -> None:
        """Turn the client away because of *error*, whatever else it would be closed for.

        Where it cannot be decided whether a second token is good, the first one still holds.
        """
        if isinstance(error, Unavailable | DeadlineExceeded | Internal):
            self._undecided(error)
        else:
            self.closing = close_codes.rejected(error)
            self.state = ConnectionState.CLOSING

    def _undecided(self, error: ServiceError) -> None:
        if self.state is not ConnectionState.GREETING:
            if self.closing is None:
                self._send(frames.Failure(status(error)))
        elif isinstance(error, Internal):
            self.leave(close_codes.FAILURE)
        else:
            self.leave(close_codes.OVERLOAD)

    def accepted(self, id: str, answer: str) -> str:
        """Say that *answer* is followed as *id* from here on.

        Return the id that it was followed as before, which is then told so; "" where there is none.
        """
        if former := self._requests.former(id, answer):
            self.refused(
                former,
                Aborted("the answer is followed under another id", reason="FOLLOWED_ANEW", id=id),
            )
        self._requests.accept(id, answer)
        self._send(frames.Accepted(id, answer, names.parent(answer)))
        return former

    def refused(self, id: str, error: ServiceError) -> None:
        """Say that *id* is not, or no longer, followed because of *error*."""
        self.ended(id)
        self._send(frames.Failure(status(error), id))

    def ended(self, id: str) -> None:
        """Forget *id*: the last element of its answer was told."""
        self._requests.end(id)

    def is_accepted(self, id: str) -> bool:
        """Whether *id* is open and its answer known."""
        return bool(self._requests.answer(id))

    def leave(self, why: close_codes.Close) -> None:
        """Close because of *why*; the first reason stands."""
        if self.state is not ConnectionState.CLOSING:
            self.state = ConnectionState.CLOSING
            self.closing = why

    def not_cancelled(self, error: ServiceError) -> None:
        """Say why an answer could not be cancelled, without an end to what is told of it."""
        self._send(frames.Failure(status(error)))

    def responded(self, id: str, status: int, body: bytes) -> None:
        """Tell what a method that was called as *id* answered."""
        self._called(id, frames.Response(id, status, msgspec.Raw(body)))

    def not_called(self, id: str, error: ServiceError) -> None:
        """Tell why no method was called as *id*."""
        self._called(id, frames.Failure(status(error), id))

    def _called(self, id: str, frame: frames.Response | frames.Failure) -> None:
        self._calls.discard(id)
        # What a principal may read is not told to one who is none any more.
        if self.state is not ConnectionState.CLOSING:
            self._send(frame)

    def go_away(self, retry_after: float) -> None:
        """Tell the client to connect elsewhere; nothing new is accepted from here on."""
        self._retry_after = retry_after
        # A stranger is told nothing; and who is to be closed may be one still.
        if self.state in (ConnectionState.READY, ConnectionState.LEAVING):
            self.state = ConnectionState.LEAVING
            self._send(frames.GoAway(retry_after))

    def _obey(self, frame: frames.AnyClientFrame) -> list[Command]:
        """Return what *frame* asks to be done, or say why not."""
        match frame:
            case frames.Auth(token=token):
                return self._authenticate(token)
            case frames.Ping():
                self._send(frames.Pong())
                return []
            case frames.Cancel(answer=answer):
                return self._cancel(answer)
            case frames.Request():
                return self._call(frame)
            case frames.Ask() | frames.Converse() | frames.Resume():
                return self._request(frame)
            case _:
                assert_never(frame)

    def _authenticate(self, token: str) -> list[Command]:
        if self._principal == "":
            return []
        if len(token) > AUTH_BYTES:  # of a second one, which may come in a larger frame
            self.leave(close_codes.TOO_LARGE)
            return []
        return [Authenticate(token)]

    def _cancel(self, answer: str) -> list[Command]:
        try:
            return [CancelAnswer(names.checked(answer, names.ANSWER, field="answer"))]
        except InvalidArgument as exc:
            self._send(frames.Failure(status(exc)))
            return []

    def _call(self, frame: frames.Request) -> list[Command]:
        """Open the id of *frame*, unless it is open, or one too many."""
        error: ServiceError | None = None
        if frame.id in self._calls:
            error = AlreadyExists(
                "a request of this id waits for its response", reason="ID_IN_USE", id=frame.id
            )
        elif len(self._calls) >= self._limits.max_open_requests:
            error = ResourceExhausted(
                f"at most {self._limits.max_open_requests} requests wait for their responses",
                reason="TOO_MANY_OPEN_REQUESTS",
            )
        if error is not None:
            self._send(frames.Failure(status(error), frame.id))
            return []
        self._calls.add(frame.id)
        body = bytes(frame.body)
        return [CallMethod(frame.id, frame.method, frame.path, body, frame.traceparent)]

    def _request(self, frame: frames.Ask | frames.Converse | frames.Resume) -> list[Command]:
        """Open the id of *frame*, unless it is open, or one too many."""
        try:
            command = connection_commands.read(frame, self._client)
            if frame.id in self._requests:
                # Before the limits: a client that repeats itself, on a connection that is full or
                # leaving, is told again what it was told.
                if answer := self._requests.repeat(command):
                    self._send(frames.Accepted(command.id, answer, names.parent(answer)))
                return []
            self._check_room(command)
        except ServiceError as exc:
            self._send(frames.Failure(status(exc), frame.id))
            return []
        self._requests.open(frame.id)
        return [command]

    def _check_room(self, command: Request) -> None:
        """Refuse what is too much, and what comes too late."""
        if len(self._requests) >= self._limits.max_open_answers:
            raise ResourceExhausted(
                f"a connection follows at most {self._limits.max_open_answers} answers at once",
                reason="TOO_MANY_OPEN_ANSWERS",
            )
        if self._retry_after is not None and not isinstance(command, FollowAnswer):
            raise Unavailable(
                "the service restarts; connect again and send this once more",
                reason="DRAINING",
                retry_after=max(1, round(self._retry_after)),
            )

    def _send(self, frame: frames.AnyServerFrame) -> None:
        self._outgoing.append(frames.encode(frame))
