"""Search one data store in the state that it had at one moment."""

from __future__ import annotations

import collections
import functools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import tantivy
from tantivy import FieldType, Occur, Query

from service.corpus.document_filters import Filter, matches
from service.corpus.index import Chunk
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.corpus.tantivy import spelling
from service.corpus.tantivy.queries.terms import QueryTerm
from service.corpus.tantivy.relevance import ReadTerms
from service.language import tags, word_vectors
from service.language.word_vectors import Neighbour
from service.native_calls import TANTIVY

_CHUNKS_READ: Final = 200
"""Chunks that a search ranks; what lies below is never seen."""
_DOCUMENTS_READ: Final = 100
_FIELDS: Final = {"title": 0.3, "headings": 0.4, "body": 1.0}
"""What a term weighs in each field of a chunk."""
_WHOLE_FIELDS: Final = {"title": 0.3, "body": 1.0}
"""What a term weighs in each field of a whole document."""
_WHOLE: Final = 1.0
"""What the score of the whole document adds to that of its chunk."""


_ASKED: Final = 6.0
"""What it adds to the score of a chunk that one of its headings asks the very question."""
_RESTRICTED: Final = 16
"""Readers with fewer documents that are kept: each has 100 bytes or so for each of these."""
_FEW_ALLOWED: Final = 200
"""Documents up to which a set of them costs tantivy less than to look at what is not allowed."""
_SIFTED: Final = 16
"""One document in so many has to be allowed, or to leave the others out takes longer."""
_LISTED: Final = 500
"""Chunks up to which it is quicker to list those with a term than to count them: .5 ms or 3."""
_FIRST: Final = 32
"""Chunks that are looked at for one that can be seen, before they are counted."""
_LANGUAGES: Final = 3
"""Languages of a data store that a query is stemmed for, the commonest ones."""
_SPOKEN: Final = 0.02
"""The share of the documents from which on the store speaks a language: a stray page is none, or
one taken for another language than it is in."""

_FEW: Final = 5
_RARE: Final = 100
"""A code names one thing where at most so few chunks have it, or one in so many."""


class StoreLanguages(NamedTuple):
    """The commonest languages of documents, and without regions all that a share of them is in."""

    common: tuple[str, ...]
    spoken: frozenset[str]


def store_languages(counts: collections.Counter[str]) -> StoreLanguages:
    """Return the languages that so many documents are in, by *counts*."""
    there = [language for language, count in counts.most_common() if count > 0]
    least = _SPOKEN * counts.total()
    spoken = (tags.base(language) for language in there if counts[language] >= least)
    return StoreLanguages(tuple(there[:_LANGUAGES]), frozenset(spoken))


