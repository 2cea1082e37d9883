"""Call the methods of the REST API that frames ask for, by the very way of a request over HTTP.

So they pass what each request passes: the origin of the page, the rule of the method, the limits,
the audit. What differs is who asks: the connection knows it already.
"""

from __future__ import annotations

import urllib.parse
from typing import Any, Final

from litestar.types import ASGIApp, Scope

from service.security import principals
from service.security.principals import Principal
from sessions.errors import InvalidArgument, Unimplemented
from streaming.protocol.connection_commands import CallMethod

MAX_RESPONSE: Final = 8 << 20
"""Bytes of a response; one frame carries it, and the connection waits meanwhile."""

_ROOTS: Final = ("/v1/", "/v1alpha/", "/v1beta/", "/v1beta1/")
_NOT_PASSED_ON: Final = (
    b"accept",
    b"accept-encoding",
    b"authorization",
    b"connection",
    b"content-length",
    b"content-type",
    b"forwarded",
    b"traceparent",
    b"tracestate",
    b"upgrade",
    b"x-request-id",
    b"x-goog-api-key",
)
"""Headers of a handshake that are about it alone, or that were read already: who the client is."""


async def call(
    app: ASGIApp, handshake: Scope, principal: Principal, command: CallMethod
) -> tuple[int, bytes]:
    """Return the HTTP status and the JSON that *app* answers *principal* with.

    *handshake* is the scope of the socket that *command* came on.

    Raises:
        ServiceError: the path is none of the API, or what it leads to does not fit a frame.
    """
    scope = _scope(handshake, principal, command)
    answered = _Response()
    body = [{"type": "http.request", "body": command.body, "more_body": False}]

    async def receive() -> Any:
        # The client of a request may go away; this one hears the end of the connection otherwise.
        return body.pop() if body else {"type": "http.disconnect"}

    await app(scope, receive, answered.take)
    return answered.status, bytes(answered.body) or b"{}"


def _scope(handshake: Any, principal: Principal, command: CallMethod) -> Any:
    path, _, query = command.path.partition("?")
    if not path.startswith(_ROOTS) or "#" in command.path or not command.path.isascii():
        raise InvalidArgument(
            "path: give the path of a method of the API, percent-encoded, such as "
            "/v1/projects/…/sessions",
            field="path",
        )
    decoded = urllib.parse.unquote(path)
    verb = decoded.rpartition(":")[2]
    parameters = urllib.parse.parse_qs(query, keep_blank_values=True)
    if verb.lower().startswith("stream") or "alt" in parameters:
        raise Unimplemented(
            "path: what streams is asked for by frames of its own", reason="STREAM", field="path"
        )
    headers = [
        (name, value)
        for name, value in handshake["headers"]
        if name not in _NOT_PASSED_ON and not name.startswith((b"sec-websocket-", b"x-forwarded-"))
    ]
    headers.append((b"accept", b"application/json"))
    headers.append((b"x-request-id", command.id.encode(errors="replace")))
    if command.traceparent:
        headers.append((b"traceparent", command.traceparent.encode(errors="replace")))
    if command.body:
        headers.append((b"content-type", b"application/json"))
        headers.append((b"content-length", str(len(command.body)).encode()))
    return {
        "type": "http",
        "asgi": handshake["asgi"],
        "http_version": "1.1",
        "method": command.method,
        "scheme": {"ws": "http", "wss": "https"}[handshake["scheme"]],
        "path": decoded,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": handshake["client"],
        "server": handshake["server"],
        "state": {},
        "extensions": {},
        principals.SCOPE_KEY: principal,
    }


class _Response:
    def __init__(self) -> None:
        self.status = 0
        self.body = bytearray()

    async def take(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"application/json")
            if not kind.startswith(b"application/json"):
                raise Unimplemented(
                    "path: what it leads to is no JSON", reason="NO_JSON", field="path"
                )
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")
            if len(self.body) > MAX_RESPONSE:
                raise InvalidArgument(
                    f"path: the response has more than {MAX_RESPONSE} bytes; ask for less at once, "
                    "or over HTTP",
                    field="path",
                )
