"""``GetProcessedDocument``: a document as it was read (discoveryengine v1alpha)."""

from __future__ import annotations

from sessions.resources.base import Resource
from sessions.resources.enums import Documented


class ProcessedDocumentType(Documented):
    """What of the reading is wanted; only what was parsed is there, which is the default."""

    PROCESSED_DOCUMENT_TYPE_UNSPECIFIED = 0
    PARSED_DOCUMENT = 1
    CHUNKED_DOCUMENT = 2
    PNG_CONVERTED_DOCUMENT = 3


class ProcessedDocumentFormat(Documented):
    """In which form it is wanted; it is JSON."""

    PROCESSED_DOCUMENT_FORMAT_UNSPECIFIED = 0
    JSON = 1


class GetProcessedDocumentRequest(Resource):
    """Read the text of a document."""

    name: str = ""
    processed_document_type: ProcessedDocumentType = (
        ProcessedDocumentType.PROCESSED_DOCUMENT_TYPE_UNSPECIFIED
    )
    processed_document_format: ProcessedDocumentFormat = (
        ProcessedDocumentFormat.PROCESSED_DOCUMENT_FORMAT_UNSPECIFIED
    )


class ProcessedDocument(Resource):
    """The text of a document: ``jsonData`` has its ``title`` and its ``documentLayout.blocks``."""

    document: str = ""
    json_data: str | None = None
