"""Read what a verified token says, and refuse what it does not say as it should (RFC 7519, 4.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from sessions import names
from sessions.errors import PermissionDenied

LIFE: Final = 600
"""Seconds for which a token is good, at most; an OIDC provider decides that itself."""
LEEWAY: Final = 30
"""Seconds by which the clocks of a signer and of this service may differ.

`expiry` alone applies it: whatever stands on a token, a request, a stream or a socket, holds for so
long after its ``exp``."""
LARGEST: Final = 8 * 1024
"""Characters of a token: servers on the way often take no longer header."""
MOST_CLAIMS: Final = 20
MOST_VALUES: Final = 200
"""Values of one claim: the groups of a person."""
LONGEST_VALUE: Final = 256
MOST_DATA_STORES: Final = 20
MOST_ORIGINS: Final = 20

_CLAIM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_STORE: Final = re.compile(rf"(?:{names.PARENT}|{names.RAG_CORPUS})")
_LATEST: Final = 1 << 40
"""Epoch seconds after which no time is meant."""


class TokenFault(Exception):
    """What a token says cannot be used; the message says why, and not what it says."""


def invalid(why: str) -> PermissionDenied:
    """Return the error for a token that is not good here, and will not be."""
    return PermissionDenied(
        f"the token is not accepted: {why}; ask the portal for another one", reason="TOKEN_INVALID"
    )


def expired() -> PermissionDenied:
    """Return the error for a token that was good."""
    return PermissionDenied(
        "the token has expired; ask the portal for a new one", reason="TOKEN_EXPIRED"
    )


def expiry(payload: Mapping[str, Any], now: float, *, longest: float) -> float:
    """Return the epoch second until which a token holds, whose times are as they should be.

    That is its ``exp`` and the leeway. It has ``exp`` and ``iat``; *longest* bounds the seconds
    between them, 0 does not.

    Raises:
        TokenFault: it is of the future, lives too long, or a time is missing or no number.
        PermissionDenied: it has expired (TOKEN_EXPIRED).
    """
    ends, issued = _time(payload, "exp"), _time(payload, "iat")
    if issued > now + LEEWAY:
        raise TokenFault("its iat lies in the future; set the clock of who signs it")
    if "nbf" in payload and _time(payload, "nbf") > now + LEEWAY:
        raise TokenFault("its nbf lies in the future")
    if ends < issued or (longest and ends - issued > longest):
        raise TokenFault(f"its exp lies more than {longest:.0f} seconds after its iat, or before")
    if ends + LEEWAY <= now:
        raise expired()
    return ends + LEEWAY


def data_stores(
    given: object, resolved: Callable[[str], str] = lambda name: name
) -> tuple[str, ...]:
    """Return the canonical names of *given*: data stores, engines and corpora of one project.

    *resolved* returns a name with the id of its project.

    Raises:
        TokenFault: they are none, too many, of several projects, or something else.
    """
    told = texts(given, most=MOST_DATA_STORES, longest=512)
    found = [resolved(names.canonical(each)) for each in told]
    if not found:
        raise TokenFault("it names no data store")
    if not all(_STORE.fullmatch(name) for name in found):
        raise TokenFault("its data stores are no full names of data stores, engines or corpora")
    if len({project(name) for name in found}) > 1:
        raise TokenFault("its data stores are of several projects")
    return tuple(dict.fromkeys(found))


def project(name: str) -> str:
    """Return the id of the project that the resource *name* is of."""
    return name.split("/", 2)[1]


def claims(given: object) -> dict[str, tuple[str, ...]]:
    """Return the claims in *given*, an object whose members are texts or lists of texts.

    Raises:
        TokenFault: it is something else, or too much.
    """
    if not isinstance(given, Mapping):
        raise TokenFault("its claims are no object")
    members = cast(Mapping[Any, Any], given)
    if len(members) > MOST_CLAIMS:
        raise TokenFault(f"it has more than {MOST_CLAIMS} claims")
    if not all(isinstance(name, str) and _CLAIM.fullmatch(name) for name in members):
        raise TokenFault("the name of a claim is not made of letters, digits and '_'")
    return {name: texts(value) for name, value in members.items()}


def texts(
    given: object, *, most: int = MOST_VALUES, longest: int = LONGEST_VALUE
) -> tuple[str, ...]:
    """Return the texts that *given* has: one, or a list of *most*, of *longest* characters each.

    Raises:
        TokenFault: it is something else.
    """
    values: Sequence[Any] = [given] if isinstance(given, str) else given  # type: ignore[assignment]
    if not isinstance(values, list | tuple) or len(values) > most:
        raise TokenFault(f"a claim is neither a text nor a list of at most {most} texts")
    if not all(isinstance(each, str) and 0 < len(each) <= longest for each in values):
        raise TokenFault(f"a value of a claim is no text of 1 to {longest} characters")
    return tuple(values)


def _time(payload: Mapping[str, Any], claim: str) -> float:
    """Return a NumericDate (RFC 7519, 2): a number, and no text or boolean that passes for one."""
    value = payload.get(claim)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TokenFault(f"its {claim} is missing or no number")
    # Written so that NaN is refused as well.
    if not 0 <= value <= _LATEST:
        raise TokenFault(f"its {claim} is no time")
    return float(value)
