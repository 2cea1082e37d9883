"""Hold queries and texts to what the operator does not let be asked or said.

The portal file names phrases that neither a query nor an answer may have (``CustomerPolicy`` of the
public API), and classes of queries that are not answered (its ``UserDefinedClassifierSpec``).
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.query_classes.classifiers import QueryClasses
from service.language import content_terms, detection, index_terms
from service.portal.portal import IgnoredQueries, Portal

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
"""What shows nothing, and would cut a banned word in two."""

_Examples = Sequence[tuple[frozenset[str], IgnoredQueries]]


class PortalPolicy:
    """What one portal neither answers nor says; plain values, a millisecond for some 10 KB."""

    def __init__(self, portal: Portal) -> None:
        self._classes = portal.ignored_queries
        self._phrases: dict[int, set[tuple[str, ...]]] = {}
        self._characters = set[str]()
        for phrase in portal.banned_phrases:
            run = _words(phrase) or (phrase,)
            if len(run) == len(run[0]) == 1 and not run[0].isascii():
                # Of a spaceless script, whose words are pairs of characters.
                self._characters.add(run[0])
            else:
                self._phrases.setdefault(len(run), set()).add(run)
        self._examples = functools.lru_cache(maxsize=16)(self._read)

    @property
    def is_empty(self) -> bool:
        """Whether everything may be asked and said."""
        return not self.withholds and not self._classes

    @property
    def withholds(self) -> bool:
        """Whether a text may still be refused when it is finished, so that none of it is told."""
        return bool(self._phrases or self._characters)

    def bans(self, text: str) -> bool:
        """Tell whether *text* has a banned phrase, as whole words in any case and accents."""
        if not self.withholds:
            return False
        if not self._characters.isdisjoint(text):
            return True
        said = _words(text)
        return any(
            said[at : at + size] in runs
            for size, runs in self._phrases.items()
            for at in range(len(said) - size + 1)
        )

    def allowed(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Return those of *texts* that have no banned phrase."""
        return tuple(text for text in texts if not self.bans(text))

    def classified(self, query: str, understood: QueryClasses) -> QueryClasses:
        """Return *understood* with what the operator says of *query*."""
        if self.is_empty:
            return understood
        return msgspec.structs.replace(
            understood, banned=self.bans(query), ignored=self._class_of(query)
        )

    def _class_of(self, query: str) -> IgnoredQueries | None:
        """Return the first class with an example whose telling words *query* all has."""
        if not self._classes:
            return None
        language = detection.detect(query)
        asked = set(content_terms.of(query, language))
        return next((one for terms, one in self._examples(language) if terms <= asked), None)

    def _read(self, language: str) -> _Examples:
        """Return the telling words of each example, as queries in *language* have them."""
        examples = (
            (frozenset(content_terms.of(example, language)), one)
            for one in self._classes
            for example in one.examples
        )
        return [(terms, one) for terms, one in examples if terms]


def _words(text: str) -> tuple[str, ...]:
    """Return the words of *text* folded; a run of a spaceless script as pairs of characters."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    # The small letter of "İ" is two characters, of which the terms fold neither.
    return tuple(index_terms.of(plain.lower().replace("i\u0307", "i"), ""))
