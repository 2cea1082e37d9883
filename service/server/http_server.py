"""Serve the application on a socket, and leave in an order that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator

import uvicorn
from litestar.types import ASGIApp

from service.server.certificates import Certificates
from service.server.http_protocol import BoundedHttpProtocol
from service.server.websocket_protocol import BoundedWebSocketProtocol

_log = logging.getLogger(__name__)


class DrainingServer(uvicorn.Server):
    """A uvicorn server that lets running answers finish before it closes its sockets.

    uvicorn closes sockets before the lifespan ends, so who stops it calls `leave`, which first
    drains. Signals are heard by who runs the server, before and after as well.
    """

    def __init__(
        self, config: uvicorn.Config, drain: Callable[[float], Awaitable[None]], *, grace: float
    ) -> None:
        """*drain* is given the seconds that running answers may take: *grace*, or 0."""
        super().__init__(config)
        self._drain = drain
        self._grace = grace
        self._leaving: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signals alone: uvicorn would raise them again, with parts still open."""
        yield

    def leave(self, *, at_once: bool = False) -> None:
        """Begin to leave; *at_once*, where that has begun already, means without the grace."""
        if self._leaving is None:
            # It ends the very server that would own its group.
            self._leaving = asyncio.ensure_future(self._drain_and_exit())  # noqa: TID251
            self._leaving.add_done_callback(self._exit)
        elif at_once:
            self.force_exit = True
            # Not now: draining may not have begun yet.
            self._leaving.get_loop().call_soon(self._leaving.cancel)

    async def _drain_and_exit(self) -> None:
        try:
            await self._drain(self._grace)
        except asyncio.CancelledError:
            await self._drain(0)

    def _exit(self, leaving: asyncio.Task[None]) -> None:
        """Close the sockets, however draining ended."""
        self.should_exit = True
        if not leaving.cancelled() and (failure := leaving.exception()) is not None:
            _log.error("drain_failed", exc_info=failure)


def configuration(app: ASGIApp, *, certificates: Certificates | None = None) -> uvicorn.Config:
    """Return how uvicorn serves *app*, with *certificates* over TLS: measured, see tests/bench."""
    return uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] (Litestar's ASGI types are its own)
        http=BoundedHttpProtocol,
        ws=BoundedWebSocketProtocol,
        # Not to be guessed: what only passes requests on is no coroutine function, since each of
        # these would be called, and resumed, at every request.
        interface="asgi3",
        ws_max_size=1 << 20,
        # It doubles the CPU of a frame and takes 50 KB a connection (tests/bench/bench_frames),
        # for frames that mostly fit into one packet anyway.
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        lifespan="off",
        server_header=False,
        # It would believe every program of this machine; see `service.security.client_address`.
        proxy_headers=False,
        timeout_graceful_shutdown=5,
        ssl_context_factory=(lambda _, __: certificates.context) if certificates else None,
    )
