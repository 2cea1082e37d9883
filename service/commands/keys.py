"""Make, list, rotate and revoke API keys."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import time
from collections.abc import Sequence
from typing import Final

from service import stores, terminal
from service.commands import short_names
from service.privacy.audit_log import AuditEntry, AuditLog
from service.security.api_keys import key_text, lifecycle
from service.security.api_keys.api_key import ApiKey, Scope
from service.security.api_keys.store import ApiKeyStore
from service.settings import Settings
from service.stores import Stores
from sessions.errors import InvalidArgument

_MOST_DATA_STORES: Final = 100
"""Data stores of one key: each name of each request is held against all of them."""


async def create(arguments: argparse.Namespace, settings: Settings) -> int:
    """Make a key and print it: alone on standard output, and what it is beside it."""
    if arguments.expires == 0:
        raise InvalidArgument("--expires: a key that expires at once opens nothing")
    if len(arguments.label) > lifecycle.LONGEST_LABEL:
        raise InvalidArgument(f"--label: give {lifecycle.LONGEST_LABEL} characters at most")
    project, data_stores = _boundary(arguments.project, arguments.data_store, settings)
    now = time.time()
    async with stores.opened(settings) as store:
        key, text = await lifecycle.create(
            _keys(store),
            Scope(arguments.scope),
            now=now,
            label=arguments.label,
            project=project,
            data_stores=data_stores,
            expires=now + arguments.expires if arguments.expires else 0.0,
        )
        await _record(store, "create", key)
    _print_once(text, f"{key.scope} key {key.id} for {_reach(key)}, {_end(key)}")
    return 0


async def list_all(_: argparse.Namespace, settings: Settings) -> int:
    """Print all keys there ever were, the latest last; none of them can be read from it."""
    async with stores.opened(settings) as store:
        keys = (await _keys(store).read()).keys
        uses = await _keys(store).uses()
    now = time.time()
    for key in sorted(keys, key=lambda key: (key.created, key.id)):
        used = f"used {_moment(uses[key.id])}" if key.id in uses else "never used"
        parts = (
            f"{key.id}  {key.scope:<11}  {_state(key, now):<8}  made {_moment(key.created)}",
            used,
            _end(key),
            _reach(key),
            key.label,
        )
        terminal.say("  ".join(part for part in parts if part))
    terminal.say(f"{len(keys)} keys")
    return 0


async def rotate(arguments: argparse.Namespace, settings: Settings) -> int:
    """Give a key a new secret and print it; the old one holds for the overlap."""
    async with stores.opened(settings) as store:
        key, text = await lifecycle.rotate(
            _keys(store), _id(arguments.key), overlap=arguments.overlap, now=time.time()
        )
        await _record(store, "rotate", key)
    old = max((secret.expires for secret in key.secrets), default=0.0)
    _print_once(text, f"{key.scope} key {key.id}, renewed; the old one ends {_moment(old)}")
    return 0


async def revoke(arguments: argparse.Namespace, settings: Settings) -> int:
    """End a key, for ever."""
    async with stores.opened(settings) as store:
        key = await lifecycle.revoke(_keys(store), _id(arguments.key), now=time.time())
        await _record(store, "revoke", key)
    terminal.say(
        f"revoked {key.id}: within a second every replica refuses it and closes its connections"
    )
    return 0


def _keys(store: Stores) -> ApiKeyStore:
    return ApiKeyStore(store.redis, store.keys)


def _id(given: str) -> str:
    """Return the id that is meant; who finds a key somewhere may give the key itself.

    Raises:
        InvalidArgument: it is no id; it is not repeated, since it may be a secret.
    """
    if found := key_text.id_in(given):
        return found
    raise InvalidArgument("give the id of a key: ten letters and digits, see colloquy keys list")


def _boundary(
    project: str, given: Sequence[str], settings: Settings
) -> tuple[str, tuple[str, ...]]:
    """Return the project and the full names that a key is bound to.

    Raises:
        InvalidArgument: one of them is no name, or not of the project.
    """
    project = short_names.stored_project(project, settings) if project else ""
    if len(given) > _MOST_DATA_STORES:
        raise InvalidArgument(f"--data-store: give {_MOST_DATA_STORES} at most")
    bound = tuple(
        dict.fromkeys(short_names.stored_boundary(text, project, settings) for text in given)
    )
    projects = {name.split("/", 2)[1] for name in bound} | ({project} - {""})
    if len(projects) > 1:
        raise InvalidArgument(
            f"--data-store: one key is of one project, not of {' and '.join(sorted(projects))}; "
            "make a key for each"
        )
    return next(iter(projects), ""), bound


async def _record(store: Stores, act: str, key: ApiKey) -> None:
    now = dt.datetime.now(dt.UTC)
    entry = AuditEntry(
        time=now, principal="terminal", method=f"colloquy keys {act}", resource=f"key:{key.id}"
    )
    await AuditLog(store.redis, store.keys).append(entry)


def _print_once(text: str, what: str) -> None:
    # A secret is for a file or a variable: KEY=$(colloquy keys create --scope server)
    terminal.say(f"{what}. It is shown this once:", to=sys.stderr)
    terminal.say(text)


def _state(key: ApiKey, now: float) -> str:
    if key.revoked:
        return "revoked"
    return "holds" if key.holds(now) else "expired"


def _reach(key: ApiKey) -> str:
    if key.data_stores:
        return ", ".join(key.data_stores)
    return f"projects/{key.project}" if key.project else "all projects"


def _end(key: ApiKey) -> str:
    return f"until {_moment(key.expires)}" if key.expires else "without an end"


def _moment(at: float) -> str:
    return f"{dt.datetime.fromtimestamp(at, dt.UTC):%Y-%m-%dT%H:%MZ}"
