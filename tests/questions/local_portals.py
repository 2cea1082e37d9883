"""A portal in this process: a folder that is imported, indexed and asked as the service does it.

It has what a visitor meets by default, and neither Redis nor a server: a conversation is handed
from turn to turn as the service would read it from a session.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from service.answering.pipeline import history
from service.answering.pipeline.pipeline import Pipeline
from service.answering.requests.queries import PipelineRequest
from service.corpus import stored_documents
from service.corpus.documents import folders, furniture
from service.corpus.following.followed_index import FollowedIndex
from service.corpus.parsing import prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import IndexContent
from service.corpus.tantivy.index_upkeep import IndexUpkeep
from service.corpus.tantivy.index_writer import IndexWriter
from service.corpus.tantivy.reader.index_reader import IndexReader
from service.generation.extractive import ExtractiveGenerator
from service.generation.generator import PastTurn
from service.language import sentences
from service.language.synonyms import BUILT_IN
from service.thread_pools import ThreadPools
from sessions import names
from sessions.resources import answer_query, answers, sessions
from streaming.log.answer_machine import AnswerMachine
from streaming.log.events import Started, Succeeded

STORE: Final = "projects/p/locations/global/collections/default_collection/dataStores/portal"
NOW: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class _OneReader(IndexUpkeep):
    """The upkeep of one data store that does not change: it is never entered."""

    def __init__(self, reader: IndexReader) -> None:
        # Nothing asks the store, since nothing is followed.
        super().__init__(cast("DocumentStore", None), folder=None, observe=None, embed=None)
        self._reader = reader

    def moment(self, data_store: str) -> IndexReader | None:
        return self._reader if data_store == STORE else None


class LocalIndex(FollowedIndex[IndexUpkeep, IndexReader]):
    """The index of the service over one data store that does not change."""

    def __init__(self, reader: IndexReader) -> None:
        super().__init__(
            _OneReader(reader),
            searches=1,
            vectors=None,
            synonyms=BUILT_IN,
            policy=None,
            searched=None,
        )


class LocalPortal:
    """The documents of a folder, ready to be asked."""

    def __init__(self, folder: Path, *, nested: bool = True) -> None:
        """Import *folder*, without the folders in it where not *nested*."""
        contents = dict(read(folder, nested=nested))
        writer = IndexWriter()
        writer.apply(contents)
        writer.wait_for_merges()
        self.texts = {
            document: "\n".join(chunk.text for chunk in content.chunks)
            for document, content in contents.items()
        }
        """What was read of each document, by its id."""
        generator = ExtractiveGenerator(sentences.spans)
        self._pipeline = Pipeline(
            LocalIndex(writer.reader), generator, _OneDataStore(), ThreadPools()
        )

    async def ask(
        self, query: str, past: Sequence[PastTurn] = (), *, related: bool = True
    ) -> answers.Answer:
        """Return the answer to *query* after the turns of *past*, oldest first.

        To find out what *related* questions are answered as well takes most of the time.
        """
        machine = AnswerMachine()
        machine.apply(Started(NOW))
        asked = PipelineRequest(parent=STORE, request=as_asked(query, related=related))
        events = self._pipeline.run(asked, past[-history.TURNS :], answers.Answer())
        async with contextlib.aclosing(events):
            async for event in events:
                machine.apply(event)
        machine.apply(Succeeded(NOW))
        return machine.answer


def as_asked(query: str, *, related: bool = True) -> answer_query.AnswerQueryRequest:
    """Return *query* with what the chat page asks for, *related* questions last."""
    return answer_query.AnswerQueryRequest(
        query=sessions.Query(text=query),
        answer_generation_spec=answer_query.AnswerGenerationSpec(
            include_citations=True,
            ignore_adversarial_query=True,
            ignore_jail_breaking_query=True,
        ),
        grounding_spec=answer_query.GroundingSpec(include_grounding_supports=True),
        related_questions_spec=answer_query.RelatedQuestionsSpec(enable=related),
    )


class _OneDataStore:
    """Whatever is asked, it is the one portal that there is."""

    async def data_stores(self, parent: str) -> Sequence[str]:
        return (parent,)


def read(folder: Path, *, nested: bool) -> list[tuple[str, IndexContent]]:
    """Return the documents of *folder* by their ids, as they are at the end of an import."""
    read: list[tuple[str, IndexContent]] = []
    packed: list[bytes] = []
    for source in folders.items(folder, "", nested=nested):
        if not isinstance(source, DocumentSource):
            raise TypeError(f"{source} is no document")
        stored = prepared_documents.prepare(source, STORE, now=NOW)
        content = stored_documents.unpack(stored.content)
        if content is None:
            raise ValueError(f"{source.id} cannot be read again")
        read.append((source.id, content))
        packed.append(stored.content)
    repeated = furniture.find(packed)
    return [(name, furniture.without(content, repeated) or content) for name, content in read]


def as_turn(query: str, answer: answers.Answer) -> PastTurn | None:
    """Return what a later turn is told of *answer*, None where that is no context.

    So reads `service.answering.pipeline.history` it from a session.
    """
    return history.as_turn(query, answer)


def document_of(reference: answers.Reference) -> str:
    """Return the id of the document that *reference* refers to."""
    if (chunk := reference.chunk_info) is not None:
        document = chunk.document_metadata.document if chunk.document_metadata else chunk.chunk
    else:
        info = reference.unstructured_document_info or reference.structured_document_info
        document = info.document if info else ""
    return names.last_id(document)
