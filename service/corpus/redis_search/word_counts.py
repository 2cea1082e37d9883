"""Tell in few bytes how often a chunk has each of its words, which is what it is scored by.

A search scores some hundred chunks, and their texts would be most of what it has to read. So each
has beside its text: how many words there are, whether it is all of its document, and how long each
field is; four bytes for each distinct word; for each field how often it has each of these; and the
id of its document.
"""

from __future__ import annotations

import bisect
import collections
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from service.corpus.ranking.index_entries import FIELDS

_HEAD: Final = struct.Struct(f"<I?{len(FIELDS)}I")
_MARK: Final = struct.Struct("<I")
_MOST: Final = 255
"""How often a word counts: from some ten on more hardly tell."""


class CountedWords(NamedTuple):
    """What is told of a chunk: its *lengths* by field, and how often each word is in each.

    *document_id* names its document, and *is_whole* tells whether that has no other chunk. *words*
    has the place of each word by its mark; *often* has a byte for each place, field by field.
    """

    document_id: str
    is_whole: bool
    lengths: Sequence[int]
    words: dict[int, int]
    often: bytes


def mark(word: str) -> int:
    """Return what stands for a *word* of the engine: two have the same once in four billion."""
    return zlib.crc32(word.encode())


def pack(document_id: str, *, is_whole: bool, fields: Mapping[str, str]) -> bytes:
    """Return what is told of a chunk with these words of the engine in its *fields*."""
    told = [fields[field].split() for field in FIELDS]
    counts = [collections.Counter(map(mark, words)) for words in told]
    marks = sorted({each for count in counts for each in count})
    often = [bytes(min(_MOST, count[each]) for each in marks) for count in counts]
    head = _HEAD.pack(len(marks), is_whole, *map(len, told))
    return b"".join((head, *map(_MARK.pack, marks), *often, document_id.encode()))


def unpack_some(packed: bytes, among: Iterable[int]) -> CountedWords:
    """Return the same of those of a document's words alone whose marks are *among* these.

    A whole document has thousands of others.
    """
    distinct, is_whole, *lengths = _HEAD.unpack_from(packed)
    middle = _HEAD.size + _MARK.size * distinct
    end = middle + len(FIELDS) * distinct
    marks = memoryview(packed)[_HEAD.size : middle].cast("I")
    places = {each: bisect.bisect_left(marks, each) for each in among}
    words = {each: at for each, at in places.items() if at < distinct and marks[at] == each}
    return CountedWords(packed[end:].decode(), is_whole, lengths, words, packed[middle:end])


def unpack(packed: bytes) -> CountedWords:
    """Return what `pack` was given."""
    distinct, is_whole, *lengths = _HEAD.unpack_from(packed)
    middle = _HEAD.size + _MARK.size * distinct
    end = middle + len(FIELDS) * distinct
    marks = struct.unpack_from(f"<{distinct}I", packed, _HEAD.size)
    words = dict(zip(marks, range(distinct), strict=True))
    return CountedWords(packed[end:].decode(), is_whole, lengths, words, packed[middle:end])
