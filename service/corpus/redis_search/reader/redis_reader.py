"""Search one data store for one query, by asking the Query Engine for what may be among the best.

The engine names chunks that have the most of the words; they and their documents are scored here
(`chunk_scores`). A chunk that was replaced between two questions is left out.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from service.corpus.document_filters import ALL, Filter, OneOf, matches
from service.corpus.ranking.field_weights import CHUNKS_READ, WHOLE
from service.corpus.ranking.index_entries import FIELDS, DocumentAttributes, Payload
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.ranking.store_reader import ChunkPlace, MatchedChunk, ReadChunk
from service.corpus.redis_search import encoded_terms, entries, word_counts
from service.corpus.redis_search.engine import EngineQuery, EngineReply
from service.corpus.redis_search.entries import IndexedDocument
from service.corpus.redis_search.entry_keys import CHUNKS
from service.corpus.redis_search.reader.chunk_scores import ChunkScorer, FieldStatistics, FoundChunk
from service.corpus.redis_search.reader.store_view import StoreView
from service.corpus.stored_documents import StoredChunk
from service.language import index_terms

_FAINT: Final = 0.1
"""What a term of the context weighs at least that finds chunks: a fainter one moves what others
find, and costs the engine as much."""
_STORED: Final = msgspec.msgpack.Decoder(StoredChunk)


class RedisReader:
    """A `ranking.store_reader.StoreReader`, for one query: it remembers what was read for it."""

    def __init__(self, view: StoreView) -> None:
        self._view = view
        self._reads = view.reads
        self._ids: dict[int, str] = {}
        self._known: dict[str, IndexedDocument | None] = {}
        self.languages = view.languages
        self.spoken = view.spoken
        self.idf = view.terms.idf
        self.knows = view.terms.knows
        self.correct = view.correct
        self.near = view.near

    @property
    def rarest(self) -> float:
        """How telling a term is that no chunk has."""
        return self.idf(())

    def prime(self, texts: Iterable[str]) -> None:
        """Ask at once for what the words of *texts* are here, as whoever reads them will."""
        languages = self.languages or ("en",)
        self._view.terms.prime(
            stem for text in texts for each in languages for stem in index_terms.of(text, each)
        )

    def search(
        self, query: Sequence[QueryTerm], condition: Filter = ALL, question: str = ""
    ) -> list[MatchedChunk]:
        """Return the chunks that fit *query* best, the best first and of equals the oldest."""
        terms = self._view.terms
        terms.prime(stem for term in query for stem in _stems(term))
        named = [
            term for term in query if term.names_one and term.known and terms.is_rare(term.variants)
        ]
        within = self._view.query_for(condition)
        chunks = self._chunk_queries(query, named, within)
        asks = self._question_queries(question, named, within)
        replies = self._reads.ask([*chunks, *asks])
        asking = {
            (chunk.number, chunk.place)
            for chunk in self._reads.counted(h.key for r in replies[len(chunks) :] for h in r.hits)
        }
        scorer = self._scorer(query, named)
        found = self._scored(scorer, replies, asking)
        return _with_wholes(found, self._wholes(query, found), scorer)

    def select(self, documents: Collection[int], condition: Filter) -> Collection[int]:
        """Return those of *documents*, given by number, that *condition* matches."""
        ids = {number: self._ids[number] for number in documents}
        if isinstance(condition, OneOf) and condition.field == "id":
            return {number for number, i in ids.items() if i in condition.literals}
        there = self._entries(list(ids.values()))
        return {
            number for number, i in ids.items() if i in there and matches(condition, there[i].facts)
        }

    def numbers(self, document_ids: Collection[str]) -> Mapping[str, int]:
        """Return the numbers of those of the documents with these ids that there are."""
        return {i: entry.number for i, entry in self._entries(list(document_ids)).items()}

    def places(self, candidates: Sequence[MatchedChunk]) -> list[ChunkPlace]:
        """Return the place of each of *candidates*."""
        return [ChunkPlace(self._ids[one.document], one.key[1]) for one in candidates]

    def locate(self, places: Sequence[ChunkPlace]) -> list[MatchedChunk | None]:
        """Return the chunk at each of *places*, with no score; None where there is none."""
        there = self._entries([place.document_id for place in places])
        return [
            MatchedChunk(0.0, entry.number, (entry.number, place.place))
            if (entry := there.get(place.document_id)) and place.place < entry.attributes.chunks
            else None
            for place in places
        ]

    def fetch(self, candidates: Sequence[MatchedChunk]) -> list[ReadChunk | None]:
        """Read the chunk of each of *candidates*, None of one that is gone."""
        ids = [self._ids[one.document] for one in candidates]
        unknown = [i for i in dict.fromkeys(ids) if i not in self._known]
        stored, read = self._reads.chunks([one.key for one in candidates], unknown)
        self._remember(unknown, read)
        return [
            self._read(i, one.key, values)
            for i, one, values in zip(ids, candidates, stored, strict=True)
        ]

    def read_chunks(self, document_id: str, first: int, last: int) -> list[ReadChunk]:
        """Return the chunks *first* to *last* of the document of this id, those that there are."""
        entry = self._entries([document_id]).get(document_id)
        if entry is None:
            return []
        last = min(last, entry.attributes.chunks - 1)
        key = entry.number
        wanted = [MatchedChunk(0.0, key, (key, at)) for at in range(max(0, first), last + 1)]
        return [chunk for chunk in self.fetch(wanted) if chunk is not None]

    def list_documents(self, condition: Filter) -> list[DocumentAttributes]:
        """Return the documents that *condition* matches, by id."""
        return [
            entry.attributes
            for entry in self._view.whole.entries.values()
            if matches(condition, entry.facts) and matches(self._view.condition, entry.facts)
        ]

    def known_ids(self) -> Collection[str]:
        """Return the ids of all documents."""
        return {each.id for each in self.list_documents(ALL)}

    def _chunk_queries(
        self, query: Sequence[QueryTerm], named: Sequence[QueryTerm], within: str
    ) -> list[EngineQuery]:
        """Return what finds chunks with the query's own words, and with those of its context."""
        own = _words([term for term in query if term.own])
        every = _words([term for term in query if term.own or term.weight >= _FAINT])
        must = " ".join(filter(None, (within, _any(_words(named)))))
        return [
            EngineQuery(self._reads.keys.index(CHUNKS), f"{must} {_any(words)}", CHUNKS_READ)
            for words in dict.fromkeys((tuple(own), tuple(every)))
            if words
        ]

    def _question_queries(
        self, question: str, named: Sequence[QueryTerm], within: str
    ) -> list[EngineQuery]:
        if not question:
            return []
        must = " ".join(filter(None, (within, _any(_words(named)))))
        asked = f"{must} @asks:{{{encoded_terms.tag('q', question)}}}"
        return [EngineQuery(self._reads.keys.index(CHUNKS), asked, CHUNKS_READ)]

    def _wholes(
        self, query: Sequence[QueryTerm], found: Sequence[tuple[float, FoundChunk]]
    ) -> Mapping[int, float]:
        """Return the scores of the whole documents of what was *found*, as far as there are any."""
        numbers = dict.fromkeys(one.number for _, one in found if not one.counted.is_whole)
        if not numbers:
            return {}
        scorer = self._whole_scorer(query)
        wholes = {
            number: FoundChunk(number, -1, word_counts.unpack_some(packed, scorer.marks))
            for number, packed in zip(numbers, self._reads.wholes(list(numbers)), strict=True)
            if packed is not None
        }
        scores = {number: scorer.score(one) for number, one in wholes.items()}
        return {number: score for number, score in scores.items() if score > 0}

    def _whole_scorer(self, query: Sequence[QueryTerm]) -> ChunkScorer:
        """Return what scores whole documents, of which the texts alone are counted."""
        totals = self._view.totals
        documents = max(1, totals.several)
        nothing = FieldStatistics(0.0, _none)
        mean = totals.lengths.get(entries.WHOLE, 0) / documents
        body = FieldStatistics(mean, self._view.terms.documents_having)
        fields = {"title": nothing, "headings": nothing, "body": body}
        return ChunkScorer(query, (), documents, fields)

    def _scorer(self, query: Sequence[QueryTerm], named: Sequence[QueryTerm]) -> ChunkScorer:
        terms, totals = self._view.terms, self._view.totals
        chunks = max(1, totals.chunks)
        fields = {
            field: FieldStatistics(
                totals.lengths.get(field, 0) / chunks, functools.partial(terms.having, field)
            )
            for field in FIELDS
        }
        return ChunkScorer(query, named, chunks, fields)

    def _scored(
        self,
        scorer: ChunkScorer,
        replies: Sequence[EngineReply],
        asking: Collection[tuple[int, int]],
    ) -> list[tuple[float, FoundChunk]]:
        found = self._reads.counted(hit.key for reply in replies for hit in reply.hits)
        self._ids |= {chunk.number: chunk.counted.document_id for chunk in found}
        scored = [(scorer.score(c, asks=(c.number, c.place) in asking), c) for c in found]
        scored = [one for one in scored if one[0] > 0]
        scored.sort(key=lambda one: (-one[0], one[1].number, one[1].place))
        return scored[:CHUNKS_READ]

    def _entries(self, ids: Sequence[str]) -> dict[str, IndexedDocument]:
        """Return those of the documents with these *ids* that there are and can be seen."""
        unknown = [i for i in dict.fromkeys(ids) if i not in self._known]
        self._remember(unknown, self._reads.entries(unknown))
        return {i: entry for i in ids if (entry := self._known[i]) is not None}

    def _remember(self, ids: Sequence[str], read: Mapping[str, IndexedDocument]) -> None:
        seen = self._view.condition
        for i in ids:
            entry = read.get(i)
            self._known[i] = entry if entry is not None and matches(seen, entry.facts) else None
            if (known := self._known[i]) is not None:
                self._ids[known.number] = i

    def _read(
        self, document_id: str, key: tuple[int, int], values: Sequence[bytes | None]
    ) -> ReadChunk | None:
        entry = self._known[document_id]
        stored, *words = values
        # Of a document that was replaced meanwhile the engine may have named the old chunk.
        if entry is None or entry.number != key[0] or stored is None:
            return None
        title, headings, body = (encoded_terms.terms((each or b"").decode()) for each in words)
        payload = Payload(key[1], _STORED.decode(stored), body, f"{title} {headings}")
        return ReadChunk(document_id, entry.attributes.content, payload)


