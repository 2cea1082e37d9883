"""Turn what a user asks into weighted terms."""

from __future__ import annotations

import collections
import enum
import functools
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

import msgspec

from service.corpus.index import SearchContext
from service.corpus.tantivy import spelling
from service.language import (
    content_terms,
    detection,
    function_words,
    index_terms,
    ordinary_words,
    tags,
    talk_words,
)
from service.language.queries import foreign_terms, foreign_words, word_roles
from service.language.queries.foreign_terms import ReadWord
from service.language.queries.word_roles import Role
from service.language.synonyms import BUILT_IN, Phrase, Synonyms
from service.language.word_vectors import Neighbour

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
_SYNONYM: Final = 0.6
"""What a synonym finds beside the word itself, of words that are as rare."""
_TELLING: Final = 6.5
"""What a word tells that a query asks about: "forgot" and "anywhere" ask about nothing."""
_RARE_NAME: Final = 0.7
"""What a name tells, beside a word that no chunk has, that the store has in passing at most."""
_SHORTEST_PART: Final = 3
"""Letters of a word that is part of another: "a part" is no "apart"."""
_CODE: Final = re.compile(r"(?=.*\d)(?=.*[a-z])(?!\d+[a-z]{1,5}$)[a-z0-9]{3,60}")


class Statistics(Protocol):
    """What a store knows of terms."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages of the documents, the commonest first."""
        ...

    @property
    def spoken(self) -> Collection[str]:
        """The languages that any share of the documents worth naming is in, without regions."""
        ...

    def idf(self, variants: tuple[str, ...], /) -> float:
        """Return how telling a term is, from 0 where every chunk has it."""
        ...

    def knows(self, variants: tuple[str, ...], /) -> bool:
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        ...

    def correct(self, word: str, language: str, name: bool, /) -> str:
        """Return what a word means that the store does not know, "" where nothing is near."""
        ...

    def near(self, word: str, language: str, /) -> Sequence[Neighbour]:
        """Return the terms that mean about what *word* in another *language* does."""
        ...


class Synonym(NamedTuple):
    """What else a word may be called: all of *stems*, of which one counts *share* of the word."""

    stems: Phrase
    share: float


class Alien(enum.Enum):
    """What a query asks about that a store has nowhere, or but in passing."""

    NO = "no"
    NAME = "name"
    WORD = "word"
    """An ordinary word that seldom is beside the point."""
    UNREAD = "unread"
    """What stands in the place of a name, and resembles no ordinary word."""


class QueryTerm(msgspec.Struct, frozen=True, kw_only=True):
    """One word asked for: *text* as it was written, folded, *variants* what it is searched as.

    *own* is how often the query itself has it, 0 where only its context does. *known* tells whether
    the store has it, *ordinary* whether everybody knows it who writes the language of the query.
    """

    text: str
    variants: tuple[str, ...]
    weight: float
    idf: float
    nearness: tuple[float, ...] = ()
    """What each of the variants weighs beside the word itself; () where that is 1."""
    written: str = ""
    """The word as it was written, where *text* corrects it."""
    own: float = 0.0
    known: bool = True
    ordinary: bool = False
    talk: bool = False
    """Whether it rather belongs to the asking than to what is asked about."""
    synonyms: tuple[Synonym, ...] = ()
    """What else it may be called, as far as the store has that."""
    alien: Alien = Alien.NO
    """Whether the query asks about it, and the store has it nowhere; or a name, hardly anywhere."""
    beside: tuple[str, ...] = ()
    """Terms of the store that mean about what an alien one does, though it is called otherwise."""

    @property
    def names_one(self) -> bool:
        """Whether the query has a code that names one thing: ``ZX77Q``, ``0x80070005``, ``h264``.

        A number with a unit or an ordinal (``15mins``, ``2nd``) names nothing.
        """
        return bool(self.own) and _CODE.fullmatch(self.text) is not None


