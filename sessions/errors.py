"""Say what went wrong in the canonical codes that every protocol speaks.

::

    ServiceError
    ├── Cancelled            499   1
    ├── InvalidArgument      400   3
    ├── DeadlineExceeded     504   4
    ├── NotFound             404   5
    ├── AlreadyExists        409   6
    ├── PermissionDenied     403   7
    ├── ResourceExhausted    429   8
    ├── FailedPrecondition   400   9
    ├── Aborted              409  10
    ├── OutOfRange           400  11
    ├── Unimplemented        501  12
    ├── Internal             500  13
    ├── Unavailable          503  14
    └── Unauthenticated      401  16

Clients branch on ``reason`` (UPPER_SNAKE); the message says what to do next and never holds
secrets or stack traces. Codes are those of google.rpc.Code, and ``reason`` is that of AIP-193.
"""

from __future__ import annotations

from typing import ClassVar


class ServiceError(Exception):
    """A failure that a client is told about, by code, reason and message."""

    status: ClassVar[str] = "INTERNAL"
    http: ClassVar[int] = 500
    code: ClassVar[int] = 13

    def __init__(self, message: str, *, reason: str, **metadata: str) -> None:
        """Fail with *message* because of *reason*; *metadata* goes out in the ErrorInfo."""
        super().__init__(message)
        self.message = message
        self.reason = reason
        self.metadata = metadata


class Cancelled(ServiceError):
    """The caller gave up on the operation."""

    status, http, code = "CANCELLED", 499, 1


class InvalidArgument(ServiceError):
    """The request is wrong whatever the state of the service; *field* is its camelCase path."""

    status, http, code = "INVALID_ARGUMENT", 400, 3

    def __init__(
        self, message: str, *, field: str = "", reason: str = "INVALID_FIELD", **metadata: str
    ) -> None:
        """Refuse *field* ("" where no single field is at fault) with *message*."""
        super().__init__(message, reason=reason, **metadata)
        self.field = field


class DeadlineExceeded(ServiceError):
    """The time given for the operation ran out."""

    status, http, code = "DEADLINE_EXCEEDED", 504, 4


class NotFound(ServiceError):
    """The resource or its parent is not there, or not for this principal to see."""

    status, http, code = "NOT_FOUND", 404, 5

    def __init__(
        self, message: str, *, reason: str = "RESOURCE_NOT_FOUND", **metadata: str
    ) -> None:
        """Report an absent resource; pass its name as ``resource=``."""
        super().__init__(message, reason=reason, **metadata)


class AlreadyExists(ServiceError):
    """A resource of this name is there already."""

    status, http, code = "ALREADY_EXISTS", 409, 6


class PermissionDenied(ServiceError):
    """The principal may not do this."""

    status, http, code = "PERMISSION_DENIED", 403, 7


class ResourceExhausted(ServiceError):
    """A bound is reached; come back after *retry_after* seconds."""

    status, http, code = "RESOURCE_EXHAUSTED", 429, 8

    def __init__(self, message: str, *, reason: str, retry_after: int = 1, **metadata: str) -> None:
        """Refuse for now; *retry_after* is in whole seconds, at least 1."""
        super().__init__(message, reason=reason, **metadata)
        self.retry_after = retry_after


class FailedPrecondition(ServiceError):
    """The state of the resource does not allow this."""

    status, http, code = "FAILED_PRECONDITION", 400, 9


class Aborted(ServiceError):
    """Another writer came first."""

    status, http, code = "ABORTED", 409, 10


class OutOfRange(ServiceError):
    """The position lies behind the end."""

    status, http, code = "OUT_OF_RANGE", 400, 11


class Unimplemented(ServiceError):
    """The method or source is known, and this service does not offer it."""

    status, http, code = "UNIMPLEMENTED", 501, 12


class Internal(ServiceError):
    """The service is at fault; the log has the details."""

    status, http, code = "INTERNAL", 500, 13


class Unavailable(ServiceError):
    """Something the service needs is away; come back after *retry_after* seconds."""

    status, http, code = "UNAVAILABLE", 503, 14

    def __init__(self, message: str, *, reason: str, retry_after: int = 1, **metadata: str) -> None:
        """Report an absent dependency; *retry_after* is in whole seconds, at least 1."""
        super().__init__(message, reason=reason, **metadata)
        self.retry_after = retry_after


class Unauthenticated(ServiceError):
    """The request needs credentials that it does not carry."""

    status, http, code = "UNAUTHENTICATED", 401, 16


def failure(code: int, message: str, *, reason: str, **metadata: str) -> ServiceError:
    """Return the error that the google.rpc.Code *code* stands for."""
    for kind in ServiceError.__subclasses__():
        if kind.code == code:
            return kind(message, reason=reason, **metadata)
    return Internal(message, reason=reason, **metadata)
