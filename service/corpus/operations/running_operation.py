"""Work of this process, and what it came to."""

from __future__ import annotations

import asyncio
import enum
import logging
from collections.abc import Awaitable, Callable

import msgspec

from service.corpus.operations.operation_limit import OperationPermit
from sessions.codec import json_codec
from sessions.errors import Cancelled, Internal, ServiceError, Unavailable
from sessions.resources.base import Struct
from sessions.supervision import PASSING

_log = logging.getLogger(__name__)

TellProgress = Callable[[msgspec.Struct], None]
"""Takes how far the work is, as the metadata of its kind; it does not block."""
Job = Callable[[TellProgress], Awaitable[msgspec.Struct | None]]
"""Does the work and returns its response, None for a kind whose response is empty."""


class StoppedBy(enum.Enum):
    """Who ended the work before its time."""

    NOBODY = enum.auto()
    CALLER = enum.auto()
    SHUTDOWN = enum.auto()


class RunningOperation:
    """The two tasks of an operation: who stops the work must not cut off the writing of its end."""

    work: asyncio.Task[Struct | ServiceError]
    """Does it; the only one that is ever cancelled while the process goes on."""
    end: asyncio.Task[None]
    """Waits for it and writes what it came to."""

    def __init__(self, permit: OperationPermit) -> None:
        self.permit = permit
        self.metadata: Struct = {}
        self._stopped_by = StoppedBy.NOBODY

    async def do(self, name: str, job: Job) -> Struct | ServiceError:
        """Do the work and return its response, or why there is none."""

        def tell(metadata: msgspec.Struct) -> None:
            self.metadata = plain(metadata)

        try:
            return plain(await job(tell))
        except ServiceError as exc:
            return exc
        except PASSING:
            raise
        except BaseException as exc:  # noqa: BLE001 - the supervisor of this task
            _log.error("operation_failed", exc_info=exc, extra={"operation": name})
            return Internal("the service failed; its log has the details", reason="INTERNAL")

    def stop(self, by: StoppedBy) -> None:
        """Cancel the work, once: what it does on its way out is not cut off in turn."""
        if self._stopped_by is StoppedBy.NOBODY:
            self.work.cancel()
        # Of both, the shutdown is told: it is what the caller can do something about.
        if self._stopped_by is not StoppedBy.SHUTDOWN:
            self._stopped_by = by

    def outcome(self) -> Struct | ServiceError:
        """Return what the work, which has ended, came to."""
        if not self.work.cancelled():
            return self.work.result()
        if self._stopped_by is StoppedBy.SHUTDOWN:
            return Unavailable(
                "the service stopped before the work was done; start it again",
                reason="SERVICE_STOPPED",
            )
        return Cancelled("the operation was cancelled", reason="CANCELLED")


def plain(message: msgspec.Struct | None) -> Struct:
    """Return *message* as it is stored with an operation, {} without one."""
    return {} if message is None else msgspec.json.decode(json_codec.dump(message))
