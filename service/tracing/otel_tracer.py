"""Trace with OpenTelemetry's SDK, which only `service.tracing.export` loads."""

from __future__ import annotations

from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.version import VERSION
from sessions.spans import NONE, UNTRACED, Attributes, SpanKind, TraceSpan

NAME: Final = "colloquy"
"""The name of the service, where OTEL_SERVICE_NAME gives no other."""

_TRACEPARENT: Final = "traceparent"
_UNNAMED: Final = "unknown_service"  # how the SDK's own name begins

_KINDS: Final = {
    SpanKind.INTERNAL: trace.SpanKind.INTERNAL,
    SpanKind.SERVER: trace.SpanKind.SERVER,
    SpanKind.CLIENT: trace.SpanKind.CLIENT,
    SpanKind.PRODUCER: trace.SpanKind.PRODUCER,
    SpanKind.CONSUMER: trace.SpanKind.CONSUMER,
}
_propagator: Final = TraceContextTextMapPropagator()


class OtelSpan:
    """A span of the SDK; where it is not sampled, its parts are no spans of their own."""

    __slots__ = ("_span", "_tracer", "is_sampled")

    def __init__(self, tracer: trace.Tracer, span: trace.Span) -> None:
        self._tracer = tracer
        self._span = span
        self.is_sampled = span.get_span_context().trace_flags.sampled

    @property
    def context(self) -> str:
        """See `TraceSpan.context`."""
        context = self._span.get_span_context()
        return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags:02x}"

    def child(
        self, name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
    ) -> TraceSpan:
        """See `TraceSpan.child`."""
        if not self.is_sampled:
            return self
        context = trace.set_span_in_context(self._span, Context())
        span = self._tracer.start_span(name, context, _KINDS[kind], attributes)
        return OtelSpan(self._tracer, span)

    def set(self, attributes: Attributes) -> None:
        """See `TraceSpan.set`."""
        self._span.set_attributes(attributes)

    def name(self, name: str) -> None:
        """See `TraceSpan.name`."""
        self._span.update_name(name)

    def note(self, event: str, attributes: Attributes = NONE) -> None:
        """See `TraceSpan.note`."""
        self._span.add_event(event, attributes)

    def link(self, context: str) -> None:
        """See `TraceSpan.link`."""
        self._span.add_link(trace.get_current_span(_read(context)).get_span_context())

    def end(self, failure: str = "") -> None:
        """See `TraceSpan.end`."""
        # The SDK warns of a second end; the first one stands, as `TraceSpan.end` says.
        if self._span.is_recording():
            if failure:
                self._span.set_attribute("error.type", failure)
                self._span.set_status(trace.StatusCode.ERROR, failure)
            self._span.end()


class OtelTracer:
    """Begins spans of the SDK."""

    def __init__(self, tracer: trace.Tracer) -> None:
        self._tracer = tracer

    def begin(
        self, name: str, context: str, attributes: Attributes = NONE, *, kind: SpanKind
    ) -> TraceSpan:
        """See `Tracer.begin`."""
        span = self._tracer.start_span(name, _read(context), _KINDS[kind], attributes)
        return OtelSpan(self._tracer, span)

    def remote(self, context: str) -> TraceSpan:
        """See `Tracer.remote`."""
        span = trace.get_current_span(_read(context))
        return OtelSpan(self._tracer, span) if span.get_span_context().is_valid else UNTRACED


class OtelExporter:
    """Traces, and sends batches in a thread of its own, as the variables ``OTEL_…`` say."""

    def __init__(self) -> None:
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self.tracer = OtelTracer(self._provider.get_tracer(NAME, VERSION))

    def close(self) -> None:
        """Send what is left; this blocks."""
        self._provider.shutdown()


def _resource() -> Resource:
    """Say which process this is; what the operator says of it goes before what we say."""
    given = Resource.create()  # with an id of the process: workers and replicas are told apart
    named = not str(given.attributes["service.name"]).startswith(_UNNAMED)
    ours = {"service.version": VERSION} | dict(given.attributes)
    return Resource(ours if named else ours | {"service.name": NAME})


def _read(context: str) -> Context:
    """Return *context* as the SDK has it; an empty one where it is no ``traceparent``."""
    # Not the context of the task: nothing of ours is in it, and a library's own may be.
    if not context:  # as of most requests
        return Context()
    return _propagator.extract({_TRACEPARENT: context}, Context())
