"""Whether the service lives, and whether it can answer."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from litestar import Controller, Response, get
from litestar.di import NamedDependency

from service.metrics.metrics import CONTENT_TYPE, Metrics
from sessions.resources.base import Empty


@runtime_checkable
class Readiness(Protocol):
    """Knows what the service waits for."""

    def missing(self) -> str:
        """Return what keeps the service from answering, "" where nothing does."""
        ...


class HealthController(Controller):
    """``/livez``, ``/readyz`` and ``/metrics``."""

    tags = ("Health",)

    @get("/livez", operation_id="Live")
    async def live(self) -> Empty:
        """Answer as long as the process does."""
        return Empty()

    @get("/metrics", operation_id="Metrics")
    async def read_metrics(self, metrics: NamedDependency[Metrics]) -> Response[bytes]:
        """Read what this process counts, or all workers on its port, in Prometheus' text format."""
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    @get("/readyz", operation_id="Ready")
    async def ready(self, readiness: NamedDependency[Readiness]) -> Response[bytes]:
        """Answer 200 where queries are answered, else 503 with the reason."""
        missing = readiness.missing()
        body = f"waits for: {missing}" if missing else "ready"
        return Response(body.encode(), status_code=503 if missing else 200, media_type="text/plain")
