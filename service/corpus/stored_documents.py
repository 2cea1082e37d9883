"""The form in which documents are stored: their resource, and what an index needs of them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from service.blocks import Block
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
    blocks: tuple[Block, ...] = ()
    last_page: int = 0


class IndexContent(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """What an index needs of a document.

    It is stored as an array: new fields go to the end, with a default, and none changes its place,
    or what was imported before could not be read.
    """

    title: str
    uri: str = ""
    language: str = ""
    struct_data: dict[str, Any] = {}
    chunks: tuple[StoredChunk, ...] = ()
    from_fields: bool = False
    left_out: tuple[tuple[int, Block], ...] = ()
    """Blocks that `documents.furniture` took out of their chunks, each with the chunk's number."""
    stated: dict[str, str] = {}
    """What its file says of itself (`publication.statements`): *struct_data* has it as well."""
    readers: tuple[tuple[str, ...], ...] = ()
    """Who may read it, where its data store asks for that (`document_access.readers`)."""

    def facts(self, document_id: str) -> Facts:
        """Return what a filter may ask of the document."""
        return Facts(
            id=document_id, uri=self.uri, struct_data=self.struct_data, readers=self.readers
        )

    def chunk(self, document: str, number: int, stored: StoredChunk) -> Chunk:
        """Return *stored*, the chunk of this *number* from 0, as a chunk of *document*."""
        return Chunk(
            name=names.chunk(document, f"c{number + 1}"),
            document=document,
            title=self.title,
            uri=self.uri,
            text=stored.text,
            headings=stored.headings,
            page=stored.page,
            last_page=stored.last_page or stored.page,
            number=number,
            blocks=stored.blocks,
            start_byte=stored.start_byte,
            end_byte=stored.end_byte,
            struct_data=self.struct_data,
            from_fields=self.from_fields,
        )


class StoredFigure(msgspec.Struct, frozen=True, kw_only=True):
    """An image of a document as it is stored, and the number of the chunk that it stands in."""

    chunk: int
    digest: bytes
    mime: str
    size: int
    data: bytes = b""


class StoredDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document in the bytes that are stored.

    The service never decodes a large one on its way: it comes so from the process that read it.
    *digest* is that of its source (`document_sources.digest`), b"" where the next import is to
    read it anew. *figures* are its images, None where those that are stored stay as they are.
    """

    id: str
    document: bytes
    content: bytes
    digest: bytes = b""
    figures: tuple[StoredFigure, ...] | None = None


_CONTENT: Final = msgspec.msgpack.Decoder(IndexContent)


def pack(document: Document, content: IndexContent) -> StoredDocument:
    """Return *document* and its *content* in the bytes that are stored."""
    return StoredDocument(
        id=document.id,
        document=json_codec.dump(document),
        content=msgspec.msgpack.encode(content),
    )


def unpack(content: bytes) -> IndexContent | None:
    """Return what an index needs of a document, None where what is stored of it is damaged."""
    try:
        return _CONTENT.decode(content)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
