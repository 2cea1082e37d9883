"""Open ``/v1/ws`` to clients that speak the subprotocol ``colloquy.v1``.

Each that is let in is served by a `websocket_connections.WebSocketConnection`; here they are
counted, and sent elsewhere when the process stops. A lost socket cancels nothing: what was accepted
goes on. Clients that are gone without a word are found by the server's pings, and given up by
`service.server.websocket_protocol`.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Mapping, Set
from typing import Any, Final, cast

from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.types import Receive, Scope, Send

from service.api import websocket_credentials
from service.api.connection_services import ConnectionServices
from service.api.websocket_connections import WebSocketConnection
from service.api.websocket_seats import Seat, SeatLimits, Seats
from streaming.protocol import close_codes, frames
from streaming.protocol.connection_machine import ConnectionState

LEFT: Final = "left"
"""Stands for the code of who went away, or was lost, before this service closed."""

_log = logging.getLogger(__name__)


class WebSocketConnections:
    """All connections of this process, and what they are served from."""

    def __init__(self, services: ConnectionServices, limits: SeatLimits | None = None) -> None:
        """Serve what *services* offer, to at most as many connections at once as *limits* say.

        Which pages may connect was decided before (`service.middleware.request_checks`).
        """
        self._services = services
        limits = limits or SeatLimits()
        self.most = limits.all
        self._seats = Seats(limits)
        self._open: set[WebSocketConnection] = set()
        self.closes: dict[str, int] = dict.fromkeys((LEFT, *map(str, close_codes.CLOSES)), 0)
        """How many connections ended with each close code, or because the client `LEFT`."""
        self._draining = False
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        """How many connections there are."""
        return len(self._open)

    def states(self) -> Mapping[str, int]:
        """Return how many connections there are in each state."""
        found = Counter(connection.state for connection in self._open)
        return {state.name.lower(): found[state] for state in ConnectionState}

    def waiting_bytes(self) -> int:
        """Return how many bytes wait for clients to take them."""
        return sum(connection.waiting_bytes for connection in self._open)

    async def serve(self, socket: WebSocket[Any, Any, Any]) -> None:
        """Accept *socket* and serve it to its end."""
        offered: list[str] = socket.scope["subprotocols"]
        spoken = frames.SUBPROTOCOL if frames.SUBPROTOCOL in offered else None
        # Also who is refused is accepted first: to a refused handshake no close code can be told.
        await socket.accept(subprotocols=spoken)
        given = websocket_credentials.read(socket.scope)
        seat = self._refusal(offered) or self._seats.take(
            given.address, stranger=self._services.authentication.required
        )
        if not isinstance(seat, Seat):
            self.closes[str(seat.code)] += 1
            await socket.close(seat.code, seat.reason)
            return
        try:
            await self._serve(
                WebSocketConnection(self._services, socket, given, seat, self._changed.set)
            )
        finally:
            seat.leave()
            # They refer back to it: all would stay until the garbage collector comes.
            del socket.receive, socket.send

    async def _serve(self, connection: WebSocketConnection) -> None:
        self._open.add(connection)
        try:
            await connection.serve()
        finally:
            self._open.discard(connection)
            self.closes[str(closing.code) if (closing := connection.closing) else LEFT] += 1
            self._changed.set()

    def revoke(self, credential: str) -> None:
        """Send away who stands on *credential*, the id of one that holds no more.

        What they asked goes on. "" sends away who brought none, since one is required by now.
        """
        for connection in list(self._open):
            connection.revoke(credential)

    def end(self, marks: Set[str]) -> None:
        """Send away the principals of *marks*, who are none any more; what they asked goes on."""
        for connection in list(self._open):
            connection.end(marks)

    async def drain(self, grace: float) -> None:
        """Send everybody elsewhere: ``goaway``, *grace* seconds to hear the end, then 1012."""
        self._draining = True
        for connection in self._open:
            connection.go_away(round(random.uniform(0.5, 3.0), 2))  # noqa: S311 - not all at once
        try:
            async with asyncio.timeout(grace):
                while any(connection.following for connection in self._open):
                    await self._next_change()
        except TimeoutError:
            pass
        for connection in self._open:
            connection.leave(close_codes.RESTART)
        try:
            async with asyncio.timeout(2 * self._services.farewell):
                while self._open:
                    await self._next_change()
        except TimeoutError:
            _log.warning("sockets_left", extra={"sockets": len(self._open)})

    async def _next_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _refusal(self, offered: list[str]) -> close_codes.Close | None:
        if offered and frames.SUBPROTOCOL not in offered:
            return close_codes.NO_SUBPROTOCOL
        if self._draining:
            return close_codes.RESTART
        return None


async def turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    """Close a socket that is being opened, while there is nothing to serve it from."""
    offered: list[str] = cast("Any", scope)["subprotocols"]
    spoken = frames.SUBPROTOCOL if frames.SUBPROTOCOL in offered else None
    await receive()
    # Only one that was accepted hears the code, which says that to come back is worth while.
    await send({"type": "websocket.accept", "subprotocol": spoken, "headers": []})
    reason = "the service starts and waits for Redis; come back later"
    await send({"type": "websocket.close", "code": close_codes.OVERLOAD.code, "reason": reason})


@websocket("/v1/ws")
async def follow_answers(
    socket: WebSocket[Any, Any, Any], websocket_connections: NamedDependency[WebSocketConnections]
) -> None:
    """Serve one client that speaks ``colloquy.v1``."""
    await websocket_connections.serve(socket)
