"""The words with which people ask, and which seldom are what they ask about.

"Hi, my grandma can't figure out how to …, please help": they are searched for, since a page may be
about them, but whether a page answers is hardly judged by them. ``talk_words.txt`` holds them, a
line per language, its code first, as they are written. Kept by hand.
"""

from __future__ import annotations

import functools
import importlib.resources

from service.language import stemming, tags


@functools.lru_cache(maxsize=64)  # documents name their languages as they like
def stems(language: str) -> frozenset[str]:
    """Return the stems of the talk words of *language*, none where we have none."""
    words = _by_language().get(tags.base(language), ())
    return frozenset(stem for word in words for stem in stemming.stems(word, language))


@functools.cache
def _by_language() -> dict[str, tuple[str, ...]]:
    file = importlib.resources.files("service.language").joinpath("talk_words.txt")
    lines = (line.split() for line in file.read_text("utf-8").splitlines())
    return {language: tuple(words) for language, *words in lines}
