"""Give out ports to listen on, so that nobody else takes one before its server listens."""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import socket
from collections.abc import Iterator
from typing import Final

_FIRST: Final = 12000
_LAST: Final = 22000
"""Behind the last one. The system picks the ports of connections above these, and above those of
the cluster bus of a Redis, which listens 10,000 higher as well."""
_BUS: Final = 10000
_BLOCK: Final = 100
"""Ports that a process takes at once."""


def free_port() -> int:
    """Return a port that nobody listens on; neither this process nor another is given it again.

    Raises:
        OSError: none is left.
    """
    for port in _ports():
        if _is_free(port) and _is_free(port + _BUS):
            return port
    raise OSError("no port is left for tests")


@functools.cache
def _ports() -> Iterator[int]:
    """Return the ports of this process: those of one block after another."""
    blocks = range(_FIRST, _LAST, _BLOCK)
    begin = os.getpid() % len(blocks)
    return itertools.chain.from_iterable(
        range(block + 1, block + _BLOCK)
        for block in (*blocks[begin:], *blocks[:begin])
        if _is_claimed(block)
    )


def _is_claimed(block: int) -> bool:
    """Claim *block* by its first port, as long as this process lives; False if it is another's."""
    with socket.socket() as claim, contextlib.suppress(OSError):
        claim.bind(("127.0.0.1", block))
        claim.detach()  # only the end of the process closes it
        return True
    return False


def _is_free(port: int) -> bool:
    with socket.socket() as probe, contextlib.suppress(OSError):
        # As servers do: a port whose last connections are still being closed is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
        return True
    return False
