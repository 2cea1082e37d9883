"""The front to one HTTP client: uvicorn's, where each wait has an end and memory a bound.

uvicorn waits for ever for a request that was begun, for its body, and for a response to be read;
it takes headers of any length, and as many requests ahead as a client likes to send. Here

- a request's headers come within `PATIENCE` seconds and take at most `HEADERS` bytes,
- a body comes, and a response that ends the connection is read, at `STEP` bytes or more within
  `STALL` or `LINGER` seconds,
- a client that takes nothing of what is being sent is given up after `STUCK` seconds,
- at most `AHEAD` requests wait for the one before them.

It also takes what RFC 9112 says must not be taken: a target is at most `TARGET` bytes long, there
is exactly one host, and where the target names it, too, that is the one.

One timer a connection looks at these by turns, so that a request costs nothing for them. Where it
comes late, this process was asleep: what arrived meanwhile is read before anybody is blamed.
"""

from __future__ import annotations

import asyncio
import fcntl
import math
import re
import struct
import termios
from typing import Any, Final, NamedTuple

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.server import early_responses
from service.server.websocket_protocol import LINGER, reset
from sessions.errors import DeadlineExceeded, InvalidArgument, Unimplemented

PATIENCE: Final = 10.0
"""Seconds within which the headers of a request come, from its first byte or the connection."""

STALL: Final = 20.0
"""Seconds within which a further `STEP` of a body comes."""

STUCK: Final = 120.0
"""Seconds within which a further `STEP` of a running response is read."""

STEP: Final = 10 << 10
"""Bytes that count as progress."""

HEADERS: Final = 64 << 10
"""Bytes of a request line and its headers, and of what stands around the pieces of a body."""

AHEAD: Final = 100
"""Requests that a client may send before the first of them is answered."""

TARGET: Final = 8 << 10
"""Bytes of the path and the query of a request."""

_SLICE: Final = 16 << 10
"""Bytes that are parsed before the bounds are looked at again."""

_LOOKS: Final = 5
"""How often the shortest wait is looked at."""


class _Wait(NamedTuple):
    """What a client is waited for; *mark* changes when it does some of it."""

    what: str
    mark: float = 0.0


_NOTHING: Final = _Wait("")


class _NotTaken(Exception):
    """The parser has to stop: this request is refused, and nothing behind it can be trusted."""


