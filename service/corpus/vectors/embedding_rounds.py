"""Embed in rounds, in the background, whatever fails meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from sessions.errors import ResourceExhausted
from sessions.supervision import PASSING

_POLL: Final = 1.0
_ELSEWHERE: Final = 5.0
"""Seconds between two looks at what another replica embeds."""
_LONGEST_PAUSE: Final = 60.0
_log = logging.getLogger(__name__)


async def keep_up(embed: Callable[[], Awaitable[bool]]) -> None:
    """Call *embed* every second until cancelled, less often where it fails.

    It brings all vectors in step with the documents, and returns whether it has: False where
    another replica is at it.
    """
    failures = 0
    while True:
        try:
            done = await embed()
            failures, pause = 0, _POLL if done else _ELSEWHERE
        except PASSING:
            raise
        # A supervisor: nothing may end the task, nor the service with it.
        except BaseException as exc:  # noqa: BLE001
            failures += 1
            pause = min(_POLL * 2 ** min(failures, 9), _LONGEST_PAUSE)
            pause = max(pause, asked_to_wait(exc))
            _log.warning("embedding_waits", extra={"reason": str(exc), "seconds": pause})
        await asyncio.sleep(pause)


def asked_to_wait(failure: BaseException) -> float:
    """Return the seconds for which an endpoint asked not to be asked, at most a minute."""
    asked = failure.retry_after if isinstance(failure, ResourceExhausted) else 0
    return min(float(asked), _LONGEST_PAUSE)
