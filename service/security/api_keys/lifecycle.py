"""Make, rotate and revoke API keys; the text of a key is returned once, and kept nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.security.api_keys import key_text
from service.security.api_keys.api_key import ApiKey, KeySecret, Scope
from service.security.api_keys.store import ApiKeyStore
from sessions.errors import FailedPrecondition

LONGEST_LABEL: Final = 64
"""Characters of the name that an operator gives a key: it stands in a column of a list."""


async def create(
    store: ApiKeyStore,
    scope: Scope,
    *,
    now: float,
    label: str = "",
    project: str = "",
    data_stores: Sequence[str] = (),
    expires: float = 0.0,
) -> tuple[ApiKey, str]:
    """Keep a new key, and return it with its text; times are in epoch seconds, 0 without an end."""
    key_id = key_text.new_id()
    text = key_text.new(scope.letter, key_id)
    key = ApiKey(
        id=key_id,
        scope=scope,
        label=label,
        project=project,
        data_stores=tuple(data_stores),
        created=now,
        expires=expires,
        secrets=(KeySecret(number=1, digest=key_text.digest(text).hex()),),
    )
    await store.create(key)
    return key, text


async def rotate(
    store: ApiKeyStore, key_id: str, *, overlap: float, now: float
) -> tuple[ApiKey, str]:
    """Give a key a new secret, and return it with its text; older ones hold *overlap* seconds more.

    Raises:
        NotFound: there is none of this id.
        FailedPrecondition: it holds no more, and nobody could tell who asks for its renewal.
    """
    text = ""

    def change(key: ApiKey) -> ApiKey:
        nonlocal text
        _check_holds(key, now)
        text = key_text.new(key.scope.letter, key.id)
        older = [
            msgspec.structs.replace(
                secret, expires=min(secret.expires or now + overlap, now + overlap)
            )
            for secret in key.secrets
            if not 0 < secret.expires <= now
        ]
        newest = KeySecret(
            number=max(secret.number for secret in key.secrets) + 1,
            digest=key_text.digest(text).hex(),
        )
        return msgspec.structs.replace(key, secrets=(*older, newest))

    return await store.update(key_id, change), text


async def revoke(store: ApiKeyStore, key_id: str, *, now: float) -> ApiKey:
    """End a key with all its secrets, for ever; one that is revoked stays so, since when it was.

    Raises:
        NotFound: there is none of this id.
    """

    def change(key: ApiKey) -> ApiKey:
        return key if key.revoked else msgspec.structs.replace(key, revoked=now)

    return await store.update(key_id, change)


def _check_holds(key: ApiKey, now: float) -> None:
    why = "is revoked" if key.revoked else "has expired" if 0 < key.expires <= now else ""
    if why:
        raise FailedPrecondition(
            f"the key '{key.id}' {why}; make another: colloquy keys create --scope {key.scope}",
            reason="API_KEY_INVALID",
            resource=key.id,
        )
