"""Which words belong to the asking."""

from __future__ import annotations

from service.language import stemming, talk_words


def test_words_of_the_asking_are_known_in_every_form() -> None:
    for word in ("please", "wondering", "tried", "grandma"):
        assert talk_words.stems("en").issuperset(stemming.stems(word, "en"))
    assert talk_words.stems("de-AT").issuperset(stemming.stems("bitte", "de"))


def test_words_of_a_topic_are_not_among_them() -> None:
    assert talk_words.stems("en").isdisjoint(stemming.stems("password account fee form", "en"))
    assert not talk_words.stems("xx")
