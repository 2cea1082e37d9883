"""Read requests as RFC 9112 wants them read, and refuse what two readers could take differently.

uvicorn takes whatever its parser takes. Behind a proxy that reads the same bytes otherwise, that is
how one request becomes two, or reaches a host that the proxy did not check. Here

- there is exactly one ``Host``, and where the target names it, too, that is the one (3.2.2),
- the version is 1.0 or 1.1, and a body has one length, in one way of telling it (6.1, 6.3),
- a target is at most `TARGET` bytes long,
- what comes behind a chunked body is no header of the request,
- an upgrade to what is not known is ignored (RFC 9110, 7.8), not answered.
"""

from __future__ import annotations

import re
from typing import Any, Final

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.server import early_responses
from sessions.errors import InvalidArgument, Unimplemented

TARGET: Final = 8 << 10
"""Bytes of the path and the query of a request."""


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


class _NotTaken(Exception):
    """The parser has to stop: this request is refused, and nothing behind it can be trusted."""


class StrictHttpProtocol(HttpToolsProtocol):
    """uvicorn's protocol, for requests that have one reading."""

    _refusal = _NO_REQUEST
    """What is said to a request that is not taken, once `send_400_response` is called."""

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
        codings = self._take_host(version)
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
            head += [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
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
        self.headers[:] = [header for header in self.headers if header[0] != b"host"]
        self.headers.append((b"host", named["host"]))

    def _take_host(self, version: str) -> list[bytes]:
        """Refuse what has not one plain host; return the codings, none but chunked."""
        hosts: list[bytes] = []
        codings: list[bytes] = []
        for name, value in self.headers:
            if name == b"host":
                hosts.append(value)
            elif name == b"transfer-encoding":
                codings.append(value)
        if len(hosts) > 1 or (not hosts and version != "1.0") or not all(map(_is_host, hosts)):
            self._refuse(_NO_HOST)
        if codings and any(coding.lower() != b"chunked" for coding in codings):
            self._refuse(_CODED)
        return codings

    def _refuse(self, response: bytes) -> None:
        self._refusal = response
        raise _NotTaken  # the parser turns what its callbacks raise into an HttpParserError


_ABSOLUTE: Final = re.compile(rb"https?://(?P<host>[^/?#@]+)(?P<rest>[/?].*)?", re.IGNORECASE)
_HOST: Final = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:[0-9]*)?")
"""A host and its port (RFC 3986, 3.2)."""


def _is_host(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None
