"""Say what work is under way, for whoever traces it; where nobody does, nothing is kept.

The floors below `service` know no tracing library. They begin spans through what is current here,
and a tracer that is handed in makes them real (`service.tracing`). A name or attribute never holds
what a caller wrote: traces are read by other people than the answers are meant for.
"""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Generator, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final, Protocol

from sessions.errors import ServiceError
from sessions.supervision import PASSING

Attributes = Mapping[str, str | int | float | bool | tuple[str, ...]]
NONE: Final[Attributes] = MappingProxyType({})


class SpanKind(enum.Enum):
    """On which side of a border the work is done, as OpenTelemetry names it."""

    INTERNAL = enum.auto()
    SERVER = enum.auto()
    CLIENT = enum.auto()
    PRODUCER = enum.auto()
    CONSUMER = enum.auto()


class TraceSpan(Protocol):
    """One piece of work, with a beginning and an end."""

    @property
    def is_sampled(self) -> bool:
        """Whether it and its parts are kept: only then is it worth asking Redis for something."""
        ...

    @property
    def context(self) -> str:
        """The ``traceparent`` (W3C Trace Context) with which work elsewhere goes on, or ""."""
        ...

    def child(
        self, name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
    ) -> TraceSpan:
        """Begin a part of this work, which may outlast it."""
        ...

    def set(self, attributes: Attributes) -> None:
        """Add *attributes*."""
        ...

    def name(self, name: str) -> None:
        """Call it *name* from here on."""
        ...

    def note(self, event: str, attributes: Attributes = NONE) -> None:
        """Add an *event* that happens now."""
        ...

    def link(self, context: str) -> None:
        """Point to the work of *context*, a ``traceparent``; "" points to nothing."""
        ...

    def end(self, failure: str = "") -> None:
        """End it, with the reason of its *failure* where it failed; the first end stands."""
        ...


class Tracer(Protocol):
    """Begins the spans that have no parent here."""

    def begin(
        self, name: str, context: str, attributes: Attributes = NONE, *, kind: SpanKind
    ) -> TraceSpan:
        """Begin a span, a part of the work of *context* where that is a good ``traceparent``."""
        ...

    def remote(self, context: str) -> TraceSpan:
        """Return the span of *context*, begun elsewhere and not ours to end.

        Where *context* is "" or no ``traceparent``, its children are not traced.
        """
        ...


class _Untraced:
    """The span, and the tracer, where nothing is traced."""

    is_sampled = False
    context = ""

    def begin(
        self, name: str, context: str, attributes: Attributes = NONE, *, kind: SpanKind
    ) -> TraceSpan:
        return self

    def remote(self, context: str) -> TraceSpan:
        return self

    def child(
        self, name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
    ) -> TraceSpan:
        return self

    def set(self, attributes: Attributes) -> None: ...

    def name(self, name: str) -> None: ...

    def note(self, event: str, attributes: Attributes = NONE) -> None: ...

    def link(self, context: str) -> None: ...

    def end(self, failure: str = "") -> None: ...


UNTRACED: Final = _Untraced()
"""The tracer of who traces nothing, and its only span."""

CURRENT: Final[ContextVar[TraceSpan]] = ContextVar("span", default=UNTRACED)
"""The work that the current task is about."""


@contextlib.contextmanager
def stage(
    name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
) -> Generator[TraceSpan]:
    """Begin a part of the current work, be about it within, and end it with what came of it.

    Not across a ``yield`` of a generator: whoever takes what it yields would be about it too.
    """
    outer = CURRENT.get()
    if outer is UNTRACED:
        yield outer
        return
    with within(outer.child(name, attributes, kind)) as span:
        yield span


@contextlib.contextmanager
def within(span: TraceSpan) -> Generator[TraceSpan]:
    """Be about *span* within, and end it with what came of it."""
    token = CURRENT.set(span)
    failure = ""
    try:
        yield span
    except BaseException as exc:
        failure = reason(exc)
        raise
    finally:
        CURRENT.reset(token)
        span.end(failure)


@contextlib.contextmanager
def part(
    name: str, attributes: Attributes = NONE, kind: SpanKind = SpanKind.INTERNAL
) -> Generator[TraceSpan]:
    """Begin a part of the current work, and end it, as `stage` does; nothing becomes current.

    So it may lie across the ``yield`` of a generator.
    """
    span = CURRENT.get().child(name, attributes, kind)
    failure = ""
    try:
        yield span
    except BaseException as exc:
        failure = reason(exc)
        raise
    finally:
        span.end(failure)


def reason(failure: BaseException) -> str:
    """Return what a span says of a *failure*: never its message, which may quote a caller."""
    if isinstance(failure, ServiceError):
        return failure.reason
    return "CANCELLED" if isinstance(failure, PASSING) else type(failure).__name__
