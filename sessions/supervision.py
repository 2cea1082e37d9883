"""Keep one fault from ending others: what a supervisor contains, and what passes it.

`Exception` is not wide enough for that. Native code that panics raises past it (PyO3's
PanicException is a BaseException), and one that gets out of a task takes its siblings down: every
answer of a replica, then those of the replica that takes over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

PASSING: Final = (asyncio.CancelledError, GeneratorExit, KeyboardInterrupt, SystemExit)
"""What no supervisor contains, cancellation and exit; whatever else is raised, it does."""

_PAUSE: Final = 1.0  # what fails at once must not spin

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
