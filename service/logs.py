"""Write what happens as events with fields, one JSON object a line on standard error."""

from __future__ import annotations

import datetime as dt
import json
import logging
import sys
from collections.abc import Callable
from typing import Any, Final

import structlog

from service import terminal
from sessions import log_context, spans

Event = dict[str, Any]

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
"""What every record has; all else is a field of its event."""
# Its defaults escape whatever a terminal would act on by itself.
_JSON: Final = json.JSONEncoder(default=repr)
_CONSOLE: Final = structlog.dev.ConsoleRenderer()


def configure() -> None:
    """Send all logging, the libraries' too, through one formatter; call it once, at start."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(EventFormatter(_shown if sys.stderr.isatty() else _JSON.encode))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    # What uvicorn says about each start and stop is said by the serve command.
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


class EventFormatter(logging.Formatter):
    """Makes an event of a record; structlog's own takes half as long again."""

    def __init__(self, render: Callable[[Event], str]) -> None:
        super().__init__()
        self._render = render

    def format(self, record: logging.LogRecord) -> str:
        """Return the line that tells of *record*."""
        event: Event = {"event": record.getMessage(), "level": record.levelname.lower()}
        for key, value in vars(record).items():
            if key not in _OWN:
                event[key] = value
        with_context(event)
        at = dt.datetime.fromtimestamp(record.created, dt.UTC)
        event["timestamp"] = at.replace(tzinfo=None).isoformat() + "Z"
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        return self._render(event)


def with_context(event: Event) -> None:
    """Add whose work a line is about, unless it says so itself, and where that is in a trace."""
    for key, value in log_context.FIELDS.get().items():
        if key not in event:
            event[key] = value if isinstance(value, str) else value()
    if context := spans.CURRENT.get().context:
        _, event["trace_id"], event["span_id"], _ = context.split("-")


def _shown(event: Event) -> str:
    """Write *event* for a terminal, and write out what that would act on in texts of callers."""
    safe = {
        key: terminal.text(value) if isinstance(value, str) else value
        for key, value in event.items()
    }
    return _CONSOLE(None, "", safe)
