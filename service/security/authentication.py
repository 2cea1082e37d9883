"""Find out who asks: the one place where a credential becomes a `Principal`."""

from __future__ import annotations

from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal


class Authentication:
    """Names the principal of every request and of every ``auth`` frame."""

    @property
    def required(self) -> bool:
        """Whether a caller has to show who it is."""
        return False

    async def principal(self, given: Credentials) -> Principal:
        """Return who brought *given*.

        Raises:
            PermissionDenied: a credential is missing, unknown, revoked, expired, or not for here.
            InvalidArgument: it came in the URL, where logs keep it (CREDENTIAL_IN_URL).
            Unavailable: what it is held against cannot be read.
        """
        del given
        return ANONYMOUS
