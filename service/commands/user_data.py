"""Export or purge what is kept of a user."""

from __future__ import annotations

import argparse
import datetime as dt
import sys

import msgspec

from service import stores, terminal
from service.commands import short_names
from service.privacy.append_only_file import AppendOnlyFile
from service.privacy.audit_identities import AuditIdentities
from service.privacy.audit_log import AuditEntry, AuditLog
from service.privacy.user_data import UserDataScope
from service.privacy.user_data_export import UserDataExport
from service.privacy.user_data_purge import UserDataPurge
from service.settings import Settings
from service.stores import Stores
from sessions import names


async def export(arguments: argparse.Namespace, settings: Settings) -> int:
    """Print everything that is kept of a user, as lines of JSON."""
    scope = _scope(arguments, settings)
    async with stores.opened(settings) as store:
        await _record(store, "export", scope)
        async for line in UserDataExport(store).lines(scope):
            sys.stdout.write(line.decode())
    return 0


async def purge(arguments: argparse.Namespace, settings: Settings) -> int:
    """Delete everything that is kept of a user; killed half-way, it is to be called again."""
    scope = _scope(arguments, settings)
    async with stores.opened(settings) as store:
        await _record(store, "purge", scope)
        bundled = not settings.redis_url
        files = AppendOnlyFile(store.redis, settings.data_dir / "redis") if bundled else None
        purging = UserDataPurge(store, files=files)
        deleted = await purging.delete(scope, _tell_nobody)
        await purging.rewrite()
    for field in msgspec.structs.fields(deleted):
        what = field.name.removesuffix("_count").replace("_", " ")
        terminal.say(f"{getattr(deleted, field.name):>8} {what} deleted")
    return 0


def _tell_nobody(_: msgspec.Struct) -> None:
    """Progress is for who waits for an operation."""


def _scope(arguments: argparse.Namespace, settings: Settings) -> UserDataScope:
    # Only its location is meant: any data store of there leads to it.
    given = f"{arguments.location}/collections/default_collection/dataStores/any"
    place = short_names.stored_data_store(given, settings)
    return UserDataScope(location=names.location(place), subject=arguments.user)


async def _record(store: Stores, method: str, scope: UserDataScope) -> None:
    identities = AuditIdentities(store.redis, store.keys)
    known = await identities.subject(scope.location.split("/")[1], scope.subject)
    entry = AuditEntry(
        time=dt.datetime.now(dt.UTC),
        principal="terminal",
        method=f"colloquy user {method}",
        resource=f"{scope.location}/users/{known.partition(':')[2]}",
    )
    await AuditLog(store.redis, store.keys).append(entry)
