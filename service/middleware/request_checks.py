"""Refuse what the request policy refuses, before anything is routed or read."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from service.api.http.allowed_methods import is_socket
from service.api.http.json_bodies import JSON
from service.api.http.request_address import name_in
from service.middleware.response_headers import DEFAULTS
from service.security import request_head
from service.security.origin_policy import SCOPE_KEY
from service.security.request_head import RequestHead
from service.security.request_policy import Refusal, RequestPolicy
from sessions.errors import NotFound
from streaming.protocol import close_codes, frames


class RequestChecks:
    """Judges requests and handshakes, those to unknown addresses as well."""

    def __init__(self, app: ASGIApp, policy: RequestPolicy) -> None:
        self._app = app
        self._policy = policy

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass on what the policy takes; answer the rest."""
        given: Any = scope
        method = given.get("method", "GET")  # a handshake is a GET
        head = request_head.read(method, given["path"], given["scheme"], given["headers"])
        if given["type"] == "websocket":
            if (refusal := self._refusal_of_handshake(scope, head)) is not None:
                return _refuse_handshake(refusal, receive, send)
            if not self._policy.origins.may_connect(head):
                return _close(given["subprotocols"], receive, send)
        elif (refusal := self._policy.refusal(head, name_in(given))) is not None:
            return errors.send(refusal.error, scope, receive, send, http=refusal.http)
        elif page := self._policy.origins.page(head):
            given[SCOPE_KEY] = page
        return self._app(scope, receive, send)

    def _refusal_of_handshake(self, scope: Scope, head: RequestHead) -> Refusal | None:
        """Return why no socket is opened at all; the router would say 403 to an unknown path."""
        if (refusal := self._policy.host_refusal(head)) is not None or is_socket(scope):
            return refusal
        absent = NotFound(f"there is no such WebSocket: {head.path}", reason="ROUTE_NOT_FOUND")
        return Refusal(absent, absent.http)


async def _refuse_handshake(refusal: Refusal, receive: Receive, send: Send) -> None:
    await receive()
    body = msgspec.json.encode(errors.rest_body(refusal.error, refusal.http))
    length = (b"content-length", b"%d" % len(body))
    headers = [(b"content-type", JSON.encode()), length, *DEFAULTS]
    start: Any = {
        "type": "websocket.http.response.start",
        "status": refusal.http,
        "headers": headers,
    }
    await send(start)
    end: Any = {"type": "websocket.http.response.body", "body": body}
    await send(end)


async def _close(offered: list[str], receive: Receive, send: Send) -> None:
    """Open the socket and close it: a browser shows its page the code of nothing else."""
    await receive()
    spoken = frames.SUBPROTOCOL if frames.SUBPROTOCOL in offered else None
    accepted: Any = {"type": "websocket.accept", "subprotocol": spoken, "headers": []}
    await send(accepted)
    close = close_codes.FORBIDDEN
    closed: Any = {"type": "websocket.close", "code": close.code, "reason": close.reason}
    await send(closed)
