"""Say what is configured, reachable and missing, with the remedy."""

from __future__ import annotations

import argparse
import platform
import re
import shlex
import time
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Final, cast

import aiohttp
import msgspec

from service import secret_files, stores, terminal
from service import settings as settings_module
from service.corpus.parsing import document_sources
from service.corpus.redis_search import engine
from service.corpus.storage.document_store import DocumentStore
from service.portal import portal_file
from service.portal.portal import Contact
from service.portal.portal_file import PortalError
from service.security import anonymous_access
from service.security.api_keys.store import ApiKeyStore
from service.settings import FIELDS, Settings, SettingsError, file_variable, variable
from service.stores import Stores
from service.version import VERSION
from sessions import names
from sessions.errors import FailedPrecondition, ServiceError

_PATIENCE: Final = aiohttp.ClientTimeout(total=5)
_ACKNOWLEDGED: Final = 100  # milliseconds in which replicas of Redis answer
_SECRET: Final = frozenset({"llm_api_key", "embedding_api_key", "api_key"})
_SHOWN: Final = 5  # data stores that are named
_PASSWORD: Final = re.compile(r"(//[^:@]*:).+(?=@)|(password=)[^&]+")
"""A password in a URL, also where an "@" or "/" in it should have been written as %40 or %2F."""


class Check(msgspec.Struct, frozen=True):
    """The state of one thing, and its remedy.

    The mark is ``ok``, ``off`` (not wanted), ``old``, ``open`` (to everyone) or ``missing``.
    """

    mark: str
    what: str
    text: str


async def run(_: argparse.Namespace, settings: Settings) -> int:
    """Print all settings and checks; 0 where nothing is missing."""
    terminal.say("Settings")
    for field in FIELDS:
        terminal.say(f"  {_setting(field, settings)}")
    for told in settings_module.unknown_variables():
        terminal.say(f"  {told}")
    terminal.say("Findings")
    missing = 0
    async for check in _checks(settings):
        missing += check.mark == "missing"
        terminal.say(f"  {check.mark:<8} {check.what:<8} {check.text}")
    return 1 if missing else 0


async def _checks(settings: Settings) -> AsyncGenerator[Check]:
    yield Check("ok", "colloquy", VERSION)
    yield Check("ok", "python", f"{platform.python_version()} on {platform.system()}")
    yield _secrets(settings)
    for check in await _stored(settings):
        yield check
    yield _portal(settings)
    yield await _model(settings)
    yield await _service(settings)


def _setting(field: str, settings: Settings) -> str:
    value = getattr(settings, field)
    if file := settings.secret_files.get(field):
        return f"{file_variable(field)}={shlex.quote(str(file))}"
    if field == "embeddings":
        value = "local" if value else "off"
    shown = "(set)" if field in _SECRET and value else _written(value)
    return f"{variable(field)}={shown}"


def _written(value: object) -> str:
    """Write a setting as one would set it in a shell."""
    match value:
        case None:
            return ""
        case bool():
            return "on" if value else "off"
        case float():
            return f"{value:g}"
        case tuple():
            value = ",".join(map(str, cast("tuple[object, ...]", value)))
        case _:
            pass
    return shlex.quote(_without_passwords(str(value))) if str(value) else ""


def _without_passwords(url: str) -> str:
    return _PASSWORD.sub(r"\1\2…", url)


def _secrets(settings: Settings) -> Check:
    files = settings.secret_files
    if not files:
        return Check("off", "secrets", "none is read from a file; see COLLOQUY_LLM_API_KEY_FILE")
    for field, path in files.items():
        if secret_files.is_exposed(path):
            text = f"every user may read {path} of {file_variable(field)}: chmod o-r {path}"
            return Check("open", "secrets", text)
    return Check("ok", "secrets", f"{len(files)} from files")


async def _stored(settings: Settings) -> list[Check]:
    """Say what Redis is, and what is in it."""
    where = _without_passwords(settings.redis_url) or f"bundled, in {settings.data_dir}"
    try:
        async with stores.opened(settings) as store:
            return [
                await _redis(store, where, settings.redis_replicas),
                await _index(store, settings),
                await _keys(store, settings),
                await _imports(store),
            ]
    except ServiceError as exc:
        return [
            Check("missing", "redis", f"{where}: {exc.message}"),
            Check("off", "index", "not looked at, as Redis is away"),
            Check("off", "keys", "not looked at, as Redis is away"),
            Check("off", "imports", "not looked at, as Redis is away"),
        ]


async def _redis(store: Stores, where: str, wanted: int) -> Check:
    server = store.redis.server
    there = await store.redis.execute(b"", "WAIT", wanted, _ACKNOWLEDGED) if wanted else 0
    if there < wanted:
        lack = f"{there} replicas, COLLOQUY_REDIS_REPLICAS={wanted}: it serves without them"
        return Check("missing", "redis", f"{server} ({where}): {lack}")
    return Check("ok", "redis", f"{server} ({where})")


