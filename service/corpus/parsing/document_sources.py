"""What there is of a document before it is read: its bytes, and what was said of it.

Nothing of it is decoded here, since what a stranger's JSON decodes to may be a hundred times as
large: so all of this may run in the service itself, and `prepared_documents` may not.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from sessions.codec import json_codec
from sessions.resources.documents import AclInfo, Document

VERSION: Final = 11
"""Of how documents are read and cut: with another one every re-import reads them anew."""
RELABELLED: Final = b"relabelled"
"""The digest of no source, for a document whose fields changed and whose text did not: the next
import of its file reads it again."""
_VERSIONED: Final = re.compile(rb"v(\d{1,9}):")

_ENCODER: Final = msgspec.json.Encoder(order="deterministic")


class BesideFile(msgspec.Struct, frozen=True):
    """An image that lies beside a document, at this *path* from there."""

    path: str
    data: bytes = b""


class DocumentSource(msgspec.Struct, frozen=True, kw_only=True):
    """A document before it is read: *data* in the format *mime*, or as *filename* tells."""

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
    files: tuple[BesideFile, ...] = ()
    """The images that it may show."""
    acl_info: AclInfo | None = None
    """Who may read it, where that is said beside it and not in *resource*."""

    @property
    def size(self) -> int:
        """Bytes that there are to read."""
        own = len(self.data) + len(self.fields) + len(self.resource)
        return own + sum(len(file.data) for file in self.files)


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


def of_document(document: Document) -> DocumentSource:
    """Return *document*, as a client gave it, to be read."""
    # A client that sends back what it has read sends these along: they would change the digest of
    # a document that did not change.
    given = msgspec.structs.replace(document, index_time=None, index_status=None)
    return DocumentSource(id=document.id, resource=json_codec.dump(given))


def encoded_fields(fields: Mapping[str, Any]) -> bytes:
    """Return the JSON of structured data, the same for equal ones; b"" for none."""
    return _ENCODER.encode(fields) if fields else b""


def digest(source: DocumentSource, *, chunk_size: int) -> bytes:
    """Return what is equal only where importing *source* again would change nothing."""
    # VERSION and the size of chunks are part of it: who changes how documents are read or cut
    # wants them read anew, though their bytes are the same.
    described = _ENCODER.encode(
        [
            VERSION,
            chunk_size,
            source.mime,
            source.filename,
            source.title,
            source.uri,
            source.acl_info,
        ]
    )
    hashed = hashlib.blake2b(described, digest_size=16)
    files = (part for file in source.files for part in (file.path.encode(), file.data))
    for part in (source.fields, source.resource, source.data, *files):
        # With its length, or bytes that move from one part to the next would change nothing.
        hashed.update(len(part).to_bytes(8))
        hashed.update(part)
    return b"v%d:%b" % (VERSION, hashed.digest())


def is_outdated(stored: bytes) -> bool:
    """Tell whether the document of this digest was read by an earlier version than this."""
    told = _VERSIONED.match(stored)
    return stored not in (b"", RELABELLED) and (told is None or int(told[1]) < VERSION)
