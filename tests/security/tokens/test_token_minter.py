"""Which tokens a server may have minted, and what is wrong with the others."""

from __future__ import annotations

from typing import Any

import jwt
import pytest

from service.security.principals import Principal, PrincipalKind
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_minter import TokenMinter
from sessions.errors import InvalidArgument, NotFound
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.tokens import MintTokenRequest
from tests.security.tokens.signers import NOW, OTHER, STORE

pytestmark = pytest.mark.anyio

SERVER = Principal(kind=PrincipalKind.SERVER, id="key:k1", project="p", credential="k1")


@pytest.fixture
def minter(redis: Redis, keys: Keys) -> TokenMinter:
    return TokenMinter(SigningKeys(redis, keys), clock=lambda: NOW)


async def test_a_token_says_what_was_asked_for_and_who_minted_it(minter: TokenMinter) -> None:
    asked = MintTokenRequest(
        subject="ann",
        data_stores=("projects/p/locations/global/dataStores/staff", STORE),
        origins=("https://www.example.org",),
        claims={"groups": ["staff"], "region": "north"},
        ttl="60s",
    )
    made = await minter.mint(SERVER, STORE, asked)
    assert made.expire_time is not None
    assert made.expire_time.timestamp() == NOW + 60
    said = jwt.decode(made.token, options={"verify_signature": False})
    assert said.pop("jti")
    assert said == {
        "iss": "colloquy",
        "aud": "colloquy",
        "sub": "ann",
        "iat": NOW,
        "exp": NOW + 60,
        "project": "p",
        "dataStores": [STORE, OTHER],
        "origins": ["https://www.example.org"],
        "claims": {"groups": ["staff"], "region": ["north"]},
        "client_id": "k1",
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", ""),
        ("subject", "visitor-1"),
        ("subject", "key:1"),
        ("subject", "\u202eann"),
        ("data_stores", ("help",)),
        ("data_stores", ("projects/q/locations/global/dataStores/help",)),
        ("data_stores", (f"{STORE}/branches/0",)),
        ("data_stores", (f"{STORE}%2f",)),
        ("data_stores", (OTHER,) * 20),
        ("origins", ("*",)),
        ("origins", ("www.example.org",)),
        ("origins", ("https://www.example.org/",)),
        ("claims", {"groups": 1}),
        ("claims", {"groups": {"a": "b"}}),
        ("claims", {"two words": "x"}),
        ("claims", {"groups": ["x" * 250] * 40}),
        ("ttl", "601s"),
        ("ttl", "0s"),
        ("ttl", "-1s"),
        ("ttl", "0.500s"),
    ],
)
async def test_a_field_that_cannot_be_used_is_named(
    minter: TokenMinter, field: str, value: Any
) -> None:
    given: dict[str, Any] = {"subject": "ann", field: value}
    with pytest.raises(InvalidArgument) as caught:
        await minter.mint(SERVER, STORE, MintTokenRequest(**given))
    wanted = "dataStores" if field == "data_stores" else field
    assert caught.value.field == wanted


async def test_a_server_mints_no_token_for_what_it_does_not_reach(minter: TokenMinter) -> None:
    bound = Principal(kind=PrincipalKind.SERVER, id="key:k1", project="p", data_stores=(STORE,))
    asked = MintTokenRequest(subject="ann", data_stores=(OTHER,))
    with pytest.raises(NotFound):
        await minter.mint(bound, STORE, asked)


async def test_all_replicas_sign_by_the_same_key(redis: Redis, keys: Keys) -> None:
    first, second = SigningKeys(redis, keys), SigningKeys(redis, keys)
    assert (await first.current()) == (await second.current())
    assert await first.rotate() == (await second.current()).kid
