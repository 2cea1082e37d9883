"""What a query is searched for."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.corpus.index import SearchContext
from service.corpus.ranking import query_terms
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import content_terms, detection
from service.language.queries import foreign_words
from tests.corpus.doubles import EveryWord, content
from tests.language.short_queries import QUERIES


def variants(query: str, spoken: Sequence[str]) -> list[set[str]]:
    """Return the stems of each term of *query*."""
    found = query_terms.analyse(query, SearchContext(), EveryWord(spoken))
    return [set(term.variants) for term in found]


@pytest.mark.parametrize(
    ("language", "query"), [(language, one) for language, all_ in QUERIES.items() for one in all_]
)
def test_finding_and_saying_read_a_query_alike(language: str, query: str) -> None:
    """In its language, without the same words: or the answer is not chosen by what was asked."""
    documents = [" ".join(QUERIES[language])]
    said = detection.detect_in(query, documents)
    assert said == detection.detect(query, language) == language
    bare = foreign_words.bare(query, said)
    terms = content_terms.of(bare, said) or content_terms.all_of(bare, said)
    assert set[str]().union(*variants(query, (language,))) == set(terms)


def test_a_query_is_searched_for_in_each_language_of_the_documents() -> None:
    """With the one that the query is in, whether or not a document is."""
    assert variants("how is it verified", ("es", "fr")) == [{"verified", "verifi"}]
    assert variants("verified cards", ("es",)) == [{"verifi"}, {"cards"}]
    assert variants("is it verified", ("es",)) == [{"verifi"}]
    assert variants("cards verified by whom", ("es",)) == [{"cards", "card"}, {"verifi"}]


def test_a_verb_with_its_particle_is_the_noun_of_both_where_the_documents_have_it() -> None:
    assert variants("back up the data", ("en",)) == [{"back", "backup"}, {"data"}]
    assert variants("is it up", ("en",)) == [{"is"}, {"it"}, {"up"}]


def test_function_words_are_searched_for_where_a_query_has_no_others() -> None:
    assert variants("who are you", ("en",)) == [{"who"}, {"are"}, {"you"}]


def test_what_was_said_before_counts_less_than_the_query() -> None:
    context = SearchContext(queries=("driving licence", "dogs"), answer="A fee for dogs.")
    found = query_terms.analyse("renewal fee", context, EveryWord(("en",)))
    assert {term.variants: (term.weight, term.own) for term in found} == {
        ("renew",): (1.0, 1),
        ("fee",): (1.05, 1),
        ("drive",): (0.4, 0),
        ("licenc",): (0.4, 0),
        ("dog",): (pytest.approx(0.35), 0),
    }


def test_a_context_adds_what_tells_most_and_never_crowds_out_the_query() -> None:
    """Each term costs time in every field and segment, and the faintest find nothing."""
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(60)]
    context = SearchContext(queries=(" ".join(words[:9]), " ".join(words[9:59])))
    found = query_terms.analyse("renewal fee", context, EveryWord(("en",)))
    assert len(found) == 24
    assert [term.text for term in found[:2]] == ["renewal", "fee"]
    assert {term.text for term in found} >= set(words[:9])
    crowded = query_terms.analyse(" ".join(words), context, EveryWord(("en",)))
    assert len(crowded) == query_terms.MOST
    assert all(term.own for term in crowded)


def test_words_of_another_language_are_searched_for_as_the_near_ones_of_the_store() -> None:
    """The nearer, the more they weigh: or what is only beside the topic leads."""
    writer = IndexWriter()
    writer.apply(
        {
            "a": content("a", "Change your password in the settings."),
            "b": content("b", "An address can be modified by its owner."),
        }
    )
    asked = query_terms.analyse(
        "¿Cómo puedo cambiar mi contraseña?", SearchContext(), writer.reader
    )
    near = {term.text: dict(zip(term.variants, term.nearness, strict=True)) for term in asked}
    assert near["contrasena"]["password"] > 0.5
    assert 0.25 <= near["cambiar"]["modifi"] < near["cambiar"]["chang"] <= 1.0
    found = writer.reader.search(asked)
    assert [place.document_id for place in writer.reader.places(found[:1])] == ["a"]


def test_a_verb_with_its_particle_in_a_question_of_another_language_is_the_noun_as_well() -> None:
    writer = IndexWriter()
    writer.apply({"a": content("a", "Make a backup of the password. Return to the settings.")})
    asked = query_terms.analyse(
        "¿Cómo puedo cambiar mi contraseña? back up", SearchContext(), writer.reader
    )
    (back,) = (term for term in asked if term.text == "back")
    near = dict(zip(back.variants, back.nearness, strict=True))
    assert near["backup"] == 1.0
    assert near["return"] < 1.0
    assert writer.reader.search(asked)


def test_a_long_question_in_another_language_keeps_its_end() -> None:
    writer = IndexWriter()
    writer.apply({"one": content("one", "Change the password. Error ZX77Q is shown.")})
    asked = (
        "Hola, desde ayer intento entrar al portal de clientes con mi ordenador nuevo pero siempre "
        "aparece un mensaje extraño y no puedo cambiar la contraseña de acceso, dice error ZX77Q"
    )
    terms = query_terms.analyse(asked, SearchContext(), writer.reader)
    assert {"password", "zx77q"} <= {variant for term in terms for variant in term.variants}


def read_as(query: str, writer: IndexWriter) -> dict[str, set[str]]:
    found = query_terms.analyse(query, SearchContext(), writer.reader)
    return {term.text: set(term.variants) for term in found}


def test_what_is_made_of_words_is_read_as_these() -> None:
    writer = IndexWriter()
    writer.apply({"a": content("a", "Which password? The identity of a code is secure.")})
    german = read_as("Wie lautet denn mein Sicherheitscode?", writer)
    assert {"secur", "code"} <= set[str]().union(*german.values())
    assert read_as("Comment confirmer l'identité ?", writer)["identite"] == {"ident"}
    chinese = read_as("我的密码是什么？", writer)
    assert chinese == {"密码": {"password"}}


def test_what_is_behind_an_apostrophe_is_a_word_though_the_store_has_its_letters() -> None:
    writer = IndexWriter()
    writer.apply({"a": content("a", "Amend the list l of fines. Pay the penalty, D is une.")})
    assert set(read_as("Quelle est l'amende d'une infraction ?", writer)) == {
        "amende",
        "infraction",
    }


def test_a_name_in_capitals_stays_what_it_is_in_all_languages() -> None:
    writer = IndexWriter()
    writer.apply({"a": content("a", "Which key has the API? Water is put here. Create it.")})
    assert read_as("¿Cómo creo una clave de API?", writer)["api"] == {"api"}


def test_a_question_in_a_language_of_the_store_keeps_its_words() -> None:
    """Even one that is not among its commonest; but a stray page is no language of the store."""
    texts = ["Password and account.", "Contraseña y cuenta.", "Mot de passe.", "更改密码的方法。"]
    languages = ["en", "es", "fr", "zh"]
    writer = IndexWriter()
    for at, (text, language) in enumerate(zip(texts, languages, strict=True)):
        made = msgspec.structs.replace(content(str(at), text), language=language)
        writer.apply({str(at): made})
    assert writer.reader.spoken == {"en", "es", "fr", "zh"}
    assert "更改" in read_as("如何更改密码?", writer)
    writer.apply({f"more {at}": content("more", "Password.") for at in range(200)})
    assert writer.reader.spoken == {"en"}


def test_a_word_of_another_language_is_no_slip_of_the_pen() -> None:
    writer = IndexWriter()
    made = msgspec.structs.replace(
        content("a", "Una persona enterada de la cuenta."), language="es"
    )
    writer.apply({"a": made})
    assert "entrada" in read_as("¿Cuánto vale la entrada para una persona?", writer)


@pytest.mark.parametrize("query", ["how do I switch the horn on", "How do I switch it on again?"])
def test_a_verb_and_its_particle_are_one_though_parted(query: str) -> None:
    writer = IndexWriter()
    writer.apply({"a": content("a", "To enable the horn, press the button.")})
    terms = query_terms.analyse(query, SearchContext(), writer.reader)
    (verb,) = (term for term in terms if term.text == "switch")
    assert ("enabl",) in [one.stems for one in verb.synonyms]


@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=3).map(tuple))
def test_a_query_becomes_a_bounded_number_of_terms(query: str, said: tuple[str, ...]) -> None:
    context = SearchContext(queries=said, answer=query[::-1])
    terms = query_terms.analyse(query, context, EveryWord(("en", "zh")))
    assert len(terms) <= query_terms.MOST
    assert all(term.weight > 0 and term.variants for term in terms)
