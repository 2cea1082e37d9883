"""Make of a document's source what the store keeps: text, chunks, title, link.

`prepare` decodes what a stranger wrote, so the service calls it in a child process only.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from service.corpus import document_access, publication, stored_documents
from service.corpus.parsing import chunking, document_sources, file_types, parsing
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable
from service.corpus.stored_documents import IndexContent, StoredChunk, StoredDocument, StoredFigure
from service.language import detection, tags
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.documents import Content, Document, IndexStatus

TITLE_LENGTH: Final = 500

_LIMITS: Final = BodyLimits()


def prepare(
    source: DocumentSource,
    data_store: str,
    *,
    now: dt.datetime,
    chunk_size: int = chunking.SIZE,
    limits: BodyLimits = _LIMITS,
) -> StoredDocument:
    """Read *source* and return it as the store keeps it, but for its digest.

    It takes what time and memory the file takes, so the service does it in a child process.

    Raises:
        Unreadable: the file cannot be read.
    """
    resource: Document | None = None
    if source.resource:
        resource = json_codec.load(Document, source.resource)
        source = _source_within(resource)
    mime = file_types.mime_of(source.data, mime=source.mime, filename=source.filename)
    parsed = _parsed(source, mime, limits)
    title = (source.title or parsed.title or source.id)[:TITLE_LENGTH]
    struct = _fields(source, parsed)
    uri = source.uri or parsed.uri
    given = resource or Document(
        struct_data=struct or None,
        content=Content(uri=uri or None, mime_type=mime),
        acl_info=source.acl_info,
    )
    chunks = tuple(_chunks(parsed, chunk_size, limits))
    made = stored_documents.pack(
        _resource(
            given, source.id, data_store, title=title, uri=uri, stated=parsed.properties, now=now
        ),
        IndexContent(
            title=title,
            uri=uri,
            language=tags.base(parsed.language) or detection.detect(parsed.body),
            struct_data=publication.joined(struct, parsed.properties),
            chunks=chunks,
            from_fields=resource is not None and resource.content is None,
            stated=dict(parsed.properties),
            readers=document_access.readers(given.acl_info),
        ),
    )
    # Nothing shows the images of RAG corpora, so there they would only take memory.
    figures = () if "/ragCorpora/" in data_store else tuple(_figures(parsed, chunks))
    return msgspec.structs.replace(made, figures=figures)


def _parsed(source: DocumentSource, mime: str, limits: BodyLimits) -> ParsedDocument:
    return parsing.parse(
        source.data,
        mime=mime,
        filename=source.filename,
        limits=limits,
        files={file.path: file.data for file in source.files},
    )


def _fields(source: DocumentSource, parsed: ParsedDocument) -> dict[str, Any]:
    """Return the fields that come with *source*, or else those in it.

    Raises:
        Unreadable: they are too many for every replica to hold in memory, decoded.
    """
    struct = msgspec.json.decode(source.fields, type=dict[str, Any]) if source.fields else {}
    struct = dict(struct or parsed.struct_data)
    _bounded(json_codec.check, document_sources.encoded_fields(struct))
    return struct


def _bounded(check: Callable[[bytes], None], fields: bytes) -> None:
    try:
        check(fields)
    except InvalidArgument as exc:
        raise Unreadable("TOO_LARGE", "its fields hold too many values or nest too deep") from exc


def _source_within(document: Document) -> DocumentSource:
    """Return the source that a document resource holds.

    Raises:
        Unreadable: its content lies elsewhere and it has no fields, or jsonData is no object.
    """
    struct = _struct_data(document)
    content = document.content
    if content is not None and content.raw_bytes is not None:
        data, mime = content.raw_bytes, content.mime_type or "text/plain"
    elif content is not None and content.uri is not None and not struct:
        raise Unreadable("URI_NOT_FETCHED", "content.uri is not fetched: send content.rawBytes")
    else:
        data, mime = json_lines.body_text(struct).encode(), "text/plain"
    link = _text(struct, "uri", "url", "link") or (content.uri if content else "") or ""
    return DocumentSource(
        id=document.id,
        data=data,
        mime=mime,
        title=_text(struct, "title"),
        uri=link,
        fields=document_sources.encoded_fields(struct),
    )


def relabelled(
    document: Document, data_store: str, stored: IndexContent, *, now: dt.datetime
) -> StoredDocument:
    """Return *document* with its text as *stored*, and the title and link of its own fields."""
    struct = _struct_data(document)
    link = document.content.uri if document.content else None
    title = (_text(struct, "title") or stored.title or document.id)[:TITLE_LENGTH]
    uri = _text(struct, "uri", "url", "link") or link or stored.uri
    made = stored_documents.pack(
        _resource(
            document, document.id, data_store, title=title, uri=uri, stated=stored.stated, now=now
        ),
        msgspec.structs.replace(
            stored,
            title=title,
            uri=uri,
            struct_data=publication.joined(struct, stored.stated),
            readers=document_access.readers(document.acl_info),
        ),
    )
    return msgspec.structs.replace(made, digest=document_sources.RELABELLED)


def _chunks(parsed: ParsedDocument, chunk_size: int, limits: BodyLimits) -> list[StoredChunk]:
    body = parsed.body.encode()
    chunks: list[StoredChunk] = []
    left = limits.chunk_bytes
    for span in chunking.chunk(parsed, size=chunk_size):
        # Each chunk repeats the headings that it stands under: a small file may make a large text.
        left -= _OVERHEAD + span.end - span.start + sum(len(h.encode()) for h in span.headings)
        if left < 0:
            raise Unreadable("TOO_LARGE", "the text of the file is too large; split the file")
        chunks.append(
            StoredChunk(
                text=body[span.start : span.end].decode(),
                headings=span.headings,
                page=span.page,
                start_byte=span.start,
                end_byte=span.end,
                blocks=span.blocks,
                last_page=span.last_page,
            )
        )
    # A document without text is still found by its title and fields.
    return chunks or [StoredChunk(text="", headings=(), page=0, start_byte=0, end_byte=0)]


def _figures(parsed: ParsedDocument, chunks: Sequence[StoredChunk]) -> Iterator[StoredFigure]:
    """Yield the images of a document, each with the chunk that it stands in."""
    number = before = at = 0
    for figure in parsed.figures:
        at += len(parsed.body[before : figure.start].encode())
        before = figure.start
        while number + 1 < len(chunks) and chunks[number + 1].start_byte <= at:
            number += 1
        yield StoredFigure(
            chunk=number,
            digest=figure.digest,
            mime=figure.mime,
            size=len(figure.data),
            data=figure.data,
        )


_OVERHEAD: Final = 100
"""About what is stored of a chunk beside its text, in bytes."""


def _resource(
    given: Document,
    document_id: str,
    data_store: str,
    *,
    title: str,
    uri: str,
    stated: Mapping[str, str],
    now: dt.datetime,
) -> Document:
    return msgspec.structs.replace(
        given,
        name=names.document(data_store, document_id),
        id=document_id,
        schema_id=given.schema_id or "default_schema",
        derived_struct_data={"title": title, "link": uri, **stated},
        index_time=now,
        index_status=IndexStatus(index_time=now),
    )


def _struct_data(document: Document) -> dict[str, Any]:
    if document.json_data is None:
        return document.struct_data or {}
    # Some of this is read in the service itself: what is too much must not be decoded first.
    _bounded(json_codec.check_values, document.json_data.encode())
    try:
        return msgspec.json.decode(document.json_data, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise Unreadable("INVALID_JSON", f"jsonData is not a JSON object: {exc}") from exc


def _text(struct: Mapping[str, Any], *fields: str) -> str:
    return next((struct[f] for f in fields if isinstance(struct.get(f), str) and struct[f]), "")
