"""Which page of a portal says how to reach a person."""

from __future__ import annotations

import pytest

from service.answering.small_talk import contact_pages
from service.answering.small_talk.kinds import Kind, SmallTalk
from service.corpus.index import Chunk


@pytest.mark.parametrize(
    ("title", "language", "is_one"),
    [
        ("Contact us", "en", True),
        ("Get help", "en", True),
        ("Customer service", "en", True),
        ("How do I contact SendGrid support?", "en", True),
        ("Contact lenses", "en", False),
        ("Help with your taxes", "en", False),
        ("Contáctenos", "es", True),
        ("Contacter le service client", "fr", True),
        ("Kontakt", "de", True),
        ("联系我们", "zh", True),
        ("The", "en", False),
    ],
)
def test_a_page_is_told_by_its_title(title: str, language: str, is_one: bool) -> None:
    chunk = Chunk(name="c", document="d", title=title, text="We.", start_byte=0, end_byte=3)
    assert contact_pages.is_contact_page(chunk, language) is is_one


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        (Kind.REACH, "Call our office at 555 010 0100.", True),
        (Kind.REACH, "Call us at 555 010 0100.", True),
        (Kind.REACH, "Customer service: help@riverton.example", True),
        (Kind.REACH, "Contact us when you move.", False),
        (Kind.REACH, 'Phone numbers look like "555 010 0100".', False),
        (Kind.HUMAN, "Call us at 555 010 0100.", False),
        (Kind.DISTRESS, "The crisis line is there for you: 555 0100.", True),
        (Kind.DISTRESS, "Call us at 555 010 0100.", False),
    ],
)
def test_a_page_says_by_which_number_somebody_is_reached(kind: Kind, text: str, says: bool) -> None:
    chunk = Chunk(name="c", document="d", title="Fees", text=text, start_byte=0, end_byte=3)
    assert contact_pages.answers(SmallTalk(kind, "en"), chunk) is says


def test_what_is_looked_for_is_in_the_language_of_the_query() -> None:
    assert contact_pages.query(SmallTalk(Kind.HUMAN, "es")).startswith("¿Cómo")
    assert contact_pages.query(SmallTalk(Kind.HELP, "ja")) == "How do I get help?"
