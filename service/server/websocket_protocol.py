"""Serve one WebSocket client by uvicorn's protocol, where each wait has an end and memory a bound.

It stands on uvicorn's internals, since its ASGI interface offers no way to make up for these:

- It ends a connection by ``transport.close()``, which first waits until all that was written has
  left. A client that does not read holds that up for ever, and the application is not told. Here
  a connection that should close is given up (`transports.reset`) after `LINGER` seconds.
- It writes pongs whether they are read or not. Here the last one waits until there is room.
- It closes the moment a frame is too large or broken, with more of it on the way; the reset that
  this causes overtakes the close frame. Here only its own side closes, and what comes is dropped.
- It keeps the fragments of a message one by one. Here they are joined as they come.
- It lets everybody send messages of the largest size, which it keeps until they are whole. Here a
  client to whom nothing was said yet, who may be anybody, sends no more than `STRANGER_BYTES`.
- It takes all that was read, up to 256 KB, in one go. Here it takes `SLICE` by slice, and others
  have their turn in between.
- It takes any number of frames that are no messages. Here too many close the connection.
- It logs what a client gets wrong, with a stack, and does not answer a handshake that is too
  large. Here the client is told, and nobody else.
- It makes a frame by way of a general serializer; here a text, which nearly all are, goes out in
  one step.
- It keeps the handshake, and queues and locks that are hardly used: 6 KB for each idle client.

An open connection ends by the first of these events, and each is final: what comes later adds no
second close frame. Whichever it was, a client that reads nothing is reset after `LINGER`.

========  ======================================  =========  ===========  =========
event     what happens                            code sent  application  closed
========  ======================================  =========  ===========  =========
close     the client sends a close frame          its own    its own      at once
eof       the client closes its side              –          1005         at once
silence   a ping is not answered in time          1011       1005         at once
breach    what comes is no WebSocket frame        1002       1002         by echo
farewell  the application closes                  its own    its own      by echo
leave     the application returns without that    –          –            at once
stop      the server stops                        1012       1012         at once
========  ======================================  =========  ===========  =========

*By echo* is when the client has answered the close frame, or did not within `LINGER`.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from service.server import early_responses, transports
from service.server.message_queue import MessageQueue
from streaming.protocol.close_codes import FLOOD
from streaming.protocol.token_bucket import TokenBucket

LINGER: Final = 10.0
"""Seconds that a connection may take to close."""

SLICE: Final = 4 << 10
"""Bytes that are taken in one go, unless they are all of one frame."""

STRANGER_BYTES: Final = 32 << 10
"""Bytes of a message before the application has sent one: twice what it takes from strangers, so
that it says itself what is wrong with one that is a little too large."""

ODD_BURST: Final = 1000
"""Pings, pongs and fragments that a client may send at once."""

ODD_RATE: Final = 100
"""Pings, pongs and fragments that it may send in a second."""


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """One client's connection, from its upgrade on."""

    linger = LINGER

    _rest: memoryview | None = None
    """What came and was not taken yet; nothing more is read meanwhile."""
    _odd: TokenBucket | None = None
    """For frames that are no messages, from the first on."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.close_timeout = self.linger
        # Both stand for uvicorn's own, of which an idle client takes 2 KB and uses nothing.
        self.queue: Any = MessageQueue()
        self.writable: Any = _FRESH
        self.conn.max_message_size = STRANGER_BYTES
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
        # Only our side: closed with bytes unread, the kernel sends a reset, which overtakes the
        # close frame, and the client would never learn what was wrong.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:  # TLS
            self.transport.close()
        self._give_up_soon()

    def shutdown(self) -> None:
        """Close, because the server does; a client that is leaving already needs no word."""
        if self.handshake_complete and self.conn.state is not State.OPEN:
            self.stop_keepalive()
            self.transport.close()
        else:
            super().shutdown()
        self._give_up_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application."""
        super().connection_lost(exc)
        self._rest = None
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
        if self._served:
            self._let_go()

    def _let_go(self) -> None:
        """Leave nothing to the garbage collector, which may not come for long.

        Only once both the application and the connection have ended: each still uses the others.
        """
        self.conn.parser.close()
        del self.conn, self.transport, self.scope

    def _give_up_soon(self) -> None:
        if self._giving_up is None and not self.disconnected:
            self._giving_up = self.loop.call_later(self.linger, self._give_up)

    def _give_up(self) -> None:
        transports.reset(self.transport)

    # What comes

    def data_received(self, data: bytes) -> None:
        """Take what comes, or begin to."""
        if self._rest is None and len(data) <= SLICE and self.handshake_initiated:
            self._take(data)  # nearly always; nothing is kept, copied or scheduled
        elif not self.handshake_initiated:
            self._shake_hands(data)
        elif self._rest is None:
            self.transport.pause_reading()
            self._rest = memoryview(data)
            self._go_on()
        else:
            # Reading is paused, and yet a read that was under way may still deliver.
            self._rest = memoryview(b"%b%b" % (self._rest, data))

    def _go_on(self) -> None:
        """Take what came, up to its next frames."""
        while self._rest is not None and not self.read_paused:
            data, self._rest = bytes(self._rest[:SLICE]), self._rest[SLICE:] or None
            if self._take(data):
                break  # what it brought is the application's to take before more is read
        if not self.read_paused and not self.disconnected:
            self._read_on()

    def _read_on(self) -> None:
        """Go on where it was not possible to: soon with what came, or else with what comes."""
        if self._rest is None:
            self.transport.resume_reading()
        else:
            self.loop.call_soon(self._go_on)  # not at once: others have their turn in between

    def _take(self, data: bytes) -> bool:
        """Take *data*; return whether that was the end of a frame."""
        conn = self.conn
        conn.receive_data(data)
        if conn.parser_exc is not None:
            self.handle_parser_exception()
            return True
        if not conn.events:
            return False
        self.handle_events()
        return True

    def _shake_hands(self, request: bytes) -> None:
        """Take the request, all of which came by HTTP; answer one that cannot be taken."""
        self._take(request)
        if self.conn.handshake_exc is None or self.handshake_initiated:
            return
        refusal = b"".join(self.conn.data_to_send())
        self.close_sent = self.handshake_complete = True
        self.transport.write(early_responses.refused_handshake(refusal))
        self.transport.close()
        self._give_up_soon()

    def handle_connect(self, event: Request) -> None:
        """Begin with a handshake that can be taken, or refuse it in the form of all refusals."""
        response = self.conn.accept(event)  # it may be asked twice
        if response.status_code == 101:
            super().handle_connect(event)
            return
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(early_responses.refused_handshake(response.serialize()))
        self.transport.close()
        self._give_up_soon()

    async def receive(self) -> Any:
        """Return the next message to the application, and read on where it was the last."""
        message = await self.queue.get()
        if self.read_paused and self.queue.empty():
            self.read_paused = False
            self._read_on()
        return message

    def send_receive_event_to_app(self) -> None:
        """Give a message to the application, if it is one."""
        data, self.frames = self.frames[0], []
        if self.close_sent:
            return
        message: dict[str, Any] = {"type": "websocket.receive"}
        if self.curr_msg_data_type == "bytes":
            message["bytes"] = data
        else:
            try:
                message["text"] = data.decode()
            except UnicodeDecodeError as exc:
                self._fail(CloseCode.INVALID_DATA, f"{exc.reason} at position {exc.start}")
                return
        self.queue.put_nowait(message)
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_cont(self, event: Frame) -> None:
        """Take a further fragment."""
        self._count()
        if self.close_sent:
            return
        whole: Any = self.frames[0]
        if not isinstance(whole, bytearray):
            whole = bytearray(whole)
            self.frames[0] = whole  # type: ignore[call-overload] - it is joined and decoded
        whole += event.data
        if event.fin:
            self.send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer, or keep the answer to the last ping where nothing is read (RFC 6455, 5.5.3)."""
        self._count()
        pongs = self.conn.data_to_send()  # to this one, and to all that came with it
        if not pongs or self.close_sent:
            return
        if self.writable in (_OPEN, _FRESH):
            self.transport.write(b"".join(pongs))
        else:
            self._late_pong = pongs[-1:]

    def handle_pong(self, event: Frame) -> None:
        """Take the answer to a ping, or what nobody asked for."""
        if bytes(event.data) == self.pending_ping_payload:
            super().handle_pong(event)
        else:
            self._count()

    def _count(self) -> None:
        """Count a frame that is no message, and close where there are too many."""
        if self.conn.eof_sent:
            return  # failed already: what still comes is neither counted nor answered
        now = self.loop.time()
        if self._odd is None:
            self._odd = TokenBucket(ODD_RATE, ODD_BURST, now)
        if not self._odd.take(now):
            self._fail(FLOOD.code, FLOOD.reason)

    def _fail(self, code: int, reason: str) -> None:
        """Close as for a breach of the protocol: nothing that comes is looked at any more."""
        self.conn.fail(code, reason)
        self.handle_parser_exception()

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
            or self.conn.extensions  # which may compress
        ):
            waited = self.read_paused
            await super().send(message)
            if text is not None and not self.disconnected:
                self._welcome()
            if waited and not self.read_paused and self._rest is not None:  # it was a close
                self.transport.pause_reading()
                self._read_on()
        else:
            self.transport.write(text_frame(text.encode()))

    def _welcome(self) -> None:
        """Take messages of the largest size: the application has let the client in."""
        self.conn.max_message_size = self.config.ws_max_size
        if self.writable is _FRESH:
            self.writable = _OPEN

    def pause_writing(self) -> None:
        """Let those wait who want to send: an event of their own, made only now."""
        self.writable = asyncio.Event()

    def resume_writing(self) -> None:
        """Let them send."""
        self.writable.set()
        # Where it was fresh, the next text finds out by itself.
        self.writable = _FRESH
        late, self._late_pong = self._late_pong, []
        if late and not self.close_sent:
            self.transport.write(late[0])


def text_frame(data: bytes) -> bytes:
    """Return the frame that a server sends a text in, UTF-8 already (RFC 6455, 5.2)."""
    length = len(data)
    if length < 126:
        return b"\x81%c%b" % (length, data)
    if length < 1 << 16:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), data)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), data)


class _Open:
    """An `asyncio.Event` that is always set, for all connections that may send."""

    def set(self) -> None:
        """Do nothing."""

    async def wait(self) -> None:
        """Return at once."""


_OPEN: Final = _Open()
_FRESH: Final = _Open()
"""The same, for one that may still be a stranger's."""
