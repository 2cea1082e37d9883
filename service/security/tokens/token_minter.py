"""Sign tokens of users, for the servers that know who they are."""

from __future__ import annotations

import datetime as dt
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import jwt

from service.security.principals import Principal
from service.security.tokens import subjects, token_claims, trusted_issuers
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_claims import LARGEST, LIFE, TokenFault
from service.setting_values import exact_origins
from sessions import names
from sessions.errors import InvalidArgument, NotFound
from sessions.resources.tokens import MintTokenRequest, MintTokenResponse

_TTL: Final = re.compile(r"([0-9]{1,6})(?:\.0+)?s")
_NAME: Final = rf"(?:{names.PARENT}|{names.RAG_CORPUS})"
_T = TypeVar("_T")


class TokenMinter:
    """Mints tokens of users. Methods raise `Unavailable` where the signing keys cannot be read."""

    def __init__(self, keys: SigningKeys, *, clock: Callable[[], float] = time.time) -> None:
        self._keys = keys
        self._clock = clock

    async def mint(
        self, minter: Principal, name: str, request: MintTokenRequest
    ) -> MintTokenResponse:
        """Return a token for the data store or engine *name*, asked for by *minter*.

        It ends with the credential of *minter*.

        Raises:
            InvalidArgument: a field of *request* cannot be used; it is named.
            NotFound: *minter* does not reach one of the data stores.
        """
        said: dict[str, Any] = {
            "sub": _checked("subject", subjects.check_user, request.subject),
            "dataStores": reached(minter, name, request.data_stores),
            "client_id": minter.credential,
        }
        if request.origins:
            said["origins"] = checked_origins(request.origins)
        if request.claims:
            said["claims"] = _checked("claims", token_claims.claims, request.claims)
        token, ends = await self.sign(trusted_issuers.USER, said, _seconds(request.ttl))
        if len(token) > LARGEST:
            raise InvalidArgument(
                f"claims: the token would have more than {LARGEST} characters; say less of the "
                "user",
                field="claims",
            )
        return MintTokenResponse(token=token, expire_time=ends)

    async def sign(
        self, kind: str, said: Mapping[str, Any], seconds: int
    ) -> tuple[str, dt.datetime]:
        """Return a token of a *kind* that says what is *said* for some *seconds*, and its end."""
        key = await self._keys.current()
        now = int(self._clock())
        payload = {
            "iss": trusted_issuers.OURS,
            "aud": trusted_issuers.OURS,
            "iat": now,
            "exp": now + seconds,
            "jti": secrets.token_urlsafe(12),
            "project": token_claims.project(said["dataStores"][0]),
            **said,
        }
        headers = {"typ": kind, "kid": key.kid}
        token = jwt.encode(payload, key.key, algorithm=key.algorithm, headers=headers)
        return token, dt.datetime.fromtimestamp(now + seconds, dt.UTC)


def reached(principal: Principal, name: str, others: Sequence[str]) -> list[str]:
    """Return the canonical names of what a token for *name*, and for *others* beside it, is for.

    Raises:
        InvalidArgument: (``dataStores``) one is no name, of another project, or they are too many.
        NotFound: *principal* does not reach one.
    """
    field = "dataStores"
    if len(others) >= token_claims.MOST_DATA_STORES:
        raise InvalidArgument(
            f"{field}: give fewer than {token_claims.MOST_DATA_STORES}", field=field
        )
    found = dict.fromkeys([name, *(names.checked(each, _NAME, field=field) for each in others)])
    for each in found:
        if token_claims.project(each) != token_claims.project(name):
            raise InvalidArgument(f"{field}: give names of the project in the path", field=field)
        if not principal.reaches(each):
            raise NotFound(f"there is no data store or engine '{each}'", resource=each)
    return list(found)


def checked_origins(given: Sequence[str]) -> tuple[str, ...]:
    """Return the origins that a token is bound to.

    Raises:
        InvalidArgument: (``origins``) one is none as browsers send it.
    """
    return _checked("origins", _origins, given)


def _seconds(ttl: str | None) -> int:
    """Return the seconds that *ttl* asks for."""
    if ttl is None:
        return LIFE
    found = _TTL.fullmatch(ttl)
    if found is None or not 1 <= int(found[1]) <= LIFE:
        raise InvalidArgument(f"ttl: give whole seconds, 1s to {LIFE}s", field="ttl")
    return int(found[1])


def _origins(given: Sequence[str]) -> tuple[str, ...]:
    return token_claims.texts(exact_origins(given), most=token_claims.MOST_ORIGINS)


def _checked(field: str, check: Callable[[Any], _T], value: object) -> _T:
    """Return what *check* makes of the *value* of a *field*.

    Raises:
        InvalidArgument: it refuses that.
    """
    try:
        return check(value)
    except (ValueError, TokenFault) as exc:
        raise InvalidArgument(f"{field}: {exc}", field=field) from exc
