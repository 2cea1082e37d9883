"""Who asks: the one form in which every door, method and store knows the caller."""

from __future__ import annotations

import enum
import hashlib
import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec

SCOPE_KEY: Final = "colloquy_principal"
"""Where the ASGI scope of a request has its `Principal`, from authentication on."""


class PrincipalKind(enum.StrEnum):
    """What a caller is; what each may do stands in `service.security.permissions`."""

    OPERATOR = "operator"
    """Runs the portal: may do everything within the boundary, that of keys and audit included."""
    SERVER = "server"
    """A portal's back end: manages the sessions of all users, asks and mints tokens for them, and
    keeps the documents of its data stores."""
    READER = "reader"
    """Reads what a server may read, and changes nothing: reports, exports, monitoring."""
    INTEGRATION = "integration"
    """A service account of another program: keeps documents and events, asks in sessions of its
    own."""
    USER = "user"
    """A person whom the portal has signed in."""
    VISITOR = "visitor"
    """A person whom nobody knows, under an id that this service signed."""
    GRANT = "grant"
    """Who holds a token for one document, which somebody who may read it had minted."""
    NOBODY = "nobody"
    """Who brought no credential where visitors are welcome: may become a visitor, no more."""


_LOG_KEY: Final = secrets.token_bytes(32)

PEOPLE: Final = frozenset({PrincipalKind.USER, PrincipalKind.VISITOR})
"""Kinds that see what is theirs only."""


class Principal(msgspec.Struct, frozen=True, kw_only=True):
    """One caller, as the credential of the request says and nothing else in it.

    *id* tells callers apart wherever something is bound to one: page tokens, idempotency keys,
    uploads, operations, quotas. It is ``anonymous`` while authentication is off, ``key:`` and the
    id of an API key, or ``user:``/``visitor:``, the project and the subject.
    """

    kind: PrincipalKind
    id: str

    project: str = ""
    """The id of the only project that is there for this caller; "" where all are."""

    data_stores: tuple[str, ...] = ()
    """Canonical names of the only data stores and engines that are; () where all of the project."""

    subject: str = ""
    """The ``userPseudoId`` of what belongs to this caller; "" for those that own nothing."""

    claims: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict[str, Any])
    """What the portal says of a user, for the filters that decide which documents they may see."""

    origins: tuple[str, ...] = ()
    """The origins that the credential may be used from; () leaves it to the data store."""

    credential: str = ""
    """The id of the API key, or of the token's signer: where it is revoked, so is this caller."""

    expires: float = 0.0
    """Epoch seconds until which the credential holds; 0 without an end."""

    granted_by: PrincipalKind | None = None
    """The kind of who had a grant minted: *subject* and *claims* are theirs then."""

    @property
    def is_person(self) -> bool:
        """Whether sessions, conversations and answers of others are not there for this caller."""
        return self.kind in PEOPLE

    @property
    def mark(self) -> str:
        """What stands for this caller in operations: the id, or that of a person as a digest."""
        return person_mark(self.id) if self.is_person else self.id

    def log_id(self) -> str:
        """Return what stands for this caller in the logs of this process: of a person a digest.

        It tells two people apart while the process runs, and cannot be guessed back: logs go where
        a purge does not reach.
        """
        if not self.is_person:
            return self.id
        told = self.id.encode(errors="surrogatepass")
        return f"{self.kind}:{hashlib.blake2b(told, digest_size=6, key=_LOG_KEY).hexdigest()}"

    def reaches(self, name: str) -> bool:
        """Whether the resource *name*, canonical, lies within the boundary of this caller.

        Ownership within it is another question.
        """
        if self.project and name.split("/", 2)[1:2] != [self.project]:
            return False
        if not self.data_stores:
            return True
        # Nothing else ends at the length of a data store's name: "" or the slash behind it.
        for each in self.data_stores:
            if name.startswith(each) and name[len(each) : len(each) + 1] in ("", "/"):
                return True
        return False


def person_mark(principal_id: str) -> str:
    """Return what stands for the id of a person in records that outlive a purge of what is theirs.

    Those are the operation of the purge, for a day, and that a visitor has ended, for minutes. Both
    are in Redis alone and no client is told the mark. So it has no key: that would lie in the same
    Redis, and keep nothing from who reads it; the audit log has one because it is shipped.
    """
    return hashlib.blake2b(principal_id.encode(errors="surrogatepass"), digest_size=16).hexdigest()


ANONYMOUS: Final = Principal(kind=PrincipalKind.OPERATOR, id="anonymous")
"""Everybody, while authentication is off."""


def of(scope: Mapping[str, Any]) -> Principal:
    """Return who sent the request of *scope*.

    Raises:
        KeyError: it did not pass authentication, which is a fault of the service.
    """
    principal: Principal = scope[SCOPE_KEY]
    return principal
