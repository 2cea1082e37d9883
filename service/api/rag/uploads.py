"""Take the bytes of files at ``/upload/…``, in one request or in many.

However many files come at a time, few are whole in memory: what comes in one request waits on disk,
what comes in many in Redis, until a place to read it is free (`RequestBodies.files_in_memory`).
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final
from urllib.parse import quote

import msgspec
from litestar import Controller, Response, post
from litestar.di import NamedDependency

from service.api.http import errors, multipart_bodies, versions
from service.api.http.json_bodies import JSON, MessageRequest, MessageResponse
from service.api.http.multipart_bodies import BodyPart
from service.api.http.request_bodies import RequestBodies, RequestBody
from service.corpus.documents.rag_files import RagFiles, UploadedFile
from service.corpus.operations.stored_operations import status_of
from service.corpus.storage.upload_store import LARGEST_FILE, UploadStart, UploadStore
from sessions.codec import json_codec
from sessions.errors import (
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from sessions.resources.rag_files import (
    RagFile,
    UploadRagFileConfig,
    UploadRagFileRequest,
    UploadRagFileResponse,
)

_PATH: Final = (
    "/upload/v1/projects/{project:str}/locations/{location:str}"
    "/ragCorpora/{rag_corpus:str}/ragFiles/:upload"
)
_LONGEST_METADATA: Final = 64 * 1024
_STATUS: Final = "X-Goog-Upload-Status"
_SIZE: Final = re.compile(r"[0-9]{1,18}")
_ENDS: Final = frozenset({"FILE_TOO_LARGE", "RESOURCE_NOT_FOUND"})
"""Reasons after which no piece of an upload is taken any more; others can be put right."""


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
        command = request.headers.get("x-goog-upload-command", "")
        upload: str | None = request.query_params.get("uploadId")
        desk = _UploadRequest(
            rag_files, uploads, request.app.state.request_bodies, upload or "", command
        )
        if upload is not None:
            return await _piece(request, request.parent, desk)
        await rag_files.writable(request.parent)
        if command == "start":
            return await _start(request, request.parent, uploads)
        try:
            made = await _in_one(request, desk)
        except (NotFound, ResourceExhausted, Unavailable):
            raise
        except ServiceError as exc:
            return _told(UploadRagFileResponse(error=status_of(exc)))
        return _told(UploadRagFileResponse(rag_file=made))


class _UploadRequest(msgspec.Struct, frozen=True):
    """Where the pieces of one upload go, and what is to be done with this one."""

    files: RagFiles
    uploads: UploadStore
    bodies: RequestBodies
    id: str
    command: str


async def _start(request: MessageRequest, corpus: str, uploads: UploadStore) -> Response[Any]:
    """Begin a resumable upload: say where its pieces go."""
    async with _coming(request) as chunks:
        body = b""
        async for chunk in chunks:
            body += chunk
            if len(body) > _LONGEST_METADATA:
                raise _too_long()
    body = body or b"{}"
    json_codec.decode(UploadRagFileRequest, body)  # what is wrong is said before the bytes come
    size = request.headers.get("x-goog-upload-header-content-length", "")
    if size and not _SIZE.fullmatch(size):
        raise InvalidArgument("X-Goog-Upload-Header-Content-Length: give a number of bytes")
    begun = UploadStart(
        message=body,
        filename=request.headers.get("x-goog-upload-file-name", ""),
        mime=request.headers.get("x-goog-upload-header-content-type", ""),
        size=int(size) if size else -1,
    )
    upload = await uploads.begin(corpus, begun)
    version = request.address.version
    base = f"{request.base_url}".rstrip("/")
    corpus = request.project_numbers.told(corpus, request.address.number)
    url = f"{base}/upload/{version}/{quote(corpus)}/ragFiles:upload?uploadId={upload}"
    headers = {
        "X-Goog-Upload-URL": url,
        "X-Goog-Upload-Control-URL": url,
        "X-Goog-Upload-Chunk-Granularity": "1",
        _STATUS: "active",
    }
    return Response(b"{}", media_type=JSON, headers=headers, status_code=200)


@contextlib.asynccontextmanager
async def _coming(request: MessageRequest) -> AsyncGenerator[AsyncIterator[bytes]]:
    """Give the bytes of a request, which nothing is known of that speaks against them.

    Raises:
        Unavailable: this process stops, and they have not all come (SHUTTING_DOWN).
    """
    with request.pending_requests.new() as question:
        async with contextlib.aclosing(question.through(request.stream())) as chunks:
            try:
                yield chunks
            except ServiceError:
                # Most clients listen only when they have said all: one that is cut off before
                # would hear of a broken connection.
                async for _ in chunks:
                    pass
                raise


async def _piece(request: MessageRequest, corpus: str, desk: _UploadRequest) -> Response[Any]:
    """Take one piece; what cannot be put right ends the upload, and its status says so."""
    try:
        return await _obeyed(request, corpus, desk)
    except (Unavailable, ResourceExhausted):
        raise  # what came is kept: it goes on from there
    except ServiceError as exc:
        response = errors.respond(exc)
        response.headers[_STATUS] = "active"
        if exc.reason in _ENDS:
            if not isinstance(exc, NotFound):  # it may be there, of another corpus
                await desk.uploads.forget(desk.id)
            response.headers[_STATUS] = "final"
        return response


async def _obeyed(request: MessageRequest, corpus: str, desk: _UploadRequest) -> Response[Any]:
    """Do what the command of a piece says."""
    commands = {part.strip() for part in desk.command.split(",")}
    uploads = desk.uploads
    if "cancel" in commands:
        await uploads.received(corpus, desk.id)  # of this corpus, or there is none
        await uploads.forget(desk.id)
        return _progress("cancelled")
    if "upload" in commands:
        told = request.headers.get("x-goog-upload-offset", "0")
        if not _SIZE.fullmatch(told):
            raise InvalidArgument("X-Goog-Upload-Offset: give a number of bytes")
        await uploads.expect(corpus, desk.id, int(told))
        async with _coming(request) as chunks:
            await uploads.append(corpus, desk.id, int(told), chunks)
    elif not commands & {"query", "finalize"}:
        raise InvalidArgument("X-Goog-Upload-Command: give upload, finalize, query or cancel")
    if "finalize" not in commands:
        return _progress("active", await uploads.received(corpus, desk.id))
    return await _finish(corpus, desk)


async def _finish(corpus: str, desk: _UploadRequest) -> Response[Any]:
    """Make a file of what came; a file that cannot be one ends the upload as well."""
    async with desk.bodies.files_in_memory:
        begun, data = await desk.uploads.read(corpus, desk.id)
        said = json_codec.decode(UploadRagFileRequest, begun.message)
        upload = _upload(said, data, filename=begun.filename, mime=begun.mime)
        # Of the upload, so that who ends it twice, since no reply came, makes one file.
        upload = msgspec.structs.replace(upload, id=str(int(desk.id[:15], 16) + 1))
        try:
            made = await desk.files.upload(corpus, upload)
            response = _told(UploadRagFileResponse(rag_file=made))
        except (Unavailable, ResourceExhausted):
            raise
        except ServiceError as exc:
            response = errors.respond(exc)
    await desk.uploads.forget(desk.id)
    response.headers[_STATUS] = "final"
    return response


async def _in_one(request: MessageRequest, desk: _UploadRequest) -> RagFile:
    """Read a file that comes with what is said of it.

    Raises:
        InvalidArgument: a part is missing or cannot be read.
    """
    with contextlib.ExitStack() as kept:

        def keep() -> RequestBody:
            return kept.enter_context(desk.bodies.new())

        async with _coming(request) as chunks:
            content_type = request.headers.get("content-type", "")
            found = await multipart_bodies.parts(content_type, chunks, keep)
        named = {part.name: part for part in found if part.name}
        if not named and len(found) == 2:
            named = {"metadata": found[0], "file": found[1]}
        if "file" not in named:
            raise InvalidArgument("file: the part is missing", field="file")
        file, said = named["file"], await _said(named.get("metadata"))
        mime = file.headers.get("content-type", "")
        async with desk.bodies.files_in_memory:
            upload = _upload(said, await file.data.read(), filename=file.filename, mime=mime)
            return await desk.files.upload(request.parent, upload)


async def _said(part: BodyPart | None) -> UploadRagFileRequest:
    """Read the metadata: JSON, or the literal of a Python dict, which one client sends."""
    if part is None:
        return UploadRagFileRequest()
    if part.data.size > _LONGEST_METADATA:
        raise _too_long()
    text = (await part.data.read()).strip()
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        text = _from_literal(text)
    except RecursionError as exc:
        raise InvalidArgument("metadata: is nested too deep", field="metadata") from exc
    return json_codec.decode(UploadRagFileRequest, text)


def _too_long() -> InvalidArgument:
    return InvalidArgument(f"metadata: at most {_LONGEST_METADATA} bytes", field="metadata")


def _from_literal(text: bytes) -> bytes:
    try:
        return msgspec.json.encode(ast.literal_eval(text.decode()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as exc:
        raise InvalidArgument(
            "metadata: is neither JSON nor the literal of a Python dict", field="metadata"
        ) from exc


def _upload(said: UploadRagFileRequest, data: bytes, *, filename: str, mime: str) -> UploadedFile:
    return UploadedFile(
        file=said.rag_file or RagFile(),
        config=said.upload_rag_file_config or UploadRagFileConfig(),
        data=data,
        filename=filename,
        mime=mime,
    )


def _told(response: UploadRagFileResponse) -> Response[Any]:
    return MessageResponse(response, media_type=JSON, status_code=200)


def _progress(state: str, received: int = 0) -> Response[Any]:
    headers = {_STATUS: state, "X-Goog-Upload-Size-Received": str(received)}
    return Response(b"{}", media_type=JSON, headers=headers, status_code=200)
