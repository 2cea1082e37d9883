"""What the words of a query are there for."""

from __future__ import annotations

import pytest

from service.language.queries import word_roles
from service.language.queries.word_roles import Role


@pytest.mark.parametrize(
    ("query", "word", "role"),
    [
        ("How do I install the app on my iPhone?", "iphone", Role.NAME),
        ("How do I install the app on my iPhone?", "app", Role.HEAD),
        ("Can I connect it to Slack?", "slack", Role.NAME),
        ("can i connect it to slack?", "slack", Role.HEAD),
        ("How do I reset my damn password", "damn", Role.OTHER),
        ("How do I uninstall the app?", "uninstall", Role.OTHER),
        ("How do I deploy Colloquy on Heroku?", "heroku", Role.NAME),
        ("Paris or where?", "paris", Role.HEAD),
        ("WHERE IS THE FORM", "form", Role.HEAD),
        ("Where Is The Blue Form", "form", Role.HEAD),
        ("Do your DMVs open?", "dmvs", Role.OTHER),
        ("Wo ist das Formular?", "formular", Role.HEAD),
        ("¿Puedo pagar con PayPal?", "paypal", Role.NAME),
        ("My name is Maria. How do I sign in?", "maria", Role.ASIDE),
        ("Hi Susan, how do I add a key?", "susan", Role.ASIDE),
        ("Hi, Bob here. I forgot my password", "bob", Role.ASIDE),
        ("I live in Boise and lost my phone, how do I sign in?", "boise", Role.ASIDE),
        ("If I live in Canada, can I apply?", "canada", Role.NAME),
        ("Hi, what about Canada", "canada", Role.NAME),
    ],
)
def test_a_name_a_head_and_an_aside_are_told_apart(query: str, word: str, role: Role) -> None:
    language = "de" if "ist" in query else "es" if "¿" in query else "en"
    assert word_roles.read(query, language).of[word] is role


def test_names_of_several_words_stand_together() -> None:
    found = word_roles.read("what is the Feedback Centre of Agent Orange?")
    assert found.names == [{"feedback", "centre"}, {"agent", "orange"}]


@pytest.mark.parametrize("query", ["", "?", " . ", "?" * 4000, "a," * 2000, "I " * 2000])
def test_what_says_nothing_has_no_names(query: str) -> None:
    assert Role.NAME not in word_roles.read(query).of.values()


@pytest.mark.parametrize(
    ("query", "inside", "outside"),
    [
        (
            "they refused my claim and I am so angry, what can I do about it, this is a disgrace",
            "do",
            {"refused", "claim", "disgrace"},
        ),
        (
            "THERE IS NO SOUND AGAIN. Third time this week. I hate this thing so much. fix it",
            "",
            {"sound", "week", "fix"},
        ),
        ("How do I ask for a refund?", "refund", set[str]()),
        (
            "I have been on hold forever. I just want to take a bank off my title!!",
            "title",
            {"hold", "forever"},
        ),
        (
            "I would like to know how the refund of a ticket to Rome is paid out to me",
            "refund",
            set[str](),
        ),
    ],
)
def test_a_long_message_tells_words_beside_what_it_asks(
    query: str, inside: str, outside: set[str]
) -> None:
    found = word_roles.asides(query)
    assert outside <= found
    assert inside not in found


def test_a_possessive_is_read_as_its_word() -> None:
    told = "We are a carpenter's shop in a village by the sea. How do I send an invoice abroad?"
    assert "carpenter" in word_roles.asides(told)
    assert word_roles.read(told).of["carpenter"] is Role.ASIDE
