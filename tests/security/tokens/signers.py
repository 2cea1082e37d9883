"""Those who sign tokens in tests: keys of each kind, and tokens by them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from service.security.tokens import verification_keys
from service.security.tokens.trusted_issuers import PortalIssuer
from service.security.tokens.verification_keys import VerificationKey

NOW: Final = 1_800_000_000
STORE: Final = "projects/p/locations/global/collections/default_collection/dataStores/help"
OTHER: Final = "projects/p/locations/global/collections/default_collection/dataStores/staff"
ED25519: Final = ed25519.Ed25519PrivateKey.generate()
P256: Final = ec.generate_private_key(ec.SECP256R1())
RSA: Final = rsa.generate_private_key(65537, 2048)
SECRET: Final = b"0123456789abcdef0123456789abcdef"
PRIVATE: Final[dict[str, Any]] = {
    "EdDSA": ED25519,
    "ES256": P256,
    "RS256": RSA,
    "HS256": SECRET,
}


class StaticKeys:
    """Keys that never change."""

    fresh: float = 600.0

    def __init__(self, keys: Sequence[VerificationKey]) -> None:
        self._keys = tuple(keys)

    async def keys(self, algorithm: str, kid: str) -> Sequence[VerificationKey]:
        """Return those of the *algorithm*."""
        del kid
        return [key for key in self._keys if key.algorithm == algorithm]


def pem(key: Any) -> bytes:
    """Return the public half of *key*, as files have it."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def payload(**changed: Any) -> dict[str, Any]:
    """Return what a good token of the portal says, with what is *changed*; None leaves out."""
    said = {"iss": "portal", "aud": "help", "sub": "ann", "iat": NOW, "exp": NOW + 300}
    return {name: each for name, each in (said | changed).items() if each is not None}


def token(algorithm: str = "EdDSA", headers: dict[str, Any] | None = None, **changed: Any) -> str:
    """Return a token of the portal, signed by its key of *algorithm*."""
    said = json.dumps(payload(**changed)).encode()
    return jwt.PyJWS().encode(said, PRIVATE[algorithm], algorithm=algorithm, headers=headers)


def issuer(algorithm: str = "EdDSA", **changed: Any) -> PortalIssuer:
    """Return the portal as an issuer that signs by *algorithm*."""
    if algorithm == "HS256":
        keys = [verification_keys.secret_key(SECRET)]
    else:
        keys = verification_keys.public_keys(pem(PRIVATE[algorithm]))
    given: dict[str, Any] = {
        "issuer": "portal",
        "audience": "help",
        "keys": StaticKeys(keys),
        "longest": 600,
        "data_stores": (STORE, OTHER),
    }
    return PortalIssuer(**(given | changed))
