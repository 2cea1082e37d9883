"""Ask and follow answers over the WebSocket, through lost connections and restarts.

A `Client` keeps one connection. Whenever that ends, and its close code does not forbid it, the
client comes back, after a pause that grows and differs from client to client; what was not yet
accepted is sent again under the same id, as of the same client, and what was accepted is resumed
behind the last element that came. Each answer is checked against the laws of its stream while it
passes.

Where the service asks who speaks, a token lasts for some time only. A provider of tokens is asked
for each connection, and again in good time before a token ends, so that the connection lives on.
Where it ends nevertheless (4401), the client comes back with a new token as from any other loss.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import secrets
import ssl
from collections.abc import AsyncGenerator, Iterator
from types import TracebackType
from typing import Final, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.client import process_exception
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from sessions.codec import json_codec
from sessions.errors import (
    AlreadyExists,
    FailedPrecondition,
    Internal,
    NotFound,
    PermissionDenied,
    ServiceError,
    Unauthenticated,
    Unavailable,
    failure,
)
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import ConverseConversationRequest, TextInput
from sessions.resources.sessions import Query
from streaming.client.followed_answer import FollowedAnswer
from streaming.client.tokens import TokenProvider, Tokens
from streaming.protocol import close_codes, frames
from streaming.protocol.frames import Element
from streaming.protocol.rpc_status import reason

PATIENCE: Final = 60.0
"""Seconds without a connection after which a request fails."""

_OPEN: Final = 10.0  # seconds in which a connection is opened, and said to be ready
_LONGEST: Final = 10.0  # seconds between two attempts to connect
_LARGEST: Final = 64 << 20  # bytes of a frame: a whole answer with all its references

_NO_TLS: Final = frozenset({"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"})
"""What OpenSSL says of a service that answers in plain HTTP."""

_log = logging.getLogger(__name__)


class Client:
    """A connection that comes back. It works while it is entered: ``async with client``."""

    def __init__(
        self,
        url: str,
        token: str | TokenProvider | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """Connect to *url*, such as ``ws://127.0.0.1:8080/v1/ws``, with a *token* where needed.

        That is an API key, or a token of a user or visitor, or a provider of such tokens. A
        `ServiceError` of the provider is told to whoever asks, but for `Unavailable`: like all else
        that it may raise, that counts as a lost connection.
        """
        self._url = url
        self._tokens = Tokens(token)
        self._renewal: asyncio.Task[None] | None = None
        self._patience = patience
        self._tasks = asyncio.TaskGroup()
        self._task: asyncio.Task[None] | None = None
        self._connection: ClientConnection | None = None
        self._connected = asyncio.Event()
        self._name = ""  # the secret by which the service knows this client again
        self._requests: dict[str, FollowedAnswer] = {}
        self._refusal: ServiceError | None = None
        self._retry_after = 0.0
        self._lost = ""  # why there is no connection, where that is known

    async def __aenter__(self) -> Self:
        await self._tasks.__aenter__()
        self._task = self._tasks.create_task(self._keep(), name="client")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        exc: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task:
            self._task.cancel()
        await self._tasks.__aexit__(None, None, None)

    def ask(
        self,
        text: str,
        *,
        serving_config: str,
        session: str = "",
        request: AnswerQueryRequest | None = None,
        id: str = "",
    ) -> AsyncGenerator[Element]:
        """Ask *text* in *session*, or in a new one, and yield the elements of the answer.

        *request* says more than a text. The same *id* again gives the same answer.

        Raises:
            ServiceError: the query was refused, or nothing was heard of the service for long. An
                answer that FAILED is told, with the error of its last element.
        """
        request = request or AnswerQueryRequest(query=Query(text=text), session=session)
        body = msgspec.Raw(json_codec.encode(request))
        return self._follow(frames.Ask(id or secrets.token_hex(12), serving_config, body))

    def converse(
        self,
        text: str,
        *,
        name: str,
        request: ConverseConversationRequest | None = None,
        id: str = "",
    ) -> AsyncGenerator[Element]:
        """Say *text* in the conversation *name*, as `ask` does."""
        request = request or ConverseConversationRequest(query=TextInput(input=text))
        body = msgspec.Raw(json_codec.encode(request))
        return self._follow(frames.Converse(id or secrets.token_hex(12), name, body))

    def resume(self, answer: str, after: str | None = None) -> AsyncGenerator[Element]:
        """Yield the elements of *answer* that come *after* a position, or all in a snapshot."""
        return self._follow(frames.Resume(secrets.token_hex(12), answer, after))

    async def cancel(self, answer: str) -> None:
        """Cancel *answer*; whoever follows it is told its end.

        Raises:
            Unavailable: there is no connection, and was none for long.
        """
        try:
            async with asyncio.timeout(self._patience):
                await self._connected.wait()
        except TimeoutError as exc:
            raise self._unavailable() from exc
        await self._send(frames.Cancel(answer))

    async def _follow(
        self, frame: frames.Ask | frames.Converse | frames.Resume
    ) -> AsyncGenerator[Element]:
        if self._refusal is not None:
            raise self._refusal
        if frame.id in self._requests:
            raise AlreadyExists("this id is being followed", reason="ID_IN_USE", id=frame.id)
        request = self._requests[frame.id] = FollowedAnswer(frame)
        try:
            await self._send(frame)
            while not request.done:
                element = await request.elements.get()
                if isinstance(element, ServiceError):
                    raise element
                request.check(element)
                yield element
        finally:
            self._requests.pop(frame.id, None)
            request.forget()

    async def _keep(self) -> None:
        """Connect, again and again, until the service says not to."""
        clock = asyncio.get_running_loop().time
        pauses = _pauses()
        lost_at = clock()
        while self._refusal is None:
            try:
                if await self._serve():
                    pauses, lost_at = _pauses(), clock()
            except ServiceError as exc:  # of the provider of tokens
                self._refusal = None if isinstance(exc, Unavailable) else exc
            except (OSError, TimeoutError, WebSocketException, msgspec.DecodeError) as exc:
                self._lost = str(exc).partition("\n")[0] or type(exc).__name__
                self._refusal = _refused(exc)
            if self._refusal is not None:
                self._fail(self._refusal, since=clock())
            elif (overdue := clock() - self._patience) > lost_at:
                self._fail(self._unavailable(), since=overdue)
            await asyncio.sleep(max(next(pauses), self._retry_after))
            self._retry_after = 0.0

    async def _serve(self) -> bool:
        """Connect once, and stay to the end; whether the service was ready at all."""
        # Before there is a connection: that waits a few seconds only to hear who speaks.
        async with asyncio.timeout(_OPEN):
            token = await self._tokens.next()
        async with connect(
            self._url,
            subprotocols=[Subprotocol(frames.SUBPROTOCOL)],
            compression=None,
            open_timeout=_OPEN,
            max_size=_LARGEST,
        ) as connection:
            ready = False
            try:
                await self._greet(connection, token)
                ready = True
                self._connection = connection
                self._connected.set()
                # A request that is made meanwhile sends itself: a list, since it adds to the dict.
                for request in list(self._requests.values()):
                    await self._send(request.again())
                await self._listen(connection)
            except ConnectionClosed:
                pass
            finally:
                self._connection = None
                self._connected.clear()
                if self._renewal is not None:
                    self._renewal.cancel()
        code = connection.close_code or 1006
        may = self._tokens.may_come_back(code, was_good=ready)
        if not (may or self._retry_after):
            self._refusal = _closed(code, connection.close_reason or "")
        return ready

    async def _greet(self, connection: ClientConnection, token: str | None) -> None:
        """Say who speaks, and wait until the service is ready."""
        async with asyncio.timeout(_OPEN):
            # Also where there is none: the service then says at once whether it needs one.
            await connection.send(frames.encode(frames.Auth(token or "")))
            while not isinstance(frame := await _next_frame(connection), frames.Ready):
                pass
        self._name = self._name or frame.client
        self._renew_before(frame.expires_in)

    def _renew_before(self, seconds: float | None) -> None:
        """See to it that there is a new token before the one that was sent ends."""
        if (pause := self._tokens.renew_after(seconds)) is not None:
            self._renewal = self._tasks.create_task(self._renew(pause), name="renewal")

    async def _renew(self, pause: float) -> None:
        """Send a new token after a *pause*; where there is none, the connection ends in time."""
        await asyncio.sleep(pause)
        try:
            token = await self._tokens.next()
        except ServiceError as exc:
            _log.warning("not_renewed", extra={"reason": exc.reason})
        else:
            await self._send(frames.Auth(token or ""))

    async def _listen(self, connection: ClientConnection) -> None:
        """Pass on what comes, until the connection ends or is to be left."""
        async for message in connection:
            try:
                frame = frames.decode_server(message)
            except (msgspec.DecodeError, ServiceError) as exc:
                await self._misread(message, exc)
                continue
            match frame:
                case frames.Accepted(id=id) | frames.Element(id=id) if id in self._requests:
                    await self._requests[id].hear(frame)
                case frames.Failure():
                    await self._refuse(frame)
                case frames.Ready(expires_in=seconds):
                    self._renew_before(seconds)
                case frames.GoAway(retry_after=seconds):
                    self._retry_after = max(seconds, 0.001)
                    await connection.close()
                case _:
                    pass

    async def _misread(self, message: str | bytes, exc: Exception) -> None:
        """Let go what a newer service says to nobody; what it says to somebody must not be lost."""
        _log.warning("frame_unknown")
        if request := self._requests.get(frames.id_of(message)):
            await request.elements.put(
                Internal(f"a frame cannot be read: {exc}", reason="FRAME_UNKNOWN")
            )

    async def _refuse(self, frame: frames.Failure) -> None:
        error = frame.error
        request = self._requests.get(frame.id)
        if request is None:
            _log.warning("command_refused", extra={"reason": reason(error)})
        elif error.code != Unavailable.code:
            await request.elements.put(failure(error.code, error.message, reason=reason(error)))
        elif self._connection is not None:
            # It may be better soon, and better elsewhere: leave, and say it all again.
            self._retry_after = random.uniform(0.2, 1.0)  # noqa: S311 - not all at once
            await self._connection.close()

    async def _send(self, frame: frames.AnyClientFrame) -> None:
        """Send *frame* where there is a connection; where not, the next one begins with it."""
        if self._connection is not None:
            if isinstance(frame, frames.Ask | frames.Converse):
                frame = msgspec.structs.replace(frame, client=self._name)
            with contextlib.suppress(ConnectionClosed):
                await self._connection.send(frames.encode(frame))

    def _unavailable(self) -> Unavailable:
        why = f": {self._lost}" if self._lost else ""
        return Unavailable(f"{self._url} cannot be reached{why}", reason="NO_CONNECTION")

    def _fail(self, error: ServiceError, *, since: float) -> None:
        """Fail the requests that were made before *since*."""
        for request in self._requests.values():
            if request.began <= since:
                request.fail(error)


async def _next_frame(connection: ClientConnection) -> frames.AnyServerFrame:
    return frames.decode_server(await connection.recv())


def _pauses() -> Iterator[float]:
    """Yield how long to wait before each further attempt, in seconds."""
    longest = 0.25
    while True:
        yield random.uniform(0, longest)  # noqa: S311 - so that not all come at once
        longest = min(2 * longest, _LONGEST)


def _refused(exc: Exception) -> ServiceError | None:
    """Say why no connection can be opened, ever; None where another attempt may succeed."""
    if isinstance(exc, ssl.SSLCertVerificationError):
        return FailedPrecondition(
            f"the certificate of the service is not trusted: {exc.verify_message}; name a file "
            "with the certificate of its issuer in SSL_CERT_FILE",
            reason="CERTIFICATE_NOT_TRUSTED",
        )
    if isinstance(exc, ssl.SSLError) and exc.reason in _NO_TLS:
        return FailedPrecondition(
            "the service does not speak TLS at this address: use ws:// instead of wss://",
            reason="HANDSHAKE_FAILED",
        )
    if process_exception(exc) is exc:
        return FailedPrecondition(f"no connection can be opened: {exc}", reason="HANDSHAKE_FAILED")
    return None


def _closed(code: int, why: str) -> ServiceError:
    """Say why the service wants no further connection."""
    message = f"the service closed the connection ({code}): {why}"
    told, colon, _ = why.partition(":")
    match code:
        case close_codes.UNAUTHENTICATED.code:
            return Unauthenticated(message, reason=told if colon else "TOKEN_REJECTED")
        case close_codes.AUTH_TIMEOUT.code:
            return Unauthenticated(message, reason="CREDENTIALS_MISSING")
        case close_codes.FORBIDDEN.code:
            return PermissionDenied(message, reason="TOKEN_REJECTED")
        case close_codes.NOT_FOUND.code:
            return NotFound(message)
        case _:
            return FailedPrecondition(message, reason="CONNECTION_REFUSED", code=str(code))
