"""An API key as it is kept: what it may, where, until when, and digests of its secrets."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from service.security.principals import Principal, PrincipalKind


class Scope(enum.StrEnum):
    """What the bearer of a key is taken for."""

    ADMIN = "admin"
    SERVER = "server"
    READ_ONLY = "read-only"
    INTEGRATION = "integration"

    @property
    def letter(self) -> str:
        """How a key says it; no two are the same."""
        return self.value[0]


_KINDS: Final[Mapping[Scope, PrincipalKind]] = {
    Scope.ADMIN: PrincipalKind.OPERATOR,
    Scope.SERVER: PrincipalKind.SERVER,
    Scope.READ_ONLY: PrincipalKind.READER,
    Scope.INTEGRATION: PrincipalKind.INTEGRATION,
}


class KeySecret(msgspec.Struct, frozen=True, kw_only=True):
    """One secret of a key; while a rotation overlaps there are two.

    *digest* is the SHA-256 of the whole key, in hexadecimal digits. *expires* is in epoch seconds,
    0 without an end.
    """

    number: int
    digest: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    expires: float = 0.0


class ApiKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key of a program; times are in epoch seconds, 0 where there is none.

    Rotation keeps the id, and with it what was begun under the key: operations, uploads, page
    tokens. *project* and *data_stores* bound what it reaches, as those of a `Principal`.
    """

    id: str
    scope: Scope
    label: str = ""
    project: str = ""
    data_stores: tuple[str, ...] = ()
    created: float = 0.0
    expires: float = 0.0
    revoked: float = 0.0
    secrets: tuple[KeySecret, ...] = ()

    def holds(self, now: float) -> bool:
        """Whether somebody may come by one of its secrets at *now*."""
        return not self.revoked and not 0 < self.expires <= now

    def until(self, secret: KeySecret) -> float:
        """Return until when *secret* holds, 0 without an end; revocation is another matter."""
        ends = [each for each in (self.expires, secret.expires) if each]
        return min(ends, default=0.0)

    def principal(self, secret: KeySecret) -> Principal:
        """Return who brings *secret*."""
        return Principal(
            kind=_KINDS[self.scope],
            id=f"key:{self.id}",
            project=self.project,
            data_stores=self.data_stores,
            credential=f"{self.id}.{secret.number}",
            expires=self.until(secret),
        )
