"""The ``RagFile`` resource, upload and import (aiplatform v1beta1)."""

from __future__ import annotations

from sessions.resources import operations, rag_corpora
from sessions.resources.base import Empty, Int32, Int64, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class State(Documented):
    """Whether a file can be retrieved from."""

    STATE_UNSPECIFIED = 0
    ACTIVE = 1
    ERROR = 2


class RagFileType(Documented):
    """What kind of file it is."""

    RAG_FILE_TYPE_UNSPECIFIED = 0
    RAG_FILE_TYPE_TXT = 1
    RAG_FILE_TYPE_PDF = 2


class GcsSource(Resource):
    """Files in a bucket, for which a configured folder may stand."""

    uris: tuple[str, ...] = ()


class FileStatus(Resource):
    """Whether a file can be retrieved from, and else why not."""

    state: State = State.STATE_UNSPECIFIED
    error_status: str = ""


class RagFile(Resource):
    """A file of a corpus."""

    gcs_source: GcsSource | None = None
    google_drive_source: Struct | None = None
    direct_upload_source: Empty | None = None
    slack_source: Struct | None = None
    jira_source: Struct | None = None
    share_point_sources: Struct | None = None
    name: str = ""
    display_name: str = ""
    description: str = ""
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    file_status: FileStatus | None = None
    size_bytes: Int64 = "0"
    rag_file_type: RagFileType = RagFileType.RAG_FILE_TYPE_UNSPECIFIED
    user_metadata: str = ""

    def __post_init__(self) -> None:
        at_most_one(
            "rag_file_source",
            gcsSource=self.gcs_source,
            googleDriveSource=self.google_drive_source,
            directUploadSource=self.direct_upload_source,
            slackSource=self.slack_source,
            jiraSource=self.jira_source,
            sharePointSources=self.share_point_sources,
        )


class FixedLengthChunking(Resource):
    """Chunks of ``chunk_size`` tokens that overlap."""

    chunk_size: Int32 = 0
    chunk_overlap: Int32 = 0


class RagFileChunkingConfig(Resource):
    """How a file is cut into chunks."""

    fixed_length_chunking: FixedLengthChunking | None = None
    chunk_size: Int32 = 0
    chunk_overlap: Int32 = 0


class RagFileTransformationConfig(Resource):
    """How a file becomes chunks."""

    rag_file_chunking_config: RagFileChunkingConfig | None = None


class UploadRagFileConfig(Resource):
    """How an uploaded file is read."""

    rag_file_transformation_config: RagFileTransformationConfig | None = None
    rag_file_chunking_config: RagFileChunkingConfig | None = None
    rag_file_metadata_config: Struct | None = None
    rag_file_parsing_config: Struct | None = None


class UploadRagFileRequest(Resource):
    """Add one file to a corpus."""

    parent: str = ""
    rag_file: RagFile | None = None
    upload_rag_file_config: UploadRagFileConfig | None = None


class UploadRagFileResponse(Resource):
    """The file, or why it was not taken."""

    rag_file: RagFile | None = None
    error: operations.Status | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "result",
            ragFile=self.rag_file,
            error=self.error,
        )


class ImportRagFilesConfig(Resource):
    """Which files to import, and how."""

    gcs_source: GcsSource | None = None
    google_drive_source: Struct | None = None
    slack_source: Struct | None = None
    jira_source: Struct | None = None
    share_point_sources: Struct | None = None
    partial_failure_gcs_sink: Struct | None = None
    partial_failure_bigquery_sink: Struct | None = None
    import_result_gcs_sink: Struct | None = None
    import_result_bigquery_sink: Struct | None = None
    rag_file_transformation_config: RagFileTransformationConfig | None = None
    rag_file_parsing_config: Struct | None = None
    max_embedding_requests_per_min: Int32 = 0
    rebuild_ann_index: bool = False
    rag_file_chunking_config: RagFileChunkingConfig | None = None
    rag_file_metadata_config: Struct | None = None
    global_max_embedding_requests_per_min: Int32 = 0

    def __post_init__(self) -> None:
        at_most_one(
            "import_source",
            gcsSource=self.gcs_source,
            googleDriveSource=self.google_drive_source,
            slackSource=self.slack_source,
            jiraSource=self.jira_source,
            sharePointSources=self.share_point_sources,
        )
        at_most_one(
            "partial_failure_sink",
            partialFailureGcsSink=self.partial_failure_gcs_sink,
            partialFailureBigquerySink=self.partial_failure_bigquery_sink,
        )
        at_most_one(
            "import_result_sink",
            importResultGcsSink=self.import_result_gcs_sink,
            importResultBigquerySink=self.import_result_bigquery_sink,
        )


class ImportRagFilesRequest(Resource):
    """Import many files as one operation."""

    parent: str = ""
    import_rag_files_config: ImportRagFilesConfig | None = None


class ImportRagFilesResponse(Resource):
    """How many files were imported."""

    partial_failures_gcs_path: str | None = None
    partial_failures_bigquery_table: str | None = None
    imported_rag_files_count: Int64 = "0"
    failed_rag_files_count: Int64 = "0"
    skipped_rag_files_count: Int64 = "0"

    def __post_init__(self) -> None:
        at_most_one(
            "partial_failure_sink",
            partialFailuresGcsPath=self.partial_failures_gcs_path,
            partialFailuresBigqueryTable=self.partial_failures_bigquery_table,
        )


class ImportRagFilesOperationMetadata(Resource):
    """How far an import is."""

    generic_metadata: rag_corpora.GenericOperationMetadata | None = None
    rag_corpus_id: Int64 = "0"
    import_rag_files_config: ImportRagFilesConfig | None = None
    progress_percentage: Int32 = 0


class ListRagFilesRequest(Resource):
    """Read one page of the files of a corpus."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""


class ListRagFilesResponse(Resource):
    """One page of files."""

    rag_files: tuple[RagFile, ...] = ()
    next_page_token: str = ""


class DeleteRagFileRequest(Resource):
    """Delete a file."""

    name: str = ""
    force_delete: bool = False
