"""Sign tokens by which one document can be read, and nothing else be done, for some minutes.

A page opens with one in the fragment of its address, where it comes into no log; so it is to be
worth little to whoever finds it in the history of a browser.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from service.security.principals import Principal
from service.security.tokens import trusted_issuers
from service.security.tokens.token_claims import LARGEST, LEEWAY
from service.security.tokens.token_minter import TokenMinter
from sessions import names
from sessions.errors import FailedPrecondition
from sessions.resources.tokens import MintReadTokenResponse

LIFE: Final = 300 - LEEWAY
"""Seconds until the end that a token says; it holds for the leeway longer, five minutes in all."""


class ReadTokenMinter:
    """Mints tokens for one document."""

    def __init__(self, minter: TokenMinter, *, clock: Callable[[], float] = time.time) -> None:
        self._minter = minter
        self._clock = clock

    async def mint(self, principal: Principal, document: str) -> MintReadTokenResponse:
        """Return a token for the *document* of this canonical name, which *principal* may read.

        It shows what *principal* sees, as long as they see it, and ends with their credential.

        Raises:
            FailedPrecondition: what is claimed of *principal* leaves no room in a token.
            Unavailable: the signing keys cannot be read.
        """
        said: dict[str, Any] = {
            "sub": principal.subject or principal.id,
            "dataStores": [names.store_of(document)],
            "document": document,
            "kind": principal.kind.value,
            "claims": {name: list(values) for name, values in principal.claims.items()},
        }
        if principal.credential.startswith(trusted_issuers.ISSUER):
            said["issuer"] = principal.credential
        elif principal.credential:
            said["client_id"] = principal.credential
        life = LIFE
        if principal.expires:
            life = max(1, min(LIFE, int(principal.expires - LEEWAY - self._clock())))
        token, ends = await self._minter.sign(trusted_issuers.READ, said, life)
        if len(token) > LARGEST:
            raise FailedPrecondition(
                "what the token of the user claims leaves no room for the name of the document; "
                "claim less of them",
                reason="TOKEN_TOO_LARGE",
            )
        return MintReadTokenResponse(token=token, expire_time=ends)
