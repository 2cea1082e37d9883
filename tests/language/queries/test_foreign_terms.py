"""A query in another language than a store's, in the store's own words."""

from __future__ import annotations

from collections.abc import Sequence

from service.language.queries import foreign_terms
from service.language.synonyms import BUILT_IN
from service.language.word_vectors import Neighbour, StoredWords


class Store:
    """A store in English with these terms."""

    languages = ("en",)

    def __init__(self, *terms: str) -> None:
        self._terms = terms
        self._words = StoredWords(frozenset(terms).intersection, "en")

    def knows(self, variants: tuple[str, ...]) -> bool:
        return any(one in self._terms for one in variants)

    def near(self, word: str, language: str) -> Sequence[Neighbour]:
        return self._words.nearest(word, language)


def read(query: str, language: str, *terms: str) -> list[tuple[str, str]]:
    """Return each word of *query*, and what is the first to stand for it."""
    words = foreign_terms.read(query, language, Store(*terms), BUILT_IN)
    return [(word.text, word.variants[0]) for word in words]


def test_a_compound_is_all_the_words_of_its_translation() -> None:
    found = read("Wie lang ist die Kündigungsfrist?", "de", "notic", "period", "terminat")
    assert found[-2:] == [("kündigungsfrist", "notic"), ("kündigungsfrist", "period")]


def test_a_phrase_is_no_word_by_word_translation() -> None:
    found = read("¿Cuánto paga el seguro de vida?", "es", "life", "insur", "safe", "pay")
    assert found == [("paga", "pay"), ("seguro de vida", "life"), ("seguro de vida", "insur")]


def test_other_ways_to_say_it_stand_in_the_same_places() -> None:
    words = list(
        foreign_terms.read(
            "Combien coûte une clé USB ?",
            "fr",
            Store("cost", "flash", "usb", "drive", "stick"),
            BUILT_IN,
        )
    )
    assert [word.variants for word in words[1:]] == [("flash", "usb"), ("drive", "stick")]


def test_a_translation_that_the_store_lacks_in_part_is_read_by_what_is_near() -> None:
    assert all("usb" not in variants for _, variants in read("clé USB", "fr", "drive"))


def test_names_of_the_store_stay() -> None:
    assert ("api", "api") in read("¿Qué es la API?", "es", "api", "interfac")


def test_a_word_that_the_store_has_as_it_is_written_may_mean_that() -> None:
    assert ("quota", "quota") in read("¿Cómo pago la quota?", "es", "quota", "exceed", "pay")
