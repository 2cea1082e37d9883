"""Make the events that end an answer which is not complete."""

from __future__ import annotations

import datetime as dt

from streaming.log import events


def now() -> dt.datetime:
    """Return the time that events carry."""
    return dt.datetime.now(dt.UTC)


def failed(reason: str, message: str, code: int) -> events.Failed:
    """Return the end, now, of an answer that is not complete."""
    return events.Failed(at=now(), reason=reason, message=message, code=code)


def cancelled() -> events.Failed:
    """Return the end of an answer that somebody does not want any more."""
    return failed("CANCELLED", "the answer was cancelled", 1)


def out_of_time() -> events.Failed:
    """Return the end of an answer that took longer than any may."""
    return failed("DEADLINE_EXCEEDED", "the answer took too long", 4)
