"""The issuers of a portal file, and what their files may hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from service.portal import portal_file
from service.portal.portal_file import PortalError
from service.portal.token_issuer import TokenIssuer
from service.project_numbers import ProjectNumbers
from service.security.tokens import portal_issuers
from service.security.tokens.token_claims import TokenFault
from service.security.tokens.trusted_issuers import PortalIssuer
from service.security.tokens.verification_keys import KeySource
from tests.security.tokens import signers

pytestmark = pytest.mark.anyio

TABLE = f"""
[[token_issuers]]
issuer = "portal"
audience = "help"
data_stores = ["{signers.STORE}"]
"""


def no_address(_: TokenIssuer) -> KeySource:
    raise AssertionError("its keys are in a file")


def issuers(folder: Path, lines: str, content: bytes = b"") -> PortalIssuer:
    (folder / "keys").write_bytes(content)
    (folder / "portal.toml").write_text(TABLE + lines)
    tables = portal_file.read(folder / "portal.toml").token_issuers
    return portal_issuers.made(tables, folder, no_address)["portal"]


@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256", "RS256"])
async def test_a_public_key_verifies_the_algorithm_that_it_is_of(
    tmp_path: Path, algorithm: str
) -> None:
    lines = f'public_key_file = "keys"\nalgorithms = ["{algorithm}"]'
    made = issuers(tmp_path, lines, signers.pem(signers.PRIVATE[algorithm]))
    assert [key.algorithm for key in await made.keys.keys(algorithm, "")] == [algorithm]
    assert await made.keys.keys("HS256", "") == []
    assert made.longest == 600


async def test_an_old_key_and_its_successor_stand_in_one_file(tmp_path: Path) -> None:
    both = signers.pem(signers.ED25519) + signers.pem(ed25519.Ed25519PrivateKey.generate())
    made = issuers(tmp_path, 'public_key_file = "keys"\nalgorithms = ["EdDSA"]', both)
    assert len(await made.keys.keys("EdDSA", "any")) == 2


def test_projects_may_be_named_by_their_numbers(tmp_path: Path) -> None:
    """In the table and in what its tokens claim."""
    numbers = ProjectNumbers(["p=123"])
    named = signers.STORE.replace("projects/p/", "projects/123/")
    (tmp_path / "keys").write_bytes(signers.pem(signers.ED25519))
    lines = 'public_key_file = "keys"\nalgorithms = ["EdDSA"]'
    (tmp_path / "portal.toml").write_text(TABLE.replace(signers.STORE, named) + lines)
    tables = portal_file.read(tmp_path / "portal.toml", numbers).token_issuers
    made = portal_issuers.made(tables, tmp_path, no_address, numbers)["portal"]
    for claimed in (
        {},
        {"project": "123"},
        {"project": "p"},
        {"dataStores": [named]},
        {"dataStores": [signers.STORE], "project": "123"},
    ):
        found = made.principal({}, signers.payload(**claimed), signers.NOW)
        assert (found.project, found.data_stores) == ("p", (signers.STORE,))
    for wrong in ({"project": "124"}, {"dataStores": [named.replace("/123/", "/124/")]}):
        with pytest.raises(TokenFault):
            made.principal({}, signers.payload(**wrong), signers.NOW)


async def test_a_secret_is_the_file_without_its_line_break(tmp_path: Path) -> None:
    made = issuers(
        tmp_path, 'secret_file = "keys"\nalgorithms = ["HS256"]', signers.SECRET + b"\r\n"
    )
    (key,) = await made.keys.keys("HS256", "")
    assert key.key == signers.SECRET


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('algorithms = ["EdDSA"]', "give one of"),
        ('public_key_file = "a"\nsecret_file = "b"\nalgorithms = ["EdDSA"]', "give one of"),
        ('public_key_file = "a"\nalgorithms = []', "algorithms"),
        ('public_key_file = "a"\nalgorithms = ["none"]', "algorithms"),
        ('public_key_file = "a"\nalgorithms = ["HS256"]', "HS256"),
        ('public_key_file = "a"\nalgorithms = ["EdDSA", "HS256"]', "HS256"),
        ('secret_file = "a"\nalgorithms = ["HS256", "RS256"]', "HS256"),
        ('jwks_url = "http://id.example.org/keys"\nalgorithms = ["RS256"]', "https://"),
        ('jwks_url = "http://localhost.evil.example/"\nalgorithms = ["RS256"]', "https://"),
        ('jwks_url = "https://user@id.example.org/"\nalgorithms = ["RS256"]', "https://"),
        ('public_key_file = "missing"\nalgorithms = ["EdDSA"]', "cannot be read"),
        ('secret_fil = "a"\nalgorithms = ["HS256"]', "secret_fil"),
    ],
)
def test_a_table_that_cannot_be_used_says_why(tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(PortalError, match=problem):
        issuers(tmp_path, lines)


@pytest.mark.parametrize(
    ("lines", "content"),
    [
        ('public_key_file = "keys"\nalgorithms = ["EdDSA"]', signers.pem(signers.P256)),
        (
            'public_key_file = "keys"\nalgorithms = ["RS256"]',
            signers.pem(rsa.generate_private_key(65537, 1024)),
        ),
        (
            'public_key_file = "keys"\nalgorithms = ["ES256"]',
            signers.pem(ec.generate_private_key(ec.SECP384R1())),
        ),
        ('public_key_file = "keys"\nalgorithms = ["EdDSA"]', b""),
        ('public_key_file = "keys"\nalgorithms = ["EdDSA"]', signers.pem(signers.ED25519) * 5),
        (
            'public_key_file = "keys"\nalgorithms = ["EdDSA"]',
            b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        ),
        ('secret_file = "keys"\nalgorithms = ["HS256"]', b"short"),
        ('secret_file = "keys"\nalgorithms = ["HS256"]', b"x" * 31 + b"\n"),
        ('secret_file = "keys"\nalgorithms = ["HS256"]', signers.pem(signers.ED25519)),
    ],
)
def test_weak_or_other_keys_stop_the_start(tmp_path: Path, lines: str, content: bytes) -> None:
    with pytest.raises(PortalError, match="token_issuers, 'portal'"):
        issuers(tmp_path, lines, content)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"portal"', '"colloquy"'),
        (signers.STORE, "help"),
        (f'"{signers.STORE}"', f'"{signers.STORE}", "{signers.STORE.replace("/p/", "/q/")}"'),
    ],
)
def test_names_that_mean_something_else_are_refused(
    tmp_path: Path, before: str, after: str
) -> None:
    text = TABLE + 'jwks_url = "https://id.example.org/keys"\nalgorithms = ["RS256"]\n'
    (tmp_path / "portal.toml").write_text(text)
    portal_file.read(tmp_path / "portal.toml")
    (tmp_path / "portal.toml").write_text(text.replace(before, after))
    with pytest.raises(PortalError):
        portal_file.read(tmp_path / "portal.toml")
    (tmp_path / "portal.toml").write_text(text + text)
    with pytest.raises(PortalError, match="twice"):
        portal_file.read(tmp_path / "portal.toml")
