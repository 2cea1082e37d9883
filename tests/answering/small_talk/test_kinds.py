"""Which kind of small talk a query is."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.answering.small_talk import kinds

MESSAGES = Path(__file__).with_name("messages.tsv")


@pytest.mark.parametrize(
    ("query", "kind", "language"),
    [
        ("hello", "greeting", "en"),
        ("HELLO there!!", "greeting", "en"),
        ("ok thanks, bye", "goodbye", "en"),
        ("Thank you so much for your help", "thanks", "en"),
        ("thanks, my daughter is happy again", "thanks", "en"),
        ("thank you, it works now", "thanks", "en"),
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
        ("hw r u?", "wellbeing", "en"),
        ("helo", "greeting", "en"),
        ("good mornign", "greeting", "en"),
        ("speak to a humna please", "human", "en"),
        ("I'd like to speak to customer service", "human", "en"),
        ("this is useless, let me talk to a real person", "human", "en"),
        ("how can I contact you", "reach", "en"),
        ("phone number of your support", "reach", "en"),
        ("客服电话是多少？", "reach", "zh"),
        ("could you please help me out", "help", "en"),
        ("this chatbot is terrible", "complaint", "en"),
        ("what a piece of junk", "complaint", "en"),
        ("that was really helpful", "thanks", "en"),
        ("thanks so much, you saved my week", "thanks", "en"),
        ("cheers, you've cleared up the fees", "thanks", "en"),
        ("that was not helpful at all", "complaint", "en"),
        ("are you a real person or a computer?", "identity", "en"),
        ("voglio parlare con una persona vera", "human", "it"),
    ],
)
def test_phrases_of_small_talk_are_of_a_kind(query: str, kind: str, language: str) -> None:
    found = kinds.kind_of(query)
    assert found
    assert (found.kind.value, found.language) == (kind, language)


@pytest.mark.parametrize(
    "query",
    ["", "hello, how do I pay?", "thanks, and the fees?", "help desk hours", "ok, next step", "VPC",
     "please", "test", "how do I contact an agent of my bank", "hello " * 40, "你好，怎么付款",
     "it does not work", "manager", "email address", "thanks, that did not work",
     "how do I contact the tax office", "tanks",
     "I want to talk to someone about a refund", "can someone help me reset my code", "helm",
     "how helpful is the tutorial?", "what a piece of junk, the paper jams again"],
)  # fmt: skip
def test_whatever_else_is_said_is_none(query: str) -> None:
    assert kinds.kind_of(query) is None


def test_messages_as_people_send_them_are_told_from_questions() -> None:
    """With slips, in eight languages, before a question: some of these 380 may be missed."""
    lines = MESSAGES.read_text("utf-8").splitlines()
    labelled = [tuple(line.split("\t")) for line in lines]
    found = {message: kinds.kind_of(message) for _, message in labelled}
    taken = [message for kind, message in labelled if kind == "question" and found[message]]
    talk = [(kind, found[message]) for kind, message in labelled if kind != "question"]
    right = [one for kind, one in talk if one and one.kind.value == kind]
    assert taken == []
    assert len(right) >= 0.95 * len(talk)


def test_a_phrase_of_several_languages_is_taken_for_the_one_that_was_spoken() -> None:
    for spoken in ("es", "it"):
        found = kinds.kind_of("no", spoken)
        assert found
        assert found.language == spoken
