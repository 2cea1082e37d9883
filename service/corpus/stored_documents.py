"""A document as it is stored: the resource, and the passages that an index makes of it."""

from __future__ import annotations

from typing import Any

import msgspec

from service.corpus.document_filters import Facts
from service.corpus.index import Chunk
from sessions import names
from sessions.codec import json_codec
from sessions.resources.documents import Document


class StoredChunk(msgspec.Struct, frozen=True, array_like=True):
    """A chunk as it is stored: see `index.Chunk`."""

    text: str
    headings: tuple[str, ...]
    page: int
    start_byte: int
    end_byte: int


class IndexContent(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What an index needs of a document. New fields go to the end, with a default."""

    title: str
    uri: str = ""
    language: str = ""
    struct_data: dict[str, Any] = {}
    passages: tuple[StoredChunk, ...] = ()
    from_fields: bool = False

    def facts(self, document_id: str) -> Facts:
        """Return what a filter may ask of the document."""
        return Facts(id=document_id, uri=self.uri, struct_data=self.struct_data)

    def chunk(self, document: str, number: int, passage: StoredChunk) -> Chunk:
        """Return *passage*, the one of this *number* from 0, as a chunk of *document*."""
        return Chunk(
            name=names.chunk(document, f"c{number + 1}"),
            document=document,
            title=self.title,
            uri=self.uri,
            text=passage.text,
            headings=passage.headings,
            page=passage.page,
            start_byte=passage.start_byte,
            end_byte=passage.end_byte,
            struct_data=self.struct_data,
            from_fields=self.from_fields,
        )


class PreparedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document as it is put: the resource, what an index needs of it, and its digest."""

    id: str
    document: Document
    passages: IndexContent
    digest: bytes = b""


class StoredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """An `Entry` in the bytes that are stored; a large one is never decoded on the way there."""

    id: str
    document: bytes
    passages: bytes
    digest: bytes = b""


def packed(entry: PreparedDocument | StoredDocument) -> StoredDocument:
    """Return *entry* in the bytes that are stored."""
    if isinstance(entry, StoredDocument):
        return entry
    return StoredDocument(
        id=entry.id,
        document=json_codec.dump(entry.document),
        passages=msgspec.msgpack.encode(entry.passages),
        digest=entry.digest,
    )
