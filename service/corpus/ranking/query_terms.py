"""Turn what a user asks into weighted terms."""

from __future__ import annotations

import collections
import functools
import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from service.corpus.index import SearchContext
from service.corpus.ranking import spelling
from service.corpus.ranking.queries import unknown_words
from service.corpus.ranking.queries.terms import QueryTerm, Statistics, Synonym
from service.language import (
    chinese,
    detection,
    function_words,
    index_terms,
    ordinary_words,
    question_kinds,
    tags,
    talk_words,
)
from service.language.queries import foreign_terms, foreign_words, word_roles
from service.language.queries.foreign_terms import ReadWord
from service.language.question_kinds import QuestionKind
from service.language.synonyms import BUILT_IN, Phrase, Synonyms

MOST: Final = 48
"""Terms of a query that are searched for, the most telling ones: bounds what a query costs."""
_WITH_CONTEXT: Final = 24
"""Terms of a query and its context together, the query's own first. Of 48 a follow-up query took
twice as long, and found the right passage among the first five no more often; of 12 it finds less.
"""
_LENGTH: Final = 4_000
"""Characters of a query, and of each text of its context, that are looked at."""
_EARLIER: Final = 0.4
"""What a term of the query before weighs beside one of the query; .3 to .5 find as much."""
_FADING: Final = 0.75
"""What each earlier query weighs beside the one after it; .7 to .8 find as much."""
_ANSWERED: Final = 0.05
"""What a term of the last answer weighs: .35 leads queries back to it, 0 loses those that reply."""
_SAID: Final = 10
"""Terms of a text that count in full; those of a longer one share that much between them."""
_FAINTEST: Final = 0.02
_TO_THE_POINT: Final = 12
"""Words of a query that is to the point: a longer one tells of the asker, too."""
_SHORTEST_PART: Final = 3
"""Letters of a word that is part of another: "a part" is no "apart"."""
_PHRASAL: Final = re.compile(r"\b([a-z]{3,}) (up|in|out|off|on|down|over)\b")
"""A verb with its particle, which may be a noun in one word: "back up", "backup"."""
_PARTED: Final = re.compile(
    r"\b([a-z]{3,}) (?:it|them|this|that"
    r"|(?:the|my|our|your|an?|this|that|all) (?:[\w-]+ ){0,2}?[\w-]+)"
    r" (up|in|out|off|on|down|over|back)\b(?=\W*(?:$|[,.;?!]|and\b|or\b|again\b|for\b|when\b))"
)
"""A verb and its particle with the object between them: "turn the light off"."""
_LASTS: Final = frozenset(("last", "take"))
"""Verbs of questions for a time, which what answers them need not have."""


def analyse(
    query: str, context: SearchContext, store: Statistics, synonyms: Synonyms = BUILT_IN
) -> list[QueryTerm]:
    """Return the terms of *query* and, weighing less, of its *context*, as *store* knows them.

    Words that say nothing about the topic are left out, unless the query has no others.
    """
    languages = store.languages
    query, slips = spelling.corrected(query, store)
    asked = _translated(query, store, synonyms) or _telling(query[:_LENGTH], languages)
    asked = _without_seams(_with_particles(asked, query, store), store)
    own = collections.Counter(word.variants for word in asked)
    texts = {word.variants: word.text for word in asked}
    nearness = {word.variants: word.nearness for word in asked if word.nearness}
    unread = {word.variants for word in asked if word.unread}
    weights = dict[tuple[str, ...], float](own)
    for text, weight in _weighted(context):
        said = {word.variants: word.text for word in _telling(text[:_LENGTH], languages)}
        share = weight * min(1.0, _SAID / max(1, len(said)))
        for variants, spelled in said.items():
            weights[variants] = weights.get(variants, 0.0) + share
            texts.setdefault(variants, spelled)
    language = _language(query, languages)
    talk = talk_words.stems(language)
    is_brief = len(query.split()) <= _TO_THE_POINT
    asks = _asking(query, language, own) if is_brief and not nearness else frozenset[str]()
    called = _called(query, language, store, synonyms)
    alone = {
        stem: {other for _, others in synonyms.of(stem, language) for other in others}
        for stem in _phrased(query[:_LENGTH], language, synonyms)
    }
    found = [
        QueryTerm(
            text=texts[variants],
            variants=variants,
            weight=weight,
            nearness=nearness.get(variants, ()),
            written=slips.get(texts[variants], ""),
            idf=store.idf(variants),
            own=own[variants],
            known=store.knows(variants),
            ordinary=ordinary_words.is_ordinary(texts[variants], language),
            talk=variants in unread or not talk.isdisjoint(variants),
            asks=not asks.isdisjoint(variants),
            synonyms=_synonyms(variants, called, alone, store) if variants in own else (),
        )
        for variants, weight in weights.items()
    ]
    found = unknown_words.read(found, query, language, store)
    return _bounded(_with_asides(found, query))


