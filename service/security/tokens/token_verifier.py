"""Find out whom a token is about: a JWT that this service, the portal or its provider signed.

Nothing in a token decides how it is verified (RFC 8725): its issuer names the table that it is held
against, and the keys and the algorithm come from there. A token is a bearer token, and comes with
each request, so ``jti`` is no reason to refuse it: what bounds its use is its short life.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

import jwt

from service.security.credentials import Credentials
from service.security.principals import Principal, PrincipalKind
from service.security.tokens import token_claims, trusted_issuers
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_claims import LARGEST, TokenFault, invalid
from service.security.tokens.trusted_issuers import OURS, OwnIssuer, TrustedIssuer
from service.security.tokens.verified_tokens import VerifiedToken, VerifiedTokens
from service.security.tokens.visitor_store import VisitorStore
from sessions.errors import PermissionDenied

_FORM: Final = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
"""Three parts without padding (RFC 7515, 3.1): a signature that is empty is none."""
_REFUSED: Final = frozenset({"jku", "jwk", "x5u", "x5c", "crit", "b64", "zip"})
"""Headers that bring or name keys of their own, or that want to be understood (RFC 7515, 4.1)."""
_MOST_KEYS: Final = 8
"""Keys that a signature is held against."""
_LONGEST_KID: Final = 256
_LOOKED_AT: Final = 1.0
"""Seconds for which a visitor is not looked up again: who became a user is a visitor no more."""

_unverified: Final = jwt.PyJWT()
_signatures: Final = jwt.PyJWS(algorithms=["EdDSA", "ES256", "RS256", "HS256"])


class VerifiedClaims(NamedTuple):
    """The header and the payload of a token whose signature, issuer and audience hold."""

    header: Mapping[str, Any]
    payload: Mapping[str, Any]
    issuer: TrustedIssuer


class TokenVerifier:
    """Names the principal of each token of a user or visitor."""

    def __init__(
        self,
        signing_keys: SigningKeys,
        issuers: Mapping[str, TrustedIssuer],
        *,
        holds: Callable[[str], bool],
        visitors: VisitorStore,
        anonymous: Callable[[], bool],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Trust this service, by its *signing_keys*, and *issuers*, by the name of each.

        *holds* tells whether an API key has not ended: with it end the tokens that it minted.
        *visitors* knows those who ended; *anonymous* tells whether one is let in whom no key
        stands behind.
        """
        self._signing_keys = signing_keys
        self._issuers = {**issuers, OURS: OwnIssuer(signing_keys, anonymous=anonymous)}
        self._holds = holds
        self._visitors = visitors
        self._anonymous = anonymous
        self._clock = clock
        self._verified = VerifiedTokens()

    async def principal(self, given: Credentials) -> Principal:
        """Return whom the token of *given* is about.

        Raises:
            PermissionDenied: it is none that is good here (TOKEN_INVALID), it has expired
                (TOKEN_EXPIRED), or not for the origin of the page (ORIGIN_NOT_ALLOWED).
            Unavailable: the keys of its issuer cannot be read now.
        """
        token, origin = given.token, given.origin
        found = self._verified.get(token)
        if found is not None and found.kid and not self._signing_keys.are_fresh:
            await self._signing_keys.refresh()
        if (
            found is None
            # Not before it was verified either: until a clock that was set back has caught up,
            # keys are taken away and visitors end.
            or not found.since <= self._clock() < found.until
            or (found.kid and not self._signing_keys.knows(found.kid))
        ):
            self._verified.drop(token)
            found = await self._verify(token)
        if found.kid and found.principal.credential and not self._holds(found.principal.credential):
            raise invalid("the API key that it was minted with has ended")
        if found.principal.origins and origin not in found.principal.origins:
            raise PermissionDenied(
                "the token is for pages of other origins; have one minted for this one",
                reason="ORIGIN_NOT_ALLOWED",
            )
        return found.principal

    async def _verify(self, token: str) -> VerifiedToken:
        """Verify *token* and remember whom it is about."""
        header, payload, issuer = await self.claims(token)
        try:
            principal = issuer.principal(header, payload, self._clock())
        except TokenFault as exc:
            raise invalid(str(exc)) from exc
        kid = str(header["kid"]) if isinstance(issuer, OwnIssuer) else ""
        known = issuer.keys.fresh
        if PrincipalKind.VISITOR in (principal.kind, principal.granted_by):
            await self._check_visitor(principal.project, principal.subject)
            known = _LOOKED_AT
        now = self._clock()
        verified = VerifiedToken(principal, now, min(principal.expires, now + known), kid)
        self._verified.put(token, verified)
        return verified

    async def own(self, token: str, kinds: Collection[str], *, longest: float) -> Mapping[str, Any]:
        """Return what a *token* of a visitor says that is one of *kinds*, but no credential here.

        It is good for *longest* seconds at most. Whether the visitor has ended is for the caller
        to find out.

        Raises:
            PermissionDenied, Unavailable: as `principal` does.
        """
        header, payload, issuer = await self.claims(token)
        if not isinstance(issuer, OwnIssuer) or header.get("typ") not in kinds:
            raise invalid("it is no such token of a visitor")
        try:
            token_claims.expiry(payload, self._clock(), longest=longest)
            trusted_issuers.check_client(payload, anonymous=self._anonymous())
        except TokenFault as exc:
            raise invalid(str(exc)) from exc
        client = str(payload.get("client_id", ""))
        if client and not self._holds(client):
            raise invalid("the API key that it was minted with has ended")
        return payload

    async def _check_visitor(self, project: str, subject: str) -> None:
        if not await self._visitors.is_live(project, subject):
            raise invalid("the visitor has become a user, or was ended")

    async def claims(self, token: str) -> VerifiedClaims:
        """Return what *token* says once its signature, issuer and audience hold.

        Its times and its subject are for the caller to judge.

        Raises:
            PermissionDenied: they do not hold (TOKEN_INVALID).
            Unavailable: the keys of its issuer cannot be read now.
        """
        header, payload = _read(token)
        name = payload.get("iss")
        issuer = self._issuers.get(name) if isinstance(name, str) else None
        if issuer is None:
            raise invalid("its iss is none that is trusted here")
        algorithm, kid = str(header.get("alg")), header.get("kid", "")
        if not isinstance(kid, str) or len(kid) > _LONGEST_KID:
            raise invalid("its kid is no id of a key")
        for key in (await issuer.keys.keys(algorithm, kid))[:_MOST_KEYS]:
            if _is_signed(token, key.key, key.algorithm):
                break
        else:
            raise invalid("no key of its issuer verifies it")
        audience = payload.get("aud")
        if issuer.audience not in (audience if isinstance(audience, list) else [audience]):
            raise invalid("its aud is not the one that is expected here")
        return VerifiedClaims(header, payload, issuer)


def _read(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the payload of *token*, neither of them verified."""
    if len(token) > LARGEST:
        raise invalid(f"it has more than {LARGEST} characters")
    if not _FORM.fullmatch(token):
        raise invalid("it has not the form of a JWT")
    try:
        read = _unverified.decode_complete(token, options={"verify_signature": False})
    except jwt.InvalidTokenError as exc:
        raise invalid("it is no JWT") from exc
    header: dict[str, Any] = read["header"]
    if not _REFUSED.isdisjoint(header):
        raise invalid("its header has what no token needs: jku, jwk, x5u, x5c, crit, b64 or zip")
    return header, read["payload"]


def _is_signed(token: str, key: Any, algorithm: str) -> bool:
    try:
        _signatures.decode_complete(token, key, algorithms=[algorithm])
    except jwt.InvalidTokenError:
        return False
    return True
