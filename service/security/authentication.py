"""Find out who asks: the one place where a credential becomes a `Principal`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from service.security.api_keys.registry import ApiKeyRegistry
from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.errors import InvalidArgument, PermissionDenied

_DOTS: Final = 2
"""What divides the parts of a signed token; no API key has any."""
_GUESSES: Final = frozenset({"API_KEY_INVALID", "TOKEN_INVALID"})
"""What guesses are refused for, and what no caller meets again and again that knows better; a token
that has expired was valid, and each page that was left open brings one."""

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
        count_failure: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """With *anonymous* who brings nothing is `NOBODY`, and not refused.

        *count_failure* is awaited with the address that a credential came from which is not valid,
        and raises `ResourceExhausted` where there were too many.
        """
        self._api_keys = api_keys
        self._tokens = tokens
        self._anonymous = anonymous
        self._count_failure = count_failure

    @property
    def required(self) -> bool:
        """Whether a caller has to show who it is: from the first API key on, for ever."""
        return self._api_keys.any_known

    async def principal(self, given: Credentials) -> Principal:
        """Return who brought *given*.

        Raises:
            PermissionDenied: a credential is missing, unknown, revoked, expired, or not for here.
            ResourceExhausted: so were too many from this address (TOO_MANY_FAILED_CREDENTIALS).
                What is valid is never refused for that.
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
        try:
            return await self._known(given)
        except PermissionDenied as exc:
            if self._count_failure is not None and exc.reason in _GUESSES:
                await self._count_failure(given.address)
            raise

    async def _known(self, given: Credentials) -> Principal:
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
