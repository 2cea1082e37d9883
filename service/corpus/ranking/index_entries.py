"""What is kept of a document and of its chunks, in the indexes and beside them."""

from __future__ import annotations

from typing import Final

import msgspec

from service.corpus.stored_documents import IndexContent, StoredChunk

FIELDS: Final = ("title", "headings", "body")
"""The fields of a chunk that have terms; a whole document has no headings."""


class DocumentAttributes(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is kept of a document outside the indexes.

    *content* is without its chunks; *digest* tells whether what is stored is what was indexed.
    *questions* are its headings that ask something.
    """

    id: str
    content: IndexContent
    chunks: int
    digest: bytes = b""
    questions: tuple[str, ...] = ()


class Payload(msgspec.Struct, frozen=True, array_like=True):
    """What is stored with a chunk in its index: its place in the document, from 0, and itself.

    *body* are its terms in order, *above* those of its title and headings, all set apart by spaces:
    whoever judges a chunk need not stem it again, which takes as long as to find it.
    """

    number: int
    stored: StoredChunk
    body: str
    above: str


PAYLOAD: Final = msgspec.msgpack.Decoder(Payload)
