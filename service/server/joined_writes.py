"""Write the head of a response and the beginning of its body at once.

uvicorn writes what the application sends as it comes, and each write is a system call, and a packet
that wakes the client: half of what a small response costs.
"""

from __future__ import annotations

import asyncio


class JoinedWrites:
    """A transport, as far as uvicorn's `RequestResponseCycle` uses one."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head = b""
        self._began = False

    def write(self, data: bytes) -> None:
        """Write *data*; what is written first, with what follows in the same turn of the loop."""
        if self._head:
            head, self._head = self._head, b""
            self._transport.writelines([head, data])
        elif self._began:
            self._transport.write(data)
        else:
            self._began, self._head = True, data
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """Write what is held, and close the transport."""
        self._flush()
        self._transport.close()

    def is_closing(self) -> bool:
        """Tell whether the transport is closed, or about to be."""
        return self._transport.is_closing()

    def _flush(self) -> None:
        if self._head:
            head, self._head = self._head, b""
            self._transport.write(head)
