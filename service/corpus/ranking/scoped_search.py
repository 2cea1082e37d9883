"""Search readers of data stores within a scope, and merge what they find."""

from __future__ import annotations

import collections
import functools
import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from service.corpus import document_filters
from service.corpus.document_filters import ALL, And, Filter, Not, OneOf, Or
from service.corpus.index import Hit, SearchContext, SearchScope
from service.corpus.ranking import candidates, query_terms, relevance, spelling
from service.corpus.ranking.candidates import Candidates, MeaningSearch
from service.corpus.ranking.queries import question_keys
from service.corpus.ranking.queries.terms import QueryTerm
from service.corpus.ranking.relevance import Features, WeighedQuery
from service.corpus.ranking.store_reader import MatchedChunk, ReadChunk, StoreReader
from service.language.queries import identifiers, leaning
from service.language.synonyms import BUILT_IN, Synonyms
from service.query_readings import QueryReading, QueryWord
from sessions import names
from sessions.errors import InvalidArgument

_UNNAMED: Final = 0.1
"""What is left of the relevance of a chunk without the code, the version or the flag asked for."""
_PREFERRED: Final = 0.5
"""How far the documents that the user has before them are moved up, as a boost."""
_STAYS: Final = 0.1
"""The same for the documents of the last answer: who asks on mostly asks on about them."""
_LEANS: Final = 0.4
"""What is added where the query says nothing by itself: "how long does that take"."""
_LEAVES: Final = 0.5
"""What the documents of each earlier answer are moved beside those of the one after it."""
_TURNS: Final = 3
"""Answers of which the documents count."""

_AS_NEAR: Final = 0.6
"""Of the readings of a word of another language those go on that are so near beside the nearest."""


class ScopePlan(NamedTuple):
    """A scope as it was read."""

    condition: Filter
    boosts: tuple[tuple[Filter, float], ...]
    preferred: tuple[str, ...]
    context: SearchContext


class _Boost(NamedTuple):
    """Which documents are moved, and how far."""

    condition: Filter
    by: float


class RankedChunk(NamedTuple):
    """A chunk among those of all data stores, and the query as its data store reads it."""

    candidate: MatchedChunk
    data_store: str
    reader: StoreReader
    query: Sequence[QueryTerm]
    chunk: ReadChunk


def plan(scope: SearchScope) -> ScopePlan:
    """Read the filter and the boosts of *scope*.

    Raises:
        InvalidArgument: one of them cannot be read.
    """
    boosts: list[tuple[Filter, float]] = []
    for boost in scope.boosts:
        if not -1 <= boost.boost <= 1:
            raise InvalidArgument("boost: must lie between -1 and 1", field="boost")
        boosts.append((document_filters.parse(boost.condition, field="condition"), boost.boost))
    condition = document_filters.parse(scope.filter)
    return ScopePlan(condition, tuple(boosts), scope.preferred_documents, scope.context)


def search(
    readers: Sequence[tuple[str, StoreReader]],
    query: str,
    within: ScopePlan,
    limit: int,
    by_meaning: MeaningSearch | None = None,
    synonyms: Synonyms = BUILT_IN,
) -> list[Hit]:
    """Return at most *limit* hits of the data stores given by name and reader, best first.

    With *by_meaning* they fit what the query means, too.
    """
    best = ranked(readers, query, within, limit, by_meaning, synonyms)
    asked_on = _leaned_on(query, within.context)
    hits = list[Hit]()
    for one, of in zip(best, features(best), strict=True):
        document = names.document(one.data_store, one.chunk.document_id)
        cosine, by_words = one.candidate.cosine, None
        if cosine is None:
            found = relevance.estimate(of)
        else:
            by_words, found = relevance.with_meaning(of, cosine)
        if document in asked_on:
            found = relevance.asked_on(of, found)
        hits.append(
            Hit(
                chunk=one.chunk.chunk(document),
                score=one.candidate.score,
                relevance=found,
                cosine=cosine,
                by_words=by_words,
            )
        )
    named = identifiers.named_in(query)
    return _with_named(hits, named) if named else hits


def _leaned_on(query: str, context: SearchContext) -> Sequence[str]:
    """Return the documents of the last answer where *query* is not understood without it."""
    if not (context.queries and context.documents):
        return ()
    leans = leaning.after(query, context.queries[0]).leaning in leaning.DEPENDENT
    return context.documents[0] if leans else ()


