"""Make of a file or a document resource what the store keeps: text, chunks, title, link."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from service.corpus import chunking, languages, parsing
from service.corpus.bodies import Limits, ParsedDocument, Unreadable
from service.corpus.formats import json_lines
from service.corpus.store import Entry, Passage, Passages
from sessions import names
from sessions.resources.documents import Content, Document, IndexStatus

VERSION: Final = 1
"""Of how documents are read and cut: another one makes every re-import read them anew."""
TITLE_LENGTH: Final = 500

_LIMITS: Final = Limits()
_OPTIONS: Final = msgspec.json.Encoder(order="deterministic")


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A document before it is read: *data* in the format *mime*, or as *filename* tells.

    *resource* is the document as a client gave it, to be kept so.
    """

    id: str
    data: bytes = b""
    mime: str = ""
    filename: str = ""
    title: str = ""
    uri: str = ""
    struct_data: Mapping[str, Any] = {}
    resource: Document | None = None


def source_of(document: Document) -> Source:
    """Return what a document resource holds to be read (api.md 7.3).

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
    return Source(
        id=document.id,
        data=data,
        mime=mime,
        title=_text(struct, "title"),
        uri=link,
        struct_data=struct,
        resource=document,
    )


def digest(source: Source, *, chunk_size: int) -> bytes:
    """Return what is equal only where importing *source* again would change nothing."""
    resource = (
        b""
        if source.resource is None
        else msgspec.json.encode(
            msgspec.structs.replace(source.resource, index_time=None, index_status=None),
            enc_hook=str,
        )
    )
    described = _OPTIONS.encode(
        [VERSION, chunk_size, source.mime, source.filename, source.title, source.uri]
    )
    hashed = hashlib.blake2b(described, digest_size=16)
    for part in (_OPTIONS.encode(source.struct_data), resource, source.data):
        hashed.update(len(part).to_bytes(8) + part)
    return hashed.digest()


def entry(
    source: Source,
    data_store: str,
    *,
    now: dt.datetime,
    chunk_size: int = chunking.SIZE,
    limits: Limits = _LIMITS,
) -> Entry:
    """Read *source* and return it as the store keeps it; blocks, so call it in a thread.

    Raises:
        Unreadable: the file cannot be read.
    """
    parsed = parsing.parse(source.data, mime=source.mime, filename=source.filename, limits=limits)
    title = (source.title or parsed.title or source.id)[:TITLE_LENGTH]
    struct = dict(source.struct_data or parsed.struct_data)
    uri = source.uri or parsed.uri
    return Entry(
        id=source.id,
        document=_resource(source, data_store, title=title, uri=uri, struct=struct, now=now),
        passages=Passages(
            title=title,
            uri=uri,
            language=languages.base(parsed.language) or languages.detect(parsed.body),
            struct_data=struct,
            passages=tuple(_passages(parsed, chunk_size)),
            from_fields=source.resource is not None and source.resource.content is None,
        ),
        digest=digest(source, chunk_size=chunk_size),
    )


def relabelled(document: Document, data_store: str, stored: Passages, *, now: dt.datetime) -> Entry:
    """Return the entry of a document that has its text as *stored*, its fields as *document*."""
    struct = _struct_data(document)
    link = document.content.uri if document.content else None
    source = Source(
        id=document.id,
        title=(_text(struct, "title") or stored.title or document.id)[:TITLE_LENGTH],
        uri=_text(struct, "uri", "url", "link") or link or stored.uri,
        resource=document,
    )
    return Entry(
        id=document.id,
        document=_resource(
            source, data_store, title=source.title, uri=source.uri, struct=struct, now=now
        ),
        passages=msgspec.structs.replace(
            stored, title=source.title, uri=source.uri, struct_data=struct
        ),
        # The digest of no file: the next import reads it again.
        digest=b"relabelled",
    )


def _passages(parsed: ParsedDocument, chunk_size: int) -> list[Passage]:
    body = parsed.body.encode()
    passages = [
        Passage(
            text=body[span.start : span.end].decode(),
            headings=span.headings,
            page=span.page,
            start_byte=span.start,
            end_byte=span.end,
        )
        for span in chunking.chunk(parsed, size=chunk_size)
    ]
    # A document without text is still found by its title and fields.
    return passages or [Passage(text="", headings=(), page=0, start_byte=0, end_byte=0)]


def _resource(
    source: Source,
    data_store: str,
    *,
    title: str,
    uri: str,
    struct: dict[str, Any],
    now: dt.datetime,
) -> Document:
    given = source.resource or Document(
        struct_data=struct or None,
        content=Content(
            uri=uri or None,
            mime_type=parsing.mime_of(source.data, mime=source.mime, filename=source.filename),
        ),
    )
    return msgspec.structs.replace(
        given,
        name=names.document(data_store, source.id),
        id=source.id,
        schema_id=given.schema_id or "default_schema",
        derived_struct_data={"title": title, "link": uri},
        index_time=now,
        index_status=IndexStatus(index_time=now),
    )


def _struct_data(document: Document) -> dict[str, Any]:
    if document.json_data is None:
        return document.struct_data or {}
    try:
        return msgspec.json.decode(document.json_data, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise Unreadable("INVALID_JSON", f"jsonData is not a JSON object: {exc}") from exc


def _text(struct: Mapping[str, Any], *fields: str) -> str:
    return next((struct[f] for f in fields if isinstance(struct.get(f), str) and struct[f]), "")
