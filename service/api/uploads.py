"""Take the bytes of files at ``/upload/…``, in one request or in many (api.md 14.3)."""

from __future__ import annotations

import ast
import re
from typing import Any, Final
from urllib.parse import quote

import msgspec
from litestar import Controller, Response, post
from litestar.di import NamedDependency

from service.api import errors, multipart, versions
from service.api.messages import JSON, MessageRequest
from service.api.multipart import Part
from service.corpus.files import Files, Upload
from service.corpus.operations import status
from service.corpus.uploads import LARGEST, Begun, Uploads
from sessions import wire
from sessions.errors import InvalidArgument, NotFound, ServiceError, Unavailable
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


class UploadsController(Controller):
    """``/upload/…/ragFiles:upload``."""

    tags = ("RAG",)

    @post(
        _PATH,
        status_code=200,
        operation_id="UploadRagFileBytes",
        request_max_body_size=LARGEST + (1 << 20),
        opt={"versions": versions.GENERATION, "query": UploadRagFileRequest},
    )
    async def upload_rag_file(
        self,
        request: MessageRequest,
        files: NamedDependency[Files],
        uploads: NamedDependency[Uploads],
    ) -> Response[Any]:
        """Take a file, or a piece of one; it can be retrieved from when its last piece is in."""
        command = request.headers.get("x-goog-upload-command", "")
        upload = request.query_params.get("uploadId", "")
        if upload:
            return await _piece(request, request.parent, _Desk(files, uploads, upload, command))
        await files.writable(request.parent)
        body = await _body(request)
        if command == "start":
            return await _start(request, request.parent, body, uploads)
        try:
            made = await files.upload(request.parent, _in_one(request, body))
        except NotFound:
            raise
        except ServiceError as exc:
            return _told(UploadRagFileResponse(error=status(exc)))
        return _told(UploadRagFileResponse(rag_file=made))


class _Desk(msgspec.Struct, frozen=True):
    """Where the pieces of one upload go, and what is to be done with this one."""

    files: Files
    uploads: Uploads
    id: str
    command: str


async def _start(
    request: MessageRequest, corpus: str, body: bytes, uploads: Uploads
) -> Response[Any]:
    """Begin a resumable upload: say where its pieces go."""
    wire.decode(UploadRagFileRequest, body)  # what is wrong is said before the bytes come
    size = request.headers.get("x-goog-upload-header-content-length", "")
    begun = Begun(
        message=body,
        filename=request.headers.get("x-goog-upload-file-name", ""),
        mime=request.headers.get("x-goog-upload-header-content-type", ""),
        size=int(size) if _SIZE.fullmatch(size) else -1,
    )
    upload = await uploads.begin(corpus, begun)
    version = request.address.version
    base = f"{request.base_url}".rstrip("/")
    url = f"{base}/upload/{version}/{quote(corpus)}/ragFiles:upload?uploadId={upload}"
    headers = {
        "X-Goog-Upload-URL": url,
        "X-Goog-Upload-Control-URL": url,
        "X-Goog-Upload-Chunk-Granularity": "1",
        _STATUS: "active",
    }
    return Response(b"{}", media_type=JSON, headers=headers, status_code=200)


async def _body(request: MessageRequest) -> bytes:
    """Read the bytes, which nothing is known of that speaks against them.

    Raises:
        Unavailable: this process stops, and they have not all come (SHUTTING_DOWN).
    """
    with request.questions.new() as question:
        return b"".join([chunk async for chunk in question.through(request.stream())])


async def _piece(request: MessageRequest, corpus: str, desk: _Desk) -> Response[Any]:
    """Take one piece; what is wrong ends the upload, and says so in its status."""
    commands = {part.strip() for part in desk.command.split(",")}
    try:
        if "cancel" in commands:
            await desk.uploads.forget(corpus, desk.id)
            return _progress("cancelled")
        if "upload" in commands:
            offset = request.headers.get("x-goog-upload-offset", "0")
            if not _SIZE.fullmatch(offset):
                raise InvalidArgument("X-Goog-Upload-Offset: give a number of bytes")
            await desk.uploads.expect(corpus, desk.id, int(offset))
            await desk.uploads.append(corpus, desk.id, int(offset), await _body(request))
        elif not commands & {"query", "finalize"}:
            raise InvalidArgument("X-Goog-Upload-Command: give upload, finalize, query or cancel")
        if "finalize" not in commands:
            return _progress("active", await desk.uploads.received(corpus, desk.id))
        made = await _finish(corpus, desk)
    except Unavailable:
        raise  # what came is kept: it goes on from there
    except ServiceError as exc:
        response = errors.respond(exc)
        response.headers[_STATUS] = "final"
        return response
    response = _told(UploadRagFileResponse(rag_file=made))
    response.headers[_STATUS] = "final"
    return response


async def _finish(corpus: str, desk: _Desk) -> RagFile:
    begun, data = await desk.uploads.read(corpus, desk.id)
    said = wire.decode(UploadRagFileRequest, begun.message)
    upload = _upload(said, data, filename=begun.filename, mime=begun.mime)
    made = await desk.files.upload(corpus, upload)
    await desk.uploads.forget(corpus, desk.id)
    return made


def _in_one(request: MessageRequest, body: bytes) -> Upload:
    """Read a file that comes with what is said of it.

    Raises:
        InvalidArgument: a part is missing or cannot be read.
    """
    content_type = request.headers.get("content-type", "")
    found = multipart.parts(content_type, body)
    named = {part.name: part for part in found if part.name}
    if not named and len(found) == 2:
        named = {"metadata": found[0], "file": found[1]}
    if "file" not in named:
        raise InvalidArgument("file: the part is missing", field="file")
    file = named["file"]
    return _upload(
        _said(named.get("metadata")),
        file.data,
        filename=file.filename,
        mime=file.headers.get("content-type", ""),
    )


def _said(part: Part | None) -> UploadRagFileRequest:
    """Read the metadata: JSON, or the literal of a Python dict, which one client sends."""
    if part is None:
        return UploadRagFileRequest()
    text = part.data.strip()
    if len(text) > _LONGEST_METADATA:
        raise InvalidArgument("metadata: too long", field="metadata")
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        text = _from_literal(text)
    return wire.decode(UploadRagFileRequest, text)


def _from_literal(text: bytes) -> bytes:
    try:
        return msgspec.json.encode(ast.literal_eval(text.decode()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as exc:
        raise InvalidArgument(
            "metadata: is neither JSON nor the literal of a Python dict", field="metadata"
        ) from exc


def _upload(said: UploadRagFileRequest, data: bytes, *, filename: str, mime: str) -> Upload:
    return Upload(
        file=said.rag_file or RagFile(),
        config=said.upload_rag_file_config or UploadRagFileConfig(),
        data=data,
        filename=filename,
        mime=mime,
    )


def _told(response: UploadRagFileResponse) -> Response[Any]:
    return Response(wire.encode(response), media_type=JSON, status_code=200)


def _progress(state: str, received: int = 0) -> Response[Any]:
    headers = {_STATUS: state, "X-Goog-Upload-Size-Received": str(received)}
    return Response(b"{}", media_type=JSON, headers=headers, status_code=200)
