"""Name what an index keeps in Redis of each data store, all in the slot of its documents.

=====================  ======  ==============================================================
``chunk-<format>:…``   hash    a chunk, by its document's number and its place: the words of its
                               fields, its tags, ``counts`` (`word_counts`), ``stored``
                               (`StoredChunk`)
``whole-<format>:…``   hash    all of a document of several chunks: its ``counts``
``entries-<format>``   hash    id → `IndexedDocument`, for each document that can be found
``terms-<format>``     hash    field and term → how many chunks have it there, and documents
``totals-<format>``    hash    `EntryTotals`, and ``position``: what of the feed is included
``numbers-<format>``   zset    id → number, of the same documents
``garbage-<format>``   hash    number → count of chunks that no document has (yet, or any more)
``indexing-<format>``  string  who writes; a few seconds
``sharing``            zset    format and replica -> epoch ms at which it said that it uses that;
                               one for all data stores
=====================  ======  ==============================================================

The vectors of chunks have keys of their own (`vector_keys`).

Whatever they hold can be made anew from the documents. The *format* changes with all that decides
what is in an index, so that two versions of the service have each their own while one replaces the
other.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any, Final

from service.corpus import stored_documents
from service.corpus.ranking import document_terms, index_entries
from service.corpus.ranking.queries import question_keys
from service.corpus.redis_search import encoded_terms, fact_tags, word_counts
from service.corpus.redis_search.vector_keys import VectorKeys
from service.language import chinese, index_terms, question_kinds, stemming, tags, words
from service.language.queries import section_numbers, short_forms
from sessions.redis.keys import Keys

FORMAT: Final = 3
"""Of the hashes and of the indexes over them."""
_DECIDING: Final = (
    chinese,
    document_terms,
    encoded_terms,
    fact_tags,
    index_entries,
    index_terms,
    question_keys,
    question_kinds,
    section_numbers,
    short_forms,
    stemming,
    stored_documents,
    tags,
    word_counts,
    words,
)
"""The modules whose code decides what is in an index."""
CHUNKS: Final = "chunk"
"""The index of a data store."""
_WHOLES: Final = "whole"
COUNTS: Final = "counts"
"""The field of a chunk that has its `word_counts`."""


@functools.cache
def fingerprint() -> str:
    """Return what changes with everything that decides what is in an index."""
    described = hashlib.blake2b(str(FORMAT).encode(), digest_size=6)
    for module in _DECIDING:
        described.update(Path(str(module.__file__)).read_bytes())
    described.update(chinese.table().encode())
    return described.hexdigest()


class EntryKeys:
    """The keys of the index of one data store."""

    def __init__(self, keys: Keys, data_store: str, made: str = "") -> None:
        """*made* is the format, that of this version where it is ""."""
        made = made or fingerprint()
        self.entries: Final = keys.corpus(data_store, f"entries-{made}")
        self.terms: Final = keys.corpus(data_store, f"terms-{made}")
        self.totals: Final = keys.corpus(data_store, f"totals-{made}")
        self.numbers: Final = keys.corpus(data_store, f"numbers-{made}")
        self.garbage: Final = keys.corpus(data_store, f"garbage-{made}")
        self.lease: Final = keys.corpus(data_store, f"indexing-{made}")
        self.models: Final = keys.corpus(data_store, f"models-{made}")
        self._of = keys, data_store, made
        self._parts = {
            part: keys.corpus(data_store, f"{part}-{made}") for part in (CHUNKS, _WHOLES)
        }

    def index(self, part: str) -> bytes:
        """Return the name of an index in the engine."""
        return self._parts[part]

    def prefix(self, part: str) -> bytes:
        """Return what the keys begin with that are in an index."""
        return self._parts[part] + b":"

    def chunk(self, number: int, place: int) -> bytes:
        """Return the key of a chunk."""
        return b"%b:%d:%d" % (self._parts[CHUNKS], number, place)

    def whole(self, number: int) -> bytes:
        """Return the key of all of a document."""
        return b"%b:%d:-1" % (self._parts[_WHOLES], number)

    def vectors(self, model: str) -> VectorKeys:
        """Return the keys of the vectors of a model, see `vector_keys.model_id`."""
        return VectorKeys(*self._of, model)

    def create(self) -> list[Any]:
        """Return the command that makes the index, which has what is written from then on."""
        schema: list[str] = []
        for field in ("title", "headings", "body"):
            schema += [field, "TEXT", "NOSTEM"]
        for field in (fact_tags.FIELD, "asks"):
            schema += [field, "TAG", "SEPARATOR", ",", "CASESENSITIVE"]
        kept = ("ON", "HASH", "PREFIX", 1, self.prefix(CHUNKS), "STOPWORDS", 0)
        bare = ("NOOFFSETS", "NOHL", "SKIPINITIALSCAN")
        return ["FT.CREATE", self.index(CHUNKS), *kept, *bare, "SCHEMA", *schema]
