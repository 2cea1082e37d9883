"""Call the handlers of messages without the framework around them.

Litestar declares, documents and routes them. What it does at each call, to work out what a handler
takes and what becomes of its result, costs half of a small read; and all that a method of the
public APIs takes is its request, the message in the body, and parts of the service.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

import msgspec
from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors, json_bodies, method_rules
from service.api.http.json_bodies import JSON, MessageRequest
from service.api.http.request_address import ADDRESS
from sessions.supervision import PASSING

Parts = Mapping[str, Callable[[], Any]]
"""What a handler may name, and what gets it; either fails while nothing is open."""

Call = Callable[[MessageRequest], Coroutine[Any, Any, msgspec.Struct]]
_REQUEST: Final = "request"
_BODY: Final = "data"
_OK: Final = 200
_TYPE: Final = (b"content-type", JSON.encode())


class DirectCalls:
    """Calls what returns a message; leaves pages, streams and what is not there to *app*."""

    def __init__(self, app: ASGIApp, litestar: Litestar, parts: Parts) -> None:
        self._app = app
        self._route = litestar.asgi_router.handle_routing
        self._calls = {
            handler: call
            for route in litestar.routes
            if isinstance(route, HTTPRoute)
            for handler in route.route_handlers
            if (call := direct(handler, parts)) is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on."""
        call = self._routed(scope)
        if call is None:
            await self._app(scope, receive, send)
            return
        request = MessageRequest(scope, receive, send)
        try:
            await method_rules.check(request)
            body = json_bodies.encoded(await call(request), request)
        except PASSING:
            raise
        except BaseException as exc:  # noqa: BLE001 - told, whatever it is
            await errors.tell(exc, request, send)
            return
        headers = [_TYPE, (b"content-length", b"%d" % len(body))]
        start: Any = {"type": "http.response.start", "status": _OK, "headers": headers}
        await send(start)
        end: Any = {"type": "http.response.body", "body": body, "more_body": False}
        await send(end)

    def _routed(self, scope: Any) -> Call | None:
        """Return what answers *scope*, and note there which handler that is."""
        if ADDRESS not in scope or scope["type"] != "http":
            return None
        try:
            routed: Any = self._route(path=scope["path"], method=scope["method"])
        except HTTPException:  # no such path, or not with this method
            return None
        handler = routed[1]
        call = self._calls.get(handler)
        if call is not None:
            scope["route_handler"] = handler
        return call


def direct(handler: HTTPRouteHandler, parts: Parts) -> Call | None:
    """Return what calls *handler*, None where it takes or returns something else."""
    named = set(handler.parsed_fn_signature.parameters)
    gets = [(name, parts[name]) for name in named if name in parts]
    if (
        not _is_message(handler.parsed_return_field.annotation)
        or handler.has_sync_callable
        or handler.status_code != _OK
        or named - {_REQUEST, _BODY, *parts}
    ):
        return None

    async def call(request: MessageRequest) -> msgspec.Struct:
        given: dict[str, Any] = {_BODY: await request.json()} if _BODY in named else {}
        if _REQUEST in named:
            given[_REQUEST] = request
        for name, get in gets:
            given[name] = get()
        message: msgspec.Struct = await handler.fn(**given)
        return message

    return call


def _is_message(type_: Any) -> bool:
    return isinstance(type_, type) and issubclass(type_, msgspec.Struct)