class BoundedHttpProtocol(HttpToolsProtocol):
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
    _refused = b""
    """What is said to a request that is one, and is not taken all the same."""
    _wait = _NOTHING
    _waits_since = 0.0
    _due = 0.0
    """When the client is looked at next."""
    _watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at the client now and then."""
        super().connection_made(transport)
        self._wait = self._awaited()
        self._waits_since = self.loop.time()
        self._look_in(self.patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the application."""
        self._look_away()
        self._abandon()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the client to its line, without the cookies, which may be longer than it takes.

        One that has not waited for an answer is turned away: there is no line yet that could keep
        its frames, and a refusal would be read as that answer.
        """
        if self._answering is not None and not self._answering.response_complete:
            self._turn_away(b"")
            return
        self._look_away()
        self.scope["headers"] = [line for line in self.headers if line[0] != b"cookie"]
        super().handle_websocket_upgrade()

    # What comes

    def data_received(self, data: bytes) -> None:
        """Take what comes, in slices, so that no bound is passed by far."""
        if len(data) <= _SLICE:
            self._take(data)
            return
        for at in range(0, len(data), _SLICE):
            self._take(data[at : at + _SLICE])

    def on_url(self, url: bytes) -> None:
        """Take a piece of a target."""
        super().on_url(url)
        if len(self.url) > TARGET:
            self._refuse(_TOO_LONG)

    def on_headers_complete(self) -> None:
        """Take a request whose target, host and framing are plain, and begin to answer."""
        parser: Any = self.parser  # None behind the end of the connection
        version = parser.get_http_version()
        if version not in ("1.0", "1.1"):
            self._refuse(_NO_REQUEST)  # the parser knows 0.9 and 2.0, too
        self._take_target(parser.get_method())
        hosts = [value for name, value in self.headers if name == b"host"]
        if len(hosts) > 1 or (not hosts and version != "1.0") or not all(map(_is_host, hosts)):
            self._refuse(_NO_HOST)
        codings = [value for name, value in self.headers if name == b"transfer-encoding"]
        if any(coding.lower() != b"chunked" for coding in codings):
            self._refuse(_CODED)
        if version == "1.0":
            if codings:
                self._refuse(_NO_REQUEST)  # who framed it cannot have meant it (RFC 9112, 6.1)
            self.expect_100_continue = False  # it would be read as the response
        if self._is_set_aside():
            return
        super().on_headers_complete()
        cycle: Any = self.cycle
        if cycle is not None and cycle.scope is self.scope:
            # What comes behind the body is not what the request was judged by (RFC 9110, 6.5.1).
            self.headers = []

    def on_message_complete(self) -> None:
        """Take the end of a request."""
        if not self._is_set_aside():
            super().on_message_complete()

    def _is_set_aside(self) -> bool:
        """Whether the request wants to become what is not known here, and is read once more."""
        parser: Any = self.parser
        return parser.should_upgrade() and not self._should_upgrade()

    def _parse(self, data: bytes) -> None:
        """Parse *data* as uvicorn does, but ignore unknown upgrades (RFC 9110, 7.8).

        Java's own client asks for h2c with whatever it sends first, and the parser takes what
        follows such a request, its body included, for the other protocol.
        """
        self._unset_keepalive_if_required()
        parser: Any = self.parser
        try:
            parser.feed_data(data)
        except httptools.HttpParserError:
            self.send_400_response("")
        except httptools.HttpParserUpgrade as exc:
            if self._should_upgrade():
                self.handle_websocket_upgrade()
                return
            head = [b"%b %b HTTP/1.1\r\n" % (parser.get_method(), self.url)]
            head += [b"%b: %b\r\n" % line for line in self.headers if line[0] != b"upgrade"]
            self.parser = again = httptools.HttpRequestParser(self)
            again.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn does
            self._parse(b"".join([*head, b"\r\n", data[exc.args[0] :]]))

    def _take_target(self, method: bytes) -> None:
        """Bring a target with a scheme into the usual form; its host counts (RFC 9112, 3.2.2)."""
        if self.url.startswith(b"/"):
            return
        if self.url == b"*" and method == b"OPTIONS":
            self.url = b"/"  # there is nothing to say of the whole server that is not said of it
            return
        named = _ABSOLUTE.fullmatch(self.url)
        if named is None:
            self._refuse(_NO_REQUEST)
            return
        rest = named["rest"] or b"/"
        self.url = rest if rest.startswith(b"/") else b"/" + rest
        self.headers[:] = [line for line in self.headers if line[0] != b"host"]
        self.headers.append((b"host", named["host"]))

    def _refuse(self, response: bytes) -> None:
        self._refused = response
        raise _NotTaken

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._held = 0
        self._body += len(body)
        super().on_body(body)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def _take(self, data: bytes) -> None:
        if self._left():
            return
        self._parse(data)
        if self._is_whole():
            self._held = 0
            if len(self.pipeline) > AHEAD:
                self._turn_away(b"")
            return
        if not self._held:
            self._begun = self.loop.time()
        self._held += len(data)
        if self._held > HEADERS and not self._left():
            self._turn_away(_TOO_LARGE)

    def _left(self) -> bool:
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

    def _look(self) -> None:
        """End what was waited for too long."""
        now, wait = self.loop.time(), self._awaited()
        if wait != self._wait or now - self._due > self._interval:
            self._wait, self._waits_since = wait, now
        left = self._waits_since + self._seconds(wait) - now
        if left > 0:
            self._look_in(left)
            return
        self._look_in(self.linger)
        self._end(wait)

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

    def _awaited(self) -> _Wait:
        cycle: Any = self.cycle  # None before the first
        if self._turned_away or self.transport.is_closing():
            return _Wait("leave", self._unread() // STEP)
        if self.flow.write_paused:
            return _Wait("read", self._unread() // STEP)
        if cycle is not None and cycle.more_body and cycle.scope is self.scope:
            if self.flow.read_paused or cycle.waiting_for_100_continue:
                return _NOTHING
            return _Wait("body", self._body // STEP)
        if cycle is not None and not cycle.response_complete:
            return _NOTHING
        if self._held or self.timeout_keep_alive_task is None:
            return _Wait("headers", self._begun)
        return _NOTHING

    def _seconds(self, wait: _Wait) -> float:
        match wait.what:
            case "headers":
                return self.patience
            case "body":
                return self.stall
            case "read":
                return self.stuck
            case "leave":
                return self.linger
            case _:
                return math.inf

    def _unread(self) -> int:
        """Return how much of what was written has not reached the client."""
        line = self.transport.get_extra_info("socket")
        try:
            (queued,) = struct.unpack("i", fcntl.ioctl(line.fileno(), termios.TIOCOUTQ, bytes(4)))
        except OSError:  # it is not known everywhere
            queued = 0
        return self.transport.get_write_buffer_size() + queued

    # Its end

    def _end(self, wait: _Wait) -> None:
        match wait.what:
            case "headers":
                self._turn_away(_TOO_SLOW if self._held else b"")
            case "body":
                self._turn_away(b"" if self.cycle.response_complete else _TOO_SLOW)
            case "leave" | "read":
                reset(self.transport)
            case what:
                raise AssertionError(f"{what} is waited for for ever")

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request, or one that is not taken."""
        self._turn_away(self._refused or _NO_REQUEST)

    def _turn_away(self, response: bytes) -> None:
        """Say why this cannot go on, and let the client finish: a reset would overtake it."""
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


_ABSOLUTE: Final = re.compile(rb"https?://(?P<host>[^/?#@]+)(?P<rest>[/?].*)?", re.IGNORECASE)
_HOST: Final = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:[0-9]*)?")
"""A host and its port (RFC 3986, 3.2)."""


def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None


_NO_HOST: Final = early_responses.response(
    400,
    InvalidArgument("give exactly one Host, a name or address and its port", reason="BAD_REQUEST"),
)
_CODED: Final = early_responses.response(
    501,
    Unimplemented("Transfer-Encoding: nothing but chunked is known", reason="BAD_REQUEST"),
)
_TOO_LONG: Final = early_responses.response(
    414,
    InvalidArgument(
        f"the target has more than {TARGET} bytes; send fewer, or send them in a body",
        reason="TARGET_TOO_LONG",
    ),
)
_NO_REQUEST: Final = early_responses.response(
    400, InvalidArgument("this is not a request of HTTP/1.1", reason="BAD_REQUEST")
)
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
