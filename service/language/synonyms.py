"""Say what else a word or a phrase may be called: a list by language, and the portal's own.

``synonyms.txt`` holds groups, one a line, under the language that they are in. It is kept by hand,
and holds what visitors call otherwise than the pages do ("log in" and "sign in"), no thesaurus:
words that mean nearly the same in books find the wrong page. Forms of one word that no stemmer
joins ("keep" and "kept") stand there as well, under a heading of their own. Where a line has a
``>``, what is before it is read as what is behind it, and not the other way round.
"""

from __future__ import annotations

import functools
import importlib.resources
from collections.abc import Mapping, Sequence
from typing import Final

from service.language import content_terms, index_terms, tags

Phrase = tuple[str, ...]
"""The stems of a word or phrase that tell something, in order."""

_Group = tuple[Sequence[str], Sequence[str]]
"""Phrases that may be asked, and what they mean."""

_LONGEST: Final = 5
"""Words of a phrase, at most, that is looked for in a query."""
_FORMS: Final = " forms"
"""Ends the heading of the forms of the words of a language."""
_ALIKE: Final = 4
"""Letters that a form of a word begins with as the word does."""
_MOST: Final = 12
"""Alternatives of one word of a query, at most: the portal's own come first."""


class Synonyms:
    """Groups of words and phrases that mean the same: those of the portal, then the built-in."""

    def __init__(self, own: Sequence[Sequence[str]] = ()) -> None:
        """Put *own* before the built-in groups, in whatever language a query is."""
        self._own = own
        self._by_language = functools.lru_cache(maxsize=16)(self._read)

    def of(self, text: str, language: str) -> list[tuple[Phrase, tuple[Phrase, ...]]]:
        """Return the phrases in *text*, longest first, each with the others that mean the same."""
        known = self._by_language(tags.base(language))
        stems = index_terms.of(text, language)
        found: dict[Phrase, tuple[Phrase, ...]] = {}
        at = 0
        while at < len(stems):
            for end in range(min(len(stems), at + _LONGEST), at, -1):
                run = tuple(stems[at:end])
                if run in known:
                    asked, others = known[run]
                    found.setdefault(asked, others)
                    at = end - 1
                    break
            at += 1
        return list(found.items())

    def _read(self, language: str) -> Mapping[Phrase, tuple[Phrase, tuple[Phrase, ...]]]:
        """Return what each run of stems stands for: what of it tells, and its alternatives."""
        known: dict[Phrase, tuple[Phrase, dict[Phrase, None]]] = {}
        of_language = (*built_in().get(language, ()), *built_in().get(language + _FORMS, ()))
        for asked, meant in (*((own, own) for own in self._own), *of_language):
            others = [told for phrase in meant if (told := _telling(phrase, language))]
            for phrase in asked:
                told = _telling(phrase, language)
                run = tuple(index_terms.of(phrase, language))
                if told:
                    of_run = known.setdefault(run, (told, {}))[1]
                    of_run.update((other, None) for other in others if other != told)
        return {run: (told, tuple(others)[:_MOST]) for run, (told, others) in known.items()}


BUILT_IN: Final = Synonyms()
"""Those of every portal."""


def forms(text: str, language: str) -> dict[str, str]:
    """Return the stems of other forms of the words of *text*, each with the stem of that word.

    "Written" is a form of "wrote", as the list says, and "configuration" of "config": it stands in
    its group, and begins alike.
    """
    known = _forms(tags.base(language))
    found = {
        other: stem
        for (stem, *more), others in BUILT_IN.of(text, language)
        for other, *rest in others
        if not more and not rest and other[:_ALIKE] == stem[:_ALIKE]
    }
    for stem in index_terms.of(text, language):
        found |= {other: stem for other in known.get(stem, ()) if other != stem}
    return found


def in_full(text: str, language: str) -> list[tuple[frozenset[str], str]]:
    """Return the stems of the phrases that single words of *text* stand for, each with its stem.

    One who asks about the terminal is told of the command line: several words together hardly mean
    anything else, as one may.
    """
    return [
        (frozenset(other), stem)
        for (stem, *more), others in BUILT_IN.of(text, language)
        for other in others
        if not more and len(other) > 1
    ]


def _telling(phrase: str, language: str) -> Phrase:
    """Return the stems of *phrase* without those of function words."""
    return tuple(dict.fromkeys(content_terms.of(phrase, language)))


@functools.cache
def _forms(language: str) -> Mapping[str, Sequence[str]]:
    """Return the stems of all forms of a word by the stem of each."""
    return {
        stem: stems
        for forms, _ in built_in().get(language + _FORMS, ())
        for stems in [[stem for form in forms for stem in index_terms.of(form, language)]]
        for stem in stems
    }


@functools.cache
def built_in() -> Mapping[str, Sequence[_Group]]:
    """Return the groups of each language, and its forms: what is asked, and what it means."""
    file = importlib.resources.files("service.language").joinpath("synonyms.txt")
    groups: dict[str, list[_Group]] = {}
    language = ""
    for line in filter(None, file.read_text("utf-8").splitlines()):
        if line.startswith("["):
            language = line.strip("[]")
            continue
        asked, _, meant = line.partition(" > ")
        groups.setdefault(language, []).append((asked.split(", "), (meant or asked).split(", ")))
    return groups
