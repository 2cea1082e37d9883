"""Bring the tokens of a client: one for each connection, and the next before it ends."""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final

from sessions.errors import ServiceError, Unavailable
from streaming.protocol import close_codes

REFUSALS: Final = 3
"""Tokens of a provider that may be refused one after the other; then the client gives up. One may
have ended on its way, or been made just before a key was changed."""

TokenProvider = Callable[[], Awaitable[str]]
"""Gives a token that holds from now on, such as one that the portal's back end has minted."""

_RENEWED: Final = (0.7, 0.85)
"""Between which parts of a token's life it is renewed, so that not all clients come at once: one
of ten minutes leaves more than one to a provider that is slow."""

_log = logging.getLogger(__name__)


class Tokens:
    """What a client shows of who it is: nothing, always the same, or what a provider gives."""

    def __init__(self, given: str | TokenProvider | None) -> None:
        self._given = given
        self._refusals = 0
        """How many tokens were refused since one was good."""

    async def next(self) -> str | None:
        """Return a token for a connection; None where there are none.

        Raises:
            ServiceError: what the provider raised; `Unavailable` for all else that it may raise.
        """
        if not callable(self._given):
            return self._given
        try:
            return await self._given()
        except ServiceError:
            raise
        except Exception as exc:
            _log.warning("no_token", exc_info=exc)
            raise Unavailable("there is no token", reason="NO_TOKEN") from exc

    def renew_after(self, seconds: float | None) -> float | None:
        """Return when to renew a token that lasts so many *seconds*; None where there is no need.

        What is no provider has no other token.
        """
        if seconds is None or not callable(self._given):
            return None
        return seconds * random.uniform(*_RENEWED)  # noqa: S311 - no secret

    def may_come_back(self, code: int, *, was_good: bool) -> bool:
        """Tell whether another connection may end otherwise than one that ended with *code*.

        *was_good* says whether the service was ready on it.
        """
        if was_good:
            self._refusals = 0
        elif code == close_codes.UNAUTHENTICATED.code:
            self._refusals += 1
            return self._refusals < (REFUSALS if callable(self._given) else 1)
        elif code == close_codes.AUTH_TIMEOUT.code and self._given is None:
            return False  # it waited for a token, and there will never be one
        return close_codes.come_back(code)
