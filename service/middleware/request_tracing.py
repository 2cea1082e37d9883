"""Begin the trace of each request over HTTP, or go on with that of its client."""

from __future__ import annotations

from typing import Any, Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.middleware.request_limit import PROBES
from service.middleware.request_metrics import NO_METHOD, method_of
from sessions import spans
from sessions.spans import Attributes, SpanKind, Tracer

_TRACEPARENT: Final = b"traceparent"
_SERVER_ERROR: Final = 500
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class RequestTracing:
    """Traces requests by OpenTelemetry's conventions for HTTP; a stream to its last byte.

    Neither paths nor addresses of clients are told: those hold ids, and these are personal.
    """

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on as work of its own span."""
        given: Any = scope
        if given["type"] != "http" or given["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        # What a caller makes up is no name (conventions: http.request.method).
        verb = given["method"] if given["method"] in _METHODS else "_OTHER"
        about: Attributes = {"http.request.method": verb, "url.scheme": given["scheme"]}
        context = dict(given["headers"]).get(_TRACEPARENT, b"").decode("latin-1")
        span = self._tracer.begin(verb, context, about, kind=SpanKind.SERVER)
        status = 0

        async def look(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        with spans.within(span):
            await self._app(scope, receive, look if span.is_sampled else send)
            span.set({"http.response.status_code": status})
            if (method := method_of(scope)) != NO_METHOD:
                span.name(f"{verb} {method}")
            if status >= _SERVER_ERROR:
                span.end(str(status))
