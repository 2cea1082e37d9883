"""Search readers of data stores within a scope, and merge what they find."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from service.corpus import document_filters
from service.corpus.index import Hit, SearchContext, SearchScope
from service.corpus.tantivy import query_terms, relevance
from service.corpus.tantivy.index_reader import IndexReader, MatchedChunk
from service.corpus.tantivy.query_terms import QueryTerm
from service.query_readings import QueryReading, QueryWord
from sessions import names
from sessions.errors import InvalidArgument

_PREFERRED: Final = 0.5
"""How far the documents that the user has before them are moved up, as a boost."""


class ScopePlan(NamedTuple):
    """A scope as it was read."""

    condition: document_filters.Filter
    boosts: tuple[tuple[document_filters.Filter, float], ...]
    preferred: tuple[str, ...]
    context: SearchContext


class _Boost(NamedTuple):
    """Documents by number, and how far they are moved."""

    documents: frozenset[int]
    by: float


class _Ranked(NamedTuple):
    """A candidate among those of all data stores; sorts best first, equals as they were found."""

    loss: float
    order: int
    data_store: str
    reader: IndexReader
    query: Sequence[QueryTerm]
    candidate: MatchedChunk


def plan(scope: SearchScope) -> ScopePlan:
    """Read the filter and the boosts of *scope*.

    Raises:
        InvalidArgument: one of them cannot be read.
    """
    boosts: list[tuple[document_filters.Filter, float]] = []
    for boost in scope.boosts:
        if not -1 <= boost.boost <= 1:
            raise InvalidArgument("boost: must lie between -1 and 1", field="boost")
        boosts.append((document_filters.parse(boost.condition, field="condition"), boost.boost))
    condition = document_filters.parse(scope.filter)
    return ScopePlan(condition, tuple(boosts), scope.preferred_documents, scope.context)


def search(
    readers: Sequence[tuple[str, IndexReader]], query: str, within: ScopePlan, limit: int
) -> list[Hit]:
    """Return at most *limit* hits of the data stores given by name and reader, best first."""
    order = itertools.count()
    ranked: list[_Ranked] = []
    for data_store, reader in readers:
        terms = query_terms.analyse(query, within.context, reader.languages, reader.idf)
        for candidate in _candidates(data_store, reader, terms, within)[:limit]:
            loss = -candidate.score
            ranked.append(_Ranked(loss, next(order), data_store, reader, terms, candidate))
    ranked.sort(key=lambda r: r[:2])
    return [_hit(best) for best in ranked[:limit]]


def read_query(readers: Sequence[tuple[str, IndexReader]], query: str) -> QueryReading:
    """Return how *query* is read in the data stores given by name and reader."""
    words: dict[str, QueryWord] = {}
    for _, reader in readers:
        for term in query_terms.analyse(query, SearchContext(), reader.languages, reader.idf):
            weight = term.idf / reader.rarest if reader.rarest else 0.0
            known = term.idf < reader.rarest
            before = words.get(term.variants[0])
            words[term.variants[0]] = QueryWord(
                text=term.variants[0],
                readings=term.variants,
                weight=min(weight, before.weight) if before else weight,
                known=known or bool(before and before.known),
            )
    return QueryReading(text=query, words=tuple(words.values()))


def _candidates(
    data_store: str, reader: IndexReader, terms: Sequence[QueryTerm], within: ScopePlan
) -> list[MatchedChunk]:
    allowed = (
        None if within.condition == document_filters.ALL else reader.matching(within.condition)
    )
    boosts = [_Boost(reader.matching(condition), by) for condition, by in within.boosts]
    preferred = [names.last_id(d) for d in within.preferred if _lies_in(d, data_store)]
    if preferred:
        boosts.append(_Boost(reader.numbers(preferred), _PREFERRED))
    found = reader.search(terms, allowed)
    return _boosted(reader, terms, found, allowed, boosts) if boosts else found


def _lies_in(document: str, data_store: str) -> bool:
    return names.data_store_of(document) == data_store


def _boosted(
    reader: IndexReader,
    terms: Sequence[QueryTerm],
    found: Sequence[MatchedChunk],
    allowed: frozenset[int] | None,
    boosts: Sequence[_Boost],
) -> list[MatchedChunk]:
    """Multiply the scores of what *boosts* name; several add up, but not beyond -1 and 1.

    What is moved up may lie below what was *found*, so it is searched for by itself; so is what
    is left when others move down.
    """
    candidates = {_address(candidate): candidate for candidate in found}
    raised = _union(boost.documents for boost in boosts if boost.by > 0)
    lowered = _union(boost.documents for boost in boosts if boost.by < 0)
    for chosen in (raised, reader.everything - lowered if lowered else lowered):
        narrowed = chosen if allowed is None else chosen & allowed
        for candidate in reader.search(terms, narrowed) if narrowed else ():
            candidates.setdefault(_address(candidate), candidate)
    moved: list[MatchedChunk] = []
    for candidate in candidates.values():
        by = sum(boost.by for boost in boosts if candidate.document in boost.documents)
        moved.append(candidate._replace(score=candidate.score * (1 + min(1.0, max(-1.0, by)))))
    return sorted(moved, key=lambda candidate: (-candidate.score, candidate.document))


def _union(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset[int]().union(*sets)


def _address(candidate: MatchedChunk) -> tuple[int, int]:
    return candidate.address.segment_ord, candidate.address.doc


def _hit(ranked: _Ranked) -> Hit:
    found = ranked.reader.fetch(ranked.candidate)
    score = -ranked.loss
    of = relevance.evidence(ranked.query, found.terms(), score, ranked.reader.rarest)
    chunk = found.chunk(names.document(ranked.data_store, found.document_id))
    return Hit(chunk=chunk, score=score, relevance=relevance.estimate(of))
