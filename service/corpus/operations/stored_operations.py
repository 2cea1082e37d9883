"""An operation as it is stored, and what may become of it (AIP-151).

========== ========== ============ ===== =====
it is      marked     cancelled    ended lost
========== ========== ============ ===== =====
RUNNING    RUNNING    CANCELLING   DONE  DONE
CANCELLING CANCELLING CANCELLING   DONE  DONE
DONE       DONE       DONE         DONE  DONE
========== ========== ============ ===== =====

*marked*: the process that works at it is alive. *cancelled*: a caller wants it to end. *ended*: its
process says what came of it. *lost*: another process sees that there were no marks, which is a
guess. So DONE changes once more where it *ended*: who did the work knows better than who did not
hear of it. Nothing else changes what is DONE. Several processes do all this at once: each change
is applied to what is stored at that moment (`RecordStore.update`), never to what was read before.
"""

from __future__ import annotations

import datetime as dt
import enum
from typing import Final

import msgspec

from sessions import names
from sessions.errors import Aborted, ServiceError
from sessions.listing.filters import FilterField, Value
from sessions.resources.base import Resource, Struct, Timestamp
from sessions.resources.operations import Status
from sessions.stores.record_store import Collection

LIFE: Final = 24 * 3600 * 1000
"""Milliseconds for which an operation can be read."""
DEAD: Final = 15.0
"""Seconds without a mark after which the process that worked is taken for dead: fifteen
marks, all of which would have to come late."""


class OperationState(enum.Enum):
    """Where an operation is in its life; see the table."""

    RUNNING = "running"
    CANCELLING = "cancelling"
    DONE = "done"


class StoredOperation(Resource):
    """An operation, in no version of the documents.

    *kind* says which messages *metadata* and *response* are, *version* is that of the request
    that began it, *started_by* the mark of the principal who did. *beat* is the last mark of the
    process that works on it, in ms of Redis' clock.
    """

    name: str
    kind: str
    version: str = ""
    started_by: str = ""
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    metadata: Struct = msgspec.field(default={})
    response: Struct | None = None
    error: Status | None = None
    done: bool = False
    cancelled: bool = False
    beat: int = 0

    @property
    def state(self) -> OperationState:
        """Where it is in its life."""
        if self.done:
            return OperationState.DONE
        return OperationState.CANCELLING if self.cancelled else OperationState.RUNNING


OPERATIONS: Final = Collection(
    id="operations",
    type=StoredOperation,
    default=50,
    maximum=100,
    fields={"done": FilterField(Value.BOOL, lambda operation: operation.done)},
    life=LIFE,
    always=True,
)
"""How operations are kept."""


def marked(operation: StoredOperation, beat: int, metadata: Struct) -> StoredOperation:
    """Return *operation* at which somebody works: how far it is, at *beat*."""
    if operation.done:
        return operation  # or a late mark would make what has ended look as if it went on
    return msgspec.structs.replace(operation, beat=beat, metadata=metadata, update_time=now())


def cancelled(operation: StoredOperation) -> StoredOperation:
    """Return *operation* that a caller wants to end; what is done stays as it is."""
    return operation if operation.done else msgspec.structs.replace(operation, cancelled=True)


def ended(
    operation: StoredOperation, outcome: Struct | ServiceError, metadata: Struct
) -> StoredOperation:
    """Return *operation* with its *outcome*, even where it was taken for lost."""
    failed = isinstance(outcome, ServiceError)
    return msgspec.structs.replace(
        operation,
        metadata=metadata,
        response=None if failed else outcome,
        error=status_of(outcome) if failed else None,
        done=True,
        update_time=now(),
    )


def lost(operation: StoredOperation, at: int) -> StoredOperation:
    """Return *operation* ended where its last mark is older than `DEAD` *at*, ms of Redis."""
    # Asked again of what is stored: a mark may have come since it was read.
    if operation.done or at - operation.beat < DEAD * 1000:
        return operation
    error = Aborted("the process that did the work died; start it again", reason="OPERATION_LOST")
    return msgspec.structs.replace(operation, done=True, error=status_of(error), update_time=now())


def new_name(parent: str, kind: str) -> str:
    """Return a new name for an operation of *kind* under *parent*: its id says what is done."""
    return f"{parent}/operations/{kind}-{names.new_id()}"


def status_of(error: ServiceError) -> Status:
    """Return *error* as operations tell it: the code is google.rpc's, the reason a detail."""
    info: Struct = {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": error.reason,
        "domain": "discoveryengine.googleapis.com",
    }
    return Status(code=error.code, message=error.message, details=(info,))


def now() -> dt.datetime:
    """Return the time that operations tell."""
    return dt.datetime.now(dt.UTC)
