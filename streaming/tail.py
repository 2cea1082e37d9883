"""Tell what was acknowledged, as it is acknowledged, to those who follow an answer.

An answer that this process writes is told straight from the acknowledgement (`Tail.told`). One
that another replica writes arrives on its channel; a channel may drop or repeat, so an entry is
passed on only where it follows the last one without a gap, and otherwise the log is read. Every
two seconds the tops of all logs that are followed remotely are compared as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sessions.connection import Redis

from sessions.keys import Keys
from streaming.log import Entry, EventLog

Listener = Callable[[Sequence[Entry]], None]
"""Takes entries as they are acknowledged. It is called from the acknowledgement itself: it must
neither block nor raise. An empty sequence says that the log is gone, and is the last call."""


class Tail:
    """The acknowledged ends of the answers that somebody here follows.

    It works while it is entered: ``async with Tail(redis, keys, log) as tail``.
    """

    def __init__(self, redis: Redis, keys: Keys, log: EventLog) -> None: ...

    def follow(self, answer: str, listener: Listener) -> Callable[[], None]:
        """Call *listener* with every entry of *answer* that is acknowledged from now on.

        In order, without gaps and each once; where one call has several entries they came in one
        batch. Return the function that ends it, which may be called from the listener, and twice.
        """

    async def ready(self, answer: str) -> None:
        """Return when nothing that is acknowledged from now on can be missed.

        An entry that a log read after this does not have will be told. At once where this process
        writes the answer.

        Raises:
            Unavailable: Redis is away.
        """
