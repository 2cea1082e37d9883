"""Move to the other search index while replicas serve from the one they have."""

from __future__ import annotations

import argparse
import asyncio
import time
from typing import Final

from service import stores, terminal
from service.corpus.index import FollowingIndex
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.index_formats import IndexFormats
from service.corpus.tantivy.index import TantivyIndex
from service.settings import Settings
from service.stores import Stores

_LOOK: Final = 1.0
"""Seconds between two looks whether replicas use the shared index still."""


async def run(arguments: argparse.Namespace, settings: Settings) -> int:
    """Build the index to move to; delete the shared one where replicas have moved away from it."""
    async with stores.opened(settings) as store:
        if arguments.to == "redis":
            await _to_redis(store)
        else:
            await _to_embedded(store, settings)
    return 0


async def _to_redis(store: Stores) -> None:
    async with RedisIndex(store.redis, store.keys, store.documents) as index:
        await _build(index, store, "in Redis")
        # While it is open, or it would be deleted as one that no replica uses yet.
        deleted = await IndexFormats(store.redis, store.keys).delete_unused()
    if deleted:
        terminal.say("deleted the index of another version, which no replica uses any more")
    terminal.say("now restart the replicas one after the other with COLLOQUY_INDEX=redis")


async def _to_embedded(store: Stores, settings: Settings) -> None:
    folder = settings.data_dir / "index"
    async with TantivyIndex(store.documents, folder=folder) as index:
        await _build(index, store, f"in {folder}")
    terminal.say("now restart the replicas one after the other with COLLOQUY_INDEX=embedded")
    formats = IndexFormats(store.redis, store.keys)
    if await formats.used():
        terminal.say("the shared index is deleted when no replica uses it; Ctrl-C leaves it there")
    while await formats.used():  # noqa: ASYNC110 - a look is enough
        await asyncio.sleep(_LOOK)
    deleted = await formats.delete_unused()
    terminal.say("deleted the shared index" if deleted else "there is no shared index")


async def _build(index: FollowingIndex, store: Stores, where: str) -> None:
    """Make *index* whole: it has what was stored before the call."""
    heads = await store.documents.feed.heads()
    names = [name for name, head in heads.items() if head]
    count = sum([await store.documents.count(name) for name in names])
    told = f"{count:,} documents of {len(names):,} data stores"
    terminal.say(f"indexing {told} {where}")
    began = time.monotonic()
    await index.wait_ready()
    for name in names:
        await index.refresh(name)
    if index.damaged:
        terminal.say(f"{index.damaged:,} documents are damaged, and found with no index")
    terminal.say(f"the index has all {told}, after {time.monotonic() - began:.0f} s")
