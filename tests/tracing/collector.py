"""A collector of traces: takes OTLP over HTTP on a real port, and keeps every span."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from aiohttp import web
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

from tests.waiting import eventually

_PATH: Final = "/v1/traces"
KINDS: Final = ("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER")


class Event(NamedTuple):
    """Something that happened within a span, by its clock in seconds."""

    name: str
    at: float
    attributes: dict[str, Any]


class Span(NamedTuple):
    """A span as it was sent; times are epoch seconds, *links* the traces and spans it points to."""

    name: str
    kind: str
    trace: str
    id: str
    parent: str
    begin: float
    end: float
    attributes: dict[str, Any]
    events: list[Event]
    links: list[tuple[str, str]]
    failure: str
    service: dict[str, Any]

    @property
    def process(self) -> str:
        """Which process sent it."""
        return str(self.service["service.instance.id"])


class Collector:
    """Listens while it is entered."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.headers: list[dict[str, str]] = []
        self._runner: web.AppRunner | None = None
        self.address = ""
        """What OTEL_EXPORTER_OTLP_ENDPOINT is set to."""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post(_PATH, self._take)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.address = f"http://{host}:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def environment(self, **more: str) -> dict[str, str]:
        """Return the variables that make a service send its traces here, and soon."""
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.address,
            "OTEL_BSP_SCHEDULE_DELAY": "50",
            **more,
        }

    def named(self, name: str) -> list[Span]:
        """Return the spans of that name, by their beginnings."""
        return sorted((s for s in self.spans if s.name == name), key=lambda span: span.begin)

    async def one(self, name: str, which: Callable[[Span], bool] = lambda _: True) -> Span:
        """Return the first span of that name *which* is true of, once it was sent."""
        return await self.first(lambda span: span.name == name and which(span))

    async def first(self, which: Callable[[Span], bool]) -> Span:
        """Return the first span *which* is true of, once one was sent."""
        found: list[Span] = []

        def is_there() -> bool:
            found[:] = filter(which, self.spans)
            return bool(found)

        try:
            await eventually(is_there)
        except TimeoutError:
            names = [each.name for each in self.spans]
            raise AssertionError(f"it is none of {names}") from None
        return found[0]

    async def _take(self, request: web.Request) -> web.Response:
        self.headers.append(dict(request.headers))
        body = await request.read()
        if body[:2] == b"\x1f\x8b":
            body = gzip.decompress(body)
        sent: Any = trace_service_pb2.ExportTraceServiceRequest.FromString(body)
        for resource in sent.resource_spans:
            service = _attributes(resource.resource.attributes)
            for scope in resource.scope_spans:
                self.spans += (_span(each, service) for each in scope.spans)
        return web.Response(
            body=trace_service_pb2.ExportTraceServiceResponse().SerializeToString(),
            content_type="application/x-protobuf",
        )


def _span(sent: Any, service: dict[str, Any]) -> Span:
    return Span(
        name=sent.name,
        kind=KINDS[sent.kind],
        trace=sent.trace_id.hex(),
        id=sent.span_id.hex(),
        parent=sent.parent_span_id.hex(),
        begin=sent.start_time_unix_nano / 1e9,
        end=sent.end_time_unix_nano / 1e9,
        attributes=_attributes(sent.attributes),
        events=[
            Event(each.name, each.time_unix_nano / 1e9, _attributes(each.attributes))
            for each in sent.events
        ],
        links=[(each.trace_id.hex(), each.span_id.hex()) for each in sent.links],
        failure=sent.status.message,
        service=service,
    )


def _attributes(sent: Any) -> dict[str, Any]:
    return {each.key: _value(each.value) for each in sent}


def _value(sent: Any) -> Any:
    kind = sent.WhichOneof("value")
    if kind == "array_value":
        return [_value(each) for each in sent.array_value.values]
    return getattr(sent, kind)
