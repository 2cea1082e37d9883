"""Search readers of data stores within a scope, and merge what they find."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from service.corpus import document_filters
from service.corpus.index import Hit, SearchContext, SearchScope
from service.corpus.tantivy import candidates, query_terms, relevance
from service.corpus.tantivy.candidates import Candidates, MeaningSearch
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
    readers: Sequence[tuple[str, IndexReader]],
    query: str,
    within: ScopePlan,
    limit: int,
    by_meaning: MeaningSearch | None = None,
) -> list[Hit]:
    """Return at most *limit* hits of the data stores given by name and reader, best first.

    With *by_meaning* they fit what the query means, too.
    """
    order = itertools.count()
    ranked: list[_Ranked] = []
    queries = [
        query_terms.analyse(query, within.context, reader.languages, reader.idf)
        for _, reader in readers
    ]
    groups = [
        _candidates(data_store, reader, terms, within)
        for (data_store, reader), terms in zip(readers, queries, strict=True)
    ]
    if by_meaning is not None:
        groups = candidates.join(groups, by_meaning, limit)
    for group, terms in zip(groups, queries, strict=True):
        ranked += [
            _Ranked(-found.score, next(order), group.data_store, group.reader, terms, found)
            for found in group.found[:limit]
        ]
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
) -> Candidates:
    allowed = (
        None if within.condition == document_filters.ALL else reader.matching(within.condition)
    )
    boosts = [_Boost(reader.matching(condition), by) for condition, by in within.boosts]
    preferred = [names.last_id(d) for d in within.preferred if _lies_in(d, data_store)]
    if preferred:
        boosts.append(_Boost(reader.numbers(preferred), _PREFERRED))
    found = reader.search(terms, allowed)
    if boosts:
        found = _boosted(reader, terms, found, allowed, boosts)
    return Candidates(data_store, reader, found, allowed, functools.partial(_factor, boosts))


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
    reached = {_address(candidate): candidate for candidate in found}
    raised = _union(boost.documents for boost in boosts if boost.by > 0)
    lowered = _union(boost.documents for boost in boosts if boost.by < 0)
    for chosen in (raised, reader.everything - lowered if lowered else lowered):
        narrowed = chosen if allowed is None else chosen & allowed
        for candidate in reader.search(terms, narrowed) if narrowed else ():
            reached.setdefault(_address(candidate), candidate)
    moved = [
        candidate._replace(score=candidate.score * _factor(boosts, candidate.document))
        for candidate in reached.values()
    ]
    return sorted(moved, key=lambda candidate: (-candidate.score, candidate.document))


def _factor(boosts: Sequence[_Boost], document: int) -> float:
    """Return what the scores of *document* are multiplied by."""
    by = sum(boost.by for boost in boosts if document in boost.documents)
    return 1 + min(1.0, max(-1.0, by))


def _union(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    return frozenset[int]().union(*sets)


def _address(candidate: MatchedChunk) -> tuple[int, int]:
    return candidate.address.segment_ord, candidate.address.doc


def _hit(ranked: _Ranked) -> Hit:
    candidate = ranked.candidate
    found = ranked.reader.fetch(candidate)
    words = candidate.score if candidate.words is None else candidate.words
    of = relevance.evidence(ranked.query, found.terms(), words, ranked.reader.rarest)
    relevant = relevance.with_meaning(relevance.estimate(of), candidate.cosine)
    chunk = found.chunk(names.document(ranked.data_store, found.document_id))
    return Hit(chunk=chunk, score=candidate.score, relevance=relevant)
