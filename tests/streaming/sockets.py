"""A real server with a real log behind it, and plain clients that talk to it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket as sockets
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Final

import msgspec
import uvicorn
from litestar import Litestar
from litestar.di import Provide
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from service.api.connection_services import FAREWELL, ConnectionServices
from service.api.frame_authorisation import FrameAuthorisation
from service.api.frame_outcomes import FrameOutcome
from service.api.websocket_endpoint import WebSocketConnections, follow_answers
from service.api.websocket_seats import SeatLimits
from service.corpus.document_access import Viewer
from service.portal.portal import Portal
from service.redaction.redactor import Redactor
from service.security.authorisation import Authorisation
from service.security.credentials import Credentials
from service.security.hosts import Hosts
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.message_redaction import MessageRedaction
from service.security.origin_policy import OriginPolicy
from service.security.principals import Principal, PrincipalKind
from service.server import http_server
from sessions import names
from sessions.errors import NotFound, PermissionDenied, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answer_query, answers, conversations
from sessions.stores import store_set
from sessions.stores.store_set import AnswerStore, SessionStore
from streaming.log.submissions import SubmittedAnswer
from streaming.protocol.frames import SUBPROTOCOL, Limits
from streaming.reading.multiplexer import PATIENCE
from streaming.reading.sources import ReaderSources
from tests.streaming.doubles import PARENT, QUICK, Puppet, Replica, submission
from tests.waiting import LONG, eventually

CONFIG: Final = f"{PARENT}/servingConfigs/default_config"
NO_LIMITS: Final = Limits()
NO_PORTAL: Final = Portal()
SOMEBODY: Final = Principal(kind=PrincipalKind.USER, id="user:p:somebody", subject="somebody")
NO: Final[dict[str, Exception]] = {
    "foreign": PermissionDenied("no", reason="ORIGIN_NOT_ALLOWED"),
    "nobody": NotFound("there is nobody of that name"),
    "away": Unavailable("Redis is away", reason="REDIS_AWAY"),
    "unforeseen": ZeroDivisionError(),
}
"""What becomes of tokens that are not "good", nor simply bad."""


class Submitter:
    """Submits whatever is asked; a query that is "refuse" is refused."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self.callers: list[str] = []

    async def submit_query(
        self,
        serving_config: str,
        request: answer_query.AnswerQueryRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        self.callers.append(caller)
        if request.query and request.query.text == "refuse":
            raise NotFound("there is no such session")
        session = request.session or names.session(PARENT, key)
        return await self._replica.runner.submit(
            submission(
                session,
                idempotency=f"{caller} {key}",
                session_json=store_set.new_session(request.user_pseudo_id),
            )
        )

    async def submit_conversation(
        self,
        name: str,
        request: conversations.ConverseConversationRequest,
        viewer: Viewer,
        *,
        key: str,
        caller: str,
    ) -> SubmittedAnswer:
        return await self._replica.runner.submit(
            submission(name, kind="converse", idempotency=f"{caller} {key}", session_json=b"{}")
        )


class Doorkeeper:
    """Knows the token "good", and those of `issue`; of all others it says `NO`."""

    def __init__(self, *, required: bool) -> None:
        self.required = required
        self.given: list[Credentials] = []
        self.waiting: asyncio.Event | None = None
        """What has to be set before it says anything."""
        self._tokens = {"good": SOMEBODY}

    def issue(self, token: str, **changes: Any) -> None:
        """Let *token* stand for somebody, but for what is changed."""
        self._tokens[token] = msgspec.structs.replace(SOMEBODY, **changes)

    async def principal(self, given: Credentials) -> Principal:
        self.given.append(given)
        if self.waiting is not None:
            await self.waiting.wait()
        if given.token in self._tokens:
            return self._tokens[given.token]
        raise NO.get(given.token, PermissionDenied("no", reason="TOKEN_INVALID"))


class House:
    """One process' worth of service: a replica and its door."""

    def __init__(
        self,
        replica: Replica,
        limits: Limits,
        *,
        authenticate: bool,
        portal: Portal = NO_PORTAL,
        patience: float = PATIENCE,
        seats: SeatLimits | None = None,
        farewell: float = FAREWELL,
        rates: Mapping[str, int] | None = None,
        concurrent: Mapping[str, int] | None = None,
    ) -> None:
        self.replica = replica
        self.puppet = replica.puppet
        self.submitter = Submitter(replica)
        self.doorkeeper = Doorkeeper(required=authenticate)
        self.outcomes: list[FrameOutcome] = []
        self.sources = ReaderSources(
            tail=replica.tail,
            log=replica.log,
            answers=AnswerStore(replica.redis, replica.keys),
            adopt=replica.runner.adopt,
        )
        kept = SessionStore(replica.redis, replica.keys)
        self.sockets = WebSocketConnections(
            ConnectionServices(
                sources=self.sources,
                submitter=self.submitter,
                cancel=replica.runner.cancel,
                view=self._view,
                version="1.0",
                authentication=self.doorkeeper,
                authorisation=FrameAuthorisation(
                    Authorisation(kept.user, kept.owned),
                    OriginPolicy(Hosts(), portal=lambda: portal),
                    MessageRedaction(Redactor()),
                ),
                observe=self.outcomes.append,
                limits=limits,
                rate_limiter=None
                if rates is None
                else RateLimiter(
                    replica.redis, replica.keys, Quotas(rates, concurrent or {}), longest=60
                ),
                patience=patience,
                farewell=farewell,
            ),
            seats,
        )
        self.url = ""

    async def _view(
        self, name: str, answer: answers.Answer
    ) -> conversations.ConverseConversationResponse:
        return conversations.ConverseConversationResponse(
            conversation=conversations.Conversation(name=name)
        )


@contextlib.asynccontextmanager
async def served(
    app: Any,
    configure: Callable[[uvicorn.Config], None] = lambda _: None,
    *,
    send_buffer: int = 0,
) -> AsyncGenerator[str]:
    """Serve *app* as the service is served, but for what is configured; give its address.

    The kernel keeps about *send_buffer* bytes for each connection, or as many as it likes.
    """
    config = http_server.configuration(app)
    configure(config)
    server = uvicorn.Server(config)
    with sockets.create_server(("127.0.0.1", 0)) as listener:
        if send_buffer:
            listener.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, send_buffer)
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(server.serve([listener]))
            await eventually(lambda: server.started)
            try:
                yield f"127.0.0.1:{listener.getsockname()[1]}"
            finally:
                server.should_exit = True
                await task  # a server that is cancelled leaves its sockets open


