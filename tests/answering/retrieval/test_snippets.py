"""Snippets, extractive answers and segments, as plain functions."""

from __future__ import annotations

import html
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.retrieval import snippets
from service.corpus.index import Chunk, Hit


def hit(text: str, number: int = 1, page: int = 0) -> Hit:
    name = f"d/chunks/c{number}"
    chunk = Chunk(name=name, document="d", title="", text=text, page=page, start_byte=0, end_byte=1)
    return Hit(chunk=chunk, score=1.0, relevance=0.5)


@given(text=st.text(max_size=300), query=st.text(max_size=30))
def test_a_snippet_is_safe_html_of_the_text(text: str, query: str) -> None:
    """Whatever a document holds, only <b> is markup, and the words are those of the text."""
    (shown,) = snippets.snippets(snippets.query_terms(query), [hit(text)], 1)
    bare = re.sub(r"</?b>", "", shown["snippet"])
    assert "<" not in bare
    assert ">" not in bare
    if shown["snippet_status"] == "SUCCESS":
        plain = html.unescape(bare).removesuffix(" …")
        assert plain in " ".join(text.split())


@given(text=st.text(max_size=300), query=st.text(max_size=30))
def test_an_extractive_answer_is_verbatim(text: str, query: str) -> None:
    for answer in snippets.answers(snippets.query_terms(query), [hit(text)], 5):
        assert answer["content"] in text


def test_the_sentence_that_answers_is_chosen() -> None:
    text = "We love tulips. A parking permit costs 40 euro. The harbour opens at six."
    query = snippets.query_terms("what does a parking permit cost?")
    (answer,) = snippets.answers(query, [hit(text, page=3)], 1)
    assert answer["content"].startswith("A parking permit costs 40 euro.")
    assert answer["pageNumber"] == "3"


SEGMENT = """Parking permits

A parking permit costs 40 € a year. It is valid for one car.

How do I apply for a parking permit?

Apply online with your licence plate. The permit is sent by post within two weeks.

Fees

- 40 € for residents
- 90 € for shops"""


@pytest.mark.parametrize("count", range(1, 6))
def test_as_many_answers_come_as_are_wanted(count: int) -> None:
    """Distinct, verbatim, each shorter than the segment, and none of them a heading."""
    query = snippets.query_terms("What does a parking permit cost?")
    found = [one["content"] for one in snippets.answers(query, [hit(SEGMENT)], count)]
    assert len(found) == count
    assert found[0].startswith("A parking permit costs 40 € a year.")
    for at, text in enumerate(found):
        assert text in SEGMENT
        assert len(text) < len(SEGMENT)
        assert not any(text in other for other in found[:at] + found[at + 1 :])
        for heading in ("Parking permits", "How do I apply for a parking permit?", "Fees"):
            assert heading not in text.splitlines()


def test_what_stands_under_the_heading_that_was_asked_for_answers() -> None:
    query = snippets.query_terms("How do I apply for a parking permit?")
    (answer,) = snippets.answers(query, [hit(SEGMENT)], 1)
    assert answer["content"].startswith("Apply online with your licence plate.")


def test_headings_alone_are_no_answer() -> None:
    query = snippets.query_terms("parking permits")
    chunk = msgspec.structs.replace(hit("Parking permits").chunk, headings=("Parking permits",))
    assert snippets.answers(query, [Hit(chunk=chunk, score=1.0, relevance=0.5)], 3) == []
    assert snippets.answers(query, [hit("")], 3) == []


@given(
    texts=st.lists(st.text("Ab .\n-|", max_size=80), max_size=4),
    count=st.integers(1, 5),
)
def test_answers_are_distinct_passages_of_their_texts(texts: list[str], count: int) -> None:
    hits = [hit(text, number) for number, text in enumerate(texts)]
    found = [one["content"] for one in snippets.answers(snippets.query_terms("Ab"), hits, count)]
    assert len(found) <= count
    assert len(set(found)) == len(found)
    assert all(text and any(text in whole for whole in texts) for text in found)


def test_words_of_the_query_are_bold_in_all_their_forms() -> None:
    query = snippets.query_terms("permits")
    (shown,) = snippets.snippets(query, [hit("One Permit & two permits.")], 1)
    assert shown["snippet"] == "One <b>Permit</b> &amp; two <b>permits</b>."


def test_a_segment_has_the_neighbours_that_there_are() -> None:
    hits = [hit(f"Text {n}.", n) for n in range(1, 4)]
    whole = [one.chunk for one in hits]
    first, second = snippets.segments(hits[:2], whole, 2, before=5, after=1, scored=True)
    assert first["previous_segments"] == []
    assert [one["id"] for one in first["next_segments"]] == ["c2"]
    assert [one["id"] for one in second["previous_segments"]] == ["c1"]
    assert second["relevanceScore"] == 0.5
