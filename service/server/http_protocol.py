"""Serve one HTTP client by uvicorn's protocol, where each wait has an end and memory a bound.

uvicorn waits for ever for a request that was begun, for its body, and for a response to be read;
it takes headers of any length, and as many requests ahead as a client likes to send. Of its
settings only ``timeout_keep_alive``, the time between two requests, and
``timeout_graceful_shutdown`` bound a wait. ``h11_max_incomplete_event_size`` is for its parser in
Python, which takes 110 µs of CPU for a small request where this takes 34, bounds included, and
uvicorn alone 25; ``limit_concurrency`` counts connections without looking at what they do.

A connection is in one `HttpPhase`, which says what its client is waited for:

==========  =====================================  ==========  =====================================
phase       what the client has to do              within      otherwise
==========  =====================================  ==========  =====================================
SILENT      begin with its first request           `PATIENCE`  closed without a word
HEADERS     send the rest of `HEADERS` bytes       `PATIENCE`  408
BODY        send a further `STEP` of a body        `STALL`     408, or closed where it was answered
ANSWERING   nothing: the application has to        –           –
IDLE        begin with a further request           5           closed without a word, by uvicorn
UNREAD      read a further `STEP` of a response    `STUCK`     reset
LEAVING     read a further `STEP`, or close        `LINGER`    reset
==========  =====================================  ==========  =====================================

What leads from one to the next: *part* of the head of a request; a whole *request*, or the rest of
it; the head of an *upload*; the rest of its *body*; the application's whole *answer*; a socket that
takes no more (*stall*), or takes more (*flow*); and the wait is *over*.

==========  =========  =========  =========  =========  =======  =======  =========  =======
from        part       request    upload     body       answer   stall    flow       over
==========  =========  =========  =========  =========  =======  =======  =========  =======
SILENT      HEADERS    ANSWERING  BODY       –          –        –        –          LEAVING
HEADERS     HEADERS    ANSWERING  BODY       –          –        –        –          LEAVING
BODY        –          –          –          ANSWERING  BODY     UNREAD   –          LEAVING
ANSWERING   ANSWERING  ANSWERING  ANSWERING  –          IDLE     UNREAD   –          ANSWERING
IDLE        HEADERS    ANSWERING  BODY       –          –        –        –          LEAVING
UNREAD      UNREAD     UNREAD     UNREAD     –          UNREAD   –        ANSWERING  reset
LEAVING     LEAVING    LEAVING    LEAVING    LEAVING    –        LEAVING  LEAVING    reset
==========  =========  =========  =========  =========  =======  =======  =========  =======

One timer a connection looks at this by turns, so that a request costs nothing for it. Where the
timer comes late, this process was asleep: what arrived meanwhile is read before anybody is blamed.
"""

from __future__ import annotations

import asyncio
import enum
from typing import Any, Final, NamedTuple, assert_never

from service.server import early_responses, transports
from service.server.http_framing import StrictHttpProtocol
from service.server.joined_writes import JoinedWrites
from service.server.websocket_protocol import LINGER
from sessions.errors import DeadlineExceeded, InvalidArgument

PATIENCE: Final = 10.0
"""Seconds within which the headers of a request come, from its first byte or the connection."""

STALL: Final = 20.0
"""Seconds within which a further `STEP` of a body comes."""

STUCK: Final = 120.0
"""Seconds within which a further `STEP` of a running response is read."""

STEP: Final = 10 << 10
"""Bytes that count as progress: one at a time would hold a connection for as long as it likes."""

HEADERS: Final = 64 << 10
"""Bytes of a request line and its headers, and of what stands around the pieces of a body."""

AHEAD: Final = 100
"""Requests that a client may send before the first of them is answered."""

_SLICE: Final = 16 << 10
"""Bytes that are parsed before the bounds are looked at again."""

_LOOKS: Final = 5
"""How often the shortest wait is looked at: a wait is longer by a fifth of that at most."""

