"""Tell words that turn a sense into its opposite: who asks how to restore is not told to delete.

``opposites.txt`` holds pairs of sides, one a line, under the language that they are in; the words
and phrases of a side are alternatives. It is kept by hand, and holds what portals tell to do.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping
from typing import Final

from service.language import index_terms, tags

_LONGEST: Final = 3
"""Words of a phrase, at most."""
_READ: Final = 300
"""Characters of a text that are looked at: a question, or a heading."""

Sides = Mapping[int, bool]
"""The pairs that the deed of a text is of, and of each whether it is on the first side."""


@functools.lru_cache(maxsize=2048)
def sides(text: str, language: str) -> Sides:
    """Return the sides of what *text* names first: "get back what I deleted" is to get back."""
    known = _known().get(tags.base(language))
    if not known:
        return {}
    stems = index_terms.of(text[:_READ], language)
    for at in range(len(stems)):
        for end in range(min(len(stems), at + _LONGEST), at, -1):
            if found := known.get(tuple(stems[at:end])):
                return dict(found)
    return {}


def are_opposite(one: Sides, other: Sides) -> bool:
    """Tell whether what one text does, the other undoes: on no pair do they agree."""
    common = one.keys() & other.keys()
    return bool(common) and all(one[pair] is not other[pair] for pair in common)


@functools.cache
def _known() -> Mapping[str, Mapping[tuple[str, ...], list[tuple[int, bool]]]]:
    """Return the pairs of each phrase, as its stems, and whether it is of their first sides."""
    file = importlib.resources.files("service.generation.extraction").joinpath("opposites.txt")
    known: dict[str, dict[tuple[str, ...], list[tuple[int, bool]]]] = {}
    language = ""
    for pair, line in enumerate(filter(None, file.read_text("utf-8").splitlines())):
        if line.startswith("["):
            language = line.strip("[]")
            continue
        first, _, second = line.partition(" | ")
        for side, is_first in ((first, True), (second, False)):
            for phrase in side.split(", "):
                run = tuple(index_terms.of(phrase, language))
                known.setdefault(language, {}).setdefault(run, []).append((pair, is_first))
    return known
