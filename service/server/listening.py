"""What a process takes before it serves: the socket that it listens on, and enough descriptors.

A supervisor of workers takes both as well, and does without all that serving stands on.
"""

from __future__ import annotations

import contextlib
import logging
import resource
import socket
from typing import Final

from service.settings import Settings, SettingsError

DESCRIPTORS: Final = 10_000
"""Open files below which a process is said to have few."""

_log = logging.getLogger(__name__)


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


def take_descriptors() -> None:
    """Let this process open as many files as it may: each connection is one.

    What a process may open unless it asks is often 1024.
    """
    soft, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != most:
        with contextlib.suppress(ValueError, OSError):  # there may be a bound that is not told
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
            soft = most
    if soft < DESCRIPTORS and soft != resource.RLIM_INFINITY:
        _log.warning("few_descriptors", extra={"limit": soft, "wanted": DESCRIPTORS})
