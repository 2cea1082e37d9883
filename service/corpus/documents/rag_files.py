"""Bring files into a corpus: uploaded ones, and those of a folder that stands for buckets.

Both go the one way of `document_import`. A file that is imported again keeps its id, which comes
from where it lies; one that is uploaded again is another file.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from service.corpus import document_ids
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.documents import document_import, folders, rag_file_configs
from service.corpus.documents.document_import import Item, Report
from service.corpus.index import DocumentIndex
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing import document_sources, file_types
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import InvalidArgument, NotFound, Unimplemented
from sessions.resources import rag_files
from sessions.resources.base import Empty
from sessions.resources.rag_files import (
    FileStatus,
    GcsSource,
    ImportRagFilesConfig,
    ImportRagFilesResponse,
    RagFile,
    UploadRagFileConfig,
)


class UploadedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it came: what is said of it, how to cut it, its bytes.

    *id* is that of the file, "" for a new one; the same again replaces it.
    """

    file: RagFile
    config: UploadRagFileConfig = UploadRagFileConfig()
    data: bytes = b""
    filename: str = ""
    mime: str = ""
    id: str = ""


class RagFiles:
    """Uploads and imports files into corpora."""

    def __init__(
        self,
        corpora: RagCorpora,
        documents: DocumentStore,
        parsers: ParsingPool,
        index: DocumentIndex,
        folder: Path | None = None,
    ) -> None:
        """*folder* has a folder for each bucket that can be imported from; None for no import."""
        self._corpora = corpora
        self._documents = documents
        self._parsers = parsers
        self._index = index
        self._folder = folder

    async def upload(self, corpus: str, upload: UploadedFile) -> RagFile:
        """Add a file, which can be retrieved from when this returns.

        Without bytes it is a file that says nothing.

        Raises:
            NotFound: there is no such corpus.
            InvalidArgument: the file cannot be read, or a field cannot be used.
            Unimplemented: it is to be read or described in a way that is not offered.
        """
        await self.check_writable(corpus)
        rag_file_configs.check_upload(upload.file, upload.config)
        size = rag_file_configs.chunk_size(upload.config, "uploadRagFileConfig")
        name = f"{corpus}/ragFiles/{upload.id or names.new_id()}"
        kind = file_types.mime_of(upload.data, mime=upload.mime, filename=upload.filename)
        shown = upload.file.display_name or upload.filename
        source = DocumentSource(
            id=names.last_id(name),
            data=upload.data,
            mime=upload.mime,
            filename=upload.filename,
            title=shown,
            uri=shown,
            fields=document_sources.encoded_fields(
                rag_file_configs.metadata(upload.file.user_metadata)
            ),
        )
        report = await document_import.import_items(
            self._documents, self._parsers, self._index, iter([source]), corpus, chunk_size=size
        )
        if report.failures:
            failure = report.failures[0]
            raise InvalidArgument(
                f"file: {failure.message}", field="file", reason=failure.reason, file=shown
            )
        given = msgspec.structs.replace(upload.file, display_name=shown)
        made = _rag_file(name, given, _type(kind), len(upload.data))
        made = msgspec.structs.replace(made, direct_upload_source=Empty())
        await self._corpora.put_files([made])
        return made

    async def check_writable(self, corpus: str) -> None:
        """Refuse files to a corpus that is not there or has none of its own.

        Raises:
            NotFound: there is no such corpus.
            InvalidArgument: it retrieves from a serving config.
        """
        if (await self._corpora.get(corpus)).vertex_ai_search_config is not None:
            raise InvalidArgument(
                "parent: this corpus retrieves from a serving config and takes no files",
                field="parent",
            )

    async def import_files(
        self,
        corpus: str,
        config: ImportRagFilesConfig,
        progress: Callable[[Report], None] | None = None,
    ) -> ImportRagFilesResponse:
        """Import what *config* names; files that did not change are skipped.

        Raises:
            Unimplemented: the source, or a part of *config*, is not offered here.
            NotFound: there is nothing at one of the addresses.
        """
        rag_file_configs.check_offered(config)
        places = [self._located(uri) for uri in (config.gcs_source or GcsSource()).uris]
        files: dict[str, RagFile] = {}

        def rename(source: DocumentSource) -> DocumentSource:
            file, own = _rag_file_at(source, corpus)
            files[own.id] = file
            return own

        report = await document_import.import_items(
            self._documents,
            self._parsers,
            self._index,
            _items(places),
            corpus,
            chunk_size=rag_file_configs.chunk_size(config, "importRagFilesConfig"),
            progress=progress,
            rename=rename,
        )
        stored = await self._documents.digests(corpus, list(files))
        await self._corpora.put_files([file for i, file in files.items() if i in stored])
        return ImportRagFilesResponse(
            imported_rag_files_count=str(report.succeeded - report.unchanged),
            failed_rag_files_count=str(report.failed),
            skipped_rag_files_count=str(report.unchanged),
        )

    async def delete(self, name: str) -> None:
        """Delete the file *name*; nothing is retrieved from it when this returns.

        Raises:
            NotFound: there is none of this name.
        """
        await self._corpora.delete_file(name)
        await self._index.refresh(names.parent(name))

    async def delete_corpus(self, name: str) -> None:
        """Delete the corpus *name* with its files; nothing is retrieved when this returns.

        Raises:
            NotFound: there is none of this name.
        """
        await self._corpora.delete(name)
        await self._index.refresh(name)

    def _located(self, uri: str) -> tuple[Path, str]:
        """Return where the file or folder at *uri* really lies."""
        if self._folder is None:
            raise Unimplemented(
                "importing is off; name a folder that stands for gs:// in COLLOQUY_IMPORT_DIR, "
                "or upload the files",
                reason="IMPORT_OFF",
            )
        root = self._folder.resolve()
        bucket, _, key = uri.removeprefix("gs://").partition("/")
        absent = NotFound(f"there is nothing at '{uri[:200]}'", resource=uri[:200])
        try:
            path = (root / bucket / key).resolve()
            # What links lead to is as outside as what dots lead to.
            if path.is_relative_to(root / bucket) and path.exists():
                return path, uri.rstrip("/")
        except (OSError, ValueError) as exc:  # a name that no file can have
            raise absent from exc
        raise absent


