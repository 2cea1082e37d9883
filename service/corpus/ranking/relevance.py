"""Estimate how likely a chunk is to answer a query, from what of the query it holds.

A logistic model over statistics that mean the same in every data store and language, and that
documents of another kind do not move: they count words of the query, never the length of a chunk,
its score, or how many chunks there are. A query is judged by its own words; what was said before
counts as far as these say little.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from service.corpus.ranking.queries.terms import Alien, QueryTerm
from service.language import content_terms

_UNION: Final = 5
"""The first so many chunks may answer the parts of a query together."""
_NEAR: Final = 3
"""Words apart that two neighbouring words of a query may stand."""
_MOST_TELLING: Final = 6.0
"""What a word tells at most, as `content_terms.weight` counts: rarer ones may be chance."""
_LOCAL: Final = 0.6
"""How much of what a word tells depends on the data store: the rest is the language's."""
_ENOUGH: Final = 3.0
"""Words of a query that do not meet in one chunk by chance; more of them prove nothing more."""
_SAYS_ENOUGH: Final = 2.0
"""A query whose words weigh as much stands alone."""
_TALK: Final = 0.15
"""What a word of the asking weighs beside one of what is asked about; and one that a long message
tells beside what it asks, where a chunk lacks it."""
_LEAST: Final = 0.05
"""What a query weighs at least, however much of it is told beside what it asks."""
_OF_COSINE: Final = 5.6
_TELLS_NOTHING: Final = 0.36
"""The cosine that speaks neither for nor against a chunk, beside its words."""
_SPEAKS_AGAINST: Final = -1.0
"""How far a small cosine speaks against a chunk at most, in log odds: questions that say little
have one with whatever answers them, and without this bound 5 of 1,000 more are refused."""
_OF_COSINE_ALONE: Final = 10.0
_TELLS_ALONE: Final = 0.47
"""The cosine at which a chunk is as likely as not to be relevant, whatever its words."""


_ASKED_ON: Final = 0.25
"""The relevance at least of what is asked on about: whether it answers its sentences tell."""


Held = dict[tuple[str, ...], float]
"""How much of each term of a query a chunk has, by the term's variants."""


class ReadTerms(NamedTuple):
    """The terms of a chunk in order, and those of its title and headings."""

    body: Sequence[str]
    above: frozenset[str]


class Features(NamedTuple):
    """What speaks for a chunk and against it; shares are of what the query's own words weigh."""

    met: float
    """The share that the chunk has."""
    parts: float
    """The share that it lacks, and the other first chunks have."""
    mass: float
    """How much that the chunk has weighs, at most three words, as a share of these."""
    foreign: float
    """The share of ordinary words that the store does not know."""
    strange: float
    """The share of other words that the store does not know: names, codes, slips of the pen."""
    above: float
    """The share that the title and the headings have."""
    near: float
    """The share of neighbouring words of the query that are near each other in the chunk."""
    topic: float
    """The share of the context that the chunk has, as far as the store knows the query's words."""
    both: float
    """The share of the context, as far as the chunk has the query's own words too."""
    follows: float
    """1 where there is a context."""
    lacking: float
    """How little the query says by itself, where there is a context."""
    missed: float
    """How much the most telling word weighs that the store knows and the chunk lacks."""
    brief: float
    """1 for a query of one word, a half for two, and so on."""
    named: float
    """1 where the query asks about something by a rare name that the chunk lacks."""
    alien: float
    """1 where it asks about an ordinary word that neither the store has nor the chunk one near."""
    unread: float
    """1 where the place of a name has what resembles no word, and the chunk has none near it."""
    absent: float
    """How much the most telling word weighs that the store knows and no first chunk has."""


