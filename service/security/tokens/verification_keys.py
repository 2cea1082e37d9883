"""Keys that verify signatures, each for one algorithm that its own form decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from sessions.errors import Unavailable

SMALLEST_SECRET: Final = 32
"""Bytes of a secret for HS256: as many as its hash has (RFC 7518, 3.2)."""
_SMALLEST_RSA: Final = 2048
"""Bits of an RSA key (RFC 7518, 3.3)."""
_MOST_KEYS: Final = 4
"""Keys in one file: an old one and its successor, and one more of each."""
_END: Final = b"-----END PUBLIC KEY-----"


class VerificationKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key and the one algorithm that it verifies: so no other can be made of it (RFC 8725, 3.1).

    *kid* is "" where the key has none.
    """

    algorithm: str
    key: Any
    kid: str = ""


class KeySource(Protocol):
    """The keys of one issuer, wherever they come from."""

    @property
    def fresh(self) -> float:
        """Seconds for which what they verified is not verified again: a key may be taken away."""
        ...

    async def keys(self, algorithm: str, kid: str) -> Sequence[VerificationKey]:
        """Return the keys that may have signed a token whose header says *algorithm* and *kid*.

        Raises:
            Unavailable: that cannot be told now, since the keys cannot be read.
        """
        ...


def unreadable(why: str) -> Unavailable:
    """Return the error for a token whose keys cannot be read now."""
    return Unavailable(
        f"the token cannot be verified now: the keys of its issuer cannot be read, {why}; try "
        "again in a moment",
        reason="ISSUER_UNAVAILABLE",
    )


def secret_key(secret: bytes, kid: str = "") -> VerificationKey:
    """Return the key that *secret* is.

    Raises:
        ValueError: it is too short, or it is a public key, which is no secret.
    """
    if b"-----BEGIN " in secret:
        raise ValueError("it holds a key in PEM, which is no secret of HS256")
    if len(secret) < SMALLEST_SECRET:
        raise ValueError(f"a secret has at least {SMALLEST_SECRET} bytes")
    return VerificationKey(algorithm="HS256", key=secret, kid=kid)


def public_keys(pem: bytes) -> list[VerificationKey]:
    """Return the public keys in *pem*, one behind the other, so that one can follow another.

    Raises:
        ValueError: there are none, too many, or one that verifies no algorithm that is allowed.
    """
    blocks = [block + _END for block in pem.split(_END)[:-1]]
    if not 1 <= len(blocks) <= _MOST_KEYS:
        raise ValueError(f"give 1 to {_MOST_KEYS} public keys in PEM (BEGIN PUBLIC KEY)")
    return [public_key(_loaded(block)) for block in blocks]


def public_key(key: object, kid: str = "") -> VerificationKey:
    """Return *key*, a public key, with the algorithm that it is of.

    Raises:
        ValueError: it is of none that is allowed, or too weak.
    """
    match key:
        case Ed25519PublicKey():
            algorithm = "EdDSA"
        case EllipticCurvePublicKey(curve=SECP256R1()):
            algorithm = "ES256"
        case RSAPublicKey(key_size=bits) if bits >= _SMALLEST_RSA:
            algorithm = "RS256"
        case _:
            raise ValueError("give keys of Ed25519, of P-256, or of RSA with 2048 bits or more")
    return VerificationKey(algorithm=algorithm, key=key, kid=kid)


def _loaded(pem: bytes) -> object:
    try:
        return load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm) as exc:
        raise ValueError("a public key in it cannot be read") from exc
