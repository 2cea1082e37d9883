"""Read how a file is to be brought into a corpus, and refuse what is not offered."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from service.corpus.parsing import chunking
from sessions.errors import InvalidArgument, ServiceError, Unimplemented
from sessions.resources.rag_files import (
    ImportRagFilesConfig,
    RagFile,
    RagFileChunkingConfig,
    RagFileTransformationConfig,
    UploadRagFileConfig,
)

LARGEST_CHUNK: Final = 8_192
"""Tokens that a chunk may be asked to have."""
DISPLAY_NAME: Final = 128

_BUCKET: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")
_OTHER_SOURCES: Final = (
    "google_drive_source",
    "slack_source",
    "jira_source",
    "share_point_sources",
)
_NOT_OFFERED: Final = (
    "partial_failure_gcs_sink",
    "partial_failure_bigquery_sink",
    "import_result_gcs_sink",
    "import_result_bigquery_sink",
    "rag_file_metadata_config",
    "rag_file_parsing_config",
)


def check_import(config: ImportRagFilesConfig | None) -> ImportRagFilesConfig:
    """Return *config* if it can be read.

    Raises:
        InvalidArgument: it names no source, or an address that is none.
    """
    field = "importRagFilesConfig"
    if config is None:
        raise InvalidArgument(f"{field}: say what to import", field=field)
    if any(getattr(config, other) is not None for other in _OTHER_SOURCES):
        return config
    if config.gcs_source is None or not config.gcs_source.uris:
        field = f"{field}.gcsSource.uris"
        raise InvalidArgument(f"{field}: name what to import", field=field)
    for at, uri in enumerate(config.gcs_source.uris):
        if not uri.startswith("gs://") or not _BUCKET.fullmatch(uri[5:].partition("/")[0]):
            field = f"importRagFilesConfig.gcsSource.uris[{at}]"
            raise InvalidArgument(f"{field}: give gs://bucket/path", field=field)
    chunk_size(config, "importRagFilesConfig")
    return config


def check_offered(config: ImportRagFilesConfig) -> None:
    """Refuse sources, sinks and readers that are known and not offered.

    Raises:
        Unimplemented: one of them is named.
    """
    for name in (*_OTHER_SOURCES, *_NOT_OFFERED):
        if _asks(getattr(config, name)):
            raise _not_offered("importRagFilesConfig", name)


def check_upload(file: RagFile, config: UploadRagFileConfig) -> None:
    """Refuse what an uploaded file cannot be, or how it cannot be read.

    Raises:
        InvalidArgument: its name is too long.
        Unimplemented: a way of reading or describing it is named that is not offered.
    """
    for name in ("rag_file_metadata_config", "rag_file_parsing_config"):
        if _asks(getattr(config, name)):
            raise _not_offered("uploadRagFileConfig", name)
    if len(file.display_name) > DISPLAY_NAME:
        field = "ragFile.displayName"
        raise InvalidArgument(f"{field}: at most {DISPLAY_NAME} characters", field=field)


def _asks(value: object) -> bool:
    """Tell whether *value* asks for anything: some clients send all their switches, off."""
    if isinstance(value, dict):
        return any(_asks(each) for each in value.values())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return bool(value)


def _not_offered(where: str, name: str) -> ServiceError:
    head, *rest = name.split("_")
    field = f"{where}.{head}{''.join(part.title() for part in rest)}"
    return Unimplemented(
        f"{field}: this service does not offer it; leave it out", reason="NOT_OFFERED", field=field
    )


def chunk_size(config: UploadRagFileConfig | ImportRagFilesConfig, where: str) -> int:
    """Return the tokens of a chunk; `chunking.SIZE` where *config* does not say."""
    transformation = config.rag_file_transformation_config or RagFileTransformationConfig()
    chunks = (
        transformation.rag_file_chunking_config
        or config.rag_file_chunking_config
        or RagFileChunkingConfig()
    )
    fixed = chunks.fixed_length_chunking
    size, overlap = (
        (fixed.chunk_size, fixed.chunk_overlap)
        if fixed is not None
        else (chunks.chunk_size, chunks.chunk_overlap)
    )
    field = f"{where}.ragFileTransformationConfig.ragFileChunkingConfig.fixedLengthChunking"
    if not 0 <= size <= LARGEST_CHUNK:
        raise InvalidArgument(
            f"{field}.chunkSize: give 1 to {LARGEST_CHUNK}, or 0 for {chunking.SIZE}",
            field=f"{field}.chunkSize",
        )
    if not 0 <= overlap < max(size, chunking.SIZE):
        raise InvalidArgument(
            f"{field}.chunkOverlap: give less than the size of a chunk",
            field=f"{field}.chunkOverlap",
        )
    return size or chunking.SIZE


def metadata(text: str) -> dict[str, Any]:
    """Read what a filter may ask of a file."""
    if not text:
        return {}
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.MsgspecError, RecursionError) as exc:
        field = "ragFile.userMetadata"
        raise InvalidArgument(f"{field}: give one JSON object", field=field) from exc