def _asking(query: str, language: str, own: Collection[tuple[str, ...]]) -> frozenset[str]:
    """Return the stems of *query* that tell what kind of answer is wanted, unless all do."""
    kind, topic = question_kinds.read(query[:_LENGTH], language)
    about = frozenset(index_terms.of(topic, language))
    if kind is QuestionKind.DURATION:
        about -= _LASTS
    if not any(about.intersection(variants) for variants in own):
        return frozenset()
    return frozenset(v for variants in own if about.isdisjoint(variants) for v in variants)


def _with_asides(terms: Sequence[QueryTerm], query: str) -> list[QueryTerm]:
    asides = word_roles.asides(query)
    return [
        msgspec.structs.replace(t, aside=True) if t.own and t.text in asides else t for t in terms
    ]


def _bounded(terms: list[QueryTerm]) -> list[QueryTerm]:
    """Return the most telling of *terms*, as many as are searched for."""
    if len(terms) <= _WITH_CONTEXT:
        return terms
    terms.sort(key=lambda term: -term.weight * term.idf)
    own = [term for term in terms if term.own][:MOST]
    context = [term for term in terms if not term.own]
    return own + context[: max(0, _WITH_CONTEXT - len(own))]


def _called(
    query: str, language: str, store: Statistics, synonyms: Synonyms
) -> dict[str, tuple[Phrase, ...]]:
    """Return what else each stem of *query* may be called, alone or with its neighbours."""
    found: dict[str, tuple[Phrase, ...]] = {}
    told = query[:_LENGTH]
    # "Switch the light on" is called what "switch on" is.
    apart = " . ".join(f"{one[1]} {one[2]}" for one in _PARTED.finditer(told.lower()))
    for phrase, others in (*synonyms.of(told, language), *synonyms.of(apart, language)):
        there = tuple(other for other in others if all(store.knows((stem,)) for stem in other))
        for stem in phrase if there else ():
            found.setdefault(stem, there)
    for apart, together in _joined(query[:_LENGTH], language, store):
        found.setdefault(apart, ((together,),))
    return found


def _phrased(query: str, language: str, synonyms: Synonyms) -> Iterator[str]:
    """Yield the stems of *query* that mean something else together: "money back", "hand in"."""
    for phrase, _ in synonyms.of(query, language):
        yield from phrase if len(phrase) > 1 else ()
    for verb, _ in _PHRASAL.findall(query.lower()):
        yield from index_terms.of(verb, language)


def _joined(query: str, language: str, store: Statistics) -> Iterator[tuple[str, str]]:
    """Yield the stems of two words that *store* has as one, each with that: "screen shot"."""
    empty = function_words.of(language)
    told = [word.lower() for word in query.split()]
    for one, other in itertools.pairwise(told):
        if min(len(one), len(other)) < _SHORTEST_PART or one in empty or other in empty:
            continue
        if (one + other).isascii() and (one + other.rstrip("?.!,")).isalpha():
            together = index_terms.of(one + other, language)
            if len(together) == 1 and store.knows(tuple(together)):
                yield from (
                    (stem, together[0]) for stem in index_terms.of(f"{one} {other}", language)
                )