class WeighedQuery:
    """A query as its chunks are judged: what each of its terms weighs."""

    def __init__(self, terms: Sequence[QueryTerm], rarest: float) -> None:
        """Weigh *terms*; *rarest* is the idf of a term that no chunk has."""
        self._own = [term for term in terms if term.own]
        self._weights = {
            term.variants: weight(term, rarest) * (_TALK if term.asks and not term.talk else 1.0)
            for term in terms
        }
        self._total = sum(self._weights[term.variants] for term in self._own) or 1.0
        self._spared = {
            term.variants: self._weights[term.variants] * (1 - _TALK)
            for term in self._own
            if term.aside and not (term.talk or term.asks)
        }
        self._stems = [_stems(term) for term in self._own]
        self._any = frozenset[str]().union(*self._stems)
        self._context = [
            (term.variants, term.weight * self._weights[term.variants])
            for term in terms
            if not term.own
        ]
        self._said = sum(counts for _, counts in self._context)
        self._names = [term for term in self._own if term.alien is Alien.NAME]
        self._lacking = max(0.0, 1 - self._total / _SAYS_ENOUGH) if self._said else 0.0

    def features(self, read: Sequence[ReadTerms]) -> list[Features]:
        """Return what speaks for each of the chunks of which *read* are the terms, best first."""
        everything = [one.above.union(one.body) for one in read]
        held = [self._held_in(terms) for terms in everything]
        anywhere: Held = {}
        for each in held[:_UNION]:
            anywhere |= {term: max(has, anywhere.get(term, 0.0)) for term, has in each.items()}
        together = self._share(anywhere)
        # Whatever the store has under another name is not strange to it.
        unknown = [term for term in self._own if not (term.known or term.synonyms)]
        foreign = self._share({term.variants: 1.0 for term in unknown if term.ordinary})
        strange = self._share({term.variants: 1.0 for term in unknown if not term.ordinary})
        found: list[Features] = []
        for one, terms, has in zip(read, everything, held, strict=True):
            met, topic = self._share(has), self._topic(terms)
            missed = [t for t in self._own if t.known and not t.aside and t.variants not in has]
            absent = [t for t in missed if t.variants not in anywhere]
            found.append(
                Features(
                    met=met,
                    parts=max(0.0, together - met),
                    mass=min(_ENOUGH, met * self._total_beside(has)) / _ENOUGH,
                    foreign=foreign,
                    strange=strange,
                    above=self._share(self._held_in(one.above)),
                    near=self._near(one.body),
                    topic=topic * (1 - foreign - strange),
                    both=topic * met,
                    follows=float(bool(self._said)),
                    lacking=self._lacking,
                    missed=max((self._weights[t.variants] for t in missed), default=0.0),
                    brief=1 / max(1, len(self._own)),
                    named=self._lacks_name(terms, has),
                    alien=self._asks_for(Alien.WORD, terms),
                    unread=self._asks_for(Alien.UNREAD, terms),
                    absent=max((self._weights[t.variants] for t in absent), default=0.0),
                )
            )
        return found

    def _held_in(self, terms: frozenset[str]) -> Held:
        """Return those of the query's own terms that are among *terms*."""
        return {term.variants: has for term in self._own if (has := _has(term, terms))}

    def _lacks_name(self, terms: frozenset[str], has: Held) -> float:
        """Tell whether *terms* have neither a rare name nor one that it is asked with."""
        lacks = (t for t in self._names if t.variants not in has and not t.aside)
        return float(any(terms.isdisjoint(t.beside) for t in lacks))

    def _asks_for(self, alien: Alien, terms: frozenset[str]) -> float:
        asked = (t for t in self._own if t.alien is alien and not t.aside)
        return float(any(terms.isdisjoint(t.beside) for t in asked))

    def _share(self, held: Held) -> float:
        said = sum(self._weights[variants] * has for variants, has in held.items())
        return said / self._total_beside(held)

    def _total_beside(self, held: Collection[tuple[str, ...]]) -> float:
        """Return what the query weighs where *held* of it is there: asides may lack."""
        lacks = sum(by for variants, by in self._spared.items() if variants not in held)
        return max(self._total - lacks, _LEAST)

    def _topic(self, terms: frozenset[str]) -> float:
        if not self._said:
            return 0.0
        lacks = terms.isdisjoint
        met = sum([counts for variants, counts in self._context if not lacks(variants)])
        return met / self._said

    def _near(self, body: Sequence[str]) -> float:
        """Return the share of neighbouring words of the query that are near in *body*."""
        if len(self._own) < 2:
            return 0.0
        # A bit for each place: what is near in it is so by shifting, however often a term stands.
        places = dict[str, int]()
        for at, term in enumerate(body):
            if term in self._any:
                places[term] = places.get(term, 0) | 1 << at
        if not places:
            return 0.0
        # Each place has one term only, so that a sum joins those of several.
        own = [sum(places.get(one, 0) for one in stems) for stems in self._stems]
        near = sum(
            any((other << by) & one or (one << by) & other for by in range(_NEAR + 1))
            for one, other in itertools.pairwise(own)
            if one and other
        )
        return near / (len(self._own) - 1)


