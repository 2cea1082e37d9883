"""Turn text into the terms that are searched for: folded, stemmed words of its language.

The work is done by tantivy's analysers, in Rust; scripts that write no spaces are cut into
pairs of characters first.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from service.language import detection
from service.native_calls import TANTIVY

_STEMMERS: Final = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
_LONGEST: Final = 60
"""Bytes of a term; longer ones are no words (keys, encoded data) and are left out."""
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


@TANTIVY.around
def of(text: str, language: str) -> list[str]:
    """Return the terms of *text* in order, for a document or a query in *language*."""
    spaced = text if text.isascii() else _UNSPACED.sub(_pairs, text)
    return _analyser(_STEMMERS.get(detection.base(language), "")).analyze(spaced)


@functools.lru_cache(maxsize=64)  # documents name their languages as they like
def function_terms(language: str) -> frozenset[str]:
    """Return the terms of the words that say nothing about the topic of a query."""
    words = detection.FUNCTION_WORDS.get(detection.base(language), frozenset[str]())
    return frozenset(term for word in words for term in of(word, language))


@functools.cache
def _analyser(stemmer: str) -> TextAnalyzer:
    """Return an analyser, which all threads share: it holds the interpreter while it works."""
    builder = (
        TextAnalyzerBuilder(Tokenizer.simple())
        .filter(Filter.remove_long(_LONGEST))
        .filter(Filter.lowercase())
        .filter(Filter.ascii_fold())
    )
    if stemmer:
        builder = builder.filter(Filter.stemmer(stemmer))
    return builder.build()


def _pairs(run: re.Match[str]) -> str:
    """Write a run of characters as its overlapping pairs, which stand for the words in it."""
    text = run[0]
    return f" {' '.join(text[at : at + 2] for at in range(len(text) - 1)) or text} "