@contextlib.asynccontextmanager
async def house(
    redis: Redis,
    keys: Keys,
    puppet: Puppet | None = None,
    *,
    limits: Limits = NO_LIMITS,
    authenticate: bool = False,
    portal: Portal = NO_PORTAL,
    patience: float = PATIENCE,
    seats: SeatLimits | None = None,
    farewell: float = FAREWELL,
    rates: Mapping[str, int] | None = None,
    concurrent: Mapping[str, int] | None = None,
    send_buffer: int = 0,
    configure: Callable[[uvicorn.Config], None] = lambda _: None,
) -> AsyncGenerator[House]:
    """Run a replica with a server in front of it."""
    replica = Replica(keys, redis, puppet or Puppet(), QUICK)
    async with replica.tail, replica.runner:
        built = House(
            replica,
            limits,
            authenticate=authenticate,
            portal=portal,
            patience=patience,
            seats=seats,
            farewell=farewell,
            rates=rates,
            concurrent=concurrent,
        )
        app = Litestar(
            [follow_answers],
            dependencies={
                "websocket_connections": Provide(lambda: built.sockets, sync_to_thread=False)
            },
            openapi_config=None,
        )
        async with served(app, configure, send_buffer=send_buffer) as address:
            built.url = f"ws://{address}/v1/ws"
            yield built


class Talk:
    """A plain client: sends frames, and takes what comes."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.client = ""
        """The secret that it was given."""

    async def say(self, type: str, **fields: Any) -> None:
        await self.connection.send(json.dumps({"type": type, **fields}))

    async def ask(self, id: str, text: str = "why?", session: str = "", **fields: str) -> None:
        request = {"query": {"text": text}} | ({"session": session} if session else {})
        await self.say("answer", id=id, servingConfig=CONFIG, request=request, **fields)

    async def hear(self) -> dict[str, Any]:
        """Return the next frame."""
        async with asyncio.timeout(LONG):
            return json.loads(await self.connection.recv())

    async def hear_type(self, type: str) -> dict[str, Any]:
        """Return the next frame of a type, past all others."""
        while (frame := await self.hear())["type"] != type:
            pass
        return frame

    async def hear_end(self, id: str) -> list[dict[str, Any]]:
        """Return the elements of *id* to the terminal one."""
        elements: list[dict[str, Any]] = []
        while True:
            frame = await self.hear()
            if frame["type"] == "element" and frame["id"] == id:
                elements.append(frame)
                if frame["response"]["answer"]["state"] in ("SUCCEEDED", "FAILED"):
                    return elements

    async def closed(self) -> int:
        """Take everything to the end of the connection and return its code."""
        async with asyncio.timeout(LONG):
            with contextlib.suppress(ConnectionClosed):
                async for _ in self.connection:
                    pass
            await self.connection.wait_closed()
        return self.connection.close_code or 0


@contextlib.asynccontextmanager
async def talk(
    house: House, *, subprotocol: str | None = SUBPROTOCOL, ready: bool = True
) -> AsyncGenerator[Talk]:
    """Connect, and wait for `ready` unless told otherwise."""
    offered: Any = [subprotocol] if subprotocol else None
    async with connect(house.url, subprotocols=offered, compression=None, max_size=None) as line:
        client = Talk(line)
        if ready:
            frame = await client.hear()
            assert frame["type"] == "ready"
            client.client = frame["client"]
        yield client
