"""What is said in the service's own name."""

from __future__ import annotations

import pytest

from service.answering.small_talk import wordings
from service.answering.small_talk.kinds import Kind, SmallTalk
from service.portal.portal import Contact, Portal, Replies

LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "zh", "nl")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_reply_in_each_language(kind: Kind, language: str) -> None:
    text = wordings.reply(SmallTalk(kind, language), Portal(name="Riverton"))
    assert "{" not in text
    assert 4 <= len(text) <= (300 if kind is Kind.DISTRESS else 200)
    if language != "en":
        assert text != wordings.reply(SmallTalk(kind, "en"), Portal(name="Riverton"))


def test_a_language_that_we_have_no_words_in_is_replied_to_in_english() -> None:
    assert wordings.reply(SmallTalk(Kind.THANKS, "ja"), Portal()).startswith("You are welcome")


def test_the_words_of_the_operator_come_first() -> None:
    portal = Portal(replies=Replies(greeting={"en": "Ahoy!", "es": "¡Ahoy!"}))
    assert wordings.reply(SmallTalk(Kind.GREETING, "es"), portal) == "¡Ahoy!"
    assert wordings.reply(SmallTalk(Kind.GREETING, "fr"), portal) == "Ahoy!"


def test_who_asks_for_a_person_is_told_the_contact() -> None:
    portal = Portal(contact=Contact(phone="555 0100", email="help@riverton.example"))
    text = wordings.reply(SmallTalk(Kind.HUMAN, "de"), portal)
    assert text.endswith("Hier erreichen Sie einen Menschen: 555 0100, help@riverton.example.")


def test_who_asks_how_to_reach_somebody_is_told_the_contact_or_that_none_is_known() -> None:
    talk = SmallTalk(Kind.REACH, "en")
    reached = wordings.reply(talk, Portal(contact=Contact(phone="555 0100")))
    assert reached == "You can reach a person here: 555 0100."
    unknown = wordings.reply(talk, Portal(name="Riverton"))
    assert unknown.startswith("I found nothing in the documents about how to reach a person.")


def test_a_contact_is_told_as_the_operator_words_it() -> None:
    contact = Contact(text={"en": "Call the desk.", "es": "Llame."}, url="https://riverton.example")
    assert wordings.contact(Portal(contact=contact), "es") == "Llame. https://riverton.example"
    assert wordings.contact(Portal(), "es") == ""


def test_what_the_documents_do_not_mention_is_named() -> None:
    assert wordings.unmentioned(["ZX77Q"], "fr") == "Les documents ne mentionnent pas ZX77Q."
    assert wordings.unmentioned(["A1", "B2"], "zh") == "文档中没有提到A1、B2。"
    assert wordings.unmentioned([], "en") == ""
