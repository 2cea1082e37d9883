"""Wait for the replicas of a node to have what was written, for as long as they are there."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from sessions.redis.resp_socket import pack

WAIT: Final = 1000
"""Milliseconds within which replicas must have what was written."""

PROBE: Final = 100
"""The same for replicas that were away: what comes behind the question waits, too."""

AGAIN: Final = 5.0
"""Seconds without waiting after replicas were found to be away."""

log = logging.getLogger(__name__)


class Replicas:
    """The replicas of one node that are waited for, with Redis' WAIT.

    WAIT holds up everything behind it on its socket. So where too few replicas answered none is
    sent for a while, and then one that shows whether they are back. What is written meanwhile is
    told without them: to go on is worth more than to lose nothing. But a master whose replicas are
    gone may have been deposed, and is no master: `lacking` says when to make sure.
    """

    def __init__(self, count: int, now: Callable[[], float] = time.monotonic) -> None:
        """Wait for *count* replicas, which may be 0."""
        self._count = count
        self._now = now
        self._wait = pack(b"WAIT", count, WAIT) if count else b""
        self._probe = pack(b"WAIT", count, PROBE)
        self._again = 0.0
        self.away = False
        """Whether there were too few of them the last time."""

    def command(self) -> bytes:
        """Return what to send now behind what was written, b"" for nothing.

        Where it is something, `lacking` must be called with the reply.
        """
        if not self.away:
            return self._wait
        now = self._now()
        if now < self._again:
            return b""
        self._again = now + AGAIN
        return self._probe

    def lacking(self, reply: Any) -> bool:
        """Take the reply to `command`; tell whether too few replicas have what was written.

        Then ask who is master before `missed` is called: of one that was deposed they are gone.
        A failure says nothing of them.
        """
        if not isinstance(reply, int):
            return False
        if reply >= self._count and self.away:
            self.away = False
            log.warning("redis_replicas_back", extra={"wanted": self._count, "found": reply})
        return reply < self._count

    def missed(self, found: int) -> None:
        """Go on with the *found* replicas of the master, which are too few."""
        self._again = self._now() + AGAIN
        if not self.away:
            self.away = True
            log.warning("redis_replicas_away", extra={"wanted": self._count, "found": found})
