"""Write a line of the log about a request: where it failed, and for a share of all others.

A line costs a tenth of what a small request costs, so what succeeds is sampled; what fails is not,
but a flood of refusals must not cost more than it is refused for. No line holds what was asked or
answered, nor a path, whose ids are those of resources.
"""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable
from typing import Final, Literal

from streaming.protocol.token_bucket import TokenBucket

EVENT: Final = "request_served"
FAILURES: Final = 50
"""Lines about failures in a second, in the long run; twice as many at once."""

_FIRST_FAILURE: Final = 400
_ID: Final = re.compile(r"[\w.:+/=@-]{1,128}", re.ASCII)
_log = logging.getLogger(__name__)


class AccessLog:
    """Tells of the requests of one process, those over HTTP and those in frames."""

    def __init__(
        self,
        share: float,
        *,
        now: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Tell of a *share* of what succeeds, 0 to 1, and of what fails."""
        self._share = share
        self._now = now
        self._draw = draw
        self._failures = TokenBucket(FAILURES, 2 * FAILURES, now())
        self._left_out = 0

    def wants(self, status: int) -> bool:
        """Tell whether there is to be a line about a request that ended with *status*."""
        if status < _FIRST_FAILURE:
            return self._draw() < self._share
        if self._failures.take(self._now()):
            return True
        self._left_out += 1
        return False

    def write(
        self,
        *,
        over: Literal["http", "websocket"],
        method: str,
        status: int,
        seconds: float,
        request_id: str,
        sent: int | None = None,
    ) -> None:
        """Write the line about an API *method*, whoever `wants` it; *sent* are bytes of the reply.

        *request_id* is the caller's, and told where it looks like an id.
        """
        line: dict[str, object] = {"over": over, "method": method, "status": status}
        line["seconds"] = round(seconds, 6)
        if sent is not None:
            line["bytes"] = sent
        if _ID.fullmatch(request_id):
            line["request_id"] = request_id
        if self._left_out:
            line["left_out"], self._left_out = self._left_out, 0
        _log.info(EVENT, extra=line)
