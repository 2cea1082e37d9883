"""No term of a text is anything but a word to the Query Engine."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from service.corpus.redis_search import encoded_terms

TERM = st.text(min_size=1, max_size=20).filter(lambda text: text.split() == [text])


@given(TERM)
def test_a_word_of_the_engine_has_letters_and_digits_alone(term: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+", encoded_terms.token(term))


@given(st.lists(TERM, max_size=5).map(" ".join))
def test_the_words_of_a_chunk_are_read_again_as_they_were(terms: str) -> None:
    assert encoded_terms.terms(encoded_terms.tokens(terms)) == terms


@given(st.lists(st.text(max_size=4), max_size=3), st.lists(st.text(max_size=4), max_size=3))
def test_other_values_have_another_tag(one: list[str], other: list[str]) -> None:
    same = encoded_terms.tag("v", *one) == encoded_terms.tag("v", *other)
    assert same is (one == other)
