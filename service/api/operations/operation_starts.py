"""Begin work that outlasts its request, and reply with its operation."""

from __future__ import annotations

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
    frees: bool = False,
) -> Operation:
    """Begin *job* as an operation of *kind* under the parent of *request*'s path.

    One that *frees* memory is begun even if Redis has none left.

    Raises:
        ResourceExhausted, Unavailable: nothing was begun.
    """
    name, version = new_name(request.parent, kind), request.address.version
    operation = await operations.start(
        name, kind, version, job, frees=frees, size=request.body_size
    )
    return operation_views.operation(operation, request)
