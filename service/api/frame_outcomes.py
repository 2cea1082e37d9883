"""What became of a frame that asks for something, for who counts and logs requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

METHODS: Final = {
    "answer": "AnswerQuery",
    "converse": "ConverseConversation",
    "resume": "FollowAnswer",
    "cancel": "CancelAnswer",
}
"""The API method that each frame calls; what a frame ``request`` calls passes as a request does."""


class FrameOutcome(msgspec.Struct, frozen=True):
    """A frame that was accepted or refused, *seconds* after it came.

    *status* is what a request over HTTP is answered with; *id* is the frame's, "" without one.
    """

    method: str
    id: str
    status: int
    seconds: float


ObserveFrame = Callable[[FrameOutcome], None]


def ignore(_: FrameOutcome) -> None:
    """Count and log nothing."""
