"""Read a query in another language than a store's as the store's own words."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from service.language import function_words, index_terms, lexicon, tags, word_vectors
from service.language.queries import foreign_words, translations
from service.language.synonyms import Synonyms
from service.language.word_vectors import Neighbour

_SYNONYM: Final = 0.6
"""What a synonym of a translation finds beside the translation itself."""
_OTHER: Final = 0.9
"""What another translation of a word weighs beside the first."""
_OF_KNOWN: Final = 0.6
"""How near a term must be to a word that the store has too: by chance, or as the same word."""
_WELL: Final = 0.36
"""The square of a cosine from which on no synonyms of a translation are looked for."""
_OF_CHARACTER: Final = 0.5
"""How near a term must be to a Chinese character alone, which means many things."""


class StoreTerms(Protocol):
    """The words that a store has."""

    @property
    def languages(self) -> Sequence[str]:
        """The languages of the documents, the commonest first."""
        ...

    def knows(self, variants: tuple[str, ...], /) -> bool:
        """Tell whether any chunk has a term, or the headings above it, or its title."""
        ...

    def near(self, word: str, language: str, /) -> Sequence[Neighbour]:
        """Return the terms that mean about what *word* in another *language* does."""
        ...


class ReadWord(NamedTuple):
    """A word of a text: as it is written, folded, and as its stems.

    *nearness* is what each of these weighs beside the word itself; () where that is 1. What is
    *unread* is of a language that the store lacks, and nobody knows what it means: no word of the
    store, and no sign that the store is about something else.
    """

    text: str
    variants: tuple[str, ...]
    nearness: tuple[float, ...] = ()
    unread: bool = False


def read(query: str, language: str, store: StoreTerms, synonyms: Synonyms) -> Iterator[ReadWord]:
    """Yield the words of *query* with what stands for them in *store*; the empty ones not.

    A word that is several in the language of the store is each of them: "Kündigungsfrist" is the
    notice and the period.
    """
    known = _Known(store)
    for at, word in enumerate(foreign_words.of(query, language, known)):
        folded = foreign_words.key(word)
        if not folded:
            continue
        stems = tuple(index_terms.of(word, store.languages[0]))
        if at >= foreign_words.MOST:
            yield ReadWord(folded, stems)
            continue
        near = _near(word, stems, language, store)
        places = _translated(word, stems, language, store)
        if len(places) > 1:
            yield from (ReadWord(folded, one, _by_rank(one)) for one in places)
            continue
        if places:
            near.pop("", None)
            said = dict(zip(places[0], _by_rank(places[0]), strict=True))
            near = said | {term: n for term, n in near.items() if term not in said}
        elif max(near.values(), default=0.0) < _WELL and tags.base(store.languages[0]) == "en":
            near.update(_called_so(word, language, store, synonyms))
            near = dict(sorted(near.items(), key=lambda one: -one[1]))
        if next(iter(near), None) != "":
            near.pop("", None)
            unread = not near and word == word.lower() and not _means(word, language)
            yield ReadWord(folded, tuple(near) or stems, tuple(near.values()), unread)


def _means(word: str, language: str) -> bool:
    """Tell whether it is known what *word* means, whether a store has that or not."""
    return bool(translations.of(word, language)) or bool(word_vectors.vector(word, language))


def _by_rank(terms: Sequence[str]) -> tuple[float, ...]:
    """Return what each of several translations weighs: the first is the usual one."""
    return (1.0, *(_OTHER for _ in terms[1:]))


def _translated(
    word: str, stems: tuple[str, ...], language: str, store: StoreTerms
) -> Sequence[tuple[str, ...]]:
    """Return the terms of *store* for each word of the translation of *word*.

    Nothing where that is not known, or the store has not all of it; nor for a name of the store's.
    """
    spoken = store.languages[0]
    if tags.base(spoken) != "en" or _is_name(word, stems, store):
        return ()
    told = [_telling(english, spoken) for english in translations.of(word, language)]
    there = [one for one in told if one and all(store.knows((stem,)) for stem in one)]
    if not there:
        return ()
    single = [one for one in there if len(one) == 1]
    # Of several ways to say it the first decides; what is one word is no place of a phrase.
    alike = single if single and len(told[0]) == 1 else [one for one in there if len(one) > 1]
    alike = alike or single
    alike = [one for one in alike if len(one) == len(alike[0])]
    return [tuple(dict.fromkeys(place)) for place in zip(*alike, strict=True)]


def _telling(english: lexicon.English, language: str) -> tuple[str, ...]:
    """Return the stems of *english* words without those that only carry: "on" of "turn on"."""
    stems = index_terms.of(" ".join(english), language)
    empty = function_words.stems(language)
    return tuple(stem for stem in stems if stem not in empty)


def _called_so(
    word: str, language: str, store: StoreTerms, synonyms: Synonyms
) -> Mapping[str, float]:
    """Return what else the *store* calls what *word* is in English."""
    said = [one[0] for one in translations.of(word, language) if len(one) == 1]
    said.append(word_vectors.in_english(word, language))
    return {
        other[0]: _SYNONYM
        for english in said
        for _, others in synonyms.of(english, "en")
        for other in others
        if len(other) == 1 and store.knows(other)
    }


class _Known(Container[str]):
    """What a store knows as it is written: "AUTOINCREMENT" is not cut."""

    def __init__(self, store: StoreTerms) -> None:
        self._store = store

    def __contains__(self, word: object) -> bool:
        stems = tuple(index_terms.of(str(word), self._store.languages[0]))
        return bool(stems) and self._store.knows(stems)


def _is_name(word: str, stems: tuple[str, ...], store: StoreTerms) -> bool:
    """Tell whether *word* is called so in all languages: "API" and "SQLite"."""
    return len(stems) == 1 and word[1:] != word[1:].lower() and store.knows(stems)


def _near(word: str, stems: tuple[str, ...], language: str, store: StoreTerms) -> dict[str, float]:
    """Return the store's terms for a foreign *word* by how near they are, the nearest first.

    "" first means that it stands for a function word. Nothing for a word of the store's own, or of
    none that is known: it stays as it is written.
    """
    if _is_name(word, stems, store):
        return dict.fromkeys(stems, 1.0)
    known = store.knows(stems)
    least = _OF_KNOWN if known else _OF_CHARACTER if len(word) == 1 else 0.0
    near = {one.term: one.cosine**2 for one in store.near(word, language) if one.cosine >= least}
    if known and near:
        near = dict.fromkeys(stems, 1.0) | {
            term: n for term, n in near.items() if term not in stems
        }
    return near
