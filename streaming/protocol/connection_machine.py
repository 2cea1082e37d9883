"""Decide what a connection may say and hear, without any I/O.

A `Connection` is given what the client sent and the time; it returns what to do (`Command`) and
keeps what to send. Its shell (`service.api.websocket_endpoint`) carries out the commands and
reports back what became of them.

- Where authentication is on, the first frame is an ``auth``, within `Limits.auth_seconds`.
- An id is one of its client: of the principal, and where nobody is asked for one, of who knows a
  secret that a ``ready`` gave. What another client asked under the same id is no matter to it.
- An id is open from the frame that brought it until its answer has ended or it was refused. The
  same id again while it is open is the same request: it is answered by ``accepted`` once more and
  nothing is told twice. An open id for another answer is refused.
- An answer is followed once per connection: a second id takes it over from the first, which is
  told so by an ``error`` with the reason FOLLOWED_ANEW.
"""

from __future__ import annotations

from typing import assert_never

from sessions import names
from sessions.errors import (
    Aborted,
    AlreadyExists,
    DeadlineExceeded,
    Internal,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from streaming.protocol import close_codes, commands, frames
from streaming.protocol.commands import Authenticate, CancelAnswer, Command, FollowAnswer, Request
from streaming.protocol.rpc_status import status
from streaming.protocol.token_bucket import TokenBucket


class ConnectionMachine:
    """One client's connection, from its first frame to its close code."""

    __slots__ = (
        "_answers",
        "_bytes",
        "_client",
        "_frames",
        "_ids",
        "_leaving",
        "_limits",
        "_outgoing",
        "_version",
        "auth_deadline",
        "closing",
        "ready",
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
        self._frames = TokenBucket(limits.frames_per_second, limits.frame_burst, now)
        self._bytes = TokenBucket(limits.bytes_per_second, limits.byte_burst, now)
        self._outgoing: list[str] = []
        self._ids: dict[str, str] = {}
        self._answers: dict[str, str] = {}
        self._leaving: float | None = None
        self.closing: close_codes.Close | None = None
        """Why to close, once everything in `frames_to_send` is sent."""
        self.ready = False
        """Whether the client may use the connection."""
        self.auth_deadline = now + limits.auth_seconds
        """When to call `tick` if the connection is not `ready` by then."""
        if not authenticate:
            self.authenticated()

    @property
    def open_ids(self) -> int:
        """How many requests are open."""
        return len(self._ids)

    def frames_to_send(self) -> list[str]:
        """Take what is to be sent, in order."""
        outgoing, self._outgoing = self._outgoing, []
        return outgoing

    def receive(self, text: str, now: float) -> list[Command]:
        """Take a text message and return what it asks to be done."""
        if self.closing or not self._admitted(text, now):
            return []
        try:
            return self._obey(frames.decode(text))
        except frames.Malformed as exc:
            if exc.id and self.ready:
                self._send(frames.Failure(status(exc.error), exc.id))
            else:
                self.closing = close_codes.BAD_FRAME if self.ready else close_codes.UNAUTHENTICATED
            return []

    def receive_binary(self) -> None:
        """Take a binary message: no frame is one."""
        self.closing = self.closing or close_codes.BAD_FRAME

    def tick(self, now: float) -> None:
        """Notice that *now* the time to authenticate is over."""
        if not self.ready and not self.closing and now >= self.auth_deadline:
            self.closing = close_codes.AUTH_TIMEOUT

    def authenticated(self) -> None:
        """Let the client in."""
        self.ready = True
        self._send(frames.Ready(self._limits, self._version, self._client))

    def rejected(self, error: ServiceError) -> None:
        """Turn the client away because of *error*."""
        match error:
            case PermissionDenied():
                self.closing = close_codes.FORBIDDEN
            case NotFound():
                self.closing = close_codes.NOT_FOUND
            case Unavailable() | DeadlineExceeded():
                self.closing = close_codes.OVERLOAD
            case Internal():
                self.closing = close_codes.FAILURE
            case _:
                self.closing = close_codes.UNAUTHENTICATED

    def accepted(self, id: str, answer: str) -> str:
        """Say that *answer* is followed as *id* from here on.

        Return the id that it was followed as before, which is then told so; "" where there is none.
        """
        former = self._answers.get(answer, id)
        if former != id:
            self.refused(
                former,
                Aborted("the answer is followed under another id", reason="FOLLOWED_ANEW", id=id),
            )
        self._ids[id] = answer
        self._answers[answer] = id
        self._send(frames.Accepted(id, answer, names.parent(answer)))
        return former if former != id else ""

    def refused(self, id: str, error: ServiceError) -> None:
        """Say that *id* is not, or no longer, followed because of *error*."""
        self.ended(id)
        self._send(frames.Failure(status(error), id))

    def ended(self, id: str) -> None:
        """Forget *id*: the last element of its answer was told."""
        answer = self._ids.pop(id, "")
        if self._answers.get(answer) == id:
            del self._answers[answer]

    def is_accepted(self, id: str) -> bool:
        """Whether *id* is open and its answer known."""
        return bool(self._ids.get(id))

    def leave(self, why: close_codes.Close) -> None:
        """Close, unless it is closing already."""
        self.closing = self.closing or why

    def not_cancelled(self, error: ServiceError) -> None:
        """Say why an answer could not be cancelled, without an end to what is told of it."""
        self._send(frames.Failure(status(error)))

    def go_away(self, retry_after: float) -> None:
        """Tell the client to connect elsewhere; nothing new is accepted from here on."""
        self._leaving = retry_after
        if self.ready:
            self._send(frames.GoAway(retry_after))

    def _admitted(self, text: str, now: float) -> bool:
        """Hold the limits that go before any look into a frame."""
        limit = self._limits.max_frame_bytes if self.ready else AUTH_BYTES
        size = len(text) if text.isascii() or len(text) > limit else len(text.encode())
        if size > limit:
            self.closing = close_codes.TOO_BIG if self.ready else close_codes.TOO_LARGE
        elif not self._frames.take(now) or not self._bytes.take(now, size):
            self.closing = close_codes.FLOOD
        return self.closing is None

    def _obey(self, frame: frames.AnyClientFrame) -> list[Command]:
        """Return what *frame* asks to be done, or say why not."""
        if not self.ready and not isinstance(frame, frames.Auth):
            self.closing = close_codes.UNAUTHENTICATED
            return []
        match frame:
            case frames.Auth(token=token):
                return [] if self.ready else [Authenticate(token)]
            case frames.Ping():
                self._send(frames.Pong())
                return []
            case frames.Cancel(answer=answer):
                return self._cancel(answer)
            case frames.Ask() | frames.Converse() | frames.Resume():
                return self._request(frame)
            case _:
                assert_never(frame)

    def _cancel(self, answer: str) -> list[Command]:
        try:
            return [CancelAnswer(names.checked(answer, names.ANSWER, field="answer"))]
        except InvalidArgument as exc:
            self._send(frames.Failure(status(exc)))
            return []

    def _request(self, frame: frames.Ask | frames.Converse | frames.Resume) -> list[Command]:
        """Open the id of *frame*, unless it is open, or one too many."""
        try:
            command = commands.read(frame, self._client)
            if frame.id in self._ids:
                self._repeat(command)
                return []
            self._check_room(command)
        except ServiceError as exc:
            self._send(frames.Failure(status(exc), frame.id))
            return []
        self._ids[frame.id] = ""
        return [command]

    def _repeat(self, command: Request) -> None:
        """Answer a request whose id is open: it is the same, or it is refused."""
        answer = self._ids[command.id]
        if isinstance(command, FollowAnswer) and answer and command.answer != answer:
            raise AlreadyExists(
                "this id is open for another answer", reason="ID_IN_USE", id=command.id
            )
        if answer:
            self._send(frames.Accepted(command.id, answer, names.parent(answer)))

    def _check_room(self, command: Request) -> None:
        """Refuse what is too much, and what comes too late."""
        if len(self._ids) >= self._limits.max_open_answers:
            raise ResourceExhausted(
                f"a connection follows at most {self._limits.max_open_answers} answers at once",
                reason="TOO_MANY_OPEN_ANSWERS",
            )
        if self._leaving is not None and not isinstance(command, FollowAnswer):
            raise Unavailable(
                "the service restarts; connect again and send this once more",
                reason="DRAINING",
                retry_after=max(1, round(self._leaving)),
            )

    def _send(self, frame: frames.AnyServerFrame) -> None:
        self._outgoing.append(frames.encode(frame))


AUTH_BYTES = 16 << 10
"""How large a frame may be before the client has authenticated."""
