"""Score how well given texts support a claim, without a model.

What is said word for word is supported; a paraphrase is scored by how much
of what it tells (`service.language.content_terms.weight`) stands in the best three neighbouring
sentences of one text, in which order, and with which numbers. Numbers, names and negations that
disagree count against it. The score is calibrated to the share of such claims that people
judged supported: its weights were fitted to the human judgements of AttributionBench.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from service.language import content_terms, detection, sentences, words

_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|none|nor|cannot|neither|unable)\b|n['’]t\b", re.IGNORECASE
)
_MARKER: Final = re.compile(r"\s*\[\d{1,2}(?:,\s*\d{1,2})*\]")
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_OPPOSITES: Final = tuple(
    frozenset(pair.split("/"))
    for pair in (
        "before/after more/less more/fewer most/least increase/decrease increases/decreases"
        " increased/decreased allowed/prohibited minimum/maximum always/never with/without"
        " higher/lower highest/lowest first/last open/closed enable/disable enabled/disabled"
        " accepted/rejected includes/excludes earlier/later above/below starts/ends all/none"
        " required/optional must/may true/false can/cannot on/off larger/smaller longer/shorter"
    ).split()
)
_CONTRADICTED: Final = 0.4
_ALIKE: Final = 0.85
_SHORTEST_QUOTE: Final = 2
_REMEMBERED: Final = 64
"""Terms of a claim of which parts are remembered; those of a longer one would fill the memory."""
_REPEATED: Final = 256
"""Claims whose scores are remembered, since a text may repeat itself."""
_STEPS: Final = 64
"""Steps, beside those to the first window, in which the best window of a text is looked for: few in
what people write; without a bound, texts made for it took minutes."""
_ALIKE_ENOUGH: Final = 1e-12
_BIAS: Final = -3.11
_WEIGHTS: Final = (0.39, 1.11, 1.01, 1.5, 1.52)
"""Of what `features` returns, fitted to people's judgements of 1,198 claims."""


class SourceTexts:
    """Texts to hold claims against; each is read when it is first needed, and only once."""

    def __init__(self, texts: Sequence[str], language: str = "") -> None:
        self._language = language or detection.detect_in("", texts)
        self._texts = texts
        self._scores = functools.lru_cache(maxsize=_REPEATED)(self._all_scores)

    def scores(self, claim: str, only: Collection[int] | None = None) -> list[float]:
        """Return how well each text by itself supports *claim*; 0 where *only* leaves it out."""
        return list(self._scores(claim, None if only is None else frozenset(only)))

    def _all_scores(self, claim: str, only: frozenset[int] | None) -> tuple[float, ...]:
        read = _Claim(claim, self._language)
        return tuple(
            _read(text, self._language).support(read) if only is None or number in only else 0.0
            for number, text in enumerate(self._texts)
        )

    def quotes(self, claim: str, only: Collection[int] | None = None) -> list[float]:
        """Return 1 for each text that says *claim* word for word, [] where none does."""
        read = _Claim(claim, self._language)
        found = [
            float((only is None or number in only) and _read(text, self._language).quotes(read))
            for number, text in enumerate(self._texts)
        ]
        return found if any(found) else []

    def held(self, claim: str, only: Collection[int]) -> list[float]:
        """Return how well each text supports *claim*, a quotation first; all without *only*."""
        return self.quotes(claim, only or None) or self.scores(claim, only or None)


_ClaimTerm = tuple[int, float, int]
"""A term of a claim: its bit, its weight, and the sentences of a text that have it, as bits."""


class _Closest(NamedTuple):
    """The sentence of a text that covers most of a claim, and the terms that it has, as bits."""

    sentence: int
    terms: int


class _Claim:
    """A claim as it is held against texts."""

    def __init__(self, claim: str, language: str) -> None:
        claim = _MARKER.sub("", claim)
        found = words.words(claim)
        self.run = _run(found)
        self.words = frozenset(word.lower() for word in found)
        telling = content_terms.of(claim, language) or content_terms.all_of(claim, language)
        self.pairs = list(itertools.pairwise(telling))
        self.weights = {term: content_terms.weight(term) for term in telling}
        self.total = sum(self.weights.values()) or 1.0
        self.numbers = [term for term in self.weights if term[0].isdecimal()]
        self.names = {content_terms.term_of(name, language) for name in _NAME.findall(claim)}
        self.negated = _NEGATION.search(claim) is not None
        self.opposed = [pair for pair in _OPPOSITES if len(pair & self.words) == 1]
        self._values = list(self.weights.values())
        self._shares = {0: 0.0}

    def share(self, terms: int) -> float:
        """Return how much of the claim the terms with the bits *terms* are, by weight."""
        rest, bits = terms, list[int]()
        while (found := self._shares.get(rest)) is None:
            low = rest & -rest
            bits.append(low.bit_length() - 1)
            rest ^= low
        for bit in reversed(bits):
            found += self._values[bit] / self.total
            rest |= 1 << bit
            if rest == terms or len(self._values) <= _REMEMBERED:
                self._shares[rest] = found
        return found


