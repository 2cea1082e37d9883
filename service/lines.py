"""The line to one WebSocket client: uvicorn's, where each wait has an end and memory a bound.

Where uvicorn's own falls short, and its ASGI interface offers no way to make up for it:

- It ends a connection by ``transport.close()``, which first waits until all that was written has
  left. A client that does not read holds that up for ever, and the application is not told. Here
  a connection that should close is given up (``transport.abort()``) after `LINGER` seconds.
- It writes pongs whether they are read or not. Here the last one waits until there is room.
- It closes the moment a frame is too large or broken, with more of it on the way; the reset that
  this causes overtakes the close frame. Here only its own side closes, and what comes is dropped.
- It keeps the fragments of a message one by one. Here they are joined as they come.
- It makes a frame by way of a general serializer; here a text, which nearly all are, goes out in
  one step.
- It keeps the handshake, and queues and locks that are hardly used: 6 KB for each idle client.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

LINGER: Final = 10.0
"""Seconds that a connection may take to close."""


class Line(WebSocketsSansIOProtocol):
    """One client's connection, from its upgrade on."""

    linger = LINGER

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = self.linger
        self.queue: Any = _Inbox()
        self.writable: Any = _OPEN
        self._late_pong: list[bytes] = []
        self._giving_up: asyncio.TimerHandle | None = None
        self._served = False

    def start_keepalive(self) -> None:
        """Begin with the pings, and forget the handshake: the application has its own of it."""
        super().start_keepalive()
        self.request.headers.clear()  # the parser of the frames has it, too
        del self.request, self.response

    # Its end

    def eof_received(self) -> None:
        """Close: who says nothing more is not told anything either."""
        super().eof_received()
        self._give_up_soon()

    def keepalive_timeout(self) -> None:
        """Close: the client did not answer a ping in time."""
        super().keepalive_timeout()
        self._give_up_soon()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """Close: the application has left."""
        super().on_task_complete(task)
        self._served = True
        if self.disconnected:
            self._let_go()
        else:
            self._give_up_soon()

    def handle_parser_exception(self) -> None:
        """Say why this cannot go on, and let the client finish."""
        why = self.conn.close_sent
        if self.close_sent or why is None:
            return
        told = {"type": "websocket.disconnect", "code": why.code, "reason": why.reason}
        self.queue.put_nowait(told)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.linger, self.transport.close)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:  # TLS
            self.transport.close()
        self._give_up_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application."""
        super().connection_lost(exc)
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
        if self._served:
            self._let_go()

    def _let_go(self) -> None:
        """Leave nothing to the garbage collector, which may not come for long."""
        self.conn.parser.close()
        del self.conn, self.transport, self.scope

    def _give_up_soon(self) -> None:
        if self._giving_up is None and not self.disconnected:
            self._giving_up = self.loop.call_later(self.linger, self._give_up)

    def _give_up(self) -> None:
        """Reset the connection, or the kernel would still try to send what it has taken."""
        line = self.transport.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    # What comes

    def handle_cont(self, event: Frame) -> None:
        """Take a further fragment."""
        whole: Any = self.frames[0]
        if not isinstance(whole, bytearray):
            whole = bytearray(whole)
            self.frames[0] = whole  # type: ignore[call-overload] - it is joined and decoded
        whole += event.data
        if event.fin:
            self.send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer, or keep the answer to the last ping where nothing is read (RFC 6455, 5.5.3)."""
        if self.writable is _OPEN:
            super().handle_ping()
        else:
            self._late_pong = self.conn.data_to_send()[-1:] or self._late_pong

    # What goes

    async def send(self, message: Any) -> None:
        """Send what the application says."""
        text: str | None = message.get("text")
        if (
            text is None
            or self.writable is not _OPEN
            or self.disconnected
            or self.close_sent
            or self.conn.state is not State.OPEN
            or self.conn.extensions
        ):
            await super().send(message)
        else:
            self.transport.write(text_frame(text.encode()))

    def pause_writing(self) -> None:
        """Let those wait who want to send."""
        self.writable = asyncio.Event()

    def resume_writing(self) -> None:
        """Let them send."""
        self.writable.set()
        self.writable = _OPEN
        late, self._late_pong = self._late_pong, []
        self.transport.write(b"".join(late))


def text_frame(data: bytes) -> bytes:
    """Return the frame that a server sends a text in, UTF-8 already (RFC 6455, 5.2)."""
    length = len(data)
    if length < 126:
        return b"\x81%c%b" % (length, data)
    if length < 1 << 16:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), data)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), data)


class _Open:
    """An `asyncio.Event` that is always set, for all lines that may send."""

    def set(self) -> None:
        """Do nothing."""

    async def wait(self) -> None:
        """Return at once."""


_OPEN: Final = _Open()


class _Inbox:
    """An `asyncio.Queue` without a bound, for one who waits; it takes a tenth of the memory."""

    __slots__ = ("_messages", "_news")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._news: asyncio.Future[None] | None = None

    def empty(self) -> bool:
        """Whether there is nothing to get."""
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        """Let *message* be got."""
        self._messages.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def get(self) -> Any:
        """Wait for the next message; only one may do so."""
        while not self._messages:
            self._news = asyncio.get_running_loop().create_future()
            try:
                await self._news
            finally:
                self._news = None
        return self._messages.pop(0)
