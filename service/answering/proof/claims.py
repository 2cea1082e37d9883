"""Read a claim as it is held against texts."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final

from service.answering.proof import polarity, word_forms
from service.language import content_terms, tags, words

_MARKER: Final = re.compile(
    r"\s*\[\d{1,2}(?:,\s*\d{1,2})*\]|^\s*(?:[-*+•·–◦▪]|\(?\d{1,3}[.)]|#{1,6}|>)\s+"
)
"""What is no part of a claim: the marks of citations, and that of a list item."""
_NAME: Final = re.compile(r"(?<=[^\W\d_] )[A-ZÀ-ÖØ-Þ]\w+|(?<=[,;] )[A-ZÀ-ÖØ-Þ]\w+")
_NOUNS_AS_NAMES: Final = frozenset({"de"})
"""Languages that write every noun as others write names."""
_WINDOW: Final = 25
"""Content terms within which what a claim tells must stand: those of two or three sentences."""


class ReadClaim:
    """A claim as it is held against texts."""

    def __init__(self, claim: str, language: str) -> None:
        claim = _MARKER.sub("", claim)
        found = self.written = words.words(claim)
        self.words = [word.lower() for word in found]
        self.run = run(self.words)
        telling = content_terms.spelt(found, language) or [
            (content_terms.term_of(word, language), word) for word in found
        ]
        terms = word_forms.of_terms([term for term, _ in telling], language)
        self.spelt = dict(zip(terms, (word for _, word in telling), strict=True))
        self.weights = {term: content_terms.weight(term) for term in self.spelt}
        self.total = sum(self.weights.values()) or 1.0
        self.pairs = [(one, other) for one, other in itertools.pairwise(terms) if one != other]
        self.word_pairs = {run(pair) for pair in itertools.pairwise(self.words)}
        self.numbers = [term for term in self.weights if term[0].isdecimal()]
        self.names = _names(claim, language) & self.weights.keys()
        self.window = max(_WINDOW, len(terms) * 3 // 2)
        self.denials = polarity.denials(claim, language)
        self.opposites = polarity.opposites(set(self.words))


def run(found: Iterable[str]) -> str:
    """Return *found* as one string in which a quotation is a substring."""
    return f" {' '.join(found)} "


def _names(claim: str, language: str) -> set[str]:
    """Return the terms of what *claim* writes as names within its sentences."""
    if tags.base(language) in _NOUNS_AS_NAMES:
        return set()
    return {content_terms.term_of(name, language) for name in _NAME.findall(claim)}
