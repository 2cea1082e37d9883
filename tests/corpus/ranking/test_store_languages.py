"""A data store speaks what a share of its documents is in."""

from __future__ import annotations

import collections

from service.corpus.ranking import store_languages


def test_the_commonest_come_first() -> None:
    counts = collections.Counter({"fr": 40, "en": 50, "es": 30, "de": 20, "it": 0})
    assert store_languages.of(counts).common == ("en", "fr", "es")


def test_a_stray_page_is_no_language_of_the_store() -> None:
    counts = collections.Counter({"en": 97, "pt-BR": 2, "la": 1})
    assert store_languages.of(counts).spoken == {"en", "pt"}


def test_no_documents_speak_nothing() -> None:
    assert store_languages.of(collections.Counter({"en": 0})) == ((), frozenset())
