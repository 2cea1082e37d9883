"""The codes that this service closes a WebSocket with; each says whether to come back."""

from __future__ import annotations

from typing import Final

import msgspec

from sessions.errors import NotFound, PermissionDenied, ResourceExhausted, ServiceError

_OF_TOKENS: Final = frozenset(
    {"CREDENTIALS_MISSING", "API_KEY_INVALID", "TOKEN_INVALID", "TOKEN_EXPIRED", "TOKEN_REVOKED"}
)
"""Reasons of `PermissionDenied` that another token does away with, so that 4401 is the code."""


class Close(msgspec.Struct, frozen=True):
    """An end of a connection: whether the client is to *come_back*, and to whom that is said."""

    code: int
    come_back: bool
    reason: str


NORMAL: Final = Close(1000, False, "done")
GOING_AWAY: Final = Close(1001, True, "going away")
TOO_BIG: Final = Close(1009, False, "a frame is larger than limits.maxFrameBytes")
FAILURE: Final = Close(1011, True, "the service failed")
RESTART: Final = Close(1012, True, "the service restarts; resume")
OVERLOAD: Final = Close(1013, True, "too many connections; come back later")
BAD_FRAME: Final = Close(4400, False, "not a frame of colloquy.v1")
UNAUTHENTICATED: Final = Close(4401, True, "CREDENTIALS_MISSING: the first frame must be an auth")
FORBIDDEN: Final = Close(4403, False, "the token, or the page's origin, does not permit this")
NOT_FOUND: Final = Close(4404, False, "what the token speaks for is not here")
NO_SUBPROTOCOL: Final = Close(4406, False, "offer the subprotocol colloquy.v1")
AUTH_TIMEOUT: Final = Close(4408, True, "no auth frame came in time")
TOO_SLOW: Final = Close(4409, True, "too slow to follow; resume")
TOO_LARGE: Final = Close(4413, False, "the auth frame is too large")
FLOOD: Final = Close(4429, True, "too many frames or bytes; come back later")
CROWD: Final = Close(4429, True, "too many connections of one caller; come back later")
GUESSES: Final = Close(
    4429, True, "TOO_MANY_FAILED_CREDENTIALS: come back later with a valid token"
)

EXPIRED: Final = Close(4401, True, "TOKEN_EXPIRED: come back with a new token, and resume")
REVOKED: Final = Close(4401, True, "TOKEN_REVOKED: come back with a new token, and resume")
OTHER_PRINCIPAL: Final = Close(4401, True, "PRINCIPAL_CHANGED: come back as who you are now")

CLOSES: Final = {
    close.code: close
    for close in (
        NORMAL,
        GOING_AWAY,
        TOO_BIG,
        FAILURE,
        RESTART,
        OVERLOAD,
        BAD_FRAME,
        UNAUTHENTICATED,
        FORBIDDEN,
        NOT_FOUND,
        NO_SUBPROTOCOL,
        AUTH_TIMEOUT,
        TOO_SLOW,
        TOO_LARGE,
        FLOOD,
    )
}
"""Every code that this service closes a connection with."""


def rejected(error: ServiceError) -> Close:
    """Return the end of a client whose token is refused by *error*.

    With 4401 another token may do: whoever has none, or got the same refusal for several, stays
    away.
    """
    match error:
        case PermissionDenied(reason=reason) if reason not in _OF_TOKENS:
            return FORBIDDEN
        case NotFound():
            return NOT_FOUND
        case ResourceExhausted(reason="TOO_MANY_FAILED_CREDENTIALS"):
            return GUESSES
        case ResourceExhausted():
            return CROWD
        case _:
            return Close(4401, True, f"{error.reason}: come back with a valid token")


def come_back(code: int) -> bool:
    """Tell whether a client whose connection ended with *code* should connect again.

    A code that is not ours, such as 1006 for a connection that broke, says that it should.
    """
    return code not in CLOSES or CLOSES[code].come_back
