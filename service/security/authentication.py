"""Find out who asks: the one place where a credential becomes a `Principal`."""

from __future__ import annotations

from typing import Final, Protocol

from service.security.api_keys.registry import ApiKeyRegistry
from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.errors import InvalidArgument, PermissionDenied

_DOTS: Final = 2
"""What divides the parts of a signed token; no API key has any."""

NOBODY: Final = Principal(kind=PrincipalKind.NOBODY, id="nobody")
"""Who brings nothing where visitors are welcome."""


class UserTokens(Protocol):
    """Knows the tokens of users and visitors."""

    async def principal(self, given: Credentials) -> Principal:
        """Return who brings the token of *given*, which is no API key and not empty.

        Raises:
            PermissionDenied: (TOKEN_INVALID, TOKEN_EXPIRED) it does not hold, or not for here.
            Unavailable: what it is held against cannot be read.
        """
        ...


class Authentication:
    """Names the principal of every request and of every ``auth`` frame."""

    def __init__(
        self,
        api_keys: ApiKeyRegistry,
        tokens: UserTokens | None = None,
        *,
        anonymous: bool = False,
    ) -> None:
        """With *anonymous* who brings nothing is `NOBODY`, and not refused."""
        self._api_keys = api_keys
        self._tokens = tokens
        self._anonymous = anonymous

    @property
    def required(self) -> bool:
        """Whether a caller has to show who it is: from the first API key on, for ever."""
        return self._api_keys.any_known

    async def principal(self, given: Credentials) -> Principal:
        """Return who brought *given*.

        Raises:
            PermissionDenied: a credential is missing, unknown, revoked, expired, or not for here.
            InvalidArgument: it came in the URL, where logs keep it (CREDENTIAL_IN_URL).
            Unavailable: what it is held against cannot be read.
        """
        if not self.required:
            return ANONYMOUS
        if given.in_url:
            raise InvalidArgument(
                "credentials in URLs end up in logs: send an API key in the header x-goog-api-key, "
                "and replace this one (colloquy keys rotate)",
                reason="CREDENTIAL_IN_URL",
            )
        if not given.token:
            return self._without_credential()
        if not self._api_keys.is_current:
            await self._api_keys.current()
        # What can be no JSON Web Token either (RFC 7519, 3) was most likely meant for a key.
        if self._tokens is None or given.token.count(".") != _DOTS:
            return self._api_keys.principal(given.token)
        return await self._tokens.principal(given)

    def _without_credential(self) -> Principal:
        if self._anonymous:
            return NOBODY
        raise PermissionDenied(
            "this service asks who is calling: send an API key in the header x-goog-api-key, or a "
            "key or a user's token as Authorization: Bearer",
            reason="CREDENTIALS_MISSING",
        )
