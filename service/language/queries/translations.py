"""Look words and phrases of other languages up in the lexicon, whatever form they are in.

Vectors (`word_vectors`) know ten times as many words, and what lies near each; but a phrase is more
than one word in English, and all of them are asked for: "Kündigungsfrist" is the notice *and* the
period.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Final

from service.language import chinese, index_terms, lexicon, tags, word_vectors

_UNSTEMMED: Final = frozenset({"ja", "ko", "zh"})
_SHORTEST: Final = 2
"""Syllables of a Korean word that endings are cut off from."""
_ELIDING: Final = frozenset({"ca", "fr", "it"})
_ELISION: Final = re.compile(
    r"\b(?:qu|[cdjlmnst]|(?:dell?|nell?|sull?|all?|un))['’](?=\w)", re.IGNORECASE
)

_MARKED: Final = str.maketrans({"ä": "aq", "ö": "oq", "ü": "uq", "œ": "oe"})


def of(text: str, language: str) -> Sequence[lexicon.English]:
    """Return what a word or phrase of *language* is in English, each way to say it.

    In the order of the file; nothing where it is not known. Inflected forms are known by their
    stems, Korean ones by the longest beginning.
    """
    base = tags.base(language)
    known = _known(base, _initial(_bare(text, base)))
    if not known:
        return ()
    key = _key(text, base)
    if base == "de" and key not in known:
        key = _key(word_vectors.with_umlauts(word_vectors.fold(text)), base)
    if base == "ko" and key not in known and " " not in text:
        beginnings = (key[:length] for length in range(len(key) - 1, _SHORTEST - 1, -1))
        key = next((one for one in beginnings if one in known), key)
    return known.get(key, ())


def without_elision(text: str, language: str) -> str:
    """Return *text* without the words that an apostrophe shortens: "l'amende" is "amende"."""
    return _ELISION.sub("", text) if tags.base(language) in _ELIDING else text


@functools.cache
def _known(language: str, initial: str) -> Mapping[str, Sequence[lexicon.English]]:
    """Return what is known of *language* that begins with *initial*, by `_key`.

    By the letter, as stemming a whole language takes longer than a query may.
    """
    found: dict[str, list[lexicon.English]] = {}
    for text, english in _by_initial(language).get(initial, ()):
        own = found.setdefault(_key(text, language), [])
        own += [one for one in english if one not in own]
    return found


@functools.cache
def _by_initial(language: str) -> Mapping[str, Sequence[lexicon.Entry]]:
    found: dict[str, list[lexicon.Entry]] = {}
    for entry in lexicon.entries(language):
        found.setdefault(_initial(_bare(entry.text, language)), []).append(entry)
    return found


def _initial(bare: str) -> str:
    """Return the letter that a `_bare` text and all its forms begin with; "" for none."""
    return next(filter(str.isalnum, bare), "")


@functools.lru_cache(maxsize=16_384)
def _key(text: str, language: str) -> str:
    """Return what the forms of *text* have in common."""
    if language in _UNSTEMMED:
        told = chinese.simplified(text) if language == "zh" else text
        return word_vectors.fold(told).replace(" ", "")
    return " ".join(index_terms.of(_bare(text, language), language))


def _bare(text: str, language: str) -> str:
    """Return *text* as it is stemmed, which leaves its beginning as it is."""
    if language in _UNSTEMMED:
        return _key(text, language)
    # Stems have no umlauts, but "ändern" and "andere" are no forms of each other.
    return word_vectors.fold(without_elision(text, language)).translate(_MARKED)
