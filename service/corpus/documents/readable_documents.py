"""Show the text of a document to who may read it, block by block as it was parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.catalogue import branches
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, DocumentIndex
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import Unimplemented
from sessions.resources.processed_documents import (
    GetProcessedDocumentRequest,
    ProcessedDocument,
    ProcessedDocumentType,
)

_HEADS: Final = frozenset({BlockKind.HEADING, BlockKind.QUESTION})
_TYPES: Final = {
    BlockKind.ITEM: "list-item",
    BlockKind.ROW: "table-row",
    BlockKind.CODE: "code",
    BlockKind.FIGURE: "caption",
}
"""What is no ``paragraph`` and no ``heading-1`` to ``heading-6``."""
_DEEPEST: Final = 6


class ReadableDocuments:
    """The texts of the documents of all data stores; names are canonical."""

    def __init__(self, store: DocumentStore, index: DocumentIndex, catalogue: Catalogue) -> None:
        self._store = store
        self._index = index
        self._catalogue = catalogue

    async def check(self, name: str, viewer: Viewer) -> None:
        """Refuse to tell *viewer* of the document *name* where it is not there for them.

        Raises:
            NotFound: it is not.
        """
        branch = await branches.read(self._catalogue, names.parent(name))
        sees = await self._index.sight((branch.data_store,), viewer)
        # Before it is read: one that is hidden is to take no longer than one that is not there.
        if sees is not None and not sees(name):
            raise names.absent(name)
        if not await self._store.read(name):
            raise names.absent(name)

    async def get(self, request: GetProcessedDocumentRequest, viewer: Viewer) -> ProcessedDocument:
        """Return the text of the document that *request* names.

        Raises:
            NotFound: there is none for *viewer*.
            Unimplemented: (``processedDocumentType``) something else than what was parsed.
        """
        if request.processed_document_type not in (
            ProcessedDocumentType.PROCESSED_DOCUMENT_TYPE_UNSPECIFIED,
            ProcessedDocumentType.PARSED_DOCUMENT,
        ):
            field = "processedDocumentType"
            raise Unimplemented(
                f"{field}: ask for PARSED_DOCUMENT", reason="UNSUPPORTED_FORMAT", field=field
            )
        await self.check(request.name, viewer)
        chunks = await self._store.chunks(request.name)
        layout = {
            "title": chunks[0].title if chunks else "",
            "uri": chunks[0].uri if chunks else "",
            "documentLayout": {"blocks": list(_blocks(chunks))},
        }
        return ProcessedDocument(
            document=request.name, json_data=msgspec.json.encode(layout).decode()
        )


def _blocks(chunks: Sequence[Chunk]) -> Iterator[dict[str, Any]]:
    """Yield the blocks of *chunks* in the form of Document AI's ``DocumentLayoutBlock``."""
    number = 0
    for chunk in chunks:
        for block in chunk.blocks or (Block(BlockKind.TEXT, 0, len(chunk.text)),):
            number += 1
            text = {"text": chunk.text[block.start : block.end], "type": _type(block)}
            if page := block.page or chunk.page:
                span = {"pageSpan": {"pageStart": page, "pageEnd": page}}
            else:
                span = {}
            yield {"blockId": str(number), "textBlock": text, **span}


def _type(block: Block) -> str:
    if block.kind in _HEADS:
        return f"heading-{min(max(block.level, 1), _DEEPEST)}"
    return _TYPES.get(block.kind, "paragraph")
