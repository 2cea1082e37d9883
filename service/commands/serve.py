"""Serve until a signal, in this process or in several workers."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import importlib
import importlib.util
import logging
import socket
import sys
from types import ModuleType
from typing import Any

from service import logs, secret_files
from service.commands import signals, workers
from service.server import listening
from service.settings import Settings, SettingsError, file_variable

_log = logging.getLogger(__name__)


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Serve HTTP and WebSocket on the configured address."""
    if bool(arguments.tls_cert) != bool(arguments.tls_key):
        raise SettingsError("--tls-cert and --tls-key go together; give both")
    if not 1 <= arguments.workers <= workers.MOST:
        raise SettingsError(f"--workers: give 1 to {workers.MOST}")
    logs.configure()
    listening.take_descriptors()
    stop = signals.Stop()
    # Before anything is opened: a signal that nobody heeds would leave the bundled Redis behind.
    signals.heed(stop)
    inherited = arguments.listener is not None
    listener = socket.socket(fileno=arguments.listener) if inherited else listening.listen(settings)
    if not inherited:
        _warn_of_exposed(arguments, settings)
    with contextlib.closing(listener):
        if arguments.workers > 1:
            return await workers.supervise(arguments.workers, listener)
        if inherited:
            signals.heed_end(sys.stdin.fileno(), stop)
        try:
            serving = _imported("service.commands.serving")
            status: int = await serving.run(arguments, settings, listener, stop)
            return status
        except asyncio.CancelledError:
            return 0  # by `stop`; everything is closed


def _imported(module: str) -> ModuleType:
    """Import what this process serves by: it is much, and a supervisor does without it.

    All of it stays, so that to look for garbage among it, now or later, would lengthen the start by
    a fifth.
    """
    # It reads hundreds of authorities, twice, and only a model or the web is asked by it.
    defer("aiohttp")
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def defer(package: str) -> None:
    """Have *package* loaded when the first of its names is used, not when it is imported.

    By a module in its place (PEP 562): that of `importlib.util.LazyLoader` is loaded by the second
    that imports it.
    """
    if package in sys.modules:
        return
    place = ModuleType(package)
    place.__spec__ = importlib.util.find_spec(package)

    def load(name: str) -> Any:
        # Of two threads that come at once the second waits for the first, as it does at any import.
        if sys.modules.get(package) is place:
            del sys.modules[package]
        loaded = importlib.import_module(package)
        vars(place).update(vars(loaded))
        if vars(place).get("__getattr__") is load:
            del place.__getattr__
        return getattr(loaded, name)

    place.__getattr__ = load
    sys.modules[package] = place


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
