"""Measure how a text holds a claim.

Each measure means the same whatever the texts are about, how long they are and which of our
languages they are in. A text says what a claim does where most of what the claim tells stands close
together in it, in the same pairs, with the same numbers, names and denials; a word that is not
there counts by the nearest that is (`service.language.word_vectors`).
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from service.answering.proof import claim_scores, claims, polarity, word_forms
from service.answering.proof.claim_scores import Faults, Measures
from service.answering.proof.claims import ReadClaim
from service.language import content_terms, word_vectors, words

_BREAK: Final = re.compile(r"[.!?…][\"'”’»)\]*_]*\s+|\n+|[。！？；]")
"""Where a sentence ends, nearly: `sentences.spans` takes as long as all the rest, and a window is
wider than a sentence, so that a wrong cut changes little."""
_BESIDE: Final = 6
"""Terms before and after the window where a word may stand that means what another does."""
_PLACES: Final = 32
"""Places of a term that are looked at: what stands more often in a text is its topic."""
_SHORTEST_QUOTE: Final = 2
_ALIKE: Final = 0.4
"""The cosine from which a word counts for another, by as much as the cosine is."""
_SAME: Final = 0.6
"""The cosine from which a word is no new one, and says the same in the place of another."""
_NAMES: Final = 8
"""Names of a claim that are held against each other: a sentence with more of them is a list."""
_END: Final = ""
"""Stands before the first word of a sentence and after its last."""
_STOP: Final = "."
"""Stands for the end of a sentence between words, which are none of it."""
_LONGEST: Final = 200
"""Characters of two words, together."""
_REMEMBERED: Final = 1 << 10
"""Words whose nearness to another is kept."""
_LEAST: Final = 0.2
"""What must stand together of a claim before other words are sought for the rest."""
_SOUGHT: Final = 4
"""Missing terms of a claim, the most telling, for which others are sought: each takes 100 us."""
_MOST: Final = 8.0
"""The greatest weight of a term (`content_terms.weight`)."""


class Window(NamedTuple):
    """Where most of a claim stands together in a text, and how much of it that is."""

    covered: float
    first: int
    end: int


class _Sentence(NamedTuple):
    written: list[str]
    words: frozenset[str]
    denials: int
    weight: float


_NOTHING: Final = _Sentence([], frozenset(), 0, 0.0)


class SourceText:
    """A text that claims are held against, read once."""

    def __init__(self, text: str, language: str) -> None:
        self._language = language
        self._sentences = [part for part in _BREAK.split(text) if part.strip()]
        self._words = [words.words(part) for part in self._sentences]
        known = word_forms.by_word(language)
        self._spelt, self._ends = list[str](), list[int]()
        for found in self._words:
            self._spelt += [word for word in found if known[word]]
            self._ends.append(len(self._spelt))
        self._terms = [known[word] for word in self._spelt]
        self._places = dict[str, list[int]]()
        for place, term in enumerate(self._terms):
            self._places.setdefault(term, []).append(place)
        self._telling = functools.cache(self._read_terms)
        self._closely = functools.cache(self._read_closely)

    def quotes(self, claim: ReadClaim) -> bool:
        """Tell whether the text says *claim* word for word."""
        return (
            len(claim.weights) >= _SHORTEST_QUOTE
            and claim.weights.keys() <= self._places.keys()
            and claim.run in self._run
        )

    def share(self, claim: ReadClaim) -> float:
        """Return how much of *claim* stands anywhere in the text."""
        known = claim.weights.keys() & self._places.keys()
        return sum(map(claim.weights.__getitem__, known)) / claim.total

    def near(self, claim: ReadClaim) -> Window:
        """Return where most of *claim* stands together."""
        weights, places = claim.weights, self._places
        matches = sorted(
            (place, term)
            for term in weights.keys() & places.keys()
            for place in places[term][:_PLACES]
        )
        had, most, inside, oldest = 0.0, 0.0, dict[str, int](), 0
        best = Window(0.0, 0, 0)
        for place, term in matches:
            while matches[oldest][0] <= place - claim.window:
                gone = matches[oldest][1]
                oldest += 1
                inside[gone] -= 1
                if not inside[gone]:
                    had -= weights[gone]
            count = inside.get(term, 0)
            inside[term] = count + 1
            if not count:
                had += weights[term]
                if had > most + 1e-9:
                    most = had
                    best = Window(min(1.0, had / claim.total), matches[oldest][0], place + 1)
        return best

    def support(self, claim: ReadClaim, near: Window, *, closely: bool) -> float:
        """Return how well the text supports *claim*, 0..1; see `measures`."""
        return claim_scores.score(*self.measures(claim, near, closely=closely))

    def measures(self, claim: ReadClaim, near: Window, *, closely: bool) -> tuple[Measures, Faults]:
        """Return what the score of *claim* is made of; *near* is where most of it stands.

        Only *closely* are words sought that mean about what those of the claim do, which takes as
        long as all the rest.
        """
        weights, places = claim.weights, self._places
        first, end = max(0, near.first - _BESIDE), near.end + _BESIDE
        inside = dict(zip(self._terms[first:end], self._spelt[first:end], strict=True))
        missing = [term for term in weights if term not in inside]
        like = (
            _like(claim, missing, set(inside.values()))
            if closely and near.covered >= _LEAST
            else {}
        )
        new = [term for term in missing if term not in places and like.get(term, 0.0) < _SAME]
        among = self._sentences_of(near)
        sentence = self._closest(claim, among)
        copied = _share(list(map(self._run.__contains__, claim.word_pairs)))
        paired = [self._beside(one, other) for one, other in claim.pairs]
        covered = near.covered
        measures = Measures(
            covered=covered,
            alike=sum(weights[term] * how for term, how in like.items()) / claim.total,
            paired=covered * (_share(paired) if paired else covered),
            precise=covered * min(1.0, covered * claim.total / (sentence.weight or 1.0)),
            copied=copied,
            newest=max((weights[term] for term in new), default=0.0) / _MOST,
            numbers=float(any(term not in inside for term in claim.numbers)),
            names=float(any(term not in places for term in claim.names)),
        )
        return measures, Faults(
            numbers=bool(measures.numbers),
            names=bool(measures.names),
            denied=sentence.denials != claim.denials
            or any(
                other in sentence.words and word not in sentence.words
                for word, other in claim.opposites
            ),
            edited=copied >= claim_scores.COPY and self._edited(claim, new),
            swapped=_swapped(claim, sentence),
        )

    def _edited(self, claim: ReadClaim, new: Collection[str]) -> bool:
        """Tell whether a word of *new* was put between words of the text, or for one of them."""
        news = {claim.spelt[term].lower() for term in new}
        ended = [*claim.words, _END]
        for before, word, after in zip(claim.words, ended[1:], ended[2:], strict=False):
            if word in news:
                instead = self._between(before, after)
                if instead and _cosines(word)[instead] < _SAME:
                    return True
                if after != _END and claims.run((before, after)) in self._run:
                    return True
        return False

    def _between(self, before: str, after: str) -> str:
        """Return the word between two others, or between one and the end of its sentence."""
        lines, start, found = self._lines, f" {before} ", ""
        at = lines.find(start)
        while at >= 0:
            at += len(start)
            word, _, rest = lines[at : at + _LONGEST].partition(" ")
            if word != _STOP and rest.startswith(f"{after or _STOP} "):
                found = word
            at = lines.find(start, at - 1)
        return found

    @functools.cached_property
    def _lines(self) -> str:
        """The words of each sentence, and a stop behind them."""
        return " ".join(["", *(f"{' '.join(found).lower()} {_STOP}" for found in self._words), ""])

    @functools.cached_property
    def _run(self) -> str:
        return claims.run(itertools.chain.from_iterable(self._words)).lower()

    def _beside(self, one: str, other: str) -> bool:
        """Tell whether two terms are neighbours, or all but."""
        terms = self._terms
        for place in self._places.get(one, ())[:_PLACES]:
            if other in terms[max(0, place - 2) : place + 3]:
                return True
        return False

    def _sentences_of(self, near: Window) -> range:
        """Return the sentences that *near* touches."""
        first = bisect.bisect_right(self._ends, near.first)
        last = bisect.bisect_left(self._ends, near.end)
        return range(first, min(last + 1, len(self._sentences)))

    def _closest(self, claim: ReadClaim, among: range) -> _Sentence:
        """Return the sentence that has most of *claim*."""
        weights = claim.weights

        def had(number: int) -> float:
            return sum(map(weights.__getitem__, weights.keys() & self._telling(number)))

        return self._closely(max(among, key=had)) if among else _NOTHING

    def _read_terms(self, number: int) -> frozenset[str]:
        start = self._ends[number - 1] if number else 0
        return frozenset(self._terms[start : self._ends[number]])

    def _read_closely(self, number: int) -> _Sentence:
        return _Sentence(
            self._words[number],
            frozenset(word.lower() for word in self._words[number]),
            polarity.denials(self._sentences[number], self._language),
            content_terms.total_weight(self._telling(number)),
        )


def _swapped(claim: ReadClaim, sentence: _Sentence) -> bool:
    """Tell whether two names of *claim* follow the word that the other one follows in *sentence*.

    With a word between them that tells something ("A and B" is "B and A"), and no word that the
    sentence lacks ("was paid by" turns it round as well).
    """
    if not sentence.words.issuperset(claim.words):
        return False
    written = (*claim.written[1:], *sentence.written[1:])
    named = {word.lower() for word in written if word.istitle()}
    places = [at for at, word in enumerate(claim.words) if word in named][:_NAMES]
    said = [_END, *(word.lower() for word in sentence.written)]
    before = dict(zip(said[1:], said, strict=False))
    telling = {word.lower() for word in claim.spelt.values()} - named
    for first, second in itertools.combinations(places, 2):
        one, other = claim.words[first], claim.words[second]
        swapped = before[other] == (claim.words[first - 1] if first else _END)
        if swapped and one != other and before[one] == claim.words[second - 1]:
            return not telling.isdisjoint(claim.words[first:second])
    return False


def _like(claim: ReadClaim, missing: Sequence[str], inside: Collection[str]) -> dict[str, float]:
    """Return of the *missing* terms of *claim* how near a word *inside* comes, where one does."""
    found = dict[str, float]()
    for term in sorted(missing, key=lambda term: -claim.weights[term])[:_SOUGHT]:
        cosines = None if term[0].isdecimal() else _cosines(claim.spelt[term])
        nearest = max(map(cosines.__getitem__, inside), default=0.0) if cosines else 0.0
        if nearest >= _ALIKE:
            found[term] = nearest
    return found


class _Cosines(dict[str, float]):
    """How near words come to one; starts anew when it is full."""

    def __init__(self, word: str) -> None:
        super().__init__({word: 1.0})
        self._vector = _vector(word)

    def __missing__(self, word: str) -> float:
        if len(self) >= _REMEMBERED:
            self.clear()
        other = _vector(word) if self._vector else None
        near = word_vectors.similarity(self._vector, other) if self._vector and other else 0.0
        self[word] = near
        return near


@functools.lru_cache(maxsize=1 << 13)
def _vector(word: str) -> word_vectors.Vector | None:
    return word_vectors.vector(word)


@functools.lru_cache(maxsize=1 << 11)
def _cosines(word: str) -> _Cosines:
    return _Cosines(word)


def _share(found: Collection[bool]) -> float:
    return sum(found) / len(found) if found else 0.0
