"""Write what happens as events with fields, one JSON object a line on standard error."""

from __future__ import annotations

import logging
import sys

import structlog

from service import terminal
from sessions import log_context, spans


def configure() -> None:
    """Send all logging, the libraries' too, through one formatter; call it once, at start."""
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        with_context,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    # JSON writes out whatever a terminal would act on by itself.
    renderers: list[structlog.typing.Processor] = (
        [_printable, structlog.dev.ConsoleRenderer()]
        if sys.stderr.isatty()
        else [structlog.processors.JSONRenderer()]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # What uvicorn says about each start and stop is said by the serve command.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def with_context(
    _: object, __: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Add whose work a line is about, unless it says so itself, and where that is in a trace."""
    for key, value in log_context.FIELDS.get().items():
        if key not in event:
            event[key] = value if isinstance(value, str) else value()
    if context := spans.CURRENT.get().context:
        _, event["trace_id"], event["span_id"], _ = context.split("-")
    return event


def _printable(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Write out what a terminal would act on, in names and other texts of callers."""
    return {
        key: terminal.text(value) if isinstance(value, str) else value
        for key, value in event.items()
    }
