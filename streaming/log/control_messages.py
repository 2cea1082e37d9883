"""Name what replicas say to each other on their control channels.

None of it must arrive: what is missed is found by the next look at Redis.
"""

from __future__ import annotations

from typing import Final

EVERYONE: Final = "all"
"""The channel that all replicas hear; each also has one of its own, by its name."""

CANCEL: Final = b"cancel "
"""To the owner of an answer, before its name: end it."""

FOLLOW: Final = b"follow "
"""To the owner of an answer, before its name: somebody elsewhere follows it, publish it.

Said only to owners of before there were inboxes (`streaming.log.publications`)."""

FREE: Final = b"free "
"""To everyone, before the name of an answer: its owner released it, whoever likes takes it over."""

WHO: Final = b"who "
"""To everyone, before the name of who asks: say on its channel who you are."""
