"""End a TCP connection, and look at it, in ways that asyncio has no method for."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import termios


def reset(transport: asyncio.Transport) -> None:
    """Give the connection up: nothing that was written and not read is kept any longer.

    ``abort`` alone forgets what the transport holds, and the kernel would still try to send what it
    has taken, for minutes. With a linger of zero seconds it sends a reset instead.
    """
    connection = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def unread(transport: asyncio.Transport) -> int:
    """Return how many bytes of what was written have not reached the client."""
    connection = transport.get_extra_info("socket")
    try:
        queued = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, bytes(4))
    except OSError:  # it is not known everywhere
        return transport.get_write_buffer_size()
    return transport.get_write_buffer_size() + struct.unpack("i", queued)[0]
