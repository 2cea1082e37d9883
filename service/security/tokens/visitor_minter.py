"""Sign tokens of visitors, and renew them, so that one who comes back is the same visitor.

A token of a visitor is as short as that of a user. Beside it comes a renewal token, good for
nothing but the next pair, and once: where two show the same, neither goes on (RFC 9700, 4.14.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from service.portal.portal import Portal
from service.security.principals import Principal, PrincipalKind
from service.security.tokens import subjects, trusted_issuers
from service.security.tokens.token_claims import LIFE, invalid
from service.security.tokens.token_minter import TokenMinter, checked_origins, reached
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.visitor_store import VisitorStore
from sessions import names
from sessions.errors import InvalidArgument, PermissionDenied
from sessions.resources.tokens import MintVisitorTokenRequest, MintVisitorTokenResponse

RENEWAL_LIFE: Final = 30 * 86_400
"""Seconds for which a visitor who does not come back can still be the same one."""


class VisitorMinter:
    """Mints and renews tokens of visitors. Methods raise `Unavailable` while Redis is away."""

    def __init__(
        self,
        minter: TokenMinter,
        verifier: TokenVerifier,
        store: VisitorStore,
        portal: Portal,
    ) -> None:
        self._minter = minter
        self._verifier = verifier
        self._store = store
        self._portal = portal

    def check_welcome(self, caller: Principal, name: str, data_stores: Sequence[str]) -> None:
        """Refuse strangers at *name*, over *data_stores*, where the operator wants none.

        Raises:
            NotFound: for who brings nothing it is not there.
        """
        if caller.kind is PrincipalKind.NOBODY:
            policies = map(self._portal.policy, (name, *data_stores))
            if not all(policy is None or policy.visitors for policy in policies):
                raise names.absent(name)

    async def mint(
        self, caller: Principal, name: str, request: MintVisitorTokenRequest
    ) -> MintVisitorTokenResponse:
        """Return the tokens of a new visitor of *name*, or of the one of the renewal token.

        Raises:
            InvalidArgument: a field of *request* cannot be used; it is named.
            NotFound: *caller* does not reach one of the data stores.
            PermissionDenied: a visitor asks to be another one (NOT_PERMITTED), or the renewal
                token is not accepted (TOKEN_INVALID, TOKEN_EXPIRED).
        """
        if request.renewal_token:
            if request.data_stores or request.origins:
                raise InvalidArgument(
                    "dataStores: a renewal is for what the first token was for; leave it out",
                    field="dataStores",
                )
            return await self._signed(*await self._renewed(caller, name, request.renewal_token))
        if caller.kind is PrincipalKind.VISITOR:
            raise PermissionDenied(
                "a visitor gets no second id; send the renewalToken of this one",
                reason="NOT_PERMITTED",
            )
        if caller.kind is PrincipalKind.NOBODY and request.data_stores:
            raise PermissionDenied(
                "dataStores: only servers name more than the one in the path",
                reason="NOT_PERMITTED",
                field="dataStores",
            )
        said: dict[str, Any] = {
            "sub": subjects.new_visitor(),
            "dataStores": reached(caller, name, request.data_stores),
        }
        if caller.credential:
            said["client_id"] = caller.credential
        if request.origins:
            said["origins"] = checked_origins(request.origins)
        return await self._signed(said, 0)

    async def _renewed(
        self, caller: Principal, name: str, token: str
    ) -> tuple[Mapping[str, Any], int]:
        """Return what the next tokens of the visitor say, and their generation."""
        payload = await self._verifier.own(token, {trusted_issuers.RENEWAL}, longest=RENEWAL_LIFE)
        subject = str(payload["sub"])
        if caller.kind is PrincipalKind.VISITOR and caller.subject != subject:
            raise invalid("it is of another visitor")
        if name not in payload["dataStores"] or not all(map(caller.reaches, payload["dataStores"])):
            raise names.absent(name)
        following = await self._store.renew(str(payload["project"]), subject, payload["gen"])
        if following is None:
            raise invalid("it was used already, or the visitor has become a user")
        kept = ("sub", "dataStores", "client_id", "origins")
        return {each: payload[each] for each in kept if each in payload}, following

    async def _signed(self, said: Mapping[str, Any], generation: int) -> MintVisitorTokenResponse:
        token, ends = await self._minter.sign(trusted_issuers.VISITOR, said, LIFE)
        renewal, renewal_ends = await self._minter.sign(
            trusted_issuers.RENEWAL, {**said, "gen": generation}, RENEWAL_LIFE
        )
        return MintVisitorTokenResponse(
            token=token,
            expire_time=ends,
            user_pseudo_id=str(said["sub"]),
            renewal_token=renewal,
            renewal_expire_time=renewal_ends,
        )
