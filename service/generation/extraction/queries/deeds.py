"""Tell whether a heading does what a how-to asks to be done, by whatever word.

Who asks how to make a chart is told under "Inserting charts", and not under "Editing charts".
``deeds.txt`` holds groups of words that do the same to a thing, one group a line, under the
language that they are in. It is kept by hand.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Mapping, Sequence
from typing import Final

from service.language import index_terms, tags

_LONGEST: Final = 3
"""Words of a phrase, at most."""
_NUMBER: Final = re.compile(r"\A\W*(?:\d[\d.]*\s+)?")
"""What may stand before all of a heading."""
_OPENING: Final = re.compile(r"(?:how (?:to|do (?:i|you))|to)\s+", re.IGNORECASE)
"""What stands before the deed that a heading names."""
_DOING: Final = re.compile(r"[A-Za-z]{2,}ing\b|[A-Za-z]{2,} (?:an?|the|your|my|this)\b")
"""Begins what is a deed by its form: "Editing charts", "Edit a chart"."""


def asked(topic: str, language: str) -> frozenset[int]:
    """Return the groups of the deed with which *topic* begins, none where it begins with none."""
    return _first(index_terms.of(topic, language), language)


def is_same(topic: str, heading: str, language: str) -> bool | None:
    """Tell whether *heading* names the deed that *topic* does, None where either names none."""
    own = asked(topic, language)
    bare = _NUMBER.sub("", heading, count=1)
    opened = _OPENING.match(bare)
    bare = bare[opened.end() :] if opened else bare
    other = asked(bare, language) if own else own
    if own & other:
        return True
    # Many a name is that of a deed as well, "Search options": its form tells.
    named = tags.base(language) == "en" and (opened or _DOING.match(bare))
    return _is_there(topic, bare, language) if other and named else None


def _is_there(topic: str, heading: str, language: str) -> bool:
    """Tell whether *heading* has the deed of *topic* elsewhere, or *topic* that of *heading*."""
    stems = index_terms.of(heading, language)
    first = bool(stems) and stems[0] in index_terms.of(topic, language)
    return first or not others(topic, language).isdisjoint(stems)


def others(topic: str, language: str) -> frozenset[str]:
    """Return the stems of what does the same as the deed with which *topic* begins."""
    groups = asked(topic, language)
    known = _known(tags.base(language))
    return frozenset(run[0] for run, of in known.items() if len(run) == 1 and groups & of)


def _first(stems: Sequence[str], language: str) -> frozenset[int]:
    known = _known(tags.base(language))
    for end in range(min(len(stems), _LONGEST), 0, -1):
        if found := known.get(tuple(stems[:end])):
            return found
    return frozenset()


@functools.cache
def _known(language: str) -> Mapping[tuple[str, ...], frozenset[int]]:
    file = importlib.resources.files("service.generation.extraction").joinpath("deeds.txt")
    known: dict[tuple[str, ...], frozenset[int]] = {}
    of = ""
    for group, line in enumerate(file.read_text("utf-8").splitlines()):
        if line.startswith("["):
            of = line.strip("[]")
        elif of == language:
            for phrase in line.split(", "):
                run = tuple(index_terms.of(phrase, language))
                known[run] = known.get(run, frozenset()) | {group}
    return known
