"""Search one data store in the state that it had at one moment."""

from __future__ import annotations

import collections
import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import tantivy
from tantivy import FieldType, Occur, Query

from service.corpus.document_filters import ALL, And, Filter, Not, OneOf, Or, matches
from service.corpus.ranking import spelling, store_languages
from service.corpus.ranking.field_weights import (
    CHUNKS_READ,
    DOCUMENTS_READ,
    IN_CHUNKS,
    IN_DOCUMENTS,
    WHOLE,
)
from service.corpus.ranking.index_entries import (
    FIELDS,
    PAYLOAD,
    DocumentAttributes,
)
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.ranking.store_languages import StoreLanguages
from service.corpus.ranking.store_reader import ChunkPlace, MatchedChunk, ReadChunk
from service.corpus.tantivy.reader.entry_searcher import EntrySearcher, Visibility
from service.corpus.tantivy.reader.term_queries import TermQueries
from service.corpus.tantivy.reader.term_statistics import TermStatistics
from service.language import word_vectors
from service.language.word_vectors import Neighbour
from service.native_calls import TANTIVY

_RESTRICTED: Final = 16
"""Readers with fewer documents that are kept: each has 100 bytes or so for each of these."""


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
        self._visible = chunks.visibility.visible if chunks.visibility else None
        self.chunks = (
            chunks.searcher.num_docs
            if self._visible is None
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
        self._filtered = functools.lru_cache(maxsize=64)(self._scanned)
        self.correct = functools.lru_cache(maxsize=10_000)(self._correct)
        """Return what a word means that the store does not know, "" where nothing is near."""
        self.near = functools.lru_cache(maxsize=2_000)(self._near)
        """Return the terms of the store that mean about what a word of another language does."""
        self._restricted = functools.lru_cache(maxsize=_RESTRICTED)(self._restricted_to)
        self._in_chunks = TermQueries(chunks.schema, IN_CHUNKS, statistics.fields_with)
        self._in_documents = TermQueries(documents.schema, IN_DOCUMENTS, statistics.fields_with)
        self._words = word_vectors.StoredWords(
            lambda terms: {term for term in terms if statistics.fields_with(term)},
            self.languages[0] if self.languages else "en",
        )

    def reader(self, condition: Filter, texts: Sequence[str] = ()) -> IndexReader:
        """Return what reads the documents that *condition* matches, see `within`."""
        return self if condition == ALL else self.within(condition)

    def within(self, condition: Filter) -> IndexReader:
        """Return a reader for which there are only the documents that *condition* matches.

        It finds no other, and none of its words, languages or numbers tells of any other: what
        is rare and what is misspelt is decided by what can be seen.
        """
        visible = self._filtered(condition)
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
    def rarest(self) -> float:
        """How telling a term is that no chunk has."""
        return self.idf(())

    def matching(self, condition: Filter) -> frozenset[int]:
        """Return the numbers of the documents that *condition* matches."""
        if not _names_documents(condition):
            return self._filtered(condition)
        # What names documents is another condition with each query: it costs a look-up each, and
        # is not kept, or it would drive out the filters that come again.
        match condition:
            case And(terms):
                first, *others = map(self.matching, terms)
                return first.intersection(*others)
            case Or(terms):
                return frozenset[int]().union(*map(self.matching, terms))
            case Not(term):
                return frozenset(self._attributes) - self.matching(term)
            case OneOf(literals=ids):
                return frozenset(self.numbers(ids).values())
            case _:
                raise AssertionError("no other condition names documents")

    def select(self, documents: Collection[int], condition: Filter) -> Collection[int]:
        """Return those of *documents*, given by number, that *condition* matches."""
        return self.matching(condition).intersection(documents)

    def numbers(self, document_ids: Collection[str]) -> Mapping[str, int]:
        """Return the numbers of those of the documents with these ids that there are."""
        return {i: self._numbers[i] for i in document_ids if i in self._numbers}

    def ids(self, condition: Filter) -> frozenset[str] | None:
        """Return the ids of the documents that *condition* matches, None for all in the index."""
        allowed = self._allowed(condition)
        return None if allowed is None else frozenset(self._attributes[one].id for one in allowed)

    def known_ids(self) -> Collection[str]:
        """Return the ids of all documents."""
        return self._numbers.keys()

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
        condition: Filter = ALL,
        question: str = "",
    ) -> list[MatchedChunk]:
        """Return the chunks that fit *query* best, the best first and of equals the oldest.

        They are of documents that *condition* matches. Chunks with a heading that asks *question*,
        see `question_keys`, go before others.
        """
        allowed = self._allowed(condition)
        if allowed is not None and not allowed:
            return []
        # The others may be nearer in all other words, and are about something else all the same.
        named = [term for term in query if term.names_one and term.known and self._is_rare(term)]
        wanted = self._in_chunks.build(query, named, question)
        hits = self._chunks.best(wanted, CHUNKS_READ, allowed)
        documents = self._documents.best(self._in_documents.build(query), DOCUMENTS_READ, allowed)
        wholes = {document: score for score, document, _ in documents}
        lowest = min(wholes.values(), default=0.0)
        candidates: list[MatchedChunk] = []
        for score, document, address in hits:
            alone = self._attributes[document].chunks == 1
            whole = score if alone else wholes.get(document, lowest)
            key = address.segment_ord, address.doc
            candidates.append(MatchedChunk(score + WHOLE * whole, document, key))
        candidates.sort(key=lambda c: (-c.score, c.document, c.key))
        return candidates

    @TANTIVY.around
    def fetch(self, candidates: Sequence[MatchedChunk]) -> list[ReadChunk]:
        """Read the chunk of each of *candidates*, which are of this reader."""
        return [self._read(one.document, tantivy.DocAddress(*one.key)) for one in candidates]

    @TANTIVY.around
    def places(self, candidates: Sequence[MatchedChunk]) -> list[ChunkPlace]:
        """Return the place of each of *candidates*."""
        addresses = [tantivy.DocAddress(*candidate.key) for candidate in candidates]
        places = self._chunks.searcher.fast_field_values("place", addresses)
        return [
            ChunkPlace(self._attributes[candidate.document].id, int(place or 0))
            for candidate, place in zip(candidates, places, strict=True)
        ]

    @TANTIVY.around
    def locate(self, places: Sequence[ChunkPlace]) -> list[MatchedChunk | None]:
        """Return the chunk at each of *places*, with no score; None where there is none."""
        return [self._located(self._numbers.get(one.document_id), one.place) for one in places]

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
        read = [self._read(number, address) for _, address in found]
        return sorted(read, key=lambda one: one.number)

    def _read(self, document: int, address: tantivy.DocAddress) -> ReadChunk:
        attributes = self._attributes[document]
        stored = self._chunks.searcher.doc(address).get_first("payload")
        return ReadChunk(attributes.id, attributes.content, PAYLOAD.decode(stored or b""))

    def _located(self, document: int | None, place: int) -> MatchedChunk | None:
        if document is None:
            return None
        wanted = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(self._chunks.schema, field, value))
                for field, value in (("document", document), ("place", place))
            ]
        )
        found = self._chunks.searcher.search(wanted, 1, count=False).hits
        if not found:
            return None
        _, address = found[0]
        return MatchedChunk(0.0, document, (address.segment_ord, address.doc))

    def _allowed(self, condition: Filter) -> frozenset[int] | None:
        """Return the numbers of the documents that *condition* matches, None for all there are."""
        return self._visible if condition == ALL else self.matching(condition)

    def _is_rare(self, term: QueryTerm) -> bool:
        return self._statistics.is_rare(term.variants)

    def _scanned(self, condition: Filter) -> frozenset[int]:
        return frozenset(
            number
            for number, attributes in self._attributes.items()
            if matches(condition, attributes.content.facts(attributes.id))
        )

    @TANTIVY.around
    def _correct(self, word: str, language: str, name: bool) -> str:
        def frequencies(terms: Sequence[str]) -> list[int]:
            # Of a short page only its heading may have the word that it is asked for by.
            count = self._statistics.frequency
            return [max(count(field, term) for field in FIELDS) for term in terms]

        return spelling.correct(word, language, frequencies, name=name)

    @TANTIVY.around
    def _near(self, word: str, language: str) -> Sequence[Neighbour]:
        return self._words.nearest(word, language)


def _names_documents(condition: Filter) -> bool:
    """Tell whether *condition* speaks of the ids of documents."""
    match condition:
        case And(terms) | Or(terms):
            return any(map(_names_documents, terms))
        case Not(term):
            return _names_documents(term)
        case OneOf(field=field):
            return field == "id"
        case _:
            return False
