"""Chunks are verbatim, complete, bounded, and end where a reader would end them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.blocks import Block, BlockKind
from service.corpus.parsing import chunking, parsing
from service.corpus.parsing.formats import plain
from service.corpus.parsing.parsed_documents import ParsedDocument

GUIDE = """# Guide

Welcome to the guide.

## Fees

{fees}

## Visitors

A day costs 2 €. Pay at the machine.
"""


def texts(document: ParsedDocument, size: int) -> list[str]:
    body = document.body.encode()
    return [body[span.start : span.end].decode() for span in chunking.chunk(document, size=size)]


def markdown(text: str) -> ParsedDocument:
    return parsing.parse(text.encode(), mime="text/markdown")


def test_small_sections_share_a_chunk() -> None:
    document = markdown(GUIDE.format(fees="Thirty euro."))
    assert texts(document, 500) == [document.body]


def test_a_large_section_is_cut_between_sentences_under_its_headings() -> None:
    sentences = [f"Rule {number} says what must be paid in zone {number}." for number in range(40)]
    document = markdown(GUIDE.format(fees=" ".join(sentences)))
    spans = chunking.chunk(document, size=120)
    fees = [span for span in spans if span.headings == ("Guide", "Fees")]
    assert len(fees) == 4
    said = " ".join(texts(document, 120))
    assert all(sentence in said for sentence in sentences)
    assert all(text.endswith((".", ":")) for text in texts(document, 120))


def test_list_items_and_table_rows_stay_whole_and_with_what_introduces_them() -> None:
    items = "\n".join(f"- item number {n} of the list" for n in range(12))
    rows = "\n".join(f"| zone {n} | {n} € |" for n in range(12))
    document = markdown(
        f"You need all of this, please:\n\n{items}\n\n| Zone | Fee |\n|---|---|\n{rows}\n"
    )
    lines = {line for text in texts(document, 60) for line in text.split("\n") if line}
    assert {f"- item number {n} of the list" for n in range(12)} <= lines
    assert {f"Zone: zone {n} | Fee: {n} €" for n in range(12)} <= lines
    assert not any(text.endswith("please:") for text in texts(document, 60))


def test_scripts_without_spaces_are_cut_after_their_full_stops() -> None:
    document = parsing.parse(("每个住户可以申请一个停车许可证。" * 20).encode(), mime="text/plain")
    cut = texts(document, 100)
    assert len(cut) == 4
    assert all(text.endswith("。") for text in cut)


def test_a_chunk_knows_its_page() -> None:
    document = ParsedDocument(
        title="",
        body="One page.\n\nAnother page.",
        blocks=(Block(BlockKind.TEXT, 0, 9, page=1), Block(BlockKind.TEXT, 11, 24, page=2)),
        mime="application/pdf",
    )
    assert [span.page for span in chunking.chunk(document, size=4)] == [1, 2]
    (whole,) = chunking.chunk(document)
    assert (whole.page, whole.last_page) == (1, 2)


def test_a_chunk_that_begins_behind_a_page_break_in_a_block_stands_on_the_next_page() -> None:
    document = ParsedDocument(
        title="",
        body="Ask here. It goes on over there.",
        blocks=(Block(BlockKind.TEXT, 0, 32, page=6),),
        mime="application/pdf",
        turns=((26, 7),),
    )
    spans = [(span.page, span.last_page) for span in chunking.chunk(document, size=4)]
    assert spans == [(6, 6), (6, 6), (7, 7)]


def test_a_document_without_text_has_no_chunks() -> None:
    assert chunking.chunk(parsing.parse(b" \n", mime="text/plain")) == []


PIECES = st.sampled_from(
    [
        "Word ",
        "Sentence ends. ",
        "é",
        "字",
        "\U0001f600",
        "\n",
        "\n\n",
        "- item\n",
        "a | b | c\n",
        "x" * 300,
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=60).map("".join), st.integers(3, 40))
def test_chunks_are_in_order_bounded_and_leave_out_only_white_space(text: str, size: int) -> None:
    document = parsing.parse(text.encode(), mime="text/plain")
    body = document.body.encode()
    end = 0
    for span in chunking.chunk(document, size=size):
        assert end <= span.start < span.end
        assert not body[end : span.start].decode().strip()
        chunk = body[span.start : span.end].decode()
        assert chunk == chunk.strip()
        assert chunking.count_tokens(chunk) <= size
        end = span.end
    assert not body[end:].decode().strip()


def test_lines_that_are_json_objects_stay_whole_and_verbatim() -> None:
    """Programs read them back, such as the memory of an agent: half a line is of no use."""
    said = ["What?  It rains. Again.", "word " * 300, "Fine.", "It is here. " * 20]
    lines = [json.dumps({"author": "ann", "text": text}) for text in said]
    document = parsing.parse("\n".join([*lines, ""]).encode(), filename="a.txt")
    spans = chunking.chunk(document)
    texts = [document.body[span.start : span.end] for span in spans]
    assert [line for text in texts for line in text.split("\n") if line] == lines
    assert len(texts) > 2


def test_a_line_that_is_larger_than_any_chunk_is_cut() -> None:
    line = json.dumps({"text": "word " * 5_000})
    document = parsing.parse(line.encode(), filename="a.txt")
    assert len(chunking.chunk(document)) > 4


@pytest.mark.parametrize("text", ['{"a": 1}\nNot JSON.', "{broken}", '["a"]\n["b"]', "{}{}"])
def test_lines_that_are_not_all_json_objects_are_text(text: str) -> None:
    assert parsing.parse(text.encode(), filename="a.txt").blocks == plain.blocks(text)
