"""Snippets, extractive answers and segments, as plain functions."""

from __future__ import annotations

import html
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from service.answering import excerpts
from service.corpus.index import Chunk, Hit


def hit(text: str, number: int = 1, page: int = 0) -> Hit:
    name = f"d/chunks/c{number}"
    chunk = Chunk(name=name, document="d", title="", text=text, page=page, start_byte=0, end_byte=1)
    return Hit(chunk=chunk, score=1.0, relevance=0.5)


@settings(deadline=None)
@given(text=st.text(max_size=300), query=st.text(max_size=30))
def test_a_snippet_is_safe_html_of_the_text(text: str, query: str) -> None:
    """Whatever a document holds, only <b> is markup, and the words are those of the text."""
    (shown,) = excerpts.snippets(excerpts.asked(query), [hit(text)], 1)
    bare = re.sub(r"</?b>", "", shown["snippet"])
    assert "<" not in bare
    assert ">" not in bare
    if shown["snippet_status"] == "SUCCESS":
        plain = html.unescape(bare).removesuffix(" …")
        assert plain in " ".join(text.split())


@settings(deadline=None)
@given(text=st.text(max_size=300), query=st.text(max_size=30))
def test_an_extractive_answer_is_verbatim(text: str, query: str) -> None:
    for answer in excerpts.answers(excerpts.asked(query), [hit(text)], 5):
        assert answer["content"] in text


def test_the_sentence_that_answers_is_chosen() -> None:
    text = "We love tulips. A parking permit costs 40 euro. The harbour opens at six."
    query = excerpts.asked("what does a parking permit cost?")
    (answer,) = excerpts.answers(query, [hit(text, page=3)], 5)
    assert answer["content"].startswith("A parking permit costs 40 euro.")
    assert answer["pageNumber"] == "3"


def test_words_of_the_query_are_bold_in_all_their_forms() -> None:
    query = excerpts.asked("permits")
    (shown,) = excerpts.snippets(query, [hit("One Permit & two permits.")], 1)
    assert shown["snippet"] == "One <b>Permit</b> &amp; two <b>permits</b>."


def test_a_segment_has_the_neighbours_that_there_are() -> None:
    hits = [hit(f"Text {n}.", n) for n in range(1, 4)]
    whole = [one.chunk for one in hits]
    first, second = excerpts.segments(hits[:2], whole, 2, before=5, after=1, scored=True)
    assert first["previous_segments"] == []
    assert [one["id"] for one in first["next_segments"]] == ["c2"]
    assert [one["id"] for one in second["previous_segments"]] == ["c1"]
    assert second["relevanceScore"] == 0.5
