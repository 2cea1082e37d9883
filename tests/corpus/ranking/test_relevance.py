"""What speaks for a chunk."""

from __future__ import annotations

import pytest

from service.corpus.index import SearchContext
from service.corpus.ranking import query_terms, relevance
from service.corpus.ranking.queries.terms import Alien, QueryTerm
from service.corpus.ranking.relevance import Features, ReadTerms, WeighedQuery
from service.corpus.tantivy.index_writer import IndexWriter
from service.language import index_terms
from tests.corpus.doubles import EveryWord, content


def read(text: str, above: str = "") -> ReadTerms:
    return ReadTerms(index_terms.of(text, "en"), frozenset(index_terms.of(above, "en")))


def judged(query: str, *chunks: ReadTerms, context: SearchContext | None = None) -> list[Features]:
    terms = query_terms.analyse(query, context or SearchContext(), EveryWord(("en",)))
    return WeighedQuery(terms, 1.0).features(chunks)


FORM = read("The registration of a snowmobile is free.", "Snowmobiles")
BREAD = read("Sourdough is baked slowly.")


def test_two_chunks_answer_two_parts_together() -> None:
    both = judged("snowmobile registration and sourdough", FORM, BREAD)
    assert [round(one.met + one.parts, 6) for one in both] == [1.0, 1.0]
    assert both[0].met > both[1].met


def test_words_of_the_asking_hardly_count() -> None:
    (plain,) = judged("snowmobile registration", FORM)
    (chatty,) = judged("hi please help, my grandma wants snowmobile registration", FORM)
    assert plain.met == 1.0
    assert chatty.met > 0.8


def test_near_words_and_headings_are_seen() -> None:
    (near,) = judged("snowmobile registration", FORM)
    (far,) = judged("snowmobile registration", read("Registration is so much fun. A snowmobile."))
    assert (near.near, far.near) == (1.0, 0.0)
    assert near.above > far.above == 0.0


def test_a_follow_up_that_says_little_lives_by_its_context() -> None:
    context = SearchContext(queries=("snowmobile registration",))
    (bare,) = judged("and how long does that take", FORM, context=context)
    (alone,) = judged("and how long does that take", FORM)
    assert bare.topic == 1.0
    assert relevance.estimate(bare) > 0.4 > 0.2 > relevance.estimate(alone)


@pytest.mark.parametrize("query", ["", "?", "sourdough"])
def test_a_chunk_without_a_word_of_the_query_is_hardly_relevant(query: str) -> None:
    assert all(relevance.estimate(of) < 0.1 for of in judged(query, FORM))


def asked(query: str, *texts: str) -> list[QueryTerm]:
    writer = IndexWriter()
    writer.apply({str(at): content(str(at), text) for at, text in enumerate(texts)})
    return query_terms.analyse(query, SearchContext(), writer.reader)


APP = (
    "How to install the app: open the store on your phone and choose the app. A mailbox is no app."
)


@pytest.mark.parametrize(
    ("query", "alien"),
    [
        ("How do I install the app on my iPhone?", Alien.NAME),
        ("how do I install the app on my guitar?", Alien.WORD),
        ("how do I install the purple app?", Alien.WORD),
        ("how do I install the app with tiktok?", Alien.UNREAD),
        ("how do I install the damn app?", Alien.NO),
        ("gonna install the app, ain't I?", Alien.NO),
        ("My name is Maria. How do I install the app?", Alien.NO),
        ("how do I insatll the app", Alien.NO),
        ("how do I get somewhere with the app?", Alien.NO),
    ],
)
def test_what_the_store_never_names_is_told_from_slips_and_from_talk(
    query: str, alien: Alien
) -> None:
    found = {term.alien for term in asked(query, APP)} - {Alien.NO}
    assert found == ({alien} - {Alien.NO})


def test_a_question_about_an_unknown_name_is_not_relevant() -> None:
    chunk = read(APP)
    for query, relevant in (
        ("How do I install the app on my phone?", True),
        ("How do I install the app on my iPhone?", False),
        ("How do I install the app on my guitar?", False),
    ):
        (of,) = WeighedQuery(asked(query, APP, "Bread."), 1.0).features([chunk])
        assert (relevance.estimate(of) >= 0.2) is relevant, query


def test_a_chunk_that_lacks_a_rare_name_is_about_something_else() -> None:
    texts = (APP, "Messages of Slack are not read.", *("Bread is baked.",) * 30)
    terms = asked("Can I install the app in Slack?", *texts)
    told, aside = WeighedQuery(terms, 1.0).features([read(APP), read(texts[1])])
    assert (told.named, aside.named) == (1.0, 0.0)


def test_a_word_near_the_unknown_one_stands_for_it() -> None:
    terms = asked("how do I install the app on a purple phone", "A violet phone.", APP)
    (near,) = WeighedQuery(terms, 1.0).features([read("A violet phone.")])
    (far,) = WeighedQuery(terms, 1.0).features([read(APP)])
    assert (near.alien, far.alien) == (0.0, 1.0)


def test_what_a_long_message_tells_beside_its_question_need_not_be_there() -> None:
    text = "Severance: who leaves within a year is paid four weeks."
    texts = (text, *("Bread is baked.",) * 30)
    told = "nobody said a word about severance, I moved house for this, what am I paid now???"
    for query, relevant in ((told, True), (told.replace("severance", "bicycles"), False)):
        (of,) = WeighedQuery(asked(query, *texts), 1.0).features([read(text)])
        assert (relevance.estimate(of) >= 0.2) is relevant, query


def test_how_long_something_lasts_is_asked_of_what_does_not_say_last() -> None:
    text = "The pass: you keep it for 18 months."
    texts = (text, "How long to wait in the last line.", *("Bread is baked.",) * 30)
    (of,) = WeighedQuery(asked("how long does the pass last?", *texts), 1.0).features([read(text)])
    assert of.met > 0.7


def test_of_two_names_that_are_asked_for_together_one_is_enough() -> None:
    texts = ("Oven: IdleTemp is 90.", "Oven: MaxTemp is 300.", *("Bread is baked.",) * 30)
    for query, lacks in (
        ("What are IdleTemp and MaxTemp?", 0.0),
        ("what has IdleTemp to do with MaxTemp?", 1.0),
    ):
        chunks = [read(text) for text in texts[:2]]
        found = WeighedQuery(asked(query, *texts), 1.0).features(chunks)
        assert [of.named for of in found] == [lacks, lacks], query