def _items(places: Sequence[tuple[Path, str]]) -> Iterator[Item]:
    """Yield what lies at *places*."""
    for path, uri in places:
        yield from folders.items(path, uri if path.is_dir() else uri.rpartition("/")[0])


def _rag_file_at(source: DocumentSource, corpus: str) -> tuple[RagFile, DocumentSource]:
    """Return what a file, or a line of one, is as a file of *corpus*, and what to read of it."""
    # Several documents of one file have addresses, or none, of their own.
    own = source.uri if source.uri.startswith("gs://") else f"{source.base}#{source.id}"
    file_id = document_ids.from_address(own)
    shown = PurePosixPath(source.filename or own).name
    kind = file_types.mime_of(source.data, mime=source.mime, filename=source.filename)
    kept = _rag_file(
        f"{corpus}/ragFiles/{file_id}", RagFile(display_name=shown), _type(kind), len(source.data)
    )
    file = msgspec.structs.replace(kept, gcs_source=GcsSource(uris=(own,)))
    return file, msgspec.structs.replace(source, id=file_id, title=shown, uri=own)


def _type(mime: str) -> rag_files.RagFileType:
    is_pdf = mime == "application/pdf"
    kinds = rag_files.RagFileType
    return kinds.RAG_FILE_TYPE_PDF if is_pdf else kinds.RAG_FILE_TYPE_TXT


def _rag_file(name: str, given: RagFile, kind: rag_files.RagFileType, size: int) -> RagFile:
    """Return the file *name* as it is kept, but for where it came from."""
    now = dt.datetime.now(dt.UTC)
    return RagFile(
        name=name,
        display_name=given.display_name,
        description=given.description,
        user_metadata=given.user_metadata,
        create_time=now,
        update_time=now,
        file_status=FileStatus(state=rag_files.State.ACTIVE),
        size_bytes=str(size),
        rag_file_type=kind,
    )
