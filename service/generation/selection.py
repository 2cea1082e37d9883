"""Choose the sentences of the sources that answer a query.

All statistics are lexical: weighted overlap of terms, what headings say, cues of the kind of
question. Sentences are data: one that gives orders to the reader of the text is never chosen.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from service.generation.generator import Source
from service.language import content_terms

SentenceSplitter = Callable[[str, str], list[tuple[int, int]]]
"""Finds the sentences of a text: ``service.language.sentences.spans``."""

_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,2}|[A-Za-z])[.)])\s")
_LINK: Final = re.compile(r"\W*!?\[[^\]]*\]\([^)]*\)\W*")
_ENDS: Final = re.compile(r"[.!?。！？…:;][\"'’”»)\]*_`]*$")
_CODE: Final = re.compile(
    r"[{}]|=>|;\s*$|^\s*</?\w|^\s*[\w.\"'\[\]]+\s*[=:]\s*\S.*[,({\[]$|\w\([^)]*\)?\s*[:,]?$"
    r"|^\s*(?:import|from|def|class|async|await|return|const|let|var|print|for|if|with)\b.*[:;,)(]$"
)
_CODE_COUNTS: Final = 1.5
"""By how much a line of code, which is no answer in words, falls behind."""
_HEADING_WORDS: Final = 12
"""A line without a full stop and with no more words is taken for a heading."""
_PAIR: Final = 2
_LEANING: Final = re.compile(
    r"(?:it|its|this|that|these|those|they|their|he|she|such|however|also|then|otherwise|therefore"
    r"|in (?:that|this|such) case|if so|for example|instead|both|either|in addition)\b",
    re.IGNORECASE,
)


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of a source, with what is known of it."""

    text: str
    terms: tuple[str, ...]
    known: frozenset[str]
    above: frozenset[str]
    """Terms of the title and the path of headings of its source."""
    context: frozenset[str]
    """Those, and the terms of the nearest heading within the source."""
    is_item: bool
    is_heading: bool
    """Whether it is only there to be looked at: a heading, a question, a picture, a link."""


def sentences(
    sources: Sequence[Source], spans: SentenceSplitter, language: str = "en"
) -> list[tuple[Sentence, ...]]:
    """Return the sentences of each source, in order."""
    return [_read(one.text, (one.title, *one.headings), spans, language) for one in sources]


def needs_antecedent(text: str) -> bool:
    """Tell whether *text* is only understood after the sentence before it."""
    return _LEANING.match(text) is not None


@functools.lru_cache(maxsize=512)
def _read(
    text: str, path: tuple[str, ...], spans: SentenceSplitter, language: str
) -> tuple[Sentence, ...]:
    """Return the sentences of *text*; what is asked often stays read."""
    above = frozenset(content_terms.of(" ".join(path), language))
    context, found = above, list[Sentence]()
    for start, end in spans(text, language):
        sentence = text[start:end]
        is_item = _ITEM.match(sentence) is not None
        terms = tuple(content_terms.of(sentence, language))
        known = frozenset(terms)
        alone = start == 0 or text[start - 1] == "\n"
        is_heading = alone and not is_item and _is_heading(sentence)
        if is_heading:
            context = above | known
        found.append(
            Sentence(
                text=sentence,
                terms=terms,
                known=known,
                above=above,
                context=context,
                is_item=is_item,
                is_heading=is_heading or ("](" in sentence and bool(_LINK.fullmatch(sentence))),
            )
        )
    return tuple(found)


def _is_heading(text: str) -> bool:
    if text.startswith("#") or text.endswith(("?", "？")):
        return True
    return not _ENDS.search(text) and text.count(" ") < _HEADING_WORDS and "|" not in text


