"""Documents for the store and the index, made without files."""

from __future__ import annotations

from typing import Any

from service.corpus.stored_documents import IndexContent, PreparedDocument, StoredChunk
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
) -> PreparedDocument:
    """Build a document with one chunk for each of *texts*."""
    passages: list[StoredChunk] = []
    at = 0
    for text in texts:
        size = len(text.encode())
        passages.append(
            StoredChunk(text=text, headings=(), page=0, start_byte=at, end_byte=at + size)
        )
        at += size + 1
    return PreparedDocument(
        id=document_id,
        document=Document(
            name=names.document(data_store, document_id), id=document_id, struct_data=struct or None
        ),
        passages=IndexContent(
            title=title,
            uri=f"https://example.org/{document_id}",
            language=language,
            struct_data=struct,
            passages=tuple(passages),
        ),
        digest=b"digest",
    )
