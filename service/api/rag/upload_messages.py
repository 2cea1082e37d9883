"""What the messages of an upload hold, however many requests it takes."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import msgspec
from litestar import Response

from service.api.http.json_bodies import JSON, MessageRequest, MessageResponse
from service.api.http.multipart_bodies import BodyPart
from service.corpus.documents.rag_files import UploadedFile
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, ServiceError
from sessions.resources.rag_files import (
    RagFile,
    UploadRagFileConfig,
    UploadRagFileRequest,
    UploadRagFileResponse,
)

LONGEST_METADATA: Final = 64 * 1024
"""Bytes of what is said of a file: it is held in memory and in Redis, and need not be long."""


@contextlib.asynccontextmanager
async def incoming(request: MessageRequest) -> AsyncGenerator[AsyncIterator[bytes]]:
    """Give the bytes of a request, which nothing is known of that speaks against them.

    Raises:
        Unavailable: this process stops, and they have not all come (SHUTTING_DOWN).
    """
    with request.pending_requests.new() as pending:
        async with contextlib.aclosing(pending.through(request.stream())) as chunks:
            try:
                yield chunks
            except ServiceError:
                # Most clients listen only when they have said all: one that is cut off before
                # would hear of a broken connection.
                async for _ in chunks:
                    pass
                raise


async def metadata(part: BodyPart | None) -> UploadRagFileRequest:
    """Read the metadata: JSON, or the literal of a Python dict, which one client sends."""
    if part is None:
        return UploadRagFileRequest()
    if part.data.size > LONGEST_METADATA:
        raise too_long()
    text = (await part.data.read()).strip()
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        text = _from_literal(text)
    except RecursionError as exc:
        raise InvalidArgument("metadata: is nested too deep", field="metadata") from exc
    return json_codec.decode(UploadRagFileRequest, text)


def too_long() -> InvalidArgument:
    """Return that more is said of a file than is read."""
    return InvalidArgument(f"metadata: at most {LONGEST_METADATA} bytes", field="metadata")


def _from_literal(text: bytes) -> bytes:
    try:
        return msgspec.json.encode(ast.literal_eval(text.decode()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as exc:
        raise InvalidArgument(
            "metadata: is neither JSON nor the literal of a Python dict", field="metadata"
        ) from exc


def uploaded_file(
    request: UploadRagFileRequest, data: bytes, *, filename: str, mime: str
) -> UploadedFile:
    """Return the file that *request* tells of, with its bytes."""
    return UploadedFile(
        file=request.rag_file or RagFile(),
        config=request.upload_rag_file_config or UploadRagFileConfig(),
        data=data,
        filename=filename,
        mime=mime,
    )


def reply(response: UploadRagFileResponse) -> Response[Any]:
    """Return *response* as it is sent."""
    return MessageResponse(response, media_type=JSON, status_code=200)
