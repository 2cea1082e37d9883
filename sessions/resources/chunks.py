"""The ``Chunk`` resource: the retrievable piece of a document (discoveryengine)."""

from __future__ import annotations

from sessions.resources.base import Int32, Resource, Struct


class DocumentMetadata(Resource):
    """Metadata of the document that the chunk comes from."""

    uri: str = ""
    title: str = ""
    struct_data: Struct | None = None
    mime_type: str = ""


class PageSpan(Resource):
    """First and last page of the chunk, both 1-based and inclusive."""

    page_start: Int32 = 0
    page_end: Int32 = 0


class ChunkMetadata(Resource):
    """The chunk's neighbours in its document."""

    previous_chunks: tuple[Chunk, ...] = ()
    next_chunks: tuple[Chunk, ...] = ()


class Chunk(Resource):
    """A retrievable piece of a document."""

    name: str = ""
    id: str = ""
    content: str = ""
    relevance_score: float | None = None
    document_metadata: DocumentMetadata | None = None
    derived_struct_data: Struct | None = None
    page_span: PageSpan | None = None
    chunk_metadata: ChunkMetadata | None = None
    data_urls: tuple[str, ...] = ()
    annotation_contents: tuple[str, ...] = ()
    annotation_metadata: tuple[Struct, ...] = ()