class _Text:
    """A text, read sentence by sentence."""

    def __init__(self, text: str, language: str) -> None:
        self._sentences = [text[start:end] for start, end in sentences.spans(text, language)]
        found = [words.words(one) for one in self._sentences]
        self._run = _run(list(itertools.chain.from_iterable(found)))
        self._sentences_with: dict[str, int] = {}
        """In which sentences each term stands, as bits: all are compared at once."""
        self._weights: list[float] = []
        """How much each sentence tells."""
        self._near = set[tuple[str, str]]()
        for place, telling in enumerate(content_terms.of_words(one, language) for one in found):
            distinct = dict.fromkeys(telling)
            for term in distinct:
                self._sentences_with[term] = self._sentences_with.get(term, 0) | 1 << place
            self._weights.append(content_terms.total_weight(distinct))
            self._near.update(itertools.pairwise(telling))
            self._near.update(zip(telling, telling[2:], strict=False))
        self._closely = functools.cache(self._read_closely)

    def quotes(self, claim: _Claim) -> bool:
        """Tell whether the text says *claim* word for word."""
        return (
            len(claim.weights) >= _SHORTEST_QUOTE
            and claim.weights.keys() <= self._sentences_with.keys()
            and claim.run in self._run
        )

    def support(self, claim: _Claim) -> float:
        """Return how well the text supports *claim*."""
        if self.quotes(claim):
            return 1.0
        common = [
            (bit, weight, having)
            for bit, (term, weight) in enumerate(claim.weights.items())
            if (having := self._sentences_with.get(term))
        ]
        if not common:
            return 0.0
        common.sort(key=lambda one: -one[1])
        closest = self._best(common)
        measured = zip(_WEIGHTS, self._features(claim, common, closest), strict=True)
        linear = _BIAS + sum(weight * value for weight, value in measured)
        return self._agreement(claim, closest) / (1 + math.exp(-linear))

    def _features(
        self, claim: _Claim, common: Sequence[_ClaimTerm], closest: _Closest
    ) -> tuple[float, ...]:
        """Return what the score is made of, each 0..1.

        How much of the claim the best three neighbouring sentences and the best two cover; how
        much of the best sentence the claim is; the share of the claim's numbers that the text
        has; and of its pairs of neighbouring terms, times the first.
        """
        pairs = [(bit, weight, at | at >> 1) for bit, weight, at in common]
        triples = [(bit, weight, at | at >> 1) for bit, weight, at in pairs]
        three, two = (claim.share(self._best(windows).terms) for windows in (triples, pairs))
        covered = claim.share(closest.terms) * claim.total
        precision = covered / (self._weights[closest.sentence] or 1.0)
        numbers = [number in self._sentences_with for number in claim.numbers] or [True]
        near = [
            (one, other) in self._near or (other, one) in self._near for one, other in claim.pairs
        ]
        return (
            three,
            two,
            precision,
            sum(numbers) / len(numbers),
            three * (sum(near) / len(near) if near else three),
        )

    def _best(self, common: Sequence[_ClaimTerm]) -> _Closest:
        """Return the first of the sentences that have most of the terms *common*, by weight.

        Depth first, with the heaviest term had before it is missed; what cannot become better is
        left out. All sentences that have the same terms are one, so it hardly matters how many
        sentences there are.
        """
        rest = list(
            itertools.accumulate((weight for _, weight, _ in reversed(common)), initial=0.0)
        )
        rest.reverse()
        best, most = _Closest(0, 0), -1.0
        stack = [(0, (1 << len(self._sentences)) - 1, 0, 0.0)]
        steps = _STEPS + 2 * len(common)
        while stack and steps:
            steps -= 1
            at, places, terms, had = stack.pop()
            if had + rest[at] < most - _ALIKE_ENOUGH:
                continue
            if at == len(common):
                place = (places & -places).bit_length() - 1
                if had > most + _ALIKE_ENOUGH or place < best.sentence:
                    best, most = _Closest(place, terms), had
                continue
            bit, weight, having = common[at]
            if missing := places & ~having:
                stack.append((at + 1, missing, terms, had))
            if places != missing:
                stack.append((at + 1, places ^ missing, terms | 1 << bit, had + weight))
        return best

    def _read_closely(self, place: int) -> tuple[frozenset[str], bool]:
        """Return the words of a sentence, and whether it denies something."""
        sentence = self._sentences[place]
        own = frozenset(word.lower() for word in words.words(sentence))
        return own, _NEGATION.search(sentence) is not None

    def _agreement(self, claim: _Claim, closest: _Closest) -> float:
        """Return a factor below 1 where the closest sentence or the numbers contradict."""
        if closest.terms.bit_count() < _ALIKE * len(claim.weights):
            return 1.0
        factor = 1.0
        there, denies = self._closely(closest.sentence)
        if claim.negated != denies:
            factor *= _CONTRADICTED
        if any(len(pair & there) == 1 and not pair & claim.words & there for pair in claim.opposed):
            factor *= _CONTRADICTED
        if any(one not in self._sentences_with for one in (*claim.numbers, *claim.names)):
            factor *= _CONTRADICTED
        return factor


@functools.lru_cache(maxsize=512)
def _read(text: str, language: str) -> _Text:
    """Return *text* as claims are held against it; what is needed often stays read."""
    return _Text(text, language)


def _run(found: list[str]) -> str:
    """Return *found* as one string in which a quotation is a substring."""
    return f" {' '.join(found).lower()} "
