"""Make of a file or a document resource what the store keeps: text, chunks, title, link."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from service.corpus import document_ids
from service.corpus.parsing import chunking, parsing
from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable
from service.corpus.stored_documents import IndexContent, PreparedDocument, StoredChunk
from service.language import detection
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.documents import Content, Document, IndexStatus

VERSION: Final = 2
"""Of how documents are read and cut: another one makes every re-import read them anew."""
TITLE_LENGTH: Final = 500

_LIMITS: Final = BodyLimits()
_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class DocumentSource(msgspec.Struct, frozen=True, kw_only=True):
    """A document before it is read: *data* in the format *mime*, or as *filename* tells.

    Nothing in it was decoded, since what a stranger's JSON decodes to may be large.
    """

    id: str
    data: bytes = b""
    mime: str = ""
    filename: str = ""
    title: str = ""
    uri: str = ""
    fields: bytes = b""
    """The JSON object of its structured data, if it has any."""
    resource: bytes = b""
    """The JSON of the document as a client gave it, to be kept so; it holds all of the above."""
    base: str = ""
    """The address of what was imported, below which the document lies."""

    @property
    def size(self) -> int:
        """Bytes that there are to read."""
        return len(self.data) + len(self.fields) + len(self.resource)


class JsonLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a file of JSON lines, which is a document of its own."""

    data: bytes = b""
    filename: str
    number: int
    """Its place among the lines of the file, from 1, for who looks for it."""
    ordinal: int
    """Its place among the lines that say something, for its id where it has none."""
    base: str = ""

    @property
    def size(self) -> int:
        """Bytes that there are to read."""
        return len(self.data)


def source_of(document: Document) -> DocumentSource:
    """Return *document*, as a client gave it, to be read.

    When it was indexed is not told by who sends it, and is no reason to read it again.
    """
    given = msgspec.structs.replace(document, index_time=None, index_status=None)
    return DocumentSource(id=document.id, resource=json_codec.dump(given))


def source_of_line(line: JsonLine) -> DocumentSource:
    """Return the document that a line of JSON lines describes; its id is made valid.

    Raises:
        Unreadable: it describes none.
    """
    found = json_lines.read_line(line.data, line.number)
    given = found.id or f"{line.filename}#{line.ordinal}"
    fields = found.struct_data
    own = document_ids.from_given(given)
    if own != given and found.id:
        fields = {**fields, "source_id": given}
    return DocumentSource(
        id=own,
        data=found.data,
        mime=found.mime,
        title=found.title,
        uri=found.uri,
        fields=encoded(fields),
        base=line.base,
    )


def encoded(fields: Mapping[str, Any]) -> bytes:
    """Return the JSON of structured data, the same for equal ones; b"" for none."""
    return _ENCODER.encode(fields) if fields else b""


def digest(source: DocumentSource, *, chunk_size: int) -> bytes:
    """Return what is equal only where importing *source* again would change nothing."""
    described = _ENCODER.encode(
        [VERSION, chunk_size, source.mime, source.filename, source.title, source.uri]
    )
    hashed = hashlib.blake2b(described, digest_size=16)
    for part in (source.fields, source.resource, source.data):
        hashed.update(len(part).to_bytes(8))
        hashed.update(part)
    return hashed.digest()


def entry(
    source: DocumentSource,
    data_store: str,
    *,
    now: dt.datetime,
    chunk_size: int = chunking.SIZE,
    limits: BodyLimits = _LIMITS,
) -> PreparedDocument:
    """Read *source* and return it as the store keeps it.

    It takes what time and memory the file takes, so the service does it in a child process.

    Raises:
        Unreadable: the file cannot be read.
    """
    own = digest(source, chunk_size=chunk_size)
    resource: Document | None = None
    if source.resource:
        resource = json_codec.load(Document, source.resource)
        source = _given(resource)
    parsed = parsing.parse(source.data, mime=source.mime, filename=source.filename, limits=limits)
    title = (source.title or parsed.title or source.id)[:TITLE_LENGTH]
    struct = msgspec.json.decode(source.fields, type=dict[str, Any]) if source.fields else {}
    struct = dict(struct or parsed.struct_data)
    _check(struct)
    uri = source.uri or parsed.uri
    given = resource or Document(
        struct_data=struct or None,
        content=Content(
            uri=uri or None,
            mime_type=parsing.mime_of(source.data, mime=source.mime, filename=source.filename),
        ),
    )
    return PreparedDocument(
        id=source.id,
        document=_resource(given, source.id, data_store, title=title, uri=uri, now=now),
        passages=IndexContent(
            title=title,
            uri=uri,
            language=detection.base(parsed.language) or detection.detect(parsed.body),
            struct_data=struct,
            passages=tuple(_passages(parsed, chunk_size, limits)),
            from_fields=resource is not None and resource.content is None,
        ),
        digest=own,
    )


def _check(struct: Mapping[str, Any]) -> None:
    """Refuse fields that every replica would have to hold in memory, decoded."""
    _bounded(json_codec.check, encoded(struct))


def _bounded(check: Callable[[bytes], None], fields: bytes) -> None:
    try:
        check(fields)
    except InvalidArgument as exc:
        raise Unreadable("TOO_LARGE", "its fields hold too many values or nest too deep") from exc


def _given(document: Document) -> DocumentSource:
    """Return what a document resource holds to be read.

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
        fields=encoded(struct),
    )


def relabelled(
    document: Document, data_store: str, stored: IndexContent, *, now: dt.datetime
) -> PreparedDocument:
    """Return the entry of a document that has its text as *stored*, its fields as *document*."""
    struct = _struct_data(document)
    link = document.content.uri if document.content else None
    title = (_text(struct, "title") or stored.title or document.id)[:TITLE_LENGTH]
    uri = _text(struct, "uri", "url", "link") or link or stored.uri
    return PreparedDocument(
        id=document.id,
        document=_resource(document, document.id, data_store, title=title, uri=uri, now=now),
        passages=msgspec.structs.replace(stored, title=title, uri=uri, struct_data=struct),
        # The digest of no file: the next import reads it again.
        digest=b"relabelled",
    )


def _passages(parsed: ParsedDocument, chunk_size: int, limits: BodyLimits) -> list[StoredChunk]:
    body = parsed.body.encode()
    passages: list[StoredChunk] = []
    left = limits.passage_bytes
    for span in chunking.chunk(parsed, size=chunk_size):
        # Each passage repeats the headings that it stands under.
        left -= _OVERHEAD + span.end - span.start + sum(len(h.encode()) for h in span.headings)
        if left < 0:
            raise Unreadable("TOO_LARGE", "the text of the file is too large; split the file")
        passages.append(
            StoredChunk(
                text=body[span.start : span.end].decode(),
                headings=span.headings,
                page=span.page,
                start_byte=span.start,
                end_byte=span.end,
            )
        )
    # A document without text is still found by its title and fields.
    return passages or [StoredChunk(text="", headings=(), page=0, start_byte=0, end_byte=0)]


_OVERHEAD: Final = 100
"""About what is stored of a passage beside its text, in bytes."""


def _resource(
    given: Document,
    document_id: str,
    data_store: str,
    *,
    title: str,
    uri: str,
    now: dt.datetime,
) -> Document:
    return msgspec.structs.replace(
        given,
        name=names.document(data_store, document_id),
        id=document_id,
        schema_id=given.schema_id or "default_schema",
        derived_struct_data={"title": title, "link": uri},
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
