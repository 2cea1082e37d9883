"""Serve until a signal, and say where."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import socket
import sys

import msgspec

from service import logs, secret_files, terminal
from service.commands import signals, workers
from service.composition.app import Application, create_app
from service.security import anonymous_access
from service.server import http_server
from service.server.certificates import Certificates
from service.settings import Settings, SettingsError, file_variable

_log = logging.getLogger(__name__)


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Serve HTTP and WebSocket on the configured address."""
    if bool(arguments.tls_cert) != bool(arguments.tls_key):
        raise SettingsError("--tls-cert and --tls-key go together; give both")
    if not 1 <= arguments.workers <= workers.MOST:
        raise SettingsError(f"--workers: give 1 to {workers.MOST}")
    logs.configure()
    http_server.take_descriptors()
    stop = _Stop()
    # Before anything is opened: a signal that nobody heeds would leave the bundled Redis behind.
    signals.heed(stop)
    inherited = arguments.listener is not None
    listener = (
        socket.socket(fileno=arguments.listener) if inherited else http_server.listen(settings)
    )
    if not inherited:
        _warn_of_exposed(arguments, settings)
    with contextlib.closing(listener):
        if arguments.workers > 1:
            return await workers.supervise(arguments.workers, listener)
        if inherited:
            signals.heed_end(sys.stdin.fileno(), stop)
        try:
            return await _serve(arguments, settings, listener, stop)
        except asyncio.CancelledError:
            return 0  # by `stop`; everything is closed


def _warn_of_exposed(arguments: argparse.Namespace, settings: Settings) -> None:
    """Log which secrets every user of the machine may read.

    It is no error: Kubernetes and Docker Swarm hand out secrets so, within a container that has
    one user.
    """
    named = {file_variable(field): path for field, path in settings.secret_files.items()}
    if arguments.tls_key:
        named["--tls-key"] = arguments.tls_key
    for name, path in named.items():
        if secret_files.is_exposed(path):
            _log.warning("secret_readable_by_all", extra={"setting": name, "file": str(path)})


class _Stop:
    """Stops the task that made it, which runs a server or, before, opens what that needs."""

    def __init__(self) -> None:
        self.server: http_server.DrainingServer | None = None
        self._task = asyncio.current_task()

    def __call__(self, at_once: bool) -> None:
        """Stop; see `signals.heed`."""
        if self.server is not None and self.server.started:
            self.server.leave(at_once=at_once)
        elif self._task is not None and not self._task.cancelling():
            self._task.cancel()  # once: what is open is then closed


async def _serve(
    arguments: argparse.Namespace, settings: Settings, listener: socket.socket, stop: _Stop
) -> int:
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
