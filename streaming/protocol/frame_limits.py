"""The limits of one connection that go before any look into a frame."""

from __future__ import annotations

from typing import Final

from streaming.protocol import close_codes, frames
from streaming.protocol.close_codes import Close
from streaming.protocol.token_bucket import TokenBucket

AUTH_BYTES: Final = 16 << 10
"""How large a frame may be before the client has authenticated: any token fits, and strangers take
no more of our memory."""


class FrameLimits:
    """How large the frames of a client may be, and how many."""

    __slots__ = ("_bytes", "_frames", "_most")

    def __init__(self, limits: frames.Limits, now: float) -> None:
        """Hold *limits* from *now* on, in seconds of a clock that only goes forward."""
        self._most = limits.max_frame_bytes
        self._frames = TokenBucket(limits.frames_per_second, limits.frame_burst, now)
        self._bytes = TokenBucket(limits.bytes_per_second, limits.byte_burst, now)

    def check(self, text: str, now: float, *, stranger: bool) -> Close | None:
        """Return why a client that sends *text* has to go; None where it may send it."""
        limit = AUTH_BYTES if stranger else self._most
        # A text of more characters than that is too large without being encoded to be counted.
        size = len(text) if text.isascii() or len(text) > limit else len(text.encode())
        if size > limit:
            return close_codes.TOO_LARGE if stranger else close_codes.TOO_BIG
        if not self._frames.take(now) or not self._bytes.take(now, size):
            return close_codes.FLOOD
        return None
