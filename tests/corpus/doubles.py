"""Documents for the store and the index, made without files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from service.corpus import stored_documents
from service.corpus.stored_documents import IndexContent, StoredChunk, StoredDocument
from service.language.word_vectors import Neighbour
from sessions import names
from sessions.resources.documents import Document
from tests.corpus.texts import STORE


def entry(
    document_id: str,
    *texts: str,
    title: str = "",
    language: str = "en",
    data_store: str = STORE,
    **struct: Any,
) -> StoredDocument:
    """Build a document with one chunk for each of *texts*."""
    document = Document(
        name=names.document(data_store, document_id), id=document_id, struct_data=struct or None
    )
    made = stored_documents.pack(
        document, content(document_id, *texts, title=title, language=language, **struct)
    )
    return msgspec.structs.replace(made, digest=b"digest")


def content(
    document_id: str, *texts: str, title: str = "", language: str = "en", **struct: Any
) -> IndexContent:
    """Build what an index needs of the same document."""
    chunks: list[StoredChunk] = []
    at = 0
    for text in texts:
        size = len(text.encode())
        chunks.append(
            StoredChunk(text=text, headings=(), page=0, start_byte=at, end_byte=at + size)
        )
        at += size + 1
    return IndexContent(
        title=title,
        uri=f"https://example.org/{document_id}",
        language=language,
        struct_data=struct,
        chunks=tuple(chunks),
    )


class EveryWord(NamedTuple):
    """Knows every word alike."""

    languages: Sequence[str]

    @property
    def spoken(self) -> Sequence[str]:
        return self.languages

    def idf(self, variants: tuple[str, ...]) -> float:
        return float(bool(variants))

    def knows(self, variants: tuple[str, ...]) -> bool:
        return bool(variants)

    def correct(self, word: str, language: str, name: bool) -> str:
        return ""

    def near(self, word: str, language: str) -> Sequence[Neighbour]:
        return ()
