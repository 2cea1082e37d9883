"""The keys of a provider: which of them count, how they rotate, and what an outage does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from jwt import algorithms

from service.security.tokens import verification_keys
from service.security.tokens.provider_keys import FRESH, PAUSE, STALE, ProviderKeys
from sessions.errors import Unavailable
from tests.security.tokens import signers

pytestmark = pytest.mark.anyio


def jwk(key: Any, **members: Any) -> dict[str, Any]:
    """Return the public half of *key* as a JWK."""
    match key:
        case rsa.RSAPrivateKey():
            algorithm: Any = algorithms.RSAAlgorithm
        case ec.EllipticCurvePrivateKey():
            algorithm = algorithms.ECAlgorithm
        case _:
            algorithm = algorithms.OKPAlgorithm
    return algorithm.to_jwk(key.public_key(), as_dict=True) | members


class Provider:
    """Publishes *keys*, or is *away*."""

    def __init__(self, *keys: dict[str, Any]) -> None:
        self.published = list(keys)
        self.away = False
        self.asked = 0
        self.now = 0.0

    async def fetch(self) -> bytes:
        self.asked += 1
        if self.away:
            raise verification_keys.unreadable("it is away")
        return json.dumps({"keys": self.published}).encode()

    def keys(self, *algorithms: str) -> ProviderKeys:
        return ProviderKeys(self.fetch, algorithms or ("EdDSA",), clock=lambda: self.now)


OLD = jwk(signers.ED25519, kid="old")
NEW = jwk(ed25519.Ed25519PrivateKey.generate(), kid="new")


async def test_a_new_key_is_found_by_the_first_token_that_names_it() -> None:
    provider = Provider(OLD)
    keys = provider.keys()
    assert [key.kid for key in await keys.keys("EdDSA", "old")] == ["old"]
    provider.published, provider.now = [OLD, NEW], PAUSE
    assert [key.kid for key in await keys.keys("EdDSA", "new")] == ["new"]
    assert provider.asked == 2


async def test_made_up_ids_ask_the_provider_once_in_a_while() -> None:
    provider = Provider(OLD)
    keys = provider.keys()
    for number in range(100):
        assert await keys.keys("EdDSA", f"made-up-{number}") == []
    assert provider.asked == 1
    provider.now = PAUSE
    assert await keys.keys("EdDSA", "made-up") == []
    assert provider.asked == 2


async def test_a_key_that_is_taken_away_ends() -> None:
    provider = Provider(OLD, NEW)
    keys = provider.keys()
    assert await keys.keys("EdDSA", "old")
    provider.published, provider.now = [NEW], FRESH + 1
    assert await keys.keys("EdDSA", "old") == []


async def test_known_keys_outlive_an_outage_for_an_hour_and_unknown_ones_wait() -> None:
    provider = Provider(OLD)
    keys = provider.keys()
    await keys.keys("EdDSA", "old")
    provider.away = True
    for provider.now in (FRESH + 1, STALE):
        assert await keys.keys("EdDSA", "old")
        with pytest.raises(Unavailable, match="it is away"):
            await keys.keys("EdDSA", "new")
    provider.now = STALE + 1
    with pytest.raises(Unavailable):
        await keys.keys("EdDSA", "old")
    provider.away, provider.now = False, STALE + 1 + PAUSE
    assert await keys.keys("EdDSA", "old")


async def test_nobody_is_let_in_before_the_keys_were_read() -> None:
    provider = Provider(OLD)
    provider.away = True
    keys = provider.keys()
    for _ in range(3):
        with pytest.raises(Unavailable):
            await keys.keys("EdDSA", "old")
    assert provider.asked == 1


@pytest.mark.parametrize(
    "other",
    [
        {"kty": "oct", "k": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY", "kid": "k"},
        jwk(signers.RSA, kid="k"),
        jwk(ec.generate_private_key(ec.SECP384R1()), kid="k"),
        jwk(rsa.generate_private_key(65537, 1024), kid="k", alg="EdDSA"),
        jwk(signers.ED25519, kid="k", use="enc"),
        jwk(signers.ED25519, kid="k", key_ops=["sign"]),
        jwk(signers.ED25519, kid="k", alg="HS256"),
        jwk(signers.ED25519, kid=7),
        {"kid": "k"},
        {"kty": "OKP", "crv": "Ed25519", "kid": "k", "x": "AA"},
        {"kty": "unknown", "kid": "k"},
    ],
    ids=[
        *("symmetric", "rsa", "other-curve", "short-rsa", "for-encryption", "for-signing"),
        *("other-alg", "kid-no-text", "no-kty", "short-x", "unknown-kty"),
    ],
)
async def test_keys_that_are_no_such_keys_are_passed_over(other: dict[str, Any]) -> None:
    keys = Provider(other, OLD).keys()
    assert await keys.keys("EdDSA", "k") == []
    assert await keys.keys("HS256", "k") == []
    assert [key.kid for key in await keys.keys("EdDSA", "old")] == ["old"]


async def test_without_an_id_the_key_has_to_be_the_only_one() -> None:
    assert len(await Provider(OLD).keys().keys("EdDSA", "")) == 1
    assert await Provider(OLD, NEW).keys().keys("EdDSA", "") == []


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"keys": 1}', b'{"keys": []}', b"\xff", b"[" * 9999]
)
async def test_what_is_no_key_set_is_an_outage(data: bytes) -> None:
    async def fetch() -> bytes:
        return data

    with pytest.raises(Unavailable):
        await ProviderKeys(fetch, ("EdDSA",)).keys("EdDSA", "old")