_TOO_SLOW: Final = early_responses.response(
    408,
    DeadlineExceeded("the request did not come in time; send it again", reason="REQUEST_TOO_SLOW"),
)
_TOO_LARGE: Final = early_responses.response(
    431,
    InvalidArgument(
        f"the headers have more than {HEADERS} bytes; send fewer", reason="HEADERS_TOO_LARGE"
    ),
)


class HttpPhase(enum.Enum):
    """What the client of a connection is waited for, as drawn above."""

    SILENT = enum.auto()
    HEADERS = enum.auto()
    BODY = enum.auto()
    ANSWERING = enum.auto()
    IDLE = enum.auto()
    UNREAD = enum.auto()
    LEAVING = enum.auto()


class _Progress(NamedTuple):
    """How far a client has come; the wait begins anew whenever this changes."""

    phase: HttpPhase
    mark: float = 0.0


class BoundedHttpProtocol(StrictHttpProtocol):
    """One client's connection, up to its end or its upgrade to a WebSocket."""

    patience = PATIENCE
    stall = STALL
    stuck = STUCK
    linger = LINGER

    _held = 0
    """Bytes of a request that came since there was anything but what stands around it."""
    _begun = 0.0
    """When the first of these came."""
    _body = 0
    """Bytes of bodies that came."""
    _answering: Any = None
    """The cycle that the application has; those behind it wait in the pipeline."""
    _turned_away = False
    _progress = _Progress(HttpPhase.SILENT)
    _waits_since = 0.0
    _due = 0.0
    """When the client is looked at next."""
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at the client now and then."""
        super().connection_made(transport)
        self._waits_since = self.loop.time()
        self._look_in(self.patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application."""
        self._look_away()
        self._abandon()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the client to its WebSocket, without the cookies, too long for that handshake.

        One that has not waited for an answer is turned away: there is no WebSocket yet that could
        keep its frames, and a refusal would be read as that answer.
        """
        if self._answering is not None and not self._answering.response_complete:
            self._turn_away(b"")
            return
        self._look_away()
        self.scope["headers"] = [header for header in self.headers if header[0] != b"cookie"]
        super().handle_websocket_upgrade()

    # What comes

    def data_received(self, data: bytes) -> None:
        """Take what comes, in slices, so that no bound is passed by far."""
        if len(data) <= _SLICE:
            self._take(data)
            return
        for at in range(0, len(data), _SLICE):
            self._take(data[at : at + _SLICE])

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._held = 0
        self._body += len(body)
        super().on_body(body)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        cycle.transport = JoinedWrites(self.transport, self.loop)
        super()._start_asgi_task(cycle, app)

    def _take(self, data: bytes) -> None:
        if self._is_left():
            return
        self._parse(data)
        if self._is_whole():
            self._held = 0
            if len(self.pipeline) > AHEAD:
                self._turn_away(b"")
            return
        if not self._held:
            self._begun = self.loop.time()
        # Counted by what came, not by what the parser gave out: it keeps the rest of an endless
        # line, trailer or chunk extension to itself.
        self._held += len(data)
        if self._held > HEADERS and not self._is_left():
            self._turn_away(_TOO_LARGE)

    def _is_left(self) -> bool:
        """Whether nothing is listened to any more, or by somebody else."""
        return self._watch is None or self._turned_away or self.transport.is_closing()

    def _is_whole(self) -> bool:
        """Whether all that came belongs to requests that are there to their end."""
        cycle: Any = self.cycle  # None before the first
        return (
            cycle is not None
            and cycle.scope is self.scope
            and not cycle.more_body
            and not cycle.response_complete
        )

    # What is waited for

    def phase(self) -> HttpPhase:
        """Return what the client is waited for now."""
        cycle: Any = self.cycle  # None before the first
        if self._turned_away or self.transport.is_closing():
            return HttpPhase.LEAVING
        # Before the body: who reads nothing is not asked for more, since nobody takes it.
        if self.flow.write_paused:
            return HttpPhase.UNREAD
        if cycle is not None and cycle.more_body and cycle.scope is self.scope:
            # Not hurried where we keep it from sending: by not reading, or by no 100 yet.
            kept = self.flow.read_paused or cycle.waiting_for_100_continue
            return HttpPhase.ANSWERING if kept else HttpPhase.BODY
        if cycle is not None and not cycle.response_complete:
            return HttpPhase.ANSWERING
        if self._held:
            return HttpPhase.HEADERS
        return HttpPhase.SILENT if self.timeout_keep_alive_task is None else HttpPhase.IDLE

    def _look(self) -> None:
        """End what was waited for too long."""
        now, progress = self.loop.time(), self._come_so_far()
        # Late by more than a turn: the process slept, and what came meanwhile is read after timers.
        if progress != self._progress or now - self._due > self._interval:
            self._progress, self._waits_since = progress, now
        seconds = self._seconds(progress.phase)
        left = self._interval if seconds is None else self._waits_since + seconds - now
        if left > 0:
            self._look_in(left)
            return
        # Before the end, which may lead to a further wait: a client that is leaving is looked at.
        self._look_in(self.linger)
        self._end(progress.phase)

    def _look_in(self, seconds: float) -> None:
        self._due = self.loop.time() + min(seconds, self._interval)
        self._watch = self.loop.call_at(self._due, self._look)

    @property
    def _interval(self) -> float:
        return min(self.patience, self.linger) / _LOOKS

    def _look_away(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def _come_so_far(self) -> _Progress:
        phase = self.phase()
        match phase:
            case HttpPhase.HEADERS:
                return _Progress(phase, self._begun)
            case HttpPhase.BODY:
                return _Progress(phase, self._body // STEP)
            case HttpPhase.UNREAD | HttpPhase.LEAVING:
                return _Progress(phase, transports.unread(self.transport) // STEP)
            case HttpPhase.SILENT | HttpPhase.ANSWERING | HttpPhase.IDLE:
                return _Progress(phase)
            case _:
                assert_never(phase)

    def _seconds(self, phase: HttpPhase) -> float | None:
        """Return how long *phase* may last without progress; None for as long as it likes."""
        match phase:
            case HttpPhase.SILENT | HttpPhase.HEADERS:
                return self.patience
            case HttpPhase.BODY:
                return self.stall
            case HttpPhase.UNREAD:
                return self.stuck
            case HttpPhase.LEAVING:
                return self.linger
            case HttpPhase.ANSWERING | HttpPhase.IDLE:
                return None
            case _:
                assert_never(phase)

    # Its end

    def _end(self, phase: HttpPhase) -> None:
        match phase:
            case HttpPhase.SILENT:
                self._turn_away(b"")
            case HttpPhase.HEADERS:
                self._turn_away(_TOO_SLOW)
            case HttpPhase.BODY:
                self._turn_away(b"" if self.cycle.response_complete else _TOO_SLOW)
            case HttpPhase.UNREAD | HttpPhase.LEAVING:
                transports.reset(self.transport)
            case HttpPhase.ANSWERING | HttpPhase.IDLE:
                raise AssertionError("this is waited for without an end")
            case _:
                assert_never(phase)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, or one that is not taken."""
        self._turn_away(self._refusal)

    def _turn_away(self, response: bytes) -> None:
        """Say why this cannot go on, and let the client finish: a reset would overtake it.

        So where there is something to say only our side is closed. What still comes is read and
        dropped; a socket closed with bytes unread sends a reset, and the client never sees why.
        """
        self._turned_away = True
        self.pipeline.clear()
        if self._abandon():
            response = b""
        self.transport.write(response)
        if response and self.transport.can_write_eof():
            self.transport.write_eof()
        else:  # nothing to be overtaken, or TLS
            self.transport.close()

    def _abandon(self) -> bool:
        """Tell the application that its client is gone; return whether that hears an answer."""
        cycle = self._answering
        if cycle is None or cycle.response_complete:
            return False
        cycle.disconnected = cycle.response_complete = True
        cycle.message_event.set()
        return cycle.response_started or not cycle.more_body
