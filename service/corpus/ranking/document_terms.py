"""Make of a document the terms by which an index finds its chunks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from service.blocks import BlockKind, heading_text
from service.corpus.ranking.index_entries import DocumentAttributes
from service.corpus.ranking.queries import question_keys
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.language import index_terms

_HEADINGS: Final = (BlockKind.HEADING, BlockKind.QUESTION)
_ASKS: Final = ("?", "？", "؟")
_LONGEST_QUESTION: Final = 128
"""Characters of a heading that completes what somebody types."""
_MOST_QUESTIONS: Final = 50
"""Headings of one document that do: they are held in memory."""


class ChunkTerms(NamedTuple):
    """The terms of a chunk by field, set apart by spaces.

    *questions* are those of `question_keys`, of the headings that ask something.
    """

    title: str
    headings: str
    body: str
    questions: str


def of(content: IndexContent) -> list[ChunkTerms]:
    """Return the terms of each chunk of *content*."""
    language = content.language
    title = _terms(content.title, language)
    found: list[ChunkTerms] = []
    for stored in content.chunks:
        headings = _terms("\n".join(_headings(content.title, stored)), language)
        body = _terms(stored.text, language)
        found.append(ChunkTerms(title, headings, body, " ".join(_answers(stored, language))))
    return found


def attributes(document_id: str, content: IndexContent, digest: bytes) -> DocumentAttributes:
    """Return what is kept of the document beside its chunks."""
    bare = msgspec.structs.replace(content, chunks=())
    return DocumentAttributes(document_id, bare, len(content.chunks), digest, _questions(content))


def _headings(title: str, stored: StoredChunk) -> Iterator[str]:
    """Yield the headings above a chunk, and those in it: short entries share one chunk.

    The title has a field of its own.
    """
    yield from stored.headings
    yield from (one for one in _within(stored) if one != title and one not in stored.headings)


def _asked_in(stored: StoredChunk) -> Iterator[str]:
    """Yield the headings under which something of a chunk stands."""
    yield from stored.headings[-1:]
    yield from _within(stored)


def _answers(stored: StoredChunk, language: str) -> Iterator[str]:
    """Yield the terms of the questions that a chunk answers: its headings, what it defines."""
    for heading in _asked_in(stored):
        yield from question_keys.of_heading(heading, language)
    for block in stored.blocks:
        if block.kind is BlockKind.TEXT:
            yield from question_keys.of_definition(stored.text[block.start : block.end], language)


def _within(stored: StoredChunk) -> Iterator[str]:
    within = (stored.text[b.start : b.end] for b in stored.blocks if b.kind in _HEADINGS)
    return map(heading_text, within)


def _questions(content: IndexContent) -> tuple[str, ...]:
    """Return the headings of *content* that ask something, as far as a completion shows them."""
    asked: dict[str, None] = {}
    for stored in content.chunks:
        for heading in _asked_in(stored):
            if heading.endswith(_ASKS) and len(heading) <= _LONGEST_QUESTION:
                asked[heading] = None
    return tuple(asked)[:_MOST_QUESTIONS]


def _terms(text: str, language: str) -> str:
    """Return the terms of *text*, set apart by spaces."""
    return " ".join(index_terms.of(text, language))
