"""Take the bytes of a file in many requests: start, pieces, the end.

The protocol is that of Google's resumable uploads, by the headers ``X-Goog-Upload-*``. Pieces wait
in Redis (`upload_store`), where any replica can take the next. In each reply ``-Status`` says
whether it goes on: ``active``, or ``final`` and ``cancelled``, after which no piece is taken.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

import msgspec
from litestar import Response

from service.api.http import errors
from service.api.http.json_bodies import JSON, MessageRequest
from service.api.http.request_bodies import RequestBodies
from service.api.rag import upload_messages
from service.corpus.documents.rag_files import RagFiles
from service.corpus.storage.upload_store import UploadStart, UploadStore
from sessions.codec import json_codec
from sessions.errors import (
    InvalidArgument,
    NotFound,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from sessions.resources.rag_files import UploadRagFileRequest, UploadRagFileResponse

_STATUS: Final = "X-Goog-Upload-Status"
_SIZE: Final = re.compile(r"[0-9]{1,18}")
_ENDS: Final = frozenset({"FILE_TOO_LARGE", "RESOURCE_NOT_FOUND"})
"""Reasons after which no piece of an upload is taken any more; others can be put right."""


class UploadPiece(msgspec.Struct, frozen=True):
    """A request of an upload that has begun: where its bytes go, and its command."""

    corpus: str
    upload: str
    command: str
    rag_files: RagFiles
    uploads: UploadStore
    bodies: RequestBodies


async def start(request: MessageRequest, corpus: str, uploads: UploadStore) -> Response[Any]:
    """Begin a resumable upload: say where its pieces go."""
    async with upload_messages.incoming(request) as chunks:
        body = b""
        async for chunk in chunks:
            body += chunk
            if len(body) > upload_messages.LONGEST_METADATA:
                raise upload_messages.too_long()
    body = body or b"{}"
    json_codec.decode(UploadRagFileRequest, body)  # what is wrong is said before the bytes come
    size = request.headers.get("x-goog-upload-header-content-length", "")
    if size and not _SIZE.fullmatch(size):
        raise InvalidArgument("X-Goog-Upload-Header-Content-Length: give a number of bytes")
    upload_start = UploadStart(
        message=body,
        filename=request.headers.get("x-goog-upload-file-name", ""),
        mime=request.headers.get("x-goog-upload-header-content-type", ""),
        size=int(size) if size else -1,
    )
    upload = await uploads.begin(corpus, upload_start, request.caller)
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


async def take_piece(request: MessageRequest, piece: UploadPiece) -> Response[Any]:
    """Take one piece; what cannot be put right ends the upload, and its status says so."""
    try:
        return await _obeyed(request, piece)
    except (Unavailable, ResourceExhausted):
        raise  # what came is kept: it goes on from there
    except ServiceError as exc:
        response = errors.respond(exc)
        response.headers[_STATUS] = "active"
        if exc.reason in _ENDS:
            if not isinstance(exc, NotFound):  # it may be there, of another corpus
                await piece.uploads.forget(piece.upload)
            response.headers[_STATUS] = "final"
        return response


async def _obeyed(request: MessageRequest, piece: UploadPiece) -> Response[Any]:
    """Do what the command of a piece says."""
    commands = {part.strip() for part in piece.command.split(",")}
    uploads, corpus = piece.uploads, piece.corpus
    if "cancel" in commands:
        await uploads.received(corpus, piece.upload)  # of this corpus, or there is none
        await uploads.forget(piece.upload)
        return _progress("cancelled")
    if "upload" in commands:
        offset = request.headers.get("x-goog-upload-offset", "0")
        if not _SIZE.fullmatch(offset):
            raise InvalidArgument("X-Goog-Upload-Offset: give a number of bytes")
        # Before the bytes are read: a client that is ahead hears at once where to go on from.
        await uploads.expect(corpus, piece.upload, int(offset))
        async with upload_messages.incoming(request) as chunks:
            await uploads.append(corpus, piece.upload, int(offset), chunks)
    elif not commands & {"query", "finalize"}:
        raise InvalidArgument("X-Goog-Upload-Command: give upload, finalize, query or cancel")
    if "finalize" not in commands:
        return _progress("active", await uploads.received(corpus, piece.upload))
    return await _finish(piece)


async def _finish(piece: UploadPiece) -> Response[Any]:
    """Make a file of what came; a file that cannot be one ends the upload as well."""
    async with piece.bodies.files_in_memory:
        upload_start, data = await piece.uploads.read(piece.corpus, piece.upload)
        metadata = json_codec.decode(UploadRagFileRequest, upload_start.message)
        file = upload_messages.uploaded_file(
            metadata, data, filename=upload_start.filename, mime=upload_start.mime
        )
        # Of the upload, so that who ends it twice, since no reply came, makes one file.
        file = msgspec.structs.replace(file, id=str(int(piece.upload[:15], 16) + 1))
        try:
            made = await piece.rag_files.upload(piece.corpus, file)
            response = upload_messages.reply(UploadRagFileResponse(rag_file=made))
        except (Unavailable, ResourceExhausted):
            raise
        except ServiceError as exc:
            response = errors.respond(exc)
    # After the file is made: whoever dies between leaves an upload that can be ended again.
    await piece.uploads.forget(piece.upload)
    response.headers[_STATUS] = "final"
    return response


def _progress(state: str, received: int = 0) -> Response[Any]:
    headers = {_STATUS: state, "X-Goog-Upload-Size-Received": str(received)}
    return Response(b"{}", media_type=JSON, headers=headers, status_code=200)
