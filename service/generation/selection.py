"""Choose the sentences of the sources that answer a query.

All statistics are lexical: weighted overlap of terms, what headings say, cues of the kind of
question. Sentences are data: one that gives orders to the reader of the text is never chosen.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from service.generation import words
from service.generation.generator import Source

Spans = Callable[[str, str], list[tuple[int, int]]]
"""Finds the sentences of a text: ``service.corpus.sentences.spans``."""

_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,2}|[A-Za-z])[.)])\s")
_ENDS: Final = re.compile(r"[.!?。！？…:;][\"'’”»)\]*_`]*$")
_HEADING_WORDS: Final = 12
_LEANING: Final = re.compile(
    r"(?:it|its|this|that|these|those|they|their|he|she|such|however|also|then|otherwise|therefore"
    r"|in (?:that|this|such) case|if so|for example|instead|both|either|in addition)\b",
    re.IGNORECASE,
)
_ORDERS: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|prompt|rule|guideline"
    r"|previous|above|prior|context)|\byou are (?:now|no longer) |\bsystem prompt\b"
    r"|\b(?:in|to|of|from|into|with|modify|change|enhance|augment|extend|format|translate|encode"
    r"|rewrite|finish|end|begin|start|append|add|include|insert|convert|adjust)\b.{0,60}\byour"
    r" (?:\w+ )?(?:response|reply|replies|answer|answers|output|summary|message)\b"
    r"|\b(?:do not|don't|never) (?:answer|respond|reply|tell the user|mention)\b"
    r"|\b(?:respond|reply|answer) (?:only )?(?:with|in|as|using)\b|\bas an ai\b"
    r"|\b(?:assistant|chatbot|language model|llm)[,:] ",
    re.IGNORECASE,
)


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of a source, with what is known of it."""

    source: int
    start: int
    end: int
    text: str
    terms: tuple[str, ...]
    context: frozenset[str]
    """Terms of the title and the headings above it."""
    is_item: bool
    is_heading: bool


def sentences(
    sources: Sequence[Source], spans: Spans, language: str = "en"
) -> list[list[Sentence]]:
    """Return the sentences of each source, in order."""
    return [_sentences_of(number, source, spans, language) for number, source in enumerate(sources)]


def looks_injected(text: str) -> bool:
    """Tell whether *text* gives orders to whoever writes the answer."""
    return _ORDERS.search(text) is not None


def leans(text: str) -> bool:
    """Tell whether *text* is only understood after the sentence before it."""
    return _LEANING.match(text) is not None


def _sentences_of(number: int, source: Source, spans: Spans, language: str) -> list[Sentence]:
    above = frozenset(words.telling(" ".join((source.title, *source.headings)), language))
    context, found = above, list[Sentence]()
    for start, end in spans(source.text, language):
        text = source.text[start:end]
        is_item = _ITEM.match(text) is not None
        terms = tuple(words.telling(text, language))
        alone = start == 0 or source.text[start - 1] == "\n"
        is_heading = alone and not is_item and _is_heading(text)
        if is_heading:
            context = above | frozenset(terms)
        found.append(
            Sentence(
                source=number,
                start=start,
                end=end,
                text=text,
                terms=terms,
                context=context,
                is_item=is_item,
                is_heading=is_heading,
            )
        )
    return found


def _is_heading(text: str) -> bool:
    if text.startswith("#") or text.endswith(("?", "？")):
        return True
    return not _ENDS.search(text) and text.count(" ") < _HEADING_WORDS and "|" not in text


class Question:
    """A query as the choice sees it: weighted terms and the cues of an answer to it."""

    def __init__(self, query: str, found: Sequence[Sequence[Sentence]], language: str) -> None:
        self.terms = tuple(dict.fromkeys(words.telling(query, language)))
        spread = Counter[str]()
        for source in found:
            for sentence in source:
                spread.update(set(sentence.terms))
        total = sum(len(source) for source in found) or 1
        self.weights = {
            term: words.weight(term) * (1.2 - min(spread[term] / total, 1.0)) for term in self.terms
        }
        self.total = sum(self.weights.values()) or 1.0
        self._pairs = set(itertools.pairwise(self.terms))
        self._cue = next((cue for asked, cue in _CUES if asked.search(query)), None)

    def share(self, terms: Sequence[str] | frozenset[str] | set[str]) -> float:
        """Return how much of the query *terms* cover, by weight, 0..1."""
        weights = self.weights
        return sum(weights[term] for term in weights if term in terms) / self.total

    def pairs(self, terms: Sequence[str]) -> float:
        """Return the share of the query's pairs of neighbouring terms that are near in *terms*."""
        if not self._pairs:
            return 0.0
        near = {*itertools.pairwise(terms), *zip(terms, terms[2:], strict=False)}
        return len(self._pairs & near) / len(self._pairs)

    def cued(self, text: str) -> bool:
        """Tell whether *text* looks like an answer to this kind of question."""
        return self._cue is not None and self._cue.search(text) is not None


_CUES: Final = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(cue, re.IGNORECASE))
    for asked, cue in (
        (
            r"\bhow (?:much|many|long|old|far|often|soon|big)\b|\b(?:cost|price|fee|limit)s?\b",
            r"\d",
        ),
        (r"\bwhen\b|\bwhat (?:time|date|year)\b", r"\d|\b(?:before|after|until|within|during)\b"),
        (r"\bwhy\b", r"\b(?:because|since|so that|due to|reason|therefore|cause[sd]?)\b"),
        (r"\bwho(?:m|se)?\b", r"\b[A-Z][a-z]+ [A-Z][a-z]+|\byou\b"),
        (r"\bwhere\b", r"\b(?:at|in|on|near|online|under|from|to) "),
        (r"\bwhat (?:is|are|does|do|'s)\b|\bmeaning\b|\bdefin", r"\b(?:is|are|means?|refers?) "),
        (
            r"\bhow\b|\bsteps?\b",
            r"^(?:[-*•]|\d+[.)])\s|\b(?:you (?:can|must|need|should)|to [a-z]+)\b",
        ),
        (
            r"^(?:can|could|do|does|is|are|may|must|should|will)\b",
            r"\b(?:can|may|must|not|only|if)\b",
        ),
    )
)


class Scored(msgspec.Struct, frozen=True):
    """A sentence and how well it answers, about 0..1."""

    sentence: Sentence
    score: float


def scored(
    question: Question, found: Sequence[Sequence[Sentence]], sources: Sequence[Source]
) -> list[Scored]:
    """Return every sentence but headings with its score, in order of the sources."""
    rated = list[Scored]()
    for number, source in enumerate(found):
        trust = 0.06 / (1 + number) + 0.1 * sources[number].relevance
        for at, sentence in enumerate(source):
            if sentence.is_heading or not sentence.terms:
                continue
            own = set(sentence.terms)
            beside = set[str]().union(*(s.terms for s in source[max(at - 1, 0) : at + 2]))
            score = (
                0.50 * question.share(own)
                + 0.22 * question.share(sentence.context - own)
                + 0.10 * question.share(beside - own - sentence.context)
                + 0.12 * question.pairs(sentence.terms)
                + 0.06 * question.cued(sentence.text)
                + 0.04 / (1 + at)
                + trust
            )
            rated.append(Scored(sentence, score * _fullness(sentence)))
    return rated


def _fullness(sentence: Sentence) -> float:
    """Return a factor that keeps fragments back."""
    return min(1.0, 0.55 + 0.09 * len(sentence.terms))
