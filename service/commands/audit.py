"""Print the audit log, follow it, or verify that nobody changed it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Final

import msgspec

from service import stores, terminal
from service.privacy.audit_log import AuditLog, RecordedEntry
from service.settings import Settings

_LOOK: Final = 1.0
"""Seconds between two looks for new entries."""


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print what was recorded; 1 where the chain is broken."""
    async with stores.opened(settings) as store:
        log = AuditLog(store.redis, store.keys)
        if arguments.verify:
            return await _verify(log)
        after: str = arguments.after
        while True:
            async for each in log.read(after):
                after = each.id
                terminal.say(_json(each) if arguments.json else _line(each))
            if not arguments.follow:
                return 0
            sys.stdout.flush()
            await asyncio.sleep(_LOOK)


async def _verify(log: AuditLog) -> int:
    chain = await log.verify()
    if chain.fault:
        terminal.say(f"colloquy: the audit log was changed: {chain.fault}", to=sys.stderr)
        return 1
    terminal.say(f"{chain.entries} entries, unchanged; the last hash is {chain.head or 'none'}")
    return 0


def _json(recorded: RecordedEntry) -> str:
    entry = {"id": recorded.id, **msgspec.to_builtins(recorded.entry), "hash": recorded.hash}
    return msgspec.json.encode(entry).decode()


def _line(recorded: RecordedEntry) -> str:
    entry = recorded.entry
    times = f" x{entry.count}" if entry.count > 1 else ""
    parts = (f"{entry.method}{times}", entry.resource or "-", entry.outcome, entry.address or "-")
    return f"{recorded.id}  {entry.time:%Y-%m-%dT%H:%M:%SZ}  {entry.principal}  {'  '.join(parts)}"
