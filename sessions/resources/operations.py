"""``google.longrunning.Operation`` (AIP-151) and the status of what failed (AIP-193)."""

from __future__ import annotations

from sessions.resources.base import Duration, Int32, Resource, Struct, at_most_one


class Status(Resource):
    """A google.rpc.Status: how an operation, or a part of one, failed.

    ``code`` is a number of google.rpc.Code, never an HTTP code. Each of the ``details`` has an
    ``@type``.
    """

    code: Int32 = 0
    message: str = ""
    details: tuple[Struct, ...] = ()


class Error(Resource):
    """How a request failed: here ``code`` is the HTTP code and ``status`` the canonical name."""

    code: Int32 = 0
    message: str = ""
    status: str = ""
    details: tuple[Struct, ...] = ()


class ErrorResponse(Resource):
    """The body of every response of a status from 400 on."""

    error: Error | None = None


class Operation(Resource):
    """Work that goes on; when ``done``, exactly one of ``error`` and ``response`` is set.

    ``metadata`` and ``response`` are google.protobuf.Any: their ``@type`` names the message.
    """

    name: str = ""
    metadata: Struct | None = None
    done: bool = False
    error: Status | None = None
    response: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one("result", error=self.error, response=self.response)


class ListOperationsRequest(Resource):
    """Read one page of the operations below ``name``."""

    name: str = ""
    filter: str = ""
    page_size: Int32 = 0
    page_token: str = ""


class ListOperationsResponse(Resource):
    """One page of operations."""

    operations: tuple[Operation, ...] = ()
    next_page_token: str = ""


class WaitOperationRequest(Resource):
    """Wait for an operation to end, at most ``timeout``."""

    name: str = ""
    timeout: Duration | None = None