def _with_named(hits: Sequence[Hit], named: Sequence[re.Pattern[str]]) -> list[Hit]:
    """Return *hits*, first those that have one of what is *named*; the others answer nothing.

    The parts of such a name are words of their own, and stand in what is about its neighbours too.
    """
    there: list[Hit] = []
    others: list[Hit] = []
    for hit in hits:
        text = "\n".join((hit.chunk.title, *hit.chunk.headings, hit.chunk.text))
        if any(name.search(text) for name in named):
            there.append(hit)
        else:
            by_words = None if hit.by_words is None else hit.by_words * _UNNAMED
            others.append(
                msgspec.structs.replace(hit, relevance=hit.relevance * _UNNAMED, by_words=by_words)
            )
    return there + others


def ranked(
    readers: Sequence[tuple[str, StoreReader]],
    query: str,
    within: ScopePlan,
    limit: int,
    by_meaning: MeaningSearch | None = None,
    synonyms: Synonyms = BUILT_IN,
) -> list[RankedChunk]:
    """Return at most *limit* chunks, best first, as yet without their relevance."""
    queries = [
        query_terms.analyse(query, within.context, reader, synonyms) for _, reader in readers
    ]
    groups = [
        _candidates(data_store, reader, terms, within, query)
        for (data_store, reader), terms in zip(readers, queries, strict=True)
    ]
    if by_meaning is not None:
        groups = candidates.join(groups, by_meaning, limit)
    order = itertools.count()  # equals come as they were found
    found = [
        (-each.score, next(order), each, at)
        for at, group in enumerate(groups)
        for each in group.found[:limit]
    ]
    found = sorted(found, key=lambda one: one[:2])[:limit]
    read: dict[int, ReadChunk] = {}
    for at, group in enumerate(groups):
        own = [(place, each) for _, place, each, of in found if of == at]
        chunks = group.reader.fetch([each for _, each in own])
        pairs = zip(own, chunks, strict=True)
        read |= {place: chunk for (place, _), chunk in pairs if chunk is not None}
    return [
        RankedChunk(each, groups[at].data_store, groups[at].reader, queries[at], read[place])
        for _, place, each, at in found
        if place in read
    ]


def features(best: Sequence[RankedChunk]) -> list[Features]:
    """Return what speaks for each of the chunks that a search found *best*."""
    read = [one.chunk.terms() for one in best]
    # The words weigh what they do in the data store of a chunk, whatever others hold.
    judged = {
        one.data_store: WeighedQuery(one.query, one.reader.rarest).features(read)
        for one in {one.data_store: one for one in best}.values()
    }
    return [judged[one.data_store][at] for at, one in enumerate(best)]


def read_query(
    readers: Sequence[tuple[str, StoreReader]], query: str, synonyms: Synonyms = BUILT_IN
) -> QueryReading:
    """Return how *query* is read in the data stores given by name and reader."""
    words: dict[tuple[str, int], QueryWord] = {}
    spelled = [spelling.corrected(query, reader)[0] for _, reader in readers]
    # As it was written where one of them knows it so; else a correction would be corrected again.
    text = query if query in spelled or not spelled else spelled[0]
    for _, reader in readers:
        places = collections.Counter[str]()
        for term in query_terms.analyse(query, SearchContext(), reader, synonyms):
            weight = relevance.weight(term, reader.rarest)
            # A word of another language may be several here: "clé USB" is a flash drive.
            places[term.text] += 1
            before = words.get((term.text, places[term.text]))
            # Where the word itself is there, what is said about it goes before what is called so,
            # but a word of a phrase says little of what the phrase does.
            others = [
                other.stems[0]
                for other in term.synonyms
                if len(other.stems) == 1 and (other.of_phrase or not term.known)
            ]
            readings = (*(before.readings if before else ()), *_nearest(term), *others)
            words[term.text, places[term.text]] = QueryWord(
                text=(text == query and term.written) or term.text,
                readings=tuple(dict.fromkeys(readings)),
                weight=min(weight, before.weight) if before else weight,
                known=term.known or bool(term.synonyms or (before and before.known)),
            )
    foreign = readers and all(query_terms.asked_in(query, reader) for _, reader in readers)
    return QueryReading(
        text=text,
        query=query,
        words=tuple(words.values()),
        language=readers[0][1].languages[0] if foreign else "",
    )


