"""Name people in the audit log so that the log alone does not tell who they are.

A person's subject, and the address that they came from, become digests keyed by a secret of the
installation. Operators can tell whether two entries are of one person, and whether an entry is of a
person whose subject they know, as they have to where a purge is asked to be proven; who has the log
and not the secret can tell neither.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from service.security.principals import Principal, PrincipalKind
from sessions.redis.connection import Redis, secret
from sessions.redis.keys import Keys

_KEY: Final = 32
_FIELD: Final = "audit_key"
_DIGEST: Final = 16
"""Bytes of a digest: no two people of a portal share one."""


class AuditIdentities:
    """The names by which the audit log of an installation knows people."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._key = b""

    async def principal(self, principal: Principal) -> str:
        """Return the id of *principal*, of a person with a digest in the place of the subject."""
        if not principal.is_person:
            return principal.id
        return f"{principal.kind}:{await self.subject(principal.project, principal.subject)}"

    async def address(self, principal: Principal, address: str) -> str:
        """Return the *address* of *principal*; that of a person is personal data as well."""
        if principal.kind is PrincipalKind.NOBODY or not principal.is_person or not address:
            return address
        return await self._digest("address", address)

    async def subject(self, project: str, subject: str) -> str:
        """Return what stands for the user *subject* of *project*."""
        return f"{project}:{await self._digest(project, subject)}"

    async def _digest(self, *parts: str) -> str:
        if not self._key:
            made = secrets.token_bytes(_KEY)
            self._key = await secret(self._redis, self._keys, _FIELD, made)
        text = "\0".join(parts).encode(errors="surrogatepass")
        return hashlib.blake2b(text, digest_size=_DIGEST, key=self._key).hexdigest()
