"""Who signs tokens, and how what each of them says becomes a principal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, cast

import msgspec

from service.project_numbers import ProjectNumbers
from service.security.principals import Principal, PrincipalKind, person_mark
from service.security.tokens import subjects, token_claims
from service.security.tokens.token_claims import TokenFault
from service.security.tokens.verification_keys import KeySource

OURS: Final = "colloquy"
"""Issuer and audience of the tokens that this service signs for itself."""
USER: Final = "user+jwt"
VISITOR: Final = "visitor+jwt"
RENEWAL: Final = "visitor-renewal+jwt"
READ: Final = "read+jwt"
"""Types of our own tokens: none passes for another (RFC 8725, 3.11)."""
ISSUER: Final = "issuer:"
"""What the `Principal.credential` begins with of users whose tokens somebody else signs."""


class TrustedIssuer(Protocol):
    """One who signs tokens: by which keys, for which audience, and in which words."""

    @property
    def audience(self) -> str:
        """What the ``aud`` of its tokens is, or has among others."""
        ...

    @property
    def keys(self) -> KeySource:
        """The keys that verify them."""
        ...

    def principal(
        self, header: Mapping[str, Any], payload: Mapping[str, Any], now: float
    ) -> Principal:
        """Return who a token is about whose signature, issuer and audience hold.

        Raises:
            TokenFault: what it says cannot be used.
            PermissionDenied: it has expired.
        """
        ...


class OwnIssuer:
    """This service: tokens that a server had minted, and those of visitors."""

    def __init__(self, keys: KeySource, *, anonymous: Callable[[], bool]) -> None:
        """*anonymous* tells whether visitors are let in whom no server vouches for."""
        self._anonymous = anonymous
        self.audience = OURS
        self.keys = keys

    def principal(
        self, header: Mapping[str, Any], payload: Mapping[str, Any], now: float
    ) -> Principal:
        """Return the user or visitor of a token that is good for requests."""
        expires = token_claims.expiry(payload, now, longest=token_claims.LIFE)
        match header.get("typ"):
            case "user+jwt":
                check_client(payload, anonymous=False)
                return _principal(PrincipalKind.USER, payload, expires)
            case "visitor+jwt":
                check_client(payload, anonymous=self._anonymous())
                return _principal(PrincipalKind.VISITOR, payload, expires)
            case "read+jwt":
                # Who asked for it without a key is a visitor: all others of those showed none.
                is_visitor = payload.get("kind") == PrincipalKind.VISITOR
                if not payload.get("issuer"):
                    check_client(payload, anonymous=is_visitor and self._anonymous())
                return _reader(payload, expires)
            case _:
                raise TokenFault("it is not meant for requests")


def check_client(payload: Mapping[str, Any], *, anonymous: bool) -> None:
    """Refuse a token of ours that no API key stands behind, unless *anonymous*.

    What was minted while everybody might is worth nothing once keys are needed.

    Raises:
        TokenFault: there is none.
    """
    if not anonymous and not payload.get("client_id"):
        raise TokenFault("it was minted without an API key")


def _principal(kind: PrincipalKind, payload: Mapping[str, Any], expires: float) -> Principal:
    """Return the principal that we wrote into *payload* ourselves."""
    subject, stores = str(payload["sub"]), token_claims.data_stores(payload["dataStores"])
    project = token_claims.project(stores[0])
    return Principal(
        kind=kind,
        id=principal_id(kind, project, subject),
        project=project,
        data_stores=stores,
        subject=subject,
        claims=token_claims.claims(payload.get("claims", {})),
        origins=token_claims.texts(payload.get("origins", ())),
        credential=str(payload.get("client_id", "")),
        expires=expires,
    )


def _reader(payload: Mapping[str, Any], expires: float) -> Principal:
    """Return who may read the one document of *payload*, as whoever had it minted."""
    document, subject = str(payload["document"]), str(payload["sub"])
    kind = PrincipalKind(payload["kind"])
    return Principal(
        kind=PrincipalKind.GRANT,
        id=f"{PrincipalKind.GRANT}:{person_mark(f'{kind}:{subject}')}",
        project=token_claims.project(document),
        data_stores=(document,),
        subject=subject,
        claims=token_claims.claims(payload.get("claims", {})),
        credential=str(payload.get("client_id", "")),
        expires=expires,
        granted_by=kind,
    )


class PortalIssuer(msgspec.Struct, frozen=True, kw_only=True):
    """Who signs tokens for the portal: its back end, or an OIDC provider.

    Projects may be named by their *numbers*. *longest* bounds the seconds of a token, 0 leaves it
    to the issuer. *claims* names, for each claim that filters may use, the one of the token that
    has it. *data_stores* are all that a token can be for; it may name fewer of them in the claim
    *data_stores_claim*.
    """

    issuer: str
    audience: str
    keys: KeySource
    longest: float
    data_stores: tuple[str, ...]
    subject_claim: str = "sub"
    data_stores_claim: str = "dataStores"
    claims: Mapping[str, str] = {}
    numbers: ProjectNumbers = ProjectNumbers()

    def principal(
        self, header: Mapping[str, Any], payload: Mapping[str, Any], now: float
    ) -> Principal:
        """Return the user of a token."""
        del header
        expires = token_claims.expiry(payload, now, longest=self.longest)
        try:
            subject = subjects.check_user(_member(payload, self.subject_claim))
        except ValueError as exc:
            raise TokenFault(f"its {self.subject_claim}: {exc}") from exc
        stores = self._data_stores(payload)
        project = token_claims.project(stores[0])
        said = payload.get("project", project)
        if self.numbers.resolved(f"projects/{said}") != f"projects/{project}":
            raise TokenFault("its project is not that of its data stores")
        return Principal(
            kind=PrincipalKind.USER,
            id=principal_id(PrincipalKind.USER, project, subject),
            project=project,
            data_stores=stores,
            subject=subject,
            claims=self._claims(payload),
            origins=token_claims.texts(payload.get("origins", ()), most=token_claims.MOST_ORIGINS),
            credential=f"{ISSUER}{self.issuer}",
            expires=expires,
        )

    def _data_stores(self, payload: Mapping[str, Any]) -> tuple[str, ...]:
        given = _member(payload, self.data_stores_claim)
        if given is None:
            return self.data_stores
        found = token_claims.data_stores(given, self.numbers.resolved)
        if not set(found) <= set(self.data_stores):
            raise TokenFault("it names a data store that its issuer has no say in")
        return found

    def _claims(self, payload: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        if not self.claims:
            return token_claims.claims(payload.get("claims", {}))
        found = {name: _member(payload, claim) for name, claim in self.claims.items()}
        # A person without groups has no such claim, or none in it: that is no fault.
        return token_claims.claims({name: each for name, each in found.items() if each})


def principal_id(kind: PrincipalKind, project: str, subject: str) -> str:
    """Return what tells a person apart: no project has a slash, so two are never the same."""
    return f"{kind}:{project}/{subject}"


def _member(payload: Mapping[str, Any], claim: str) -> Any:
    """Return the *claim* of *payload*: a member of this name, or what its dots lead to."""
    if claim in payload:
        return payload[claim]
    found: Any = payload
    for name in claim.split("."):
        if not isinstance(found, Mapping):
            return None
        found = cast(Mapping[str, Any], found).get(name)
    return found
