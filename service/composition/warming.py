"""Make the first answer as quick as all others: read the tables, and compile the patterns."""

from __future__ import annotations

from typing import Final

from service.answering.pipeline import rephrasing
from service.answering.proof import grounding
from service.answering.query_classes import classifiers
from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.stored_documents import IndexContent, StoredChunk
from service.corpus.tantivy.index_writer import IndexWriter
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import PastTurn, Prompt, Source
from service.language import sentences

_TEXT: Final = "To return the lamp:\n1. Go to the desk.\n2. Give back the lamp within 3 days."
_QUERIES: Final = (
    "How do I retrun the lamp?",
    "When is the lamp due, and what is a lamp?",
    "¿Cómo devuelvo la lámpara?",
    "lamp desk",
)
"""Queries of several kinds: misspelt, in another language than the text, of two words."""


def warm_up() -> None:
    """Answer made-up questions from a text that is thrown away; blocks for some tenths of a second.

    What the first query of a process needs is read and compiled once, and shared by all threads.
    """
    chunk = StoredChunk(text=_TEXT, headings=(), page=0, start_byte=0, end_byte=len(_TEXT))
    writer = IndexWriter()
    writer.apply({"lamps": IndexContent(title="Lamps", language="en", chunks=(chunk,))})
    readers = [("lamps", writer.reader)]
    plan = scoped_search.plan(SearchScope(data_stores=("lamps",)))
    generator = ExtractiveGenerator(sentences.spans)
    sources = (Source(title="Lamps", text=_TEXT),)
    past = (PastTurn(_QUERIES[1], _TEXT),)
    for query in _QUERIES:
        classifiers.classify(query, past)
        rephrasing.rephrase(query, past)
        scoped_search.search(readers, query, plan, 1)
        generator.passages(Prompt(query=query, sources=sources))
    grounding.supports(_TEXT, [_TEXT], [0], ())