_BIAS: Final = -4.67
_WEIGHTS: Final = Features(
    met=2.88,
    parts=-2.41,
    mass=5.81,
    foreign=0.32,
    strange=1.05,
    above=2.42,
    near=2.23,
    topic=3.03,
    both=1.65,
    follows=0.05,
    lacking=1.64,
    missed=1.17,
    brief=-0.06,
    named=-9.0,
    alien=-3.5,
    unread=-1.5,
    absent=-0.83,
)
"""Fitted by ``tests/training/train_relevance.py``, but for the three that it holds: to answer about
something else costs more than a refusal, so that a name decides."""


def estimate(of: Features) -> float:
    """Return the relevance that *of* stands for, 0 to 1."""
    return _logistic(_signal(of))


class Estimates(NamedTuple):
    """The relevance of a chunk by its words alone, and in the light of its meaning as well."""

    by_words: float
    whole: float


def with_meaning(of: Features, cosine: float) -> Estimates:
    """Return what `estimate` does, also in the light of how near the meaning of the chunk lies.

    Words and meaning speak together; and meaning alone where it is plain, as it is for a question
    in another language, whose words say nothing. What the chunk lacks by name the meaning does not
    make good: the same about another product means nearly the same. Fitted with the local model by
    ``tests/training/fit_relevance_by_meaning.py``.
    """
    signal = _signal(of)
    meant = max(_SPEAKS_AGAINST, _OF_COSINE * (cosine - _TELLS_NOTHING))
    if of.named or of.alien or of.unread:
        return Estimates(_logistic(signal), _logistic(signal + min(0.0, meant)))
    alone = _OF_COSINE_ALONE * (cosine - _TELLS_ALONE)
    return Estimates(_logistic(signal), _logistic(max(signal + meant, alone)))


def asked_on(of: Features, estimated: float) -> float:
    """Return the relevance of a chunk of the last answer's document to a query that leans on it.

    What is asked is about that document, however few of its words there are, as long as it names
    nothing that the documents do not know.
    """
    return estimated if of.named or of.unread else max(estimated, _ASKED_ON)


def lacking(terms: Sequence[QueryTerm], rarest: float) -> float:
    """Return how little the query of these *terms* says by itself, 0 to 1."""
    own = sum(weight(term, rarest) for term in terms if term.own)
    return max(0.0, 1 - own / _SAYS_ENOUGH)


def weight(term: QueryTerm, rarest: float) -> float:
    """Return how much *term* tells, 0 to 1; *rarest* is the idf of a term that no chunk has."""
    telling = min(content_terms.weight(variant) for variant in term.variants)
    local = min(1.0, term.idf / rarest) if rarest else 1.0
    counts = min(telling, _MOST_TELLING) / _MOST_TELLING * (1 - _LOCAL + _LOCAL * local)
    return counts * _TALK if term.talk else counts


def _signal(of: Features) -> float:
    """Return the logarithm of the odds that *of* stands for."""
    return _BIAS + sum(each * value for each, value in zip(_WEIGHTS, of, strict=True))


def _logistic(signal: float) -> float:
    return 1 / (1 + math.exp(-signal))


def _has(term: QueryTerm, terms: frozenset[str]) -> float:
    """Return how much of *term* there is among *terms*: all, that of a synonym, or nothing.

    Of a word of another language it is the cosine. At 1 for all, half as many questions again pass
    that belong elsewhere; at the cosine squared, one in ten less of the portal's own.
    """
    if term.nearness:
        near = (n for v, n in zip(term.variants, term.nearness, strict=True) if v in terms)
        return math.sqrt(min(1.0, max(near, default=0.0)))
    if _in(term, terms):
        return 1.0
    return max((one.likeness for one in term.synonyms if terms.issuperset(one.stems)), default=0.0)


def _stems(term: QueryTerm) -> frozenset[str]:
    """Return the stems that stand for *term*, or begin what does."""
    return frozenset((*term.variants, *(one.stems[0] for one in term.synonyms)))


def _in(term: QueryTerm, terms: frozenset[str] | set[str]) -> bool:
    return not terms.isdisjoint(term.variants)
