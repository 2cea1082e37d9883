"""Serve the application on a socket, and leave in an order that loses nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import FrameType

import uvicorn
from litestar.types import ASGIApp

from service.lines import Line
from service.settings import Settings, SettingsError


class DrainingServer(uvicorn.Server):
    """A uvicorn server that lets running answers finish before it closes its sockets.

    uvicorn closes sockets before the lifespan ends, so the first signal runs *drain* and only then
    begins the shutdown; a second signal ends at once.
    """

    def __init__(self, config: uvicorn.Config, drain: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._drain = drain
        self._leaving: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal, then drain and leave."""
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to leave; called by the signal handler."""
        if self._leaving is not None or self._loop is None or not self.started:
            super().handle_exit(sig, frame)
        else:
            self._loop.call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        if self._leaving is None:
            # It ends the very server that would own its group.
            self._leaving = asyncio.ensure_future(self._drain_and_exit())  # noqa: TID251

    async def _drain_and_exit(self) -> None:
        try:
            await self._drain()
        finally:
            # Not by the inherited handler: it would raise the signal again after serving, before
            # what stands around the server is closed.
            self.should_exit = True


def listen(settings: Settings) -> socket.socket:
    """Open the listening socket.

    Raises:
        SettingsError: the address is taken or not ours; the message says what to set.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as exc:
        listener.close()
        raise SettingsError(
            f"cannot listen on {settings.host}:{settings.port} ({exc.strerror}); "
            "set COLLOQUY_HOST or COLLOQUY_PORT (0 takes a free port)"
        ) from exc
    listener.listen(2048)
    listener.set_inheritable(True)
    return listener


def configuration(
    app: ASGIApp, *, certificate: Path | None = None, key: Path | None = None
) -> uvicorn.Config:
    """Return how uvicorn serves *app*: measured choices, see tests/bench."""
    return uvicorn.Config(
        app,  # pyright: ignore[reportArgumentType] (Litestar's ASGI types are its own)
        http="httptools",
        ws=Line,
        ws_max_size=1 << 20,
        # It doubles the CPU of a frame and takes 50 KB a connection (tests/bench/bench_frames),
        # for frames that mostly fit into one packet anyway.
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=5,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
