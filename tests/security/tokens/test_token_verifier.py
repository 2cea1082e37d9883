"""What is a token here, and what only looks like one."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.security.credentials import Credentials
from service.security.principals import PrincipalKind
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_minter import TokenMinter
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.trusted_issuers import PortalIssuer
from sessions.errors import PermissionDenied
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.security.tokens import signers
from tests.security.tokens.signers import NOW, OTHER, STORE, issuer, payload, token

pytestmark = pytest.mark.anyio


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = float(NOW)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def signing(redis: Redis, keys: Keys) -> SigningKeys:
    return SigningKeys(redis, keys)


HELD = {"k1"}
"""The API keys that hold."""


def verifier(signing: SigningKeys, clock: Clock, *issuers: PortalIssuer) -> TokenVerifier:
    trusted = issuers or (issuer(),)
    return TokenVerifier(
        signing,
        {one.issuer: one for one in trusted},
        holds=HELD.__contains__,
        visitors=_UNASKED,
        anonymous=bool,
        clock=clock,
    )


def brought(given: str, origin: str = "") -> Credentials:
    return Credentials(token=given, origin=origin)


async def refusal(asked: TokenVerifier, given: str, origin: str = "") -> str:
    with pytest.raises(PermissionDenied) as caught:
        await asked.principal(brought(given, origin))
    assert not given or given not in caught.value.message
    return caught.value.reason


@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256", "RS256", "HS256"])
async def test_a_token_of_the_portal_names_its_user(
    signing: SigningKeys, clock: Clock, algorithm: str
) -> None:
    asked = verifier(signing, clock, issuer(algorithm))
    claims = {"groups": ["staff", "it"], "region": "north"}
    found = await asked.principal(brought(token(algorithm, claims=claims, dataStores=[STORE])))
    assert (found.kind, found.id, found.subject) == (PrincipalKind.USER, "user:p/ann", "ann")
    assert (found.project, found.data_stores) == ("p", (STORE,))
    assert found.claims == {"groups": ("staff", "it"), "region": ("north",)}
    assert (found.credential, found.expires) == ("issuer:portal", NOW + 330)


async def test_a_token_that_names_no_data_store_is_for_all_of_its_issuer(
    signing: SigningKeys, clock: Clock
) -> None:
    found = await verifier(signing, clock).principal(brought(token()))
    assert found.data_stores == (STORE, OTHER)


async def test_claims_are_found_where_a_provider_has_them(
    signing: SigningKeys, clock: Clock
) -> None:
    provider = issuer(
        longest=0,
        subject_claim="oid",
        claims={"groups": "realm_access.roles", "region": "https://id.example.org/region"},
    )
    said: dict[str, Any] = {"https://id.example.org/region": "north"}
    given = token(
        sub="pairwise",
        oid="ann",
        exp=NOW + 36_000,
        realm_access={"roles": ["staff"]},
        **said,
    )
    found = await verifier(signing, clock, provider).principal(brought(given))
    assert (found.subject, found.claims) == ("ann", {"groups": ("staff",), "region": ("north",)})


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "shop"},
        {"aud": ["shop"]},
        {"aud": None},
        {"aud": {"help": 1}},
        {"iss": "portal/"},
        {"iss": None},
        {"iss": ["portal"]},
        {"sub": None},
        {"sub": ""},
        {"sub": " ann"},
        {"sub": "ann\u200b"},
        {"sub": "a\u0301nn"},
        {"sub": "x" * 129},
        {"sub": "visitor-ann"},
        {"sub": "Visitor-ann"},
        {"sub": "ｖisitor-ann"},
        {"exp": None},
        {"exp": "9999999999"},
        {"exp": True},
        {"exp": NOW + 601},
        {"exp": NOW - 1},
        {"iat": None},
        {"iat": NOW + 31, "exp": NOW + 60},
        {"nbf": NOW + 31},
        {"nbf": "soon"},
        {"exp": float("inf")},
        {"dataStores": []},
        {"dataStores": "help"},
        {"dataStores": [STORE, 1]},
        {"dataStores": [STORE.replace("/p/", "/q/")]},
        {"dataStores": [STORE + "/branches/0"]},
        {"project": "q"},
        {"claims": ["staff"]},
        {"claims": {"groups": [["staff"]]}},
        {"claims": {"a.b": "c"}},
        {"claims": {f"c{n}": "x" for n in range(21)}},
        {"origins": [1]},
    ],
    ids=str,
)
async def test_a_signed_token_that_says_something_else_is_refused(
    signing: SigningKeys, clock: Clock, changed: dict[str, Any]
) -> None:
    given = token(**changed)
    assert await refusal(verifier(signing, clock), given) == "TOKEN_INVALID"


async def test_clocks_may_differ_by_half_a_minute(signing: SigningKeys, clock: Clock) -> None:
    asked, given = verifier(signing, clock), token(nbf=NOW)
    for clock.now in (NOW - 30, NOW + 329):
        assert (await asked.principal(brought(given))).subject == "ann"
    for clock.now in (NOW - 31, NOW + 330):
        await refusal(verifier(signing, clock), given)
    assert await refusal(asked, given) == "TOKEN_EXPIRED", "what was verified before ends, too"


def encoded(part: object) -> str:
    text = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def forged(header: dict[str, Any], signature: bytes = b"x", **changed: Any) -> str:
    return f"{encoded(header)}.{encoded(payload(**changed))}.{encoded(signature)}"


def with_public_key_as_secret(algorithm: str) -> str:
    """Return the classic confusion: an HMAC by what everybody knows."""
    said = f"{encoded({'alg': 'HS256'})}.{encoded(payload())}"
    key = signers.pem(signers.PRIVATE[algorithm])
    return f"{said}.{encoded(hmac.new(key, said.encode(), hashlib.sha256).digest())}"


ATTACKS = {
    "none": forged({"alg": "none"}, b""),
    "none, signed": forged({"alg": "none"}),
    "None": forged({"alg": "nOnE"}),
    "no algorithm": forged({}),
    "a list of algorithms": forged({"alg": ["EdDSA", "none"]}),
    "public key as secret": with_public_key_as_secret("EdDSA"),
    "another key of the kind": jwt.encode(
        payload(), signers.ed25519.Ed25519PrivateKey.generate(), "EdDSA"
    ),
    "another algorithm": token("RS256"),
    "key in the header": token(headers={"jwk": {"kty": "OKP", "crv": "Ed25519", "x": "AA"}}),
    "key at an address": token(headers={"jku": "https://evil.example/keys"}),
    "certificate at an address": token(headers={"x5u": "https://evil.example/c"}),
    "certificates": token(headers={"x5c": ["AA"]}),
    "critical": token(headers={"crit": ["b64"], "b64": True}),
    "compressed": token(headers={"zip": "DEF"}),
    "kid is a path": forged({"alg": "HS256", "kid": "../../dev/null"}),
    "kid is a number": forged({"alg": "EdDSA", "kid": 1}),
    "kid is long": forged({"alg": "EdDSA", "kid": "k" * 257}),
    "ours, by another": token(iss="colloquy", aud="colloquy"),
    "large": token(claims={"groups": ["x" * 200] * 60}),
    "huge": "a." + "x" * 1_000_000 + ".b",
    "padded": token() + "==",
    "four parts": token() + ".x",
    "two parts": token().rpartition(".")[0],
    "no signature": token().rpartition(".")[0] + ".",
    "space": token() + " ",
    "JSON": json.dumps({"payload": "", "signatures": []}),
    "empty": "",
    "not UTF-8": f"{encoded(b'{}')}.{encoded(bytes([255, 254]))}.eA",
    "deep": f"{encoded(b'{}')}.{encoded(b'[' * 4000)}.eA",
    "header is a list": f"{encoded(b'[]')}.{encoded(payload())}.eA",
    "payload is a list": f"{encoded({'alg': 'EdDSA'})}.{encoded([])}.eA",
}


@pytest.mark.parametrize("attack", ATTACKS)
async def test_what_only_looks_like_a_token_is_refused(
    signing: SigningKeys, clock: Clock, attack: str
) -> None:
    asked = verifier(signing, clock)
    assert await refusal(asked, ATTACKS[attack]) == "TOKEN_INVALID"


async def test_kid_chooses_no_key_of_another_issuer(signing: SigningKeys, clock: Clock) -> None:
    """Neither a foreign id nor a foreign name gets a signature held against a foreign key."""
    shop = issuer("HS256", issuer="shop")
    asked = verifier(signing, clock, issuer(), shop)
    ours = (await signing.current()).kid
    for each in (
        token("HS256", headers={"kid": "portal"}),
        token(iss="shop", headers={"kid": "shop"}),
        token("HS256", iss="colloquy", aud="colloquy", headers={"kid": ours}),
    ):
        assert await refusal(asked, each) == "TOKEN_INVALID"
    assert (await asked.principal(brought(token("HS256", iss="shop")))).credential == "issuer:shop"


async def test_a_token_bound_to_origins_is_good_from_those_pages_alone(
    signing: SigningKeys, clock: Clock
) -> None:
    asked, given = verifier(signing, clock), token(origins=["https://www.example.org"])
    assert (await asked.principal(brought(given, "https://www.example.org"))).subject == "ann"
    for origin in ("", "null", "https://www.example.org.evil.example", "http://www.example.org"):
        assert await refusal(asked, given, origin) == "ORIGIN_NOT_ALLOWED"


async def test_the_same_token_is_verified_once(signing: SigningKeys, clock: Clock) -> None:
    asked, given = verifier(signing, clock), token()
    first = await asked.principal(brought(given))
    assert await asked.principal(brought(given)) is first


async def test_a_token_that_was_verified_ends_all_the_same(
    signing: SigningKeys, clock: Clock
) -> None:
    """Each use asks the clock, which may be set in one step, and the page that it comes from."""
    asked, given = verifier(signing, clock), token(origins=["https://www.example.org"])
    ends = (await asked.principal(brought(given, "https://www.example.org"))).expires
    assert await refusal(asked, given) == "ORIGIN_NOT_ALLOWED"
    clock.now = ends
    assert await refusal(asked, given, "https://www.example.org") == "TOKEN_EXPIRED"
    clock.now = ends + 86_400
    assert await refusal(asked, given, "https://www.example.org") == "TOKEN_EXPIRED"


async def test_what_is_remembered_of_a_token_is_for_no_other(
    signing: SigningKeys, clock: Clock
) -> None:
    """One that says the same under another signature, or another user under the same."""
    asked, (ann, bert) = verifier(signing, clock), (token(), token(sub="bert"))
    assert (await asked.principal(brought(ann))).subject == "ann"
    assert (await asked.principal(brought(bert))).subject == "bert"
    said, signature = ann.rpartition(".")[0], bert.rpartition(".")[2]
    assert await refusal(asked, f"{said}.{signature}") == "TOKEN_INVALID"
    assert (await asked.principal(brought(ann))).subject == "ann"


@given(
    at=st.integers(0, 10_000),
    put=st.characters(codec="ascii"),
    how=st.sampled_from(["replace", "insert", "remove", "swap"]),
)
async def test_no_mutated_token_is_accepted(at: int, put: str, how: str) -> None:
    """One character more, less or another is another token; there are no two spellings of one."""
    good = _GOOD
    at %= len(good)
    mutated = {
        "replace": good[:at] + put + good[at + 1 :],
        "insert": good[:at] + put + good[at:],
        "remove": good[:at] + good[at + 1 :],
        "swap": good[:at] + good[at : at + 2][::-1] + good[at + 2 :],
    }[how]
    asked = TokenVerifier(
        _NO_KEYS,
        {"portal": issuer()},
        holds=HELD.__contains__,
        visitors=_UNASKED,
        anonymous=bool,
        clock=lambda: NOW,
    )
    if mutated == good:
        assert (await asked.principal(brought(mutated))).subject == "ann"
        return
    with pytest.raises(PermissionDenied):
        await asked.principal(brought(mutated))


_GOOD = token(claims={"groups": ["staff"]})
_NO_KEYS: Any = None
"""What the tokens of the portal never ask for."""
_UNASKED: Any = None
"""Visitors, whom the tokens of users never ask for."""


async def test_a_rotated_key_ends_no_token_and_a_removed_one_all(
    redis: Redis, keys: Keys, clock: Clock
) -> None:
    """Two replicas: one rotates, the other hears of it within five seconds."""
    seconds = [0.0]
    there, here = SigningKeys(redis, keys), SigningKeys(redis, keys, clock=lambda: seconds[0])
    asked = verifier(here, clock)
    minter = TokenMinter(there, clock=clock)
    said = {"sub": "ann", "dataStores": [STORE], "client_id": "k1"}
    old, _ = await minter.sign("user+jwt", said, 60)
    assert (await asked.principal(brought(old))).credential == "k1"
    await there.rotate()
    new, _ = await minter.sign("user+jwt", said, 60)
    seconds[0] = 1.0
    for each in (old, new):
        assert (await asked.principal(brought(each))).subject == "ann"
    await there.rotate(end_tokens=True)
    seconds[0] = 6.1
    for each in (old, new):
        assert await refusal(asked, each) == "TOKEN_INVALID"
    newest, _ = await minter.sign("user+jwt", said, 60)
    assert (await asked.principal(brought(newest))).subject == "ann"


async def test_our_tokens_need_their_type_and_the_key_that_minted_them(
    signing: SigningKeys, clock: Clock
) -> None:
    asked, minter = verifier(signing, clock), TokenMinter(signing, clock=clock)
    said = {"sub": "ann", "dataStores": [STORE], "client_id": "k1"}
    for kind, each in (
        ("JWT", said),
        ("visitor-renewal+jwt", said),
        ("user+jwt", said | {"client_id": ""}),
    ):
        assert await refusal(asked, (await minter.sign(kind, each, 60))[0]) == "TOKEN_INVALID"


async def test_a_token_ends_with_the_key_that_minted_it(signing: SigningKeys, clock: Clock) -> None:
    """Even one that was verified before: it is asked of memory each time."""
    held = {"k1"}
    asked = TokenVerifier(
        signing, {}, holds=held.__contains__, visitors=_UNASKED, anonymous=bool, clock=clock
    )
    said = {"sub": "ann", "dataStores": [STORE], "client_id": "k1"}
    minted, _ = await TokenMinter(signing, clock=clock).sign("user+jwt", said, 60)
    assert (await asked.principal(brought(minted))).credential == "k1"
    held.clear()
    assert await refusal(asked, minted) == "TOKEN_INVALID"