def _none(_: str) -> int:
    return 0


def _with_wholes(
    found: Sequence[tuple[float, FoundChunk]], wholes: Mapping[int, float], scorer: ChunkScorer
) -> list[MatchedChunk]:
    """Add to the score of each chunk that of its document: of its texts, and of its title."""
    lowest = min(wholes.values(), default=0.0)
    one_of = {chunk.number: chunk for _, chunk in found if not chunk.counted.is_whole}
    titles = {number: scorer.title_score(chunk) for number, chunk in one_of.items()}
    candidates: list[MatchedChunk] = []
    for score, chunk in found:
        whole = score
        if not chunk.counted.is_whole:
            whole = wholes.get(chunk.number, lowest) + titles[chunk.number]
        key = (chunk.number, chunk.place)
        candidates.append(MatchedChunk(score + WHOLE * whole, chunk.number, key))
    candidates.sort(key=lambda c: (-c.score, c.document, c.key))
    return candidates


def _stems(term: QueryTerm) -> Sequence[str]:
    return (*term.variants, *itertools.chain.from_iterable(one.stems for one in term.synonyms))


def _words(terms: Sequence[QueryTerm]) -> list[str]:
    """Return the words of the engine that stand for *terms*, or for what they are called else."""
    return list(dict.fromkeys(encoded_terms.token(s) for term in terms for s in _stems(term)))


def _any(words: Sequence[str]) -> str:
    return f"({'|'.join(words)})" if words else ""
