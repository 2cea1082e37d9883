"""Begin work that outlasts its request, and reply with its operation."""

from __future__ import annotations

import msgspec

from service.api.http.json_bodies import MessageRequest
from service.api.operations import operation_views
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import Job
from service.corpus.operations.stored_operations import new_name
from sessions.resources.operations import Operation


async def started(
    request: MessageRequest,
    operations: Operations,
    kind: str,
    job: Job,
    *,
    name: str = "",
    frees: bool = False,
) -> Operation:
    """Begin *job* as an operation of *kind*, of who sends *request*.

    Without a *name* it is under the parent of the path. One that *frees* memory is begun even if
    Redis has none left.

    Raises:
        ResourceExhausted, Unavailable: nothing was begun.
    """
    operation = await operations.start(
        name or new_name(request.parent, kind),
        kind,
        request.address.version,
        job,
        started_by=request.principal.mark,
        frees=frees,
        size=request.body_size,
    )
    return operation_views.operation(operation, request)


async def completed(
    request: MessageRequest,
    operations: Operations,
    kind: str,
    made: msgspec.Struct | None,
    *,
    name: str,
) -> Operation:
    """Tell work that is done already as the operation *name* of *kind*."""
    operation = await operations.complete(
        name, kind, request.address.version, made, started_by=request.principal.mark
    )
    return operation_views.operation(operation, request)
