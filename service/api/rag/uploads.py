"""Take the bytes of files at ``/upload/…``, in one request (here) or in many (`resumable_uploads`).

However many files come at a time, few are whole in memory: what comes in one request waits on disk,
what comes in many in Redis, until there is a turn to read it (`RequestBodies.files_in_memory`).
"""

from __future__ import annotations

import contextlib
from typing import Any, Final

from litestar import Controller, Response, post
from litestar.di import NamedDependency

from service.api.http import multipart_bodies, versions
from service.api.http.json_bodies import MessageRequest
from service.api.http.request_bodies import RequestBodies, RequestBody
from service.api.rag import resumable_uploads, upload_messages
from service.api.rag.resumable_uploads import UploadPiece
from service.corpus.documents.rag_files import RagFiles
from service.corpus.operations.stored_operations import status_of
from service.corpus.storage.upload_store import LARGEST_FILE, UploadStore, of_caller
from sessions.errors import (
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from sessions.resources.rag_files import RagFile, UploadRagFileRequest, UploadRagFileResponse

_PATH: Final = (
    "/upload/v1/projects/{project:str}/locations/{location:str}"
    "/ragCorpora/{rag_corpus:str}/ragFiles/:upload"
)


class UploadsController(Controller):
    """``/upload/…/ragFiles:upload``."""

    tags = ("RAG",)

    @post(
        _PATH,
        status_code=200,
        operation_id="UploadRagFileBytes",
        request_max_body_size=LARGEST_FILE + (1 << 20),
        opt={"versions": versions.GENERATION, "query": UploadRagFileRequest},
    )
    async def upload_rag_file(
        self,
        request: MessageRequest,
        rag_files: NamedDependency[RagFiles],
        uploads: NamedDependency[UploadStore],
    ) -> Response[Any]:
        """Take a file, or a piece of one; it can be retrieved from when its last piece is in."""
        bodies: RequestBodies = request.app.state.request_bodies
        command = request.headers.get("x-goog-upload-command", "")
        upload: str | None = request.query_params.get("uploadId")
        if upload is not None:
            stored = of_caller(upload, request.caller)
            piece = UploadPiece(request.parent, stored, command, rag_files, uploads, bodies)
            return await resumable_uploads.take_piece(request, piece)
        # Before any byte is read. `RagFiles.upload` asks again: the corpus may have gone meanwhile.
        await rag_files.check_writable(request.parent)
        if command == "start":
            return await resumable_uploads.start(request, request.parent, uploads)
        try:
            made = await _in_one(request, rag_files, bodies)
        except (NotFound, ResourceExhausted, Unavailable):
            raise
        except ServiceError as exc:
            # So the document has it: what is wrong with the file is no error of the request.
            return upload_messages.reply(UploadRagFileResponse(error=status_of(exc)))
        return upload_messages.reply(UploadRagFileResponse(rag_file=made))


async def _in_one(request: MessageRequest, rag_files: RagFiles, bodies: RequestBodies) -> RagFile:
    """Read a file that comes with what is said of it.

    Raises:
        InvalidArgument: a part is missing or cannot be read.
    """
    with contextlib.ExitStack() as kept:

        def keep() -> RequestBody:
            return kept.enter_context(bodies.new())

        async with upload_messages.incoming(request) as chunks:
            content_type = request.headers.get("content-type", "")
            parts = await multipart_bodies.parts(content_type, chunks, keep)
        named = {part.name: part for part in parts if part.name}
        # One client sends multipart/related, whose parts have no names but an order.
        if not named and len(parts) == 2:
            named = {"metadata": parts[0], "file": parts[1]}
        if "file" not in named:
            raise InvalidArgument("file: the part is missing", field="file")
        part, metadata = named["file"], await upload_messages.metadata(named.get("metadata"))
        mime = part.headers.get("content-type", "")
        async with bodies.files_in_memory:
            data = await part.data.read()
            file = upload_messages.uploaded_file(metadata, data, filename=part.filename, mime=mime)
            return await rag_files.upload(request.parent, file)
