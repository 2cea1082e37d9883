"""What a misspelt word is read as."""

from __future__ import annotations

import pytest

from service.corpus.index import SearchContext
from service.corpus.ranking import query_terms, scoped_search, spelling
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import index_terms
from tests.corpus.doubles import content

TEXT = "Change the password on the registration page. What a webhook sends is signed. The port."
COUNTS = dict.fromkeys(index_terms.of(TEXT, "en"), 1)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("pasword", "password"),
        ("passwrod", "password"),
        ("registraton", "registration"),
        ("regestraton", "registration"),
        ("waht", "what"),
        ("wehook", "webhook"),
        ("chnage", "change"),
        ("sourdough", ""),
        ("strawbery", "strawberry"),
        ("tinder", ""),
        ("pasworld", "password"),
        ("chngae", "change"),
        ("tehwebhook", ""),
        ("whatsends", "what sends"),
        ("onregistration", "on registration"),
        ("wort", ""),
        ("prt", ""),
        ("pässwort", ""),
        ("x" * 400, ""),
    ],
)
def test_a_slip_is_read_as_a_word_of_the_documents(word: str, meant: str) -> None:
    assert (
        spelling.correct(word, "en", lambda terms: [COUNTS.get(term, 0) for term in terms]) == meant
    )


def test_known_and_ordinary_words_and_names_stay_as_they_are() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", TEXT)})
    for query in (
        "webhook sends",
        "sport",
        "PASWORD_MIN",
        "iPassword",
        "PasWord",
        "pasword@example.org",
        "/pasword",
    ):
        assert spelling.corrected(query, writer.reader) == (query, {})
    asked = "chnage my pasword"
    assert spelling.corrected(asked, writer.reader)[0] == "change my password"
    terms = query_terms.analyse(asked, SearchContext(), writer.reader)
    assert {term.text: term.written for term in terms} == {
        "change": "chnage",
        "password": "pasword",
    }


def test_few_words_are_measured_against_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a query of four such words would keep all others waiting."""
    measured: list[str] = []

    def counted(_: str, other: str) -> float:
        measured.append(other)
        return 1.0

    monkeypatch.setattr(spelling, "_cost", counted)
    spelling.correct("conztruktion", "en", lambda terms: [0] * len(terms))
    assert "construction" in measured
    assert len(measured) < 300


def test_what_one_of_several_data_stores_knows_is_no_slip() -> None:
    other, own = IndexWriter(), IndexWriter()
    other.apply({"one": content("one", "The kubeview page shows pods.")})
    own.apply({"one": content("one", "The kubeviet page shows nothing.")})
    readers = [("other", other.reader), ("own", own.reader)]
    for order in (readers, readers[::-1]):
        assert scoped_search.read_query(order, "kubeviet page").text == "kubeviet page"
    assert scoped_search.read_query([], "kubeviet").text == "kubeviet"


def test_a_query_that_stands_alone_is_spelled_as_it_is_read() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", TEXT)})
    reading = scoped_search.read_query([("one", writer.reader)], "wat is the pasword ")
    assert reading.spelled("wat is the pasword (page)") == "what is the password (page)"
    assert reading.spelled("something else") == "something else"


def test_a_slip_is_read_as_a_word_that_only_a_title_has() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", "Pay by card.", title="How is the toll collected?")})
    reading = scoped_search.read_query([("one", writer.reader)], "how do they colect the toll")
    assert reading.text == "how do they collect the toll"


@pytest.mark.parametrize("word", ["venmo", "spotify", "uber", "heroku", "zelle"])
def test_a_name_is_not_read_as_an_ordinary_word(word: str) -> None:
    """Or a question about what the documents never name gets an answer about something else."""
    ordinary = index_terms.of("venue specify user hero sell notify here", "en")
    assert spelling.correct(word, "en", lambda terms: [term in ordinary for term in terms]) == ""


def test_a_capital_in_the_middle_makes_a_name() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", "The user asks Colloquy for a password.")})
    reads = {
        "the pasword": "the password",
        "Pasword of the usser": "password of the user",
        "the Pasword": "the Pasword",
        "THE PASWORD": "THE password",
        "what does Coloquy ask": "what does colloquy ask",
    }
    for query, read in reads.items():
        assert spelling.corrected(query, writer.reader)[0] == read


def test_a_word_that_the_documents_write_with_a_hyphen_is_read_so() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", "Anti-virus programs run. Re: to install one.")})
    assert spelling.corrected("an antivirus program", writer.reader)[0] == "an anti virus program"
    assert spelling.corrected("reinstall it", writer.reader) == ("reinstall it", {})


def test_a_word_that_the_documents_have_stays_whole() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", "Antivirus programs. A virus, and what is anti it.")})
    assert spelling.corrected("an antivirus program", writer.reader) == ("an antivirus program", {})
