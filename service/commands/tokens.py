"""Replace the key by which this installation signs the tokens of users and visitors."""

from __future__ import annotations

import argparse
import datetime as dt

from service import stores, terminal
from service.privacy.audit_log import AuditEntry, AuditLog
from service.security.tokens.signing_keys import SigningKeys
from service.settings import Settings


async def rotate(arguments: argparse.Namespace, settings: Settings) -> int:
    """Sign by a new key from now on; with ``--end-tokens`` end all that was signed before."""
    async with stores.opened(settings) as store:
        signing_keys = SigningKeys(store.redis, store.keys)
        kid = await signing_keys.rotate(end_tokens=arguments.end_tokens)
        entry = AuditEntry(
            time=dt.datetime.now(dt.UTC),
            principal="terminal",
            method="colloquy tokens rotate" + (" --end-tokens" if arguments.end_tokens else ""),
            resource=f"signing-key:{kid}",
        )
        await AuditLog(store.redis, store.keys).append(entry)
    before = "ended: every replica refuses them within a second"
    if not arguments.end_tokens:
        before = "good until their end"
    terminal.say(f"tokens are signed by the new key {kid}; those signed before are {before}")
    return 0