def _with_particles(asked: Sequence[ReadWord], query: str, store: Statistics) -> Sequence[ReadWord]:
    """Return *asked*, with each verb that has its particle read as the noun of the two, too.

    Who asks how to back up, sign up or check out finds the pages on backups, signups, checkout.
    """
    nouns = {
        verb: noun
        for verb, particle in _PHRASAL.findall(query[:_LENGTH].lower())
        if (noun := tuple(index_terms.of(verb + particle, "en"))) and store.knows(noun)
    }
    return [_as_well(word, nouns[word.text]) if word.text in nouns else word for word in asked]


def _without_seams(asked: Sequence[ReadWord], store: Statistics) -> Sequence[ReadWord]:
    """Return *asked* without pairs of characters that are no word, and that *store* has not."""
    variants = {word.text: word.variants for word in asked}
    seams = chinese.seams([word.text for word in asked], lambda text: store.knows(variants[text]))
    return [word for word in asked if word.text not in seams]


def _as_well(word: ReadWord, nouns: tuple[str, ...]) -> ReadWord:
    """Return *word*, which may be a translated one, with *nouns* that mean no less than itself."""
    nearness = (*word.nearness, *(1.0 for _ in nouns)) if word.nearness else ()
    return word._replace(variants=(*word.variants, *nouns), nearness=nearness)


def _synonyms(
    variants: tuple[str, ...],
    called: Mapping[str, tuple[Phrase, ...]],
    alone: Mapping[str, Collection[Phrase]],
    store: Statistics,
) -> tuple[Synonym, ...]:
    """Return the synonyms of a term; a rarer one finds no more than the word as it was written."""
    stem = next((variant for variant in variants if variant in called), "")
    telling = store.idf(variants)
    return tuple(
        Synonym(
            stems,
            unknown_words.SYNONYM * min(1.0, telling / max(_FAINTEST, store.idf(stems[:1]))),
            of_phrase=stem in alone and stems not in alone[stem],
        )
        for stems in called.get(stem, ())
        if not set(stems).issubset(variants)
    )


def asked_in(query: str, store: Statistics) -> str:
    """Return the language of *query* where no documents of *store* are in it, "" where some are."""
    language = _language(query, store.languages)
    return "" if not store.languages or tags.base(language) in store.spoken else language


def _translated(query: str, store: Statistics, synonyms: Synonyms) -> list[ReadWord]:
    """Return the words of a *query* in another language than the store's as the store's own words.

    Words that the store has stay, such as names. Nothing where the language is one of the store's,
    or no word means what the store has a word for. Headings of a help centre in Spanish, French and
    Chinese find its English page among the first five in 8 of 10 cases, by their own words in 3.
    """
    language = asked_in(query, store)
    if not language:
        return []
    words = list(foreign_terms.read(query[:_LENGTH], language, store, synonyms))
    return words if any(word.nearness for word in words) else []


def _weighted(context: SearchContext) -> Iterator[tuple[str, float]]:
    """Yield the texts of *context* with what a term of each weighs."""
    if context.answer:
        yield context.answer, _ANSWERED
    weight = _EARLIER
    for query in context.queries:
        if weight < _FAINTEST:
            return
        yield query, weight
        weight *= _FADING


@functools.lru_cache(maxsize=128)  # each turn brings the texts of those before again
def _telling(text: str, languages: tuple[str, ...]) -> Sequence[ReadWord]:
    """Return the words of *text* without those that only carry it."""
    spoken = _language(text, languages)
    stemmed_in = tuple(dict.fromkeys((*languages, spoken)))
    text = foreign_words.bare(text, spoken)
    spelled = index_terms.of(text, "")
    stems = [index_terms.of(text, language) for language in stemmed_in]
    empty = [function_words.stems(language) for language in stemmed_in]
    words = list(zip(spelled, zip(*stems, strict=False), strict=False))
    telling = [
        (text, word)
        for text, word in words
        if not any(stem in words for stem, words in zip(word, empty, strict=True))
    ]
    return [ReadWord(text, tuple(dict.fromkeys(word))) for text, word in telling or words]


def _language(text: str, languages: Sequence[str]) -> str:
    return detection.detect(text[:_LENGTH], languages[0] if languages else "en")