def _nearest(term: QueryTerm) -> Sequence[str]:
    """Return the variants of *term*, of a word of another language those that are near enough."""
    least = _AS_NEAR * max(term.nearness, default=0.0)
    near = zip(term.variants, term.nearness or itertools.repeat(1.0), strict=False)
    return [variant for variant, nearness in near if nearness >= least]


def _candidates(
    data_store: str, reader: StoreReader, terms: Sequence[QueryTerm], within: ScopePlan, query: str
) -> Candidates:
    boosts = [_Boost(condition, by) for condition, by in within.boosts]
    preferred = frozenset(names.last_id(d) for d in within.preferred if _lies_in(d, data_store))
    if preferred:
        boosts.append(_Boost(OneOf("id", preferred), _PREFERRED))
    language = reader.languages[0] if reader.languages else "en"
    found = reader.search(terms, within.condition, question_keys.of_query(query, language))
    if boosts:
        found = _boosted(reader, terms, found, within.condition, boosts)
    if stays := _asked_on(data_store, reader, terms, within.context):
        # Those of the last answer are looked through by themselves: what asks on may say too
        # little to find them. The others are moved among what is found already.
        last = reader.search(terms, _both(within.condition, stays[0].condition))
        found = _moved(reader, {each.key: each for each in (*found, *last)}, stays)
        boosts += stays
    moved = functools.partial(_factors, reader, boosts)
    return Candidates(data_store, reader, found, within.condition, moved)


def _asked_on(
    data_store: str, reader: StoreReader, terms: Sequence[QueryTerm], context: SearchContext
) -> list[_Boost]:
    """Return how far the documents of the last answers are moved up, each as its latest one."""
    by = _STAYS + _LEANS * relevance.lacking(terms, reader.rarest)
    documents = [
        [names.last_id(each) for each in some if _lies_in(each, data_store)]
        for some in context.documents[:_TURNS]
    ]
    if not any(documents):
        return []
    there = reader.numbers({one for some in documents for one in some})
    known, boosts = set[str](), list[_Boost]()
    for some in documents:
        if new := frozenset(some).intersection(there) - known:
            boosts.append(_Boost(OneOf("id", new), by))
            known |= new
        by *= _LEAVES
    return boosts


def _lies_in(document: str, data_store: str) -> bool:
    return names.data_store_of(document) == data_store


def _boosted(
    reader: StoreReader,
    terms: Sequence[QueryTerm],
    found: Sequence[MatchedChunk],
    condition: Filter,
    boosts: Sequence[_Boost],
) -> list[MatchedChunk]:
    """Multiply the scores of what *boosts* name; several add up, but not beyond -1 and 1.

    What is moved up may lie below what was *found*, so it is searched for by itself; so is what
    is left when others move down.
    """
    reached = {candidate.key: candidate for candidate in found}
    raised = Or(tuple(boost.condition for boost in boosts if boost.by > 0))
    lowered = Or(tuple(boost.condition for boost in boosts if boost.by < 0))
    chosen: list[Filter] = [raised] if raised.terms else []
    if lowered.terms:
        chosen.append(Not(lowered))
    for some in chosen:
        for candidate in reader.search(terms, _both(condition, some)):
            reached.setdefault(candidate.key, candidate)
    return _moved(reader, reached, boosts)


def _moved(
    reader: StoreReader, reached: Mapping[tuple[int, int], MatchedChunk], boosts: Sequence[_Boost]
) -> list[MatchedChunk]:
    """Return what was *reached*, moved by *boosts*, best first."""
    factors = _factors(reader, boosts, {one.document for one in reached.values()})
    moved = [one._replace(score=one.score * factors[one.document]) for one in reached.values()]
    return sorted(moved, key=lambda candidate: (-candidate.score, candidate.document))


def _factors(
    reader: StoreReader, boosts: Sequence[_Boost], documents: Collection[int]
) -> dict[int, float]:
    """Return what the scores of *documents* are multiplied by, by their numbers."""
    by = dict.fromkeys(documents, 0.0)
    for boost in boosts:
        for document in reader.select(documents, boost.condition):
            by[document] += boost.by
    return {document: 1 + min(1.0, max(-1.0, moved)) for document, moved in by.items()}


def _both(one: Filter, other: Filter) -> Filter:
    return other if one == ALL else And((one, other))