class WeightedQuery:
    """A query as the choice sees it: its terms and what each of them weighs here."""

    def __init__(self, query: str, found: Sequence[Sequence[Sentence]], language: str) -> None:
        terms = tuple(dict.fromkeys(content_terms.of(query, language)))
        self.telling = {term: content_terms.weight(term) for term in terms}
        spread = Counter[str]()
        for source in found:
            for sentence in source:
                spread.update(sentence.known & self.telling.keys())
        count = sum(map(len, found)) or 1
        self._weights = {
            term: weight * (1.2 - min(spread[term] / count, 1.0))
            for term, weight in self.telling.items()
        }
        self._total = sum(self._weights.values()) or 1.0
        self._pairs = set(itertools.pairwise(terms))

    def asked(self, known: frozenset[str]) -> frozenset[str]:
        """Return the terms of the query that *known* has."""
        return known & self.telling.keys()

    def share(self, asked: frozenset[str]) -> float:
        """Return how much of the query *asked* is, 0..1; what is everywhere counts less."""
        return sum([self._weights[term] for term in asked]) / self._total

    def pairs(self, terms: Sequence[str]) -> float:
        """Return the share of the query's pairs of neighbouring terms that are near in *terms*."""
        if not self._pairs or sum(term in self._weights for term in terms) < _PAIR:
            return 0.0
        near = {*itertools.pairwise(terms), *zip(terms, terms[2:], strict=False)}
        return len(self._pairs & near) / len(self._pairs)


class ScoredSentence(NamedTuple):
    """How likely the sentence *at* its place in a *source* is part of a good answer, 0..1."""

    score: float
    source: int
    at: int


def score_sentences(
    question: WeightedQuery, found: Sequence[Sequence[Sentence]]
) -> list[ScoredSentence]:
    """Score every sentence but headings, in order of the sources.

    The weights are rounded from logistic regressions on the evidence sentences of ClapNQ and the
    gold spans of doc2dial; the program was not kept. Whoever changes them, or what a term is,
    measures before and after: ``tests/bench/bench_stages.py`` does, given labelled data.
    """
    asked = [[question.asked(sentence.known) for sentence in source] for source in found]
    shares = [[question.share(one) for one in row] for row in asked]
    best = max((max(row, default=0.0) for row in shares), default=0.0) or 1.0
    above = functools.cache(question.asked)
    rated = list[ScoredSentence]()
    for number, source in enumerate(found):
        for at, sentence in enumerate(source):
            if sentence.is_heading or not sentence.terms:
                continue
            own = shares[number][at] / best
            linear = (
                -4.5
                + 1.6 * own
                + 1.2 * own * question.share(asked[number][at] | above(sentence.context))
                + 0.4 * math.log1p(len(sentence.terms))
                + 0.4 / (1 + at)
                + 3.0 / (1 + number)
                - (_CODE_COUNTS if _CODE.search(sentence.text) else 0.0)
            )
            rated.append(ScoredSentence(1 / (1 + math.exp(-linear)), number, at))
    return rated


def answerability(question: WeightedQuery, found: Sequence[Sequence[Sentence]]) -> float:
    """Return how likely the sources answer the query, 0..1.

    It looks at how much of the query three neighbouring sentences say, how much all sources, and
    whether words that belong together stand together. Fitted to ClapNQ's questions with and
    without an answer and to questions put to the right and to the wrong portal, by logistic
    regression; measured as `score_sentences` is.
    """
    telling = question.telling
    total = sum(telling.values())
    if not total:
        return 0.0
    nearest = together = 0.0
    everything = set[str]()
    for source in found:
        asked = [question.asked(sentence.known) for sentence in source]
        for at, sentence in enumerate(source):
            window = set[str]().union(*asked[max(at - 1, 0) : at + 2])
            nearest = max(nearest, sum(telling[term] for term in window))
            together = max(together, question.pairs(sentence.terms))
        everything.update(*asked, question.asked(source[0].above) if source else ())
    anywhere = sum(telling[term] for term in everything)
    linear = -3.11 + 2.22 * nearest / total + 2.26 * anywhere / total + 3.31 * together
    return 1 / (1 + math.exp(-linear))
