"""What of the documents of a data store an index has to write, and how much of it at once."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from typing import Final

from service.corpus.stored_documents import IndexContent, unpack
from service.corpus.tantivy.index_writer import IndexWriter

_SLICE: Final = 1_000
"""Documents that are written at once: all of them are in memory meanwhile, packed and decoded."""


def apply(writer: IndexWriter, ids: Collection[str], packed: dict[str, bytes]) -> dict[str, bytes]:
    """Write what changed of the documents with these *ids*; return what cannot be read."""
    changed: dict[str, IndexContent] = {}
    digests: dict[str, bytes] = {}
    damaged: dict[str, bytes] = {}
    for i, value in packed.items():
        digest = hashlib.blake2b(value, digest_size=16).digest()
        if writer.digest(i) == digest:
            continue
        content = unpack(value)
        if content is None:
            damaged[i] = digest
        else:
            changed[i], digests[i] = content, digest
    gone = [i for i in ids if (i not in packed or i in damaged) and writer.digest(i) is not None]
    if changed or gone:
        for refused in writer.apply(changed, gone, digests):
            damaged[refused] = digests[refused]
    return damaged


def slices(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Cut *ids* into as many at once as are written together."""
    for at in range(0, len(ids), _SLICE):
        yield ids[at : at + _SLICE]


async def gathered(pages: AsyncIterator[list[str]]) -> AsyncIterator[list[str]]:
    """Yield the ids in *pages*, as many at once as are written together."""
    ids: list[str] = []
    async for page in pages:
        ids += page
        if len(ids) >= _SLICE:
            yield ids
            ids = []
    if ids:
        yield ids