async def _index(store: Stores, settings: Settings) -> Check:
    """Say where the search index is, and whether it can be there."""
    if settings.index == "embedded":
        return Check("ok", "index", f"each replica has its own, below {settings.data_dir}")
    try:
        await engine.check(store.redis, store.keys)
    except FailedPrecondition as exc:
        return Check("missing", "index", exc.message)
    return Check("ok", "index", "all replicas share one, in the Query Engine of Redis")


async def _keys(store: Stores, settings: Settings) -> Check:
    """Say who may ask, and whether `serve` would start with that."""
    stored = await ApiKeyStore(store.redis, store.keys).read()
    if not stored.known:
        try:
            anonymous_access.check(settings, portal_file.read(settings.portal).origins)
        except PortalError:
            pass  # told beside this
        except SettingsError as exc:
            return Check("missing", "keys", str(exc))
        return Check("off", "keys", anonymous_access.told(settings, any_key=False))
    now = time.time()
    held = Counter(key.scope.value for key in stored.keys if key.holds(now))
    if not held:
        remedy = "make one: colloquy keys create --scope admin"
        return Check("missing", "keys", f"no API key holds, so nobody is let in; {remedy}")
    told = ", ".join(f"{count} {scope}" for scope, count in sorted(held.items()))
    strangers = anonymous_access.told(settings, any_key=True)
    return Check("ok", "keys", f"API keys that hold: {told}; {strangers}")


async def _imports(store: Stores) -> Check:
    """Look for documents that a new import would read better than the old one did."""
    outdated = await _outdated(store.documents)
    if not outdated:
        return Check("ok", "imports", "no document was read by an earlier version")
    shown = ", ".join(f"{names.last_id(name)} ({count})" for name, count in outdated[:_SHOWN])
    more = f" and {len(outdated) - _SHOWN} more" if len(outdated) > _SHOWN else ""
    remedy = "they are answered from, and better once they are imported again"
    return Check("old", "imports", f"read by an earlier version: {shown}{more}; {remedy}")


async def _outdated(documents: DocumentStore) -> list[tuple[str, int]]:
    """Return the data stores with documents that an earlier version read, and how many."""
    counts: list[tuple[str, int]] = []
    for data_store in await documents.feed.heads():
        count = 0
        async for digests in documents.all_digests(data_store):
            count += sum(map(document_sources.is_outdated, digests))
        if count:
            counts.append((data_store, count))
    return sorted(counts, key=lambda pair: -pair[1])


def _portal(settings: Settings) -> Check:
    try:
        said = portal_file.read(settings.portal)
    except PortalError as exc:
        return Check("missing", "portal", str(exc))
    if settings.portal is None:
        return Check(
            "off",
            "portal",
            "the portal has no name, contact or synonyms; name a file with them in COLLOQUY_PORTAL",
        )
    return Check(
        "ok",
        "portal",
        f"{said.name or 'no name'}, {'a' if said.contact != Contact() else 'no'} contact, "
        f"{len(said.synonyms)} groups of synonyms",
    )


async def _model(settings: Settings) -> Check:
    if not settings.llm_base_url:
        return Check(
            "off",
            "model",
            "answers are sentences of the documents; set COLLOQUY_LLM_BASE_URL and "
            "COLLOQUY_LLM_MODEL to have a model write them",
        )
    url = settings.llm_base_url.rstrip("/") + "/models"
    headers = {"Authorization": f"Bearer {settings.llm_api_key}"} if settings.llm_api_key else {}
    try:
        async with (
            aiohttp.ClientSession(timeout=_PATIENCE) as client,
            client.get(url, headers=headers) as reply,
        ):
            status = reply.status
    except (aiohttp.ClientError, TimeoutError) as exc:
        return Check(
            "missing", "model", f"{url} does not answer ({type(exc).__name__}); is it running?"
        )
    if status in (401, 403):
        return Check("missing", "model", f"{url} refuses the key; set COLLOQUY_LLM_API_KEY")
    return Check("ok", "model", f"{settings.llm_model} at {settings.llm_base_url}")


async def _service(settings: Settings) -> Check:
    address = settings.local_address
    async with aiohttp.ClientSession(timeout=_PATIENCE) as client:
        for url in (f"http://{address}/readyz", f"https://{address}/readyz"):
            try:
                async with client.get(url) as reply:
                    ready, text = reply.status == 200, await reply.text()
            except aiohttp.ClientConnectorCertificateError as exc:
                # Most often it is that of the portal's name, and this is the loopback address.
                why = str(exc.certificate_error).partition("\n")[0]
                return Check("ok", "service", f"{url} speaks TLS; from here: {why}")
            except (aiohttp.ClientError, TimeoutError):
                continue
            return Check("ok" if ready else "missing", "service", f"{url}: {text}")
    return Check("off", "service", f"nothing answers at {address}; start it: colloquy serve")
