"""What speaks for a chunk."""

from __future__ import annotations

import pytest

from service.corpus.index import SearchContext
from service.corpus.tantivy import query_terms, relevance
from service.corpus.tantivy.relevance import Features, ReadTerms, WeighedQuery
from service.language import index_terms
from tests.corpus.doubles import EveryWord


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
    assert relevance.estimate(bare) > 0.5 > relevance.estimate(alone)


@pytest.mark.parametrize("query", ["", "?", "sourdough"])
def test_a_chunk_without_a_word_of_the_query_is_hardly_relevant(query: str) -> None:
    assert all(relevance.estimate(of) < 0.1 for of in judged(query, FORM))
