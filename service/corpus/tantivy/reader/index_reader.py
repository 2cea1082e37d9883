"""Search one data store in the state that it had at one moment."""

from __future__ import annotations

import collections
import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import tantivy
from tantivy import FieldType, Occur, Query

from service.corpus.document_filters import Filter, matches
from service.corpus.index import Chunk
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy import spelling
from service.corpus.tantivy.queries.terms import QueryTerm
from service.corpus.tantivy.reader import store_languages
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher, Visibility
from service.corpus.tantivy.reader.index_entries import (
    FIELDS,
    PAYLOAD,
    DocumentAttributes,
    Payload,
)
from service.corpus.tantivy.reader.store_languages import StoreLanguages
from service.corpus.tantivy.reader.term_queries import IN_CHUNKS, IN_DOCUMENTS, TermQueries
from service.corpus.tantivy.reader.term_statistics import TermStatistics
from service.corpus.tantivy.relevance import ReadTerms
from service.language import word_vectors
from service.language.word_vectors import Neighbour
from service.native_calls import TANTIVY

_CHUNKS_READ: Final = 200
"""Chunks that a search ranks; what lies below is never seen."""
_DOCUMENTS_READ: Final = 100
_WHOLE: Final = 1.0
"""What the score of the whole document adds to that of its chunk."""
_RESTRICTED: Final = 16
"""Readers with fewer documents that are kept: each has 100 bytes or so for each of these."""


class MatchedChunk(NamedTuple):
    """A chunk that matched: its score, its document's number, and where tantivy keeps it.

    Where the meaning of the query counts too, *score* joins the two, *words* is that of its words
    alone, and *cosine* how near the chunk's meaning lies, None where that is not known.
    """

    score: float
    document: int
    address: tantivy.DocAddress
    words: float | None = None
    cosine: float | None = None


class ReadChunk(NamedTuple):
    """A chunk as it was read."""

    document_id: str
    content: IndexContent
    payload: Payload

    @property
    def number(self) -> int:
        """Its place in the document, from 0."""
        return self.payload.number

    def chunk(self, document: str) -> Chunk:
        """Return it as a chunk of the document of this name."""
        return self.content.chunk(document, self.number, self.payload.stored)

    def terms(self) -> ReadTerms:
        """Return the terms of the chunk, and those of its headings and its title."""
        return ReadTerms(self.payload.body.split(), frozenset(self.payload.above.split()))


