"""What else a word or a phrase of a query may be called."""

from __future__ import annotations

import pytest

from service.language import index_terms, synonyms
from service.language.synonyms import BUILT_IN, Phrase, Synonyms


def alternatives(query: str, language: str = "en") -> dict[Phrase, tuple[Phrase, ...]]:
    """Return what the built-in list makes of *query*."""
    return dict(BUILT_IN.of(query, language))


@pytest.mark.parametrize(
    ("language", "query", "asked", "meant"),
    [
        ("en", "How do I log in?", ("log",), ("signin",)),
        ("en", "Where is my sign-in page?", ("sign",), ("login",)),
        ("en", "get rid of a page", ("rid",), ("delet",)),
        ("en", "How do I restore a letter?", ("restor",), ("undelet",)),
        ("en", "How much memory has it?", ("memori",), ("ram",)),
        ("en", "Is there wi-fi?", ("wi", "fi"), ("wifi",)),
        ("en", "Does it run on a Mac?", ("mac",), ("maco",)),
        ("en", "I don't want to live anymore", ("live",), ("suicid",)),
        ("es", "olvidé mi contraseña", ("contrasen",), ("clav",)),
        ("fr", "supprimer un compte", ("supprim",), ("effac",)),
        ("de", "Konto löschen", ("losch",), ("entfern",)),
    ],
)
def test_what_visitors_call_otherwise_than_pages(
    language: str, query: str, asked: Phrase, meant: Phrase
) -> None:
    assert meant in alternatives(query, language)[asked]


def test_a_line_with_an_arrow_holds_in_one_direction() -> None:
    assert ("free",) in alternatives("Do I pay?")[("pay",)]
    assert ("live",) not in alternatives("suicide")[("suicid",)]


@pytest.mark.parametrize(
    ("asked", "written"),
    [("How long may I keep it?", "kept"), ("Who pays?", "paid"), ("Is it sent?", "send")],
)
def test_irregular_forms_are_one_word(asked: str, written: str) -> None:
    """No stemmer joins them."""
    assert any((written,) in others for others in alternatives(asked).values())


@pytest.mark.parametrize(
    ("asked", "form"),
    [("How do I print a cheque?", "check"), ("Which colors are there?", "colour")],
)
def test_a_word_has_its_british_and_its_american_spelling(asked: str, form: str) -> None:
    assert form in synonyms.forms(asked, "en")


def test_a_form_of_a_word_is_no_other_word() -> None:
    assert synonyms.forms("Who wrote it, and who is the author?", "en") == {
        "write": "wrote",
        "written": "wrote",
    }


def test_a_synonym_that_begins_with_the_same_letter_is_no_form() -> None:
    assert ("claim",) in alternatives("Is there compensation?")[("compens",)]
    assert "claim" not in synonyms.forms("Is there compensation?", "en")


def test_the_groups_of_the_portal_come_first_and_hold_in_every_language() -> None:
    own = Synonyms([["moonpass", "Season Ticket"], ["log in", "open the gate"]])
    for language in ("en", "es", "ja"):
        (asked, others), *_ = own.of("moonpass", language)
        assert asked == tuple(index_terms.of("moonpass", language))
        assert others == (tuple(index_terms.of("season ticket", language)),)
    assert dict(own.of("log in", "en"))[("log",)][0] == ("open", "gate")


def test_the_longest_phrase_counts() -> None:
    assert list(alternatives("the phone number")) == [("phone", "number")]


def test_other_words_have_none() -> None:
    assert alternatives("How do I fold a paper crane?").keys() <= {("paper",)}
    assert alternatives("") == {}
    assert BUILT_IN.of("log in", "ja") == []


def test_every_group_of_the_list_means_something_else_than_it_says() -> None:
    for groups in synonyms.built_in().values():
        for asked, meant in groups:
            assert all(phrase.strip() == phrase != "" for phrase in (*asked, *meant))
            assert len({*asked, *meant}) >= 2
