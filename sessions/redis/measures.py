"""Measure how quickly Redis answers, and how often it has to be connected to anew."""

from __future__ import annotations

from typing import Final

from sessions.distribution import Distribution


class RedisMeasures:
    """What all connections for commands of one process meet."""

    __slots__ = ("opened", "reply_seconds")

    def __init__(self) -> None:
        self.reply_seconds = Distribution()
        """From a write to the reply to all that it held. Of each connection one write at a time is
        timed: that costs a comparison a write, and those between are as quick."""
        self.opened = 0
        """How often a connection was opened."""


UNREAD: Final = RedisMeasures()
"""Takes what nobody asks for."""
