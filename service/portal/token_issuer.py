"""Who signs tokens of users beside this service, and what they may say."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

import msgspec

from service.portal.data_store_policy import STORE
from sessions import names

_JWKS_URL: Final = re.compile(
    r"(?:https://[^\s/?#@]+|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?)(?:[/?][^\s#]*)?"
)
"""Without TLS, whoever sits on the way could put keys of their own there."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]


class TokenIssuer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who signs tokens of users beside this service: the portal's back end, or an OIDC provider."""

    issuer: Name
    """The ``iss`` of its tokens."""

    audience: Name
    """What their ``aud`` is, or has among others."""

    algorithms: Annotated[
        tuple[Literal["EdDSA", "ES256", "RS256", "HS256"], ...], msgspec.Meta(min_length=1)
    ]
    """The only algorithms that they may be signed by."""

    data_stores: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=20)]
    """Full names of the data stores, engines and corpora, of one project, that they can be for."""

    public_key_file: str = ""
    """One to four public keys in PEM; relative to this file."""

    secret_file: str = ""
    """The secret of HS256, 32 bytes or more; relative to this file."""

    jwks_url: str = ""
    """Where an OIDC provider publishes its keys: https, or http on this machine."""

    subject_claim: Name = "sub"
    """The claim that has the id of the user."""

    data_stores_claim: Name = "dataStores"
    """The claim that names fewer of the data stores, where there is one."""

    claims: Annotated[dict[str, Name], msgspec.Meta(max_length=20)] = {}
    """For each claim that filters use, the claim of the token that has it."""

    def __post_init__(self) -> None:
        if [self.public_key_file, self.secret_file, self.jwks_url].count("") != 2:
            raise ValueError("give one of public_key_file, secret_file and jwks_url")
        if (self.algorithms == ("HS256",)) != bool(self.secret_file) or (
            "HS256" in self.algorithms and not self.secret_file
        ):
            raise ValueError("algorithms: HS256 goes with secret_file, alone, and nothing else")
        if self.jwks_url and not _JWKS_URL.fullmatch(self.jwks_url):
            raise ValueError("jwks_url: give an address that begins with https://")
        if self.issuer == "colloquy":
            raise ValueError("issuer: 'colloquy' is this service itself; choose another name")
        stores = [names.canonical(name) for name in self.data_stores]
        if not all(STORE.fullmatch(name) for name in stores):
            raise ValueError("data_stores: give full names, which begin with projects/")
        if len({name.split("/")[1] for name in stores}) > 1:
            raise ValueError("data_stores: give those of one project, and a table for each project")
