"""The documents that everybody asks about, and the replicas that have to know them."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from functools import partial
from typing import Any

import aiohttp

from sessions import names
from tests.chaos import model, searchers
from tests.chaos.crowd import CONFIG, STORE
from tests.chaos.replicas import Fleet, Replica
from tests.waiting import eventually


async def begin(made: Fleet) -> None:
    """Start the replicas and give them the documents."""
    async with asyncio.TaskGroup() as tasks:
        for replica in made.replicas:
            tasks.create_task(replica.start())
    rest = f"{made.replicas[0].rest}/v1"
    async with aiohttp.ClientSession(raise_for_status=True) as http:
        for store in (STORE, searchers.STORE):
            stores = f"{rest}/{names.parent(store)}/dataStores?dataStoreId={names.last_id(store)}"
            made_one = partial(_is_made, http, stores, {"displayName": "Library"})
            await eventually(made_one, within=30)
        for number, text in enumerate(model.DOCUMENTS):
            content = {"rawBytes": base64.b64encode(text.encode()).decode()}
            document = f"{rest}/{STORE}/branches/default_branch/documents?documentId=d{number}"
            given = {"content": content | {"mimeType": "text/html"}}
            await eventually(partial(_is_made, http, document, given), within=30)
        for replica in made.replicas:
            await eventually(lambda replica=replica: _finds(http, replica), within=30)
    for replica in made.replicas:
        replica.sound = True


async def _is_made(http: aiohttp.ClientSession, url: str, message: Mapping[str, Any]) -> bool:
    """Make what is at *url*; tell whether it is there: a client tries again after status 503."""
    async with http.post(url, json=message, raise_for_status=False) as reply:
        if reply.status in {200, 409}:
            return True
        if reply.status != 503:
            reply.raise_for_status()
        return False


async def asks_who(replica: Replica) -> bool:
    """Tell whether *replica* knows that everybody has to show who they are."""
    async with (
        aiohttp.ClientSession() as http,
        http.get(f"{replica.rest}/v1/{STORE}/sessions") as reply,
    ):
        return reply.status == 403


async def _finds(http: aiohttp.ClientSession, replica: Replica) -> bool:
    """Tell whether *replica* knows the documents."""
    url = f"{replica.rest}/v1/{CONFIG}:search"
    async with http.post(url, json={"query": model.QUESTION}) as reply:
        return bool((await reply.json()).get("results"))