def analyse(
    query: str, context: SearchContext, store: Statistics, synonyms: Synonyms = BUILT_IN
) -> list[QueryTerm]:
    """Return the terms of *query* and, weighing less, of its *context*, as *store* knows them.

    Words that say nothing about the topic are left out, unless the query has no others.
    """
    languages = store.languages
    query, slips = spelling.corrected(query, store)
    asked = _translated(query, store, synonyms) or _telling(query[:_LENGTH], languages)
    own = collections.Counter(word.variants for word in asked)
    texts = {word.variants: word.text for word in asked}
    nearness = {word.variants: word.nearness for word in asked}
    weights = dict[tuple[str, ...], float](own)
    for text, weight in _weighted(context):
        said = {word.variants: word.text for word in _telling(text[:_LENGTH], languages)}
        share = weight * min(1.0, _SAID / max(1, len(said)))
        for variants, spelled in said.items():
            weights[variants] = weights.get(variants, 0.0) + share
            texts.setdefault(variants, spelled)
    language = _language(query, languages)
    talk = talk_words.stems(language)
    called = _called(query, language, store, synonyms)
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
            talk=not talk.isdisjoint(variants),
            synonyms=_synonyms(variants, called, store) if variants in own else (),
        )
        for variants, weight in weights.items()
    ]
    return _bounded(_with_aliens(found, query, language, store))


def _bounded(terms: list[QueryTerm]) -> list[QueryTerm]:
    """Return the most telling of *terms*, as many as are searched for."""
    if len(terms) <= _WITH_CONTEXT:
        return terms
    terms.sort(key=lambda term: -term.weight * term.idf)
    own = [term for term in terms if term.own][:MOST]
    context = [term for term in terms if not term.own]
    return own + context[: max(0, _WITH_CONTEXT - len(own))]


def _with_aliens(
    terms: Sequence[QueryTerm], query: str, language: str, store: Statistics
) -> list[QueryTerm]:
    """Return *terms* with what the store hardly knows told apart.

    That is what the query asks about, or it only belongs to the asking: a name in a greeting.
    """
    rare = _RARE_NAME * store.idf(())
    if not any(_is_unknown(term) or (term.own and term.idf >= rare) for term in terms):
        return list(terms)
    roles = word_roles.read(query, language)
    known = {term.text for term in terms if term.known}
    found: list[QueryTerm] = []
    for term in terms:
        role = roles.of.get(term.text, Role.OTHER)
        if role is Role.NAME and term.own and term.idf >= rare:
            # Of a name of which a part is known the rest is spelled otherwise.
            part = any(term.text in name and known & name for name in roles.names)
            found.append(msgspec.structs.replace(term, alien=Alien.NO if part else Alien.NAME))
        elif not _is_unknown(term):
            found.append(term)
        elif role is Role.ASIDE:
            found.append(msgspec.structs.replace(term, talk=True))
        elif (alien := _alien(term, role, language)) is Alien.NO:
            found.append(term)
        else:
            beside = tuple(one.term for one in store.near(term.text, language))
            found.append(msgspec.structs.replace(term, alien=alien, beside=beside))
    return found


def _alien(term: QueryTerm, role: Role, language: str) -> Alien:
    """Tell whether a query asks about a word in small letters that the store does not know."""
    word = term.text
    if not term.ordinary:
        # Of other languages no ordinary words are known, so that any word would be a name.
        if role is not Role.HEAD or tags.base(language) != "en" or len(word) < spelling.SHORTEST:
            return Alien.NO
        # A slip of a word that the store lacks as well asks what that word does.
        word = spelling.resembled(word, language)
        if not word:
            return Alien.UNREAD
    stems = index_terms.of(word, language)
    telling = stems and content_terms.weight(stems[0]) >= _TELLING
    return Alien.WORD if telling else Alien.NO


def _is_unknown(term: QueryTerm) -> bool:
    there = term.known or term.synonyms or term.talk or term.nearness
    return bool(term.own) and term.text.isalpha() and not there


def _called(
    query: str, language: str, store: Statistics, synonyms: Synonyms
) -> dict[str, tuple[Phrase, ...]]:
    """Return what else each stem of *query* may be called, alone or with its neighbours."""
    found: dict[str, tuple[Phrase, ...]] = {}
    for phrase, others in synonyms.of(query[:_LENGTH], language):
        there = tuple(other for other in others if all(store.knows((stem,)) for stem in other))
        for stem in phrase if there else ():
            found.setdefault(stem, there)
    for apart, together in _joined(query[:_LENGTH], language, store):
        found.setdefault(apart, ((together,),))
    return found


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


def _synonyms(
    variants: tuple[str, ...], called: dict[str, tuple[Phrase, ...]], store: Statistics
) -> tuple[Synonym, ...]:
    """Return the synonyms of a term; a rarer one finds no more than the word as it was written."""
    others = next((called[variant] for variant in variants if variant in called), ())
    telling = store.idf(variants)
    return tuple(
        Synonym(stems, _SYNONYM * min(1.0, telling / max(_FAINTEST, store.idf(stems[:1]))))
        for stems in others
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
