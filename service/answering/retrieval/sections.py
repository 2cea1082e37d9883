"""Read what stands around the hits: the rest of the sections that they are of.

A hit is a chunk: the list in it may begin in the chunk before and end in the one after. What goes
on with the section of a hit is read with it, and the opening of its document, which says what that
is about; all of it for the best documents only, and bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Final

from service.blocks import BlockKind
from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, Hit, Index

_DOCUMENTS: Final = 3
"""Documents whose sections are read: an answer is hardly ever in a later one."""
_BEFORE: Final = 3
_AFTER: Final = 4
"""Chunks before and after a hit that are looked at: a list of some 800 words."""
_OPENING: Final = 1
"""The last chunk of the opening of a document, which says what that is about."""
_ADDED: Final = 10
"""Chunks that are added to all hits together."""
_BYTES: Final = 12_000
"""Bytes that are added to all hits together."""
_PAGE: Final = 40
"""Chunks of the document of the last answer that are read: more than most pages have."""
_PAGE_BYTES: Final = 24_000
"""Bytes of them that are added."""


async def around(index: Index, hits: Sequence[Hit], viewer: Viewer, last: str = "") -> list[Chunk]:
    """Return the chunks that go on with the sections of *hits*, none of which is among them.

    Of the document that the *last* answer came from all of them are: who asks on asks about it.

    Raises:
        Unavailable: the index is not there.
    """
    documents = list(dict.fromkeys(hit.chunk.document for hit in hits))[:_DOCUMENTS]
    wanted = list[Chunk]()
    cut = set[int]()
    page = await _page(index, hits, viewer, last) if last else []
    for document in documents:
        if page and document == last:
            continue
        own = [hit.chunk for hit in hits if hit.chunk.document == document]
        more = await _wanted(index, own, viewer, best_document=document == documents[0])
        torn = {block.whole for chunk in own for block in (*chunk.blocks[:1], *chunk.blocks[-1:])}
        for chunk in more:
            if any(block.whole in torn for block in chunk.blocks if block.whole):
                cut.add(len(wanted))
            wanted.append(chunk)
    return [*page, *(wanted[place] for place in sorted(_fitting(wanted, cut)))]


async def _page(index: Index, hits: Sequence[Hit], viewer: Viewer, document: str) -> list[Chunk]:
    """Return the chunks of *document* beside its *hits*, those nearest to the best of these."""
    known = [hit.chunk.number for hit in hits if hit.chunk.document == document]
    if not known:
        return []
    first = max(0, known[0] - _PAGE // 2)
    read = [
        chunk
        for chunk in await index.read_chunks(document, first, first + _PAGE, viewer)
        if chunk.number not in known
    ]
    read.sort(key=lambda chunk: abs(chunk.number - known[0]))
    room = itertools.accumulate(chunk.end_byte - chunk.start_byte for chunk in read)
    fitting = [chunk for chunk, size in zip(read, room, strict=True) if size <= _PAGE_BYTES]
    return sorted(fitting, key=lambda chunk: chunk.number)


def _fitting(wanted: Sequence[Chunk], cut: Set[int]) -> Iterator[int]:
    """Yield the places of those *wanted* that there is room for, the rest of what is *cut* first.

    Half a list is worse than none, and the sections of the best document may take all the room.
    """
    count, room = 0, _BYTES
    for place in sorted(range(len(wanted)), key=lambda place: place not in cut):
        size = wanted[place].end_byte - wanted[place].start_byte
        if count < _ADDED and size <= room:
            yield place
            count, room = count + 1, room - size


async def _wanted(
    index: Index, own: Sequence[Chunk], viewer: Viewer, *, best_document: bool
) -> list[Chunk]:
    """Return what belongs to the hits *own* of one document, what the best needs first."""
    best = own[0].number
    first, last = max(best - _BEFORE, 0), best + _AFTER
    if first <= _BEFORE:
        first = 0
    known = {chunk.number: chunk for chunk in own}
    read = list(await index.read_chunks(own[0].document, first, last, viewer))
    if first and best_document:
        read = [*await _begun(index, read, viewer), *read]
        read += await index.read_chunks(own[0].document, 0, _OPENING, viewer)
    around = {chunk.number: chunk for chunk in read}
    wanted = dict.fromkeys(
        number
        for chunk in own
        if chunk.number in around
        for number in (*_forward(around, chunk.number), *_back(around, chunk.number))
    )
    wanted |= {number: None for number in range(_OPENING + 1) if number in around}
    return [around[number] for number in wanted if number not in known]


async def _begun(index: Index, read: Sequence[Chunk], viewer: Viewer) -> list[Chunk]:
    """Return the chunks before those *read* in which the list begins that the first goes on with.

    A list that begins in its middle is worse than none.
    """
    whole = read[0].blocks[0].whole if read and read[0].blocks else 0
    if not whole:
        return []
    first = read[0].number
    before = await index.read_chunks(
        read[0].document, max(first - _LIST, 0), max(first - 1, 0), viewer
    )
    begun = itertools.takewhile(
        lambda chunk: any(block.whole == whole for block in chunk.blocks), reversed(before)
    )
    return [*reversed(list(begun))]


_LIST: Final = 6
"""Further chunks in which a list may begin."""


def _forward(around: Mapping[int, Chunk], number: int) -> Iterator[int]:
    """Yield the chunks behind *number* that go on with its section or lie below it."""
    path = around[number].headings
    while number + 1 in around:
        number += 1
        if _opens(around[number]) and around[number].headings[: len(path)] != path:
            return
        yield number


def _back(around: Mapping[int, Chunk], number: int) -> Iterator[int]:
    """Yield the chunks before *number* in which its section begins."""
    while not _opens(around[number]) and number - 1 in around:
        number -= 1
        yield number


def _opens(chunk: Chunk) -> bool:
    """Tell whether a section begins with *chunk*."""
    return bool(chunk.blocks) and chunk.blocks[0].kind in (BlockKind.HEADING, BlockKind.QUESTION)