class IndexReader:
    """The documents of one data store at one moment. Any thread may read it."""

    def __init__(
        self,
        *,
        chunks: EntrySearcher,
        documents: EntrySearcher,
        attributes: Mapping[int, DocumentAttributes],
        numbers: Mapping[str, int],
        languages: StoreLanguages,
    ) -> None:
        """*attributes* and *numbers* are those of the documents that there are."""
        self._chunks = chunks
        self._documents = documents
        self._attributes = attributes
        self._numbers = numbers
        self.visible = chunks.visibility.visible if chunks.visibility else None
        """The numbers of the only documents that there are for this reader, None for all."""
        self.chunks = (
            chunks.searcher.num_docs
            if self.visible is None
            else sum(each.chunks for each in attributes.values())
        )
        """How many chunks there are."""
        self.languages = languages.common
        """The commonest languages of the documents, the commonest first."""
        self.spoken = languages.spoken
        """All languages in which a share of them worth naming is, without regions."""
        self._statistics = statistics = TermStatistics(chunks, self.chunks)
        self.idf = statistics.idf
        """Return how telling a term is here, from 0 where every chunk has it."""
        self.knows = statistics.knows
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        self.matching = functools.lru_cache(maxsize=64)(self._matching)
        """Return the numbers of the documents that a filter matches."""
        self.correct = functools.lru_cache(maxsize=10_000)(self._correct)
        """Return what a word means that the store does not know, "" where nothing is near."""
        self.near = functools.lru_cache(maxsize=2_000)(self._near)
        """Return the terms of the store that mean about what a word of another language does."""
        self._restricted = functools.lru_cache(maxsize=_RESTRICTED)(self._restricted_to)
        self._in_chunks = TermQueries(chunks.schema, IN_CHUNKS, statistics.fields_with)
        self._in_documents = TermQueries(documents.schema, IN_DOCUMENTS, statistics.fields_with)
        self._words = word_vectors.StoredWords(
            lambda term: bool(statistics.fields_with(term)),
            self.languages[0] if self.languages else "en",
        )

    def within(self, condition: Filter) -> IndexReader:
        """Return a reader for which there are only the documents that *condition* matches.

        It finds no other, and none of its words, languages or numbers tells of any other: what
        is rare and what is misspelt is decided by what can be seen.
        """
        visible = self.matching(condition)
        return self if len(visible) == len(self._attributes) else self._restricted(visible)

    def _restricted_to(self, visible: frozenset[int]) -> IndexReader:
        attributes = {number: self._attributes[number] for number in sorted(visible)}
        counts = collections.Counter(each.content.language for each in attributes.values())
        hidden = self._attributes.keys() - visible
        if self._chunks.visibility is not None:
            hidden |= self._chunks.visibility.hidden
        chunks = sum(each.chunks for each in attributes.values())
        ratio = self._chunks.searcher.num_docs / max(1, chunks)
        visibility = Visibility(visible, frozenset(hidden), ratio)
        return IndexReader(
            chunks=self._chunks.within(visibility),
            documents=self._documents.within(visibility),
            attributes=attributes,
            numbers={each.id: number for number, each in attributes.items()},
            languages=store_languages.of(counts),
        )

    @property
    def everything(self) -> frozenset[int]:
        """The numbers of all documents."""
        return frozenset(self._attributes)

    @property
    def rarest(self) -> float:
        """How telling a term is that no chunk has."""
        return self.idf(())

    def numbers(self, ids: Collection[str]) -> frozenset[int]:
        """Return the numbers of those of the documents with these *ids* that there are."""
        return frozenset(self._numbers[i] for i in ids if i in self._numbers)

    def number(self, document_id: str) -> int | None:
        """Return the number of the document of this id, None where there is none."""
        return self._numbers.get(document_id)

    def document_id(self, number: int) -> str:
        """Return the id of the document of this *number*."""
        return self._attributes[number].id

    def ids(self, numbers: Collection[int]) -> frozenset[str]:
        """Return the ids of the documents with these *numbers*."""
        return frozenset(self._attributes[number].id for number in numbers)

    def digests(self) -> dict[str, bytes]:
        """Return the digest of what is indexed of each document, by id."""
        return {each.id: each.digest for each in self._attributes.values()}

    def list_documents(self, condition: Filter) -> list[DocumentAttributes]:
        """Return the documents that *condition* matches, by id."""
        matched = (self._attributes[number] for number in self.matching(condition))
        return sorted(matched, key=lambda attributes: attributes.id)

    @TANTIVY.around
    def search(
        self,
        query: Sequence[QueryTerm],
        allowed: frozenset[int] | None = None,
        question: str = "",
    ) -> list[MatchedChunk]:
        """Return the chunks that fit *query* best, the best first and of equals the oldest.

        *allowed* are the numbers of the documents that may be found, None for all. Chunks with a
        heading that asks *question*, see `question_keys`, go before others.
        """
        # The others may be nearer in all other words, and are about something else all the same.
        named = [term for term in query if term.names_one and term.known and self._is_rare(term)]
        wanted = self._in_chunks.build(query, named, question)
        hits = self._chunks.best(wanted, _CHUNKS_READ, allowed)
        documents = self._documents.best(self._in_documents.build(query), _DOCUMENTS_READ, allowed)
        wholes = {document: score for score, document, _ in documents}
        lowest = min(wholes.values(), default=0.0)
        candidates: list[MatchedChunk] = []
        for score, document, address in hits:
            alone = self._attributes[document].chunks == 1
            whole = score if alone else wholes.get(document, lowest)
            candidates.append(MatchedChunk(score + _WHOLE * whole, document, address))
        candidates.sort(key=lambda c: (-c.score, c.document, c.address.segment_ord, c.address.doc))
        return candidates

    @TANTIVY.around
    def fetch(self, candidate: MatchedChunk) -> ReadChunk:
        """Read the chunk of a *candidate* of this reader."""
        attributes = self._attributes[candidate.document]
        stored = self._chunks.searcher.doc(candidate.address).get_first("payload")
        payload = PAYLOAD.decode(stored or b"")
        return ReadChunk(attributes.id, attributes.content, payload)

    @TANTIVY.around
    def places(self, candidates: Sequence[MatchedChunk]) -> list[int]:
        """Return the place of each of *candidates* in its document, from 0."""
        addresses = [candidate.address for candidate in candidates]
        return [int(at or 0) for at in self._chunks.searcher.fast_field_values("place", addresses)]

    @TANTIVY.around
    def locate(self, document: int, place: int) -> MatchedChunk | None:
        """Return the chunk at this *place* of the document of this number, where there is one."""
        if document not in self._attributes:
            return None
        wanted = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(self._chunks.schema, field, value))
                for field, value in (("document", document), ("place", place))
            ]
        )
        found = self._chunks.searcher.search(wanted, 1, count=False).hits
        return MatchedChunk(0.0, document, found[0][1]) if found else None

    @TANTIVY.around
    def read_chunks(self, document_id: str, first: int, last: int) -> list[ReadChunk]:
        """Return the chunks *first* to *last* of the document of this id, those that there are."""
        number = self._numbers.get(document_id)
        if number is None or last < first:
            return []
        last = min(last, self._attributes[number].chunks - 1)
        wanted = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(self._chunks.schema, "document", number)),
                (
                    Occur.Must,
                    Query.range_query(self._chunks.schema, "place", FieldType.Integer, first, last),
                ),
            ]
        )
        found = self._chunks.searcher.search(wanted, max(1, last - first + 1), count=False).hits
        read = [self.fetch(MatchedChunk(0.0, number, address)) for _, address in found]
        return sorted(read, key=lambda one: one.number)

    def _is_rare(self, term: QueryTerm) -> bool:
        return self._statistics.is_rare(term.variants)

    def _matching(self, condition: Filter) -> frozenset[int]:
        return frozenset(
            number
            for number, attributes in self._attributes.items()
            if matches(condition, attributes.content.facts(attributes.id))
        )

    @TANTIVY.around
    def _correct(self, word: str, language: str, name: bool) -> str:
        def frequency(term: str) -> int:
            # Of a short page only its heading may have the word that it is asked for by.
            return max(self._statistics.frequency(field, term) for field in FIELDS)

        return spelling.correct(word, language, frequency, name=name)

    @TANTIVY.around
    def _near(self, word: str, language: str) -> Sequence[Neighbour]:
        return self._words.nearest(word, language)
