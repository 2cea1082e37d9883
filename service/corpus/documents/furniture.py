"""Find what stands at the edge of most pages of a data store, and keep answers from quoting it.

"Was this page helpful?", "Last updated on …" and the like belong to the site and not to the page.
One page does not show that, so they are looked for when an import is done, on a sample of all that
is stored: at most `_SAMPLE` documents are read, however many there are. Such a block is taken out
of the blocks of its chunk, of which answers are made. Its text stays, is searched and can be cited;
so nothing is lost where a site repeats what matters, and who imports again gets the same. What
repeats in the middle of pages is content, and so is what little a document of two lines says.
"""

from __future__ import annotations

import collections
import functools
import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import IndexContent, StoredChunk, StoredDocument, unpack
from service.thread_pools import ThreadPool

_SAMPLE: Final = 200
"""Documents that show what a site repeats: a share of .6 is found within .07, 19 times of 20."""
_FEW: Final = 10
"""Of fewer documents nothing is said."""
_SHARE: Final = 0.6
"""What stands at the edge of this share of the documents is furniture,"""
_STILL: Final = 0.4
"""and remains it down to this share, so that it does not come and go with the sample."""
_EDGE: Final = 4
"""Blocks at the beginning and at the end of a document that are its edges,"""
_SHORTEST: Final = 3
"""but at most one of so many at each end: the answer of a short page stands between them."""
_LENGTH: Final = 300
_KINDS: Final = frozenset({BlockKind.TEXT, BlockKind.NOTE, BlockKind.ITEM, BlockKind.LEAD})
_DIGITS: Final = re.compile(r"\d+")

Furniture = frozenset[bytes]
"""The fingerprints of the texts."""


class _Place(NamedTuple):
    """A block of a document, or one that was left out: in which chunk, and what it says."""

    chunk: int
    block: Block
    fingerprint: bytes
    is_left_out: bool


async def leave_out(
    store: DocumentStore, threads: ThreadPool, data_store: str, stored: Sequence[str]
) -> None:
    """Look for furniture after documents of the ids *stored* came, and leave it out everywhere."""
    if not stored:
        return
    before = await store.furniture(data_store)
    sample = await store.packed_contents(data_store, await store.spread_ids(data_store, _SAMPLE))
    found = await threads.run(find, list(sample.values()), before)
    if found != before:
        await store.set_furniture(data_store, found)
        async for ids in store.all_ids(data_store):
            await _rewrite(store, threads, data_store, ids, found, before)
    elif found:
        for at in range(0, len(stored), _SAMPLE):
            ids = stored[at : at + _SAMPLE]
            await _rewrite(store, threads, data_store, ids, found, before)


async def _rewrite(
    store: DocumentStore,
    threads: ThreadPool,
    data_store: str,
    ids: Sequence[str],
    found: Furniture,
    before: Furniture,
) -> None:
    packed = await store.packed_contents(data_store, ids)
    change = functools.partial(_changed, packed, found, before)
    changed = await threads.run(change)
    seen = await store.packed_documents(data_store, list(changed))
    digests = await store.digests(data_store, list(changed))
    for i in changed.keys() & seen.keys():
        document = StoredDocument(
            id=i, document=seen[i], content=changed[i], digest=digests.get(i, b"")
        )
        # Whoever writes the document meanwhile is right: the next import looks at it again.
        await store.swap(data_store, document, seen[i])


def _changed(packed: dict[str, bytes], found: Furniture, before: Furniture) -> dict[str, bytes]:
    changed: dict[str, bytes] = {}
    for i, value in packed.items():
        content = unpack(value)
        made = without(content, found, before) if content is not None else None
        if made is not None:
            changed[i] = msgspec.msgpack.encode(made)
    return changed


def find(contents: Iterable[bytes], before: Furniture = frozenset()) -> Furniture:
    """Return what is furniture in the documents of these stored *contents*."""
    counts: collections.Counter[bytes] = collections.Counter()
    documents = 0
    for value in contents:
        content = unpack(value)
        places = _edges(content) if content is not None else []
        documents += bool(places)
        counts.update({place.fingerprint for place in places})
    if documents < _FEW:
        return before
    return frozenset(
        fingerprint
        for fingerprint, count in counts.items()
        if count >= (_STILL if fingerprint in before else _SHARE) * documents
    )


def without(
    content: IndexContent, furniture: Furniture, before: Furniture = frozenset()
) -> IndexContent | None:
    """Return *content* without *furniture* among its blocks, None where that changes nothing.

    What was furniture *before* and is not any more is a block again.
    """
    chunks = [list(chunk.blocks) for chunk in content.chunks]
    left_out = list(content.left_out)
    for place in _edges(content):
        entry, blocks = (place.chunk, place.block), chunks[place.chunk]
        if place.is_left_out and place.fingerprint in before - furniture:
            left_out.remove(entry)
            blocks[:] = [*filter(_holds_text, blocks), place.block]
            blocks.sort(key=lambda block: block.start)
        elif not place.is_left_out and place.fingerprint in furniture:
            blocks.remove(place.block)
            left_out.append(entry)
            if not blocks:
                # An empty one stays: of a chunk without any they are guessed.
                blocks.append(msgspec.structs.replace(place.block, end=place.block.start))
    if left_out == list(content.left_out):
        return None
    made = tuple(
        msgspec.structs.replace(chunk, blocks=tuple(blocks))
        for chunk, blocks in zip(content.chunks, chunks, strict=True)
    )
    return msgspec.structs.replace(content, chunks=made, left_out=tuple(left_out))


def _edges(content: IndexContent) -> list[_Place]:
    """Return what stands at the beginning and at the end of a document, [] for two lines."""
    blocks = [
        (number, block, False)
        for number, chunk in enumerate(content.chunks)
        for block in chunk.blocks
        if _holds_text(block)
    ]
    blocks += [(number, block, True) for number, block in content.left_out]
    if len(blocks) < _SHORTEST:
        return []
    blocks.sort(key=lambda place: (place[0], place[1].start))
    edge = min(_EDGE, len(blocks) // _SHORTEST)
    places = [
        _Place(number, block, _fingerprint(content.chunks[number], block), is_left_out)
        for number, block, is_left_out in (*blocks[:edge], *blocks[-edge:])
    ]
    return [place for place in places if place.fingerprint]


def _holds_text(block: Block) -> bool:
    """Tell whether *block* is none that stands for all that was left out of its chunk."""
    return block.end > block.start


def _fingerprint(chunk: StoredChunk, block: Block) -> bytes:
    """Return what is equal for texts but for numbers, case and space; b"" for what is content."""
    if block.kind not in _KINDS or block.end - block.start > _LENGTH:
        return b""
    text = chunk.text[block.start : block.end]
    plain = " ".join(_DIGITS.sub("0", text).casefold().split())
    return hashlib.blake2b(plain.encode(), digest_size=8).digest()
