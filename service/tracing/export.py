"""Open what traces, where the operator says to whom; only then is OpenTelemetry loaded.

Where traces go, under which name and how many of them is said by the variables of OpenTelemetry's
own specification, which its SDK reads (guide/tracing.md). The SDK comes with the extra ``tracing``:
chosen over a writer of OTLP of our own, as operators know its batches, retries and samplers. Its
exporter over HTTP needs no compiled code, as the one over gRPC does.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any, Final, Protocol

from service.settings import Settings, SettingsError
from sessions.spans import UNTRACED, Tracer

FLUSH: Final = 5.0
"""Seconds that the last spans may take at a stop: a collector that is away must not hold it up."""

_NEEDED: Final = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")

_log = logging.getLogger(__name__)


class Exporter(Protocol):
    """A tracer, and what sends its spans."""

    tracer: Tracer

    def close(self) -> None:
        """Send what is left; this blocks."""
        ...


def is_installed() -> bool:
    """Tell whether the extra is there."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:  # the package around one
        return False


def opened(settings: Settings) -> Exporter | None:
    """Return what traces and sends, None where nobody said to whom.

    Raises:
        SettingsError: traces are to be sent, and the extra is not installed.
    """
    if not settings.traces:
        return None
    if not is_installed():
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, and what sends traces is not installed: "
            "pip install 'colloquy[tracing]', or set OTEL_TRACES_EXPORTER=none"
        )
    sdk: Any = importlib.import_module("service.tracing.otel_tracer")
    return sdk.OtelExporter()


def tracer_of(exporter: Exporter | None) -> Tracer:
    """Return the tracer of *exporter*, or the one that traces nothing."""
    return UNTRACED if exporter is None else exporter.tracer


@contextlib.asynccontextmanager
async def closing(exporter: Exporter | None) -> AsyncGenerator[None]:
    """Send in the end what is left of what was traced inside, for at most `FLUSH` seconds."""
    try:
        yield
    finally:
        if exporter is not None:
            await _flush(exporter.close)


async def _flush(close: Callable[[], None]) -> None:
    loop, closed = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        close()
        with contextlib.suppress(RuntimeError):  # the loop was not willing to wait
            loop.call_soon_threadsafe(closed.set)

    # No pool: at exit Python waits for the threads of one, and this may hang on the network.
    threading.Thread(target=work, name="flush-traces", daemon=True).start()
    try:
        async with asyncio.timeout(FLUSH):
            await closed.wait()
    except TimeoutError:
        _log.warning("traces_lost")
