"""Serve until a signal, and say where."""

from __future__ import annotations

import argparse
import asyncio
import contextlib

import msgspec

from service import logs, serving
from service.app import create_app
from service.settings import Settings, SettingsError


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Serve HTTP and WebSocket on the configured address."""
    if bool(arguments.tls_cert) != bool(arguments.tls_key):
        raise SettingsError("--tls-cert and --tls-key go together; give both")
    logs.configure()
    listener = serving.listen(settings)
    host, port = listener.getsockname()[:2]
    scheme = "https" if arguments.tls_cert else "http"
    app = create_app(msgspec.structs.replace(settings, port=port))
    config = serving.configuration(app.asgi, certificate=arguments.tls_cert, key=arguments.tls_key)
    server = serving.DrainingServer(config, app.drain)
    with contextlib.closing(listener):
        async with app.opened(), asyncio.TaskGroup() as tasks:
            saying = tasks.create_task(_announce(app.ready, scheme, host, port), name="announce")
            await server.serve([listener])
            saying.cancel()
    return 0 if server.started else 1


async def _announce(ready: asyncio.Event, scheme: str, host: str, port: int) -> None:
    """Print the addresses once the service can answer."""
    await ready.wait()
    address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
    print(
        f"Colloquy is up.\n"
        f"  chat       {address}/\n"
        f"  API docs   {address}/docs\n"
        f"  WebSocket  {address.replace('http', 'ws', 1)}/v1/ws\n"
        f"Stop it with Ctrl-C.",
        flush=True,
    )
