"""Serve in this process, and say where."""

from __future__ import annotations

import argparse
import asyncio
import socket
import sys

import msgspec

from service import terminal
from service.commands import signals, workers
from service.composition.app import Application, create_app
from service.security import anonymous_access
from service.server import http_server
from service.server.certificates import Certificates
from service.settings import Settings


async def run(
    arguments: argparse.Namespace, settings: Settings, listener: socket.socket, stop: signals.Stop
) -> int:
    """Serve on *listener* until *stop* is called."""
    host, port = listener.getsockname()[:2]
    app = create_app(msgspec.structs.replace(settings, port=port), arguments.metrics_file)
    certificates = _certificates(arguments)
    config = http_server.configuration(app.asgi, certificates=certificates)
    stop.server = server = http_server.DrainingServer(config, app.drain, grace=settings.grace)
    async with app.opened(), asyncio.TaskGroup() as tasks:
        # Whatever keeps a worker from starting was told by now, by this one alone.
        if arguments.listener is not None:
            workers.tell_started(sys.stdin.fileno())
        beside: list[asyncio.Task[None]] = []
        if not arguments.silent:
            announcing = _announce(app, _address(arguments, host, port))
            beside.append(tasks.create_task(announcing, name="announce"))
        if certificates is not None:
            beside.append(tasks.create_task(certificates.watch(), name="certificates"))
        await server.serve([listener])
        for task in beside:
            task.cancel()
    return 0 if server.started else 1


def _certificates(arguments: argparse.Namespace) -> Certificates | None:
    return Certificates(arguments.tls_cert, arguments.tls_key) if arguments.tls_cert else None


def _address(arguments: argparse.Namespace, host: str, port: int) -> str:
    scheme = "https" if arguments.tls_cert else "http"
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


async def _announce(app: Application, address: str) -> None:
    """Print the addresses, and for whom they are, once the service can answer."""
    await app.ready.wait()
    any_key = app.container.identity.api_keys.any_known
    demo = f"  portal     {address}/demo, a mock one with the chat\n" if app.demo_origins() else ""
    terminal.write(
        f"Colloquy is up.\n"
        f"  chat       {address}/\n"
        f"{demo}"
        f"  API docs   {address}/docs\n"
        f"  WebSocket  {address.replace('http', 'ws', 1)}/v1/ws\n"
        f"  access     {anonymous_access.told(app.settings, any_key=any_key)}\n"
        f"Stop it with Ctrl-C.\n"
    )