class DocumentAttributes(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of a document outside the indexes.

    *content* is without its chunks; *digest* tells whether what is stored is what was indexed.
    *questions* are its headings that ask something.
    """

    id: str
    content: IndexContent
    chunks: int
    digest: bytes = b""
    questions: tuple[str, ...] = ()


class Payload(msgspec.Struct, frozen=True, array_like=True):
    """What is stored with a chunk in its index: its place in the document, from 0, and itself.

    *body* are its terms in order, *above* those of its title and headings, all set apart by spaces:
    whoever judges a chunk need not stem it again, which takes as long as to find it.
    """

    number: int
    stored: StoredChunk
    body: str
    above: str


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


_PAYLOAD: Final = msgspec.msgpack.Decoder(Payload)


class IndexReader:
    """The documents of one data store at one moment. Any thread may read it."""

    def __init__(
        self,
        *,
        chunks: tantivy.Searcher,
        chunk_schema: tantivy.Schema,
        documents: tantivy.Searcher,
        document_schema: tantivy.Schema,
        attributes: Mapping[int, DocumentAttributes],
        numbers: Mapping[str, int],
        languages: StoreLanguages,
        visible: frozenset[int] | None = None,
        hidden: frozenset[int] = frozenset(),
    ) -> None:
        """*visible* are the numbers of the documents that there are, None for all.

        *hidden* are those of all others in the indexes.
        """
        self._chunks = chunks
        self._chunk_schema = chunk_schema
        self._documents = documents
        self._document_schema = document_schema
        self._attributes = attributes
        self._numbers = numbers
        self.visible = visible
        """The numbers of the only documents that there are for this reader, None for all."""
        self._hidden = hidden
        self.languages = languages.common
        """The commonest languages of the documents, the commonest first."""
        self.spoken = languages.spoken
        """All languages in which a share of them worth naming is, without regions."""
        self.matching = functools.lru_cache(maxsize=64)(self._matching)
        """Return the numbers of the documents that a filter matches."""
        self.idf = functools.lru_cache(maxsize=10_000)(self._idf)
        """Return how telling a term is here, from 0 where every chunk has it."""
        self.knows = functools.lru_cache(maxsize=10_000)(self._knows)
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        self.correct = functools.lru_cache(maxsize=10_000)(self._correct)
        """Return what a word means that the store does not know, "" where nothing is near."""

        self._frequency = functools.lru_cache(maxsize=10_000)(self._counted)
        """Return how many chunks have a term in a field."""
        self._has_in = functools.lru_cache(maxsize=10_000)(self._fields_with)
        """Return the fields of chunks that have a term."""
        self.near = functools.lru_cache(maxsize=2_000)(self._near)
        """Return the terms of the store that mean about what a word of another language does."""
        self._restricted = functools.lru_cache(maxsize=_RESTRICTED)(self._restricted_to)
        self._in_chunks = _Fields(chunk_schema, _FIELDS, self._has_in)
        self._in_documents = _Fields(document_schema, _WHOLE_FIELDS, self._has_in)
        self._words = word_vectors.StoredWords(
            self._has, self.languages[0] if self.languages else "en"
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
        return IndexReader(
            chunks=self._chunks,
            chunk_schema=self._chunk_schema,
            documents=self._documents,
            document_schema=self._document_schema,
            attributes=attributes,
            numbers={each.id: number for number, each in attributes.items()},
            languages=store_languages(counts),
            visible=visible,
            hidden=self._hidden.union(self._attributes.keys() - visible),
        )

    @functools.cached_property
    def chunks(self) -> int:
        """How many chunks there are."""
        if self.visible is None:
            return self._chunks.num_docs
        return sum(each.chunks for each in self._attributes.values())

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
        hits = self._hits(
            self._chunks, self._in_chunks, query, allowed, _CHUNKS_READ, named, question
        )
        documents = self._hits(self._documents, self._in_documents, query, allowed, _DOCUMENTS_READ)
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
        stored = self._chunks.doc(candidate.address).get_first("payload")
        payload = _PAYLOAD.decode(stored or b"")
        return ReadChunk(attributes.id, attributes.content, payload)

    @TANTIVY.around
    def places(self, candidates: Sequence[MatchedChunk]) -> list[int]:
        """Return the place of each of *candidates* in its document, from 0."""
        addresses = [candidate.address for candidate in candidates]
        return [int(at or 0) for at in self._chunks.fast_field_values("place", addresses)]

    @TANTIVY.around
    def locate(self, document: int, place: int) -> MatchedChunk | None:
        """Return the chunk at this *place* of the document of this number, where there is one."""
        if document not in self._attributes:
            return None
        wanted = Query.boolean_query(
            [
                (Occur.Must, Query.term_query(self._chunk_schema, field, value))
                for field, value in (("document", document), ("place", place))
            ]
        )
        found = self._chunks.search(wanted, 1, count=False).hits
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
                (Occur.Must, Query.term_query(self._chunk_schema, "document", number)),
                (
                    Occur.Must,
                    Query.range_query(self._chunk_schema, "place", FieldType.Integer, first, last),
                ),
            ]
        )
        found = self._chunks.search(wanted, max(1, last - first + 1), count=False).hits
        read = [self.fetch(MatchedChunk(0.0, number, address)) for _, address in found]
        return sorted(read, key=lambda one: one.number)

    def _hits(
        self,
        searcher: tantivy.Searcher,
        fields: _Fields,
        query: Sequence[QueryTerm],
        allowed: frozenset[int] | None,
        limit: int,
        named: Sequence[QueryTerm] = (),
        question: str = "",
    ) -> list[tuple[float, int, tantivy.DocAddress]]:
        """Return the score, the document's number and the place of each entry that fits."""
        wanted = _wanted(fields, query)
        if question:
            asked = Query.term_query(fields.schema, "questions", question, "basic")
            asked = Query.const_score_query(asked, _ASKED)
            wanted = Query.boolean_query([(Occur.Should, wanted), (Occur.Should, asked)])
        if named:
            wanted = _both(wanted, _wanted(fields, named))
        if allowed is None:
            allowed = self.visible
        elif self.visible is not None and allowed is not self.visible:
            allowed &= self.visible
        if allowed is None:
            return _entries(searcher, wanted, limit)
        if allowed is not self.visible:
            return _entries(searcher, _both(wanted, _unscored(fields.schema, allowed)), limit)
        ratio = self._chunks.num_docs / max(1, self.chunks)
        if len(allowed) > _FEW_ALLOWED and ratio <= _SIFTED:
            found = _sifted(searcher, wanted, allowed, limit, ratio)
            if found is not None:
                return found
        of_chunks = searcher is self._chunks
        within = self._within_chunks if of_chunks else self._within_documents
        return _entries(searcher, _both(wanted, within), limit)

    def _is_rare(self, term: QueryTerm) -> bool:
        found = sum(self._frequency("body", variant) for variant in term.variants)
        return found <= max(_FEW, self.chunks // _RARE)

    def _matching(self, condition: Filter) -> frozenset[int]:
        return frozenset(
            number
            for number, attributes in self._attributes.items()
            if matches(condition, attributes.content.facts(attributes.id))
        )

    def _knows(self, variants: tuple[str, ...]) -> bool:
        return any(map(self._has_in, variants))

    @TANTIVY.around
    def _correct(self, word: str, language: str, name: bool) -> str:
        def frequency(term: str) -> int:
            # Of a short page only its heading may have the word that it is asked for by.
            return max(self._frequency(field, term) for field in _FIELDS)

        return spelling.correct(word, language, frequency, name=name)

    @TANTIVY.around
    def _near(self, word: str, language: str) -> Sequence[Neighbour]:
        return self._words.nearest(word, language)

    def _has(self, term: str) -> bool:
        return bool(self._has_in(term))

    @TANTIVY.around
    def _fields_with(self, term: str) -> frozenset[str]:
        return frozenset(field for field in _FIELDS if self._occurs(field, term))

    def _counted(self, field: str, term: str) -> int:
        found = self._chunks.doc_freq(field, term)
        if not found or self.visible is None:
            return found
        if found > _LISTED:
            wanted = Query.term_query(self._chunk_schema, field, term)
            # A set of documents takes the longer the more they are. What is deleted counts in
            # *found*, and nothing may be told of it.
            if len(self._hidden) < len(self.visible):
                return self._count(wanted) - self._count(_both(wanted, self._hidden_chunks))
            return self._count(_both(wanted, self._within_chunks))
        return sum(number in self.visible for number in self._having(field, term, found))

    def _count(self, wanted: Query) -> int:
        counted: Any = self._chunks.search(wanted, 1, count=True)  # its stub lacks the count
        return int(counted.count or 0)

    def _occurs(self, field: str, term: str) -> bool:
        """Tell whether any chunk has *term* in *field*."""
        found = self._chunks.doc_freq(field, term)
        if not found or self.visible is None:
            return bool(found)
        if any(number in self.visible for number in self._having(field, term, min(found, _FIRST))):
            return True
        return found > _FIRST and self._frequency(field, term) > 0

    def _having(self, field: str, term: str, most: int) -> list[int]:
        """Return the numbers of the documents of *most* chunks that have *term* in *field*."""
        wanted = Query.term_query(self._chunk_schema, field, term)
        found = self._chunks.search(wanted, most, count=False).hits
        addresses = [address for _, address in found]
        return [
            int(number or 0) for number in self._chunks.fast_field_values("document", addresses)
        ]

    @functools.cached_property
    def _within_chunks(self) -> Query:
        """What matches the chunks of the documents that are visible, made once."""
        return _unscored(self._chunk_schema, self.visible or frozenset())

    @functools.cached_property
    def _hidden_chunks(self) -> Query:
        """What matches the chunks of all other documents."""
        return _unscored(self._chunk_schema, self._hidden)

    @functools.cached_property
    def _within_documents(self) -> Query:
        """The same for whole documents."""
        return _unscored(self._document_schema, self.visible or frozenset())

    @TANTIVY.around
    def _idf(self, variants: tuple[str, ...]) -> float:
        total = self.chunks
        found = sum(self._frequency("body", variant) for variant in variants)
        have = min(total, found)
        return math.log(1 + (total - have + 0.5) / (have + 0.5))


def _entries(
    searcher: tantivy.Searcher, wanted: Query, limit: int
) -> list[tuple[float, int, tantivy.DocAddress]]:
    """Return the score, the document's number and the place of the best that are *wanted*."""
    found = searcher.search(wanted, limit, count=False).hits
    addresses = [address for _, address in found]
    numbers = searcher.fast_field_values("document", addresses)
    return [
        (score, int(number or 0), address)
        for (score, address), number in zip(found, numbers, strict=True)
    ]


def _sifted(
    searcher: tantivy.Searcher, wanted: Query, allowed: frozenset[int], limit: int, ratio: float
) -> list[tuple[float, int, tantivy.DocAddress]] | None:
    """Return what `_entries` returns of the *allowed* documents, or None where they come too late.

    The best of all are found many times faster than tantivy makes a set of documents, and their
    scores are the same. So more are asked for, and those that are not allowed left out: one in
    *ratio* is, and half as many again make it likely that enough remain.
    """
    for share in (1.5, 6):
        most = int(share * ratio * limit)
        found = _entries(searcher, wanted, most)
        kept = [entry for entry in found if entry[1] in allowed]
        if len(kept) >= limit or len(found) < most:
            return kept[:limit]
    return None


def _both(one: Query, other: Query) -> Query:
    return Query.boolean_query([(Occur.Must, one), (Occur.Must, other)])


def _unscored(schema: tantivy.Schema, documents: Collection[int]) -> Query:
    """Match the entries of *documents* by number, whatever their scores."""
    return Query.const_score_query(Query.term_set_query(schema, "document", list(documents)), 0.0)


class _Fields(NamedTuple):
    """The fields of an index in which terms are looked for."""

    schema: tantivy.Schema
    weights: Mapping[str, float]
    having: Callable[[str], frozenset[str]]
    """Returns the fields that have a term: what is in none costs time in every segment."""


def _wanted(fields: _Fields, query: Sequence[QueryTerm]) -> Query:
    """Build the query from terms: no text of a user is ever parsed as a query."""
    clauses: list[tuple[Occur, Query]] = []
    for term in query:
        nearness = term.nearness or (1.0,) * len(term.variants)
        written = [
            each
            for stem, near in zip(term.variants, nearness, strict=True)
            for each in _in_fields(fields, stem, near * term.weight)
        ]
        if not term.synonyms:
            clauses += written
            continue
        # The best alone counts: a chunk with all the synonyms of a word has it no more than once.
        alternatives = [Query.boolean_query(written)]
        for synonym in term.synonyms:
            share = term.weight * synonym.share / len(synonym.stems)
            stems = [Query.boolean_query(_in_fields(fields, one, share)) for one in synonym.stems]
            alternatives.append(Query.boolean_query([(Occur.Must, each) for each in stems]))
        clauses.append((Occur.Should, Query.disjunction_max_query(alternatives)))
    return Query.boolean_query(clauses)


def _in_fields(fields: _Fields, stem: str, weight: float) -> list[tuple[Occur, Query]]:
    having = fields.having(stem)
    return [
        (
            Occur.Should,
            Query.boost_query(Query.term_query(fields.schema, field, stem), share * weight),
        )
        for field, share in fields.weights.items()
        if field in having
    ]
