"""Say a failure as a google.rpc.Status, as frames and elements carry it (guide/rest.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sessions.errors import InvalidArgument, ResourceExhausted, ServiceError
from sessions.resources.operations import Status

DOMAIN: Final = "discoveryengine.googleapis.com"
"""The domain of every ErrorInfo."""

_TYPES: Final = "type.googleapis.com/google.rpc."


def status(error: ServiceError) -> Status:
    """Return *error* with its reason, and the field that is at fault or when to come back."""
    details = (_info(error.reason, error.metadata),)
    if isinstance(error, InvalidArgument) and error.field:
        violation = {"field": error.field, "description": error.message}
        details += ({"@type": _TYPES + "BadRequest", "fieldViolations": [violation]},)
    if isinstance(error, ResourceExhausted):
        retry = {"@type": _TYPES + "RetryInfo", "retryDelay": f"{error.retry_after}s"}
        details += (retry,)
        if quota := error.metadata.get("quota"):
            failed = {"subject": quota, "description": error.message}
            details += ({"@type": _TYPES + "QuotaFailure", "violations": [failed]},)
    return Status(code=error.code, message=error.message, details=details)


def failure(code: int, reason: str, message: str) -> Status:
    """Return what an answer ended with that FAILED for *reason*."""
    return Status(code=code, message=message, details=(_info(reason, {}),))


def reason(of: Status) -> str:
    """Return the reason in the ErrorInfo of a status, "" where it has none."""
    return next((str(detail["reason"]) for detail in of.details if "reason" in detail), "")


def _info(why: str, metadata: Mapping[str, str]) -> dict[str, Any]:
    info: dict[str, Any] = {"@type": _TYPES + "ErrorInfo", "reason": why, "domain": DOMAIN}
    return info | {"metadata": dict(metadata)} if metadata else info
