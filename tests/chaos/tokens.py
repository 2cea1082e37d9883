"""Tokens that end all the time: those of a portal whose users ask while everything is broken."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from pathlib import Path
from typing import Final

import jwt

from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.store import ApiKeyStore
from service.security.tokens.token_claims import LEEWAY
from sessions.redis import connection
from sessions.redis.keys import Keys

_ISSUER: Final = "https://portal.example"
_PATIENT: Final = 8
"""How many times as long a token for our client lasts: a client gives up where three in a row have
ended on their way, as they would on a busy machine with replicas that are frozen for seconds."""
_LATE: Final = 0.3
"""How often a provider brings a token only after the one before has ended."""


class Portal:
    """Signs tokens of users for *data_store*, each for *life* seconds at most."""

    def __init__(self, folder: Path, data_store: str, life: float, seed: str) -> None:
        """Write into *folder* what the service is to know of the portal."""
        self._secret = secrets.token_urlsafe(48)
        self._life = life
        self._chance = random.Random(f"{seed} tokens")
        (folder / "portal.secret").write_text(self._secret)
        self.file = folder / "portal.toml"
        self.file.write_text(
            "[[token_issuers]]\n"
            f'issuer = "{_ISSUER}"\naudience = "chaos"\nalgorithms = ["HS256"]\n'
            f'secret_file = "portal.secret"\ndata_stores = ["{data_store}"]\n'
        )

    def token(self, user: str, times: int = 1) -> str:
        """Return a token of *user* that ends soon, or so many *times* as late."""
        # It holds for the leeway after its end: what is to end soon has ended before that.
        now = time.time() - LEEWAY
        life = times * self._chance.uniform(self._life / 4, self._life)
        claims = {
            "iss": _ISSUER,
            "aud": "chaos",
            "sub": user,
            "iat": now,
            "exp": now + life,
        }
        return jwt.encode(claims, self._secret, algorithm="HS256")

    async def provide(self, user: str) -> str:
        """Return a token of *user*, now and then too late for whoever renews one."""
        if self._chance.random() < _LATE:
            await asyncio.sleep(self._life / 2)
        return self.token(user, _PATIENT)


async def require(url: str) -> str:
    """Make the first API key, so that everybody has to show who it is; return the key."""
    async with connection.connect(url) as redis:
        store = ApiKeyStore(redis, Keys())
        _, text = await lifecycle.create(store, Scope.ADMIN, now=time.time())
    return text
