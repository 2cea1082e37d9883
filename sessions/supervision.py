"""Keep one fault from ending others: what a supervisor contains, and what passes it.

`Exception` is not wide enough for that. Native code that panics raises past it (PyO3's
PanicException is a BaseException), and one that gets out of a task takes its siblings down: every
answer of a replica, then those of the replica that takes over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

PASSING: Final = (asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit)
"""What no supervisor contains, cancellation and exit; whatever else is raised, it does."""

_PAUSE: Final = 1.0  # what fails at once must not spin

_T = TypeVar("_T")

logger = logging.getLogger(__name__)


async def contained(work: Awaitable[object], event: str, **about: object) -> None:
    """Do *work*, for which nobody waits; what it raises is logged as *event*."""
    try:
        await work
    except PASSING:
        raise
    except BaseException:
        logger.exception(event, extra=about)


async def forever(work: Callable[[], Awaitable[object]]) -> None:
    """Do *work* again wherever it fails, until cancelled."""
    while True:
        await contained(work(), "service_failed")
        await asyncio.sleep(_PAUSE)


async def detached(tasks: asyncio.TaskGroup, work: Coroutine[Any, Any, _T]) -> _T:
    """Do *work* in a task of *tasks*, where it goes on if the caller is cancelled."""

    async def outcome() -> _T | BaseException:
        try:
            return await work
        except PASSING:
            raise
        except BaseException as exc:  # noqa: BLE001 - raised by the caller; never in the group
            return exc

    result = await asyncio.shield(tasks.create_task(outcome()))
    if isinstance(result, BaseException):
        raise result
    return result
