"""Turn text into the terms that are searched for: folded, stemmed words of its language.

Scripts that write no spaces are cut into pairs of characters first.
"""

from __future__ import annotations

from service.language import stemming, words


def of(text: str, language: str) -> list[str]:
    """Return the terms of *text* in order, for a document or a query in *language*."""
    return stemming.stems(words.spaced(text), language)
