"""Which kind of small talk a query is."""

from __future__ import annotations

import pytest

from service.answering.small_talk import kinds


@pytest.mark.parametrize(
    ("query", "kind", "language"),
    [
        ("hello", "greeting", "en"),
        ("HELLO there!!", "greeting", "en"),
        ("ok thanks, bye", "goodbye", "en"),
        ("Thank you so much for your help", "thanks", "en"),
        ("hi, how are you?", "wellbeing", "en"),
        ("I want to speak to a human", "human", "en"),
        ("can I talk to a real person please", "human", "en"),
        ("help!", "help", "en"),
        ("who are you", "identity", "en"),
        ("are you a bot?", "identity", "en"),
        ("what can you do", "abilities", "en"),
        ("ok", "acknowledgement", "en"),
        ("you're useless", "complaint", "en"),
        ("tell me a joke", "small_talk", "en"),
        ("???", "unclear", "en"),
        ("¿Quién eres?", "identity", "es"),
        ("quiero hablar con una persona, por favor", "human", "es"),
        ("merci beaucoup", "thanks", "fr"),
        ("S’il vous plaît, aide !", "help", "fr"),
        ("Was kannst du?", "abilities", "de"),
        ("come ti chiami?", "identity", "it"),
        ("obrigada", "thanks", "pt"),
        ("转人工", "human", "zh"),
        ("你好，请问", "help", "zh"),
        ("dank je wel", "thanks", "nl"),
    ],
)
def test_phrases_of_small_talk_are_of_a_kind(query: str, kind: str, language: str) -> None:
    found = kinds.kind_of(query)
    assert found
    assert (found.kind.value, found.language) == (kind, language)


@pytest.mark.parametrize(
    "query",
    ["", "hello, how do I pay?", "thanks, and the fees?", "help desk hours", "ok, next step", "VPC",
     "please", "test", "how do I contact an agent of my bank", "hello " * 40, "你好，怎么付款"],
)  # fmt: skip
def test_whatever_else_is_said_is_none(query: str) -> None:
    assert kinds.kind_of(query) is None


def test_a_phrase_of_several_languages_is_taken_for_the_one_that_was_spoken() -> None:
    for spoken in ("es", "it"):
        found = kinds.kind_of("no", spoken)
        assert found
        assert found.language == spoken
