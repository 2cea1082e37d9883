"""The ``Document`` resource, import and purge (discoveryengine)."""

from __future__ import annotations

from sessions.resources import operations
from sessions.resources.base import (
    FieldMask,
    Int32,
    Int64,
    Resource,
    Struct,
    Timestamp,
    at_most_one,
)
from sessions.resources.enums import Documented


class ReconciliationMode(Documented):
    """What an import does with documents that the source lacks."""

    RECONCILIATION_MODE_UNSPECIFIED = 0
    INCREMENTAL = 1
    FULL = 2


class Content(Resource):
    """The document's file: bytes of a media type, or where they lie."""

    raw_bytes: bytes | None = None
    uri: str | None = None
    mime_type: str = ""

    def __post_init__(self) -> None:
        at_most_one(
            "content",
            rawBytes=self.raw_bytes,
            uri=self.uri,
        )


class Principal(Resource):
    """A user or a group that may read a document."""

    user_id: str | None = None
    group_id: str | None = None
    external_entity_id: str | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "principal",
            userId=self.user_id,
            groupId=self.group_id,
            externalEntityId=self.external_entity_id,
        )


class AccessRestriction(Resource):
    """Who may read a document: any of these; several restrictions hold together."""

    principals: tuple[Principal, ...] = ()
    idp_wide: bool = False


class AclInfo(Resource):
    """Access control of a document; it counts in data stores with ``aclEnabled``."""

    readers: tuple[AccessRestriction, ...] = ()


class IndexStatus(Resource):
    """How far indexing of a document is."""

    index_time: Timestamp | None = None
    error_samples: tuple[operations.Status, ...] = ()
    pending_message: str = ""


class Document(Resource):
    """What was imported, as it was given, and what was derived from it."""

    struct_data: Struct | None = None
    json_data: str | None = None
    name: str = ""
    id: str = ""
    schema_id: str = ""
    content: Content | None = None
    parent_document_id: str = ""
    derived_struct_data: Struct | None = None
    acl_info: AclInfo | None = None
    index_time: Timestamp | None = None
    index_status: IndexStatus | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "data",
            structData=self.struct_data,
            jsonData=self.json_data,
        )


class CreateDocumentRequest(Resource):
    """Add a document under ``document_id``."""

    parent: str = ""
    document: Document | None = None
    document_id: str = ""


class ListDocumentsRequest(Resource):
    """Read one page of the documents of a branch."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""


class ListDocumentsResponse(Resource):
    """One page of documents."""

    documents: tuple[Document, ...] = ()
    next_page_token: str = ""


class UpdateDocumentRequest(Resource):
    """Overwrite a document, or create it with ``allow_missing``."""

    document: Document | None = None
    allow_missing: bool = False
    update_mask: FieldMask = ""


class InlineSource(Resource):
    """Documents in the request itself."""

    documents: tuple[Document, ...] = ()


class GcsSource(Resource):
    """Files in a bucket, for which a configured folder may stand."""

    input_uris: tuple[str, ...] = ()
    data_schema: str = ""


class ErrorConfig(Resource):
    """Where the full list of errors goes; also the purge's."""

    gcs_prefix: str | None = None


class ImportDocumentsRequest(Resource):
    """Import many documents as one operation."""

    inline_source: InlineSource | None = None
    gcs_source: GcsSource | None = None
    bigquery_source: Struct | None = None
    fhir_store_source: Struct | None = None
    spanner_source: Struct | None = None
    cloud_sql_source: Struct | None = None
    firestore_source: Struct | None = None
    alloy_db_source: Struct | None = None
    bigtable_source: Struct | None = None
    parent: str = ""
    error_config: ErrorConfig | None = None
    reconciliation_mode: ReconciliationMode = ReconciliationMode.RECONCILIATION_MODE_UNSPECIFIED
    update_mask: FieldMask = ""
    auto_generate_ids: bool = False
    id_field: str = ""
    force_refresh_content: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "source",
            inlineSource=self.inline_source,
            gcsSource=self.gcs_source,
            bigquerySource=self.bigquery_source,
            fhirStoreSource=self.fhir_store_source,
            spannerSource=self.spanner_source,
            cloudSqlSource=self.cloud_sql_source,
            firestoreSource=self.firestore_source,
            alloyDbSource=self.alloy_db_source,
            bigtableSource=self.bigtable_source,
        )


class ImportDocumentsResponse(Resource):
    """What an import that ended says of its errors."""

    error_samples: tuple[operations.Status, ...] = ()
    error_config: ErrorConfig | None = None


class ImportDocumentsMetadata(Resource):
    """How far an import is; success and failure add up to the total."""

    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    success_count: Int64 = "0"
    failure_count: Int64 = "0"
    total_count: Int64 = "0"


class PurgeSource(Resource):
    """Names of the documents to purge."""

    documents: tuple[str, ...] = ()


class PurgeDocumentsRequest(Resource):
    """Delete, or with ``force`` unset only count, many documents."""

    gcs_source: GcsSource | None = None
    inline_source: PurgeSource | None = None
    parent: str = ""
    filter: str = ""
    error_config: ErrorConfig | None = None
    force: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "source",
            gcsSource=self.gcs_source,
            inlineSource=self.inline_source,
        )


class PurgeDocumentsResponse(Resource):
    """What a purge deleted or would delete."""

    purge_count: Int64 = "0"
    purge_sample: tuple[str, ...] = ()


class PurgeDocumentsMetadata(Resource):
    """How far a purge is."""

    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    success_count: Int64 = "0"
    failure_count: Int64 = "0"
    ignored_count: Int64 = "0"
