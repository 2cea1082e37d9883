"""What an index keeps of a document, and of all of them together, as it is stored."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from service.corpus.document_filters import Facts
from service.corpus.ranking import document_terms
from service.corpus.ranking.index_entries import FIELDS, DocumentAttributes
from service.corpus.redis_search import encoded_terms, fact_tags, word_counts
from service.corpus.redis_search.entry_keys import COUNTS, EntryKeys
from service.corpus.stored_documents import IndexContent

WHOLE: Final = "whole"
"""Stands beside the fields of chunks for all texts of a document of several chunks."""
_LANGUAGE: Final = "language:"
_RESTRICTIONS: Final = "restrictions:"
_ENCODER: Final = msgspec.msgpack.Encoder()


class IndexedDocument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A document that can be found: the *number* of its hashes, and what is kept beside them."""

    number: int
    attributes: DocumentAttributes

    @property
    def facts(self) -> Facts:
        """What a filter may ask of it."""
        return self.attributes.content.facts(self.attributes.id)


DECODER: Final = msgspec.msgpack.Decoder(IndexedDocument)


class _Attributes(msgspec.Struct, array_like=True):
    id: str
    content: msgspec.Raw
    chunks: int


class _Entry(msgspec.Struct, array_like=True):
    number: int
    attributes: _Attributes


_SIZED: Final = msgspec.msgpack.Decoder(_Entry)


def size(stored: bytes) -> tuple[int, int]:
    """Return the number of a document and its count of chunks, of an entry of any format."""
    entry = _SIZED.decode(stored)
    return entry.number, entry.attributes.chunks


class EntryTotals(NamedTuple):
    """What is counted over all entries of a data store.

    *position* is what of the feed they include, 0 where nothing was ever. *given* is the last
    number that a document got, *several* how many have several chunks, *restrictions* the most that
    the readers of one have.
    """

    position: int = 0
    given: int = 0
    chunks: int = 0
    documents: int = 0
    several: int = 0
    lengths: Mapping[str, int] = {}
    languages: Mapping[str, int] = {}
    restrictions: int = 0


def totals(stored: Sequence[bytes]) -> EntryTotals:
    """Return what a hash holds, given as fields and values in turn."""
    found = {f.decode(): int(v) for f, v in zip(stored[::2], stored[1::2], strict=True)}

    def beginning(prefix: str) -> dict[str, int]:
        return {f.removeprefix(prefix): n for f, n in found.items() if f.startswith(prefix)}

    return EntryTotals(
        position=found.get("position", 0),
        given=found.get("given", 0),
        chunks=found.get("chunks", 0),
        documents=found.get("documents", 0),
        several=found.get("several", 0),
        lengths={field: found.get(field, 0) for field in (*FIELDS, WHOLE)},
        languages=beginning(_LANGUAGE),
        restrictions=max(map(int, beginning(_RESTRICTIONS)), default=0),
    )


class PreparedDocument(NamedTuple):
    """A document as it is written: its entry, its hashes by key, and the words of its chunks."""

    entry: IndexedDocument
    hashes: Sequence[tuple[bytes, Sequence[bytes | str | int]]]
    words: Sequence[Mapping[str, str]]


def prepare(
    keys: EntryKeys, number: int, document_id: str, content: IndexContent, digest: bytes
) -> PreparedDocument:
    """Return the document of this id as it is written with *number*."""
    attributes = document_terms.attributes(document_id, content, digest)
    told = ",".join(fact_tags.of(content.facts(document_id), content.language))
    words: list[Mapping[str, str]] = []
    hashes: list[tuple[bytes, Sequence[bytes | str | int]]] = []
    chunks = document_terms.of(content)
    for place, (stored, terms) in enumerate(zip(content.chunks, chunks, strict=True)):
        told_here = f"{told},{fact_tags.FIRST}" if place == 0 else told
        fields = {
            "title": encoded_terms.tokens(terms.title),
            "headings": encoded_terms.tokens(terms.headings),
            "body": encoded_terms.tokens(terms.body),
        }
        asks = ",".join(encoded_terms.tag("q", key) for key in terms.questions.split())
        counts = word_counts.pack(document_id, is_whole=len(chunks) == 1, fields=fields)
        values: list[bytes | str | int] = [fact_tags.FIELD, told_here, "asks", asks]
        values += [COUNTS, counts, "stored", _ENCODER.encode(stored)]
        for field, value in fields.items():
            values += [field, value]
        hashes.append((keys.chunk(number, place), values))
        words.append(fields)
    if len(words) > 1:
        whole = {"title": "", "headings": "", "body": " ".join(each["body"] for each in words)}
        counts = word_counts.pack(document_id, is_whole=True, fields=whole)
        hashes.append((keys.whole(number), [COUNTS, counts]))
    return PreparedDocument(IndexedDocument(number, attributes), hashes, words)


class Tally:
    """What a change adds to, and takes from, what is counted."""

    def __init__(self) -> None:
        self.terms: collections.Counter[str] = collections.Counter()
        self.totals: collections.Counter[str] = collections.Counter()

    def add(self, entry: IndexedDocument, words: Sequence[Mapping[str, str]], by: int = 1) -> None:
        """Count a document with the *words* of its chunks *by* times."""
        content = entry.attributes.content
        self.totals["documents"] += by
        self.totals[_LANGUAGE + content.language] += by
        self.totals[f"{_RESTRICTIONS}{len(content.readers)}"] += by
        for fields in words:
            self.totals["chunks"] += by
            for field in FIELDS:
                told = fields[field].split()
                self.totals[field] += by * len(told)
                for word in set(told):
                    self.terms[term_field(field, word)] += by
        if entry.attributes.chunks > 1:
            self._add_whole([word for fields in words for word in fields["body"].split()], by)

    def _add_whole(self, told: Sequence[str], by: int) -> None:
        self.totals["several"] += by
        self.totals[WHOLE] += by * len(told)
        for word in set(told):
            self.terms[term_field(WHOLE, word)] += by

    def changes(self, counts: Mapping[str, int]) -> list[str | int]:
        """Return those of *counts* that change something, with by what, in turn."""
        return [part for field, by in counts.items() if by for part in (field, by)]


def term_field(field: str, word: str) -> str:
    """Return what counts the chunks that have a *word* of the engine in *field*.

    In `WHOLE` it counts documents of several chunks.
    """
    return f"{field[0]}:{word}"
