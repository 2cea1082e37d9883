"""Remember who a token was found to be about, so that it is verified once."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Final, NamedTuple

from service.security.principals import Principal

_MOST: Final = 8_192
"""Tokens that are remembered: those that came last. A token has at most some 20 kB in memory."""


class VerifiedToken(NamedTuple):
    """Who a token is about, for how long that need not be verified again, and by which of our keys.

    *since* and *until* are in epoch seconds, ten minutes apart at most: issuers take keys away.
    """

    principal: Principal
    since: float
    until: float
    kid: str
    """The id of our key, "" where somebody else signed it."""


class VerifiedTokens:
    """The tokens that were found good, by their digests: the secrets themselves are not kept."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[bytes, VerifiedToken] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, token: str) -> VerifiedToken | None:
        """Return what is known of *token*, which may have ended meanwhile."""
        digest = _digest(token)
        found = self._kept.get(digest)
        if found is not None:
            self._kept.move_to_end(digest)
        return found

    def put(self, token: str, verified: VerifiedToken) -> None:
        """Remember *token*; the one that was not asked for longest is forgotten for it."""
        self._kept[_digest(token)] = verified
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def drop(self, token: str) -> None:
        """Forget *token*."""
        self._kept.pop(_digest(token), None)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
