"""The words that carry a sentence and not its topic, per language: one list for all.

They tell languages apart (`detection`), a query asks for nothing by them, and a statement tells
nothing by them. A query that has no others is searched for by them, and gets no answer.
``function_words.txt`` holds them, a line per language, its code first; those of Chinese are pairs
of characters, as `words` cuts them. Kept by hand: the lists that libraries ship (stopwords-iso)
hold words that a portal is asked for, such as "bill", "fire" or "home".
"""

from __future__ import annotations

import functools
import importlib.resources

from service.language import stemming, tags


@functools.cache
def by_language() -> dict[str, frozenset[str]]:
    """Return the function words of each language that we have, in lower case."""
    file = importlib.resources.files("service.language").joinpath("function_words.txt")
    lines = (line.split() for line in file.read_text("utf-8").splitlines())
    return {language: frozenset(words) for language, *words in lines}


def of(language: str) -> frozenset[str]:
    """Return the function words of *language*, none where we have none."""
    return by_language().get(tags.base(language), frozenset())


@functools.lru_cache(maxsize=64)  # documents name their languages as they like
def stems(language: str) -> frozenset[str]:
    """Return the stems of the function words of *language*."""
    return frozenset(stem for word in of(language) for stem in stemming.stems(word, language))
